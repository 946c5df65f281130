"""YAML text to a located tree, and data to YAML text; the only module that imports yaml.

Refuses what a configuration has no use for: tags, merge keys, repeated keys,
recursive aliases and aliases that multiply. Knows no settings.
"""

import re
from collections.abc import Mapping
from pathlib import PurePath
from typing import Any

import yaml

from tourney.config.located import (
    Entries,
    Faults,
    Items,
    Key,
    Leaf,
    Place,
    Refused,
    Tree,
    entry_path,
)
from tourney.config.scalars import Trap, plain_value
from tourney.config.words import quoted, said, shortened, value_words
from tourney.errors import ConfigError, Fault

PLAIN = "?"  # stands for the tag of an unquoted scalar; no YAML can write it
TEXT_TAG = "tag:yaml.org,2002:str"
ALLOWED_TAGS = frozenset({PLAIN, TEXT_TAG, "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"})
MOST_NODES = 100_000  # counted after aliases are followed
MOST_LEVELS = 50  # of lists and mappings within each other
A_SETTING = "the name of a setting"

PROBLEMS = (
    (r"found character '\\t'", "a tab: indent with spaces"),
    (r"found character (?P<it>'.+') that", "text that begins with {it}: put it in quotes"),
    (
        "mapping values are not allowed",
        "a ':' that fits no key: check the indentation here and above, or put the text in quotes",
    ),
    (
        "expected <block end>",
        "something that does not fit the lines above: check the indentation and the quotes",
    ),
    ("could not find expected ':'", "a line without ':': write 'name: value'"),
    (r"found undefined alias '(?P<it>.+)'", "an alias that no anchor goes before: '{it}'"),
    ("found unexpected end of stream", "a quote that is never closed"),
    ("but found '<stream end>'", "the end of the file too early: close every bracket"),
    (r"expected ',' or (?P<it>'.'), but got", "a bracket that is not closed: add {it}"),
    (
        r"found unknown escape character (?P<it>'.+')",
        "a backslash before {it}: write two backslashes or use single quotes",
    ),
)


class _Writer(yaml.SafeDumper):
    """PyYAML's writer; text stays text, whatever it looks like."""

    def text(self, value: str) -> yaml.ScalarNode:
        """Write text in quotes if a plain one would be read as something else."""
        is_plain = bool(value) and plain_value(value) == value
        return self.represent_scalar(TEXT_TAG, value, style=None if is_plain else '"')

    def path(self, value: PurePath) -> yaml.ScalarNode:
        """Write a path as text."""
        return self.text(str(value))


_Writer.add_representer(str, _Writer.text)
_Writer.add_multi_representer(PurePath, _Writer.path)


def plain_numbers(data: Any) -> Any:
    """Give data of a program with numbers of Python's own, where they are one of NumPy's.

    >>> plain_numbers({"decks": (1, 2)})
    {'decks': (1, 2)}
    """
    match data:
        case Mapping():
            return {name: plain_numbers(value) for name, value in data.items()}
        case list() | tuple():
            plain = map(plain_numbers, data)
            return tuple(plain) if isinstance(data, tuple) else list(plain)
    # No library is imported to find out: its single numbers have no shape.
    return data.item() if getattr(data, "shape", None) == () else data


def as_yaml(data: Mapping[str, Any]) -> str:
    """Write a configuration down that a program has made.

    Args:
        data: Text, numbers, paths, lists and mappings in each other.
    Raises: ConfigError, if there is anything else among them.
    """
    try:
        return yaml.dump(plain_numbers(data), Dumper=_Writer, sort_keys=False, allow_unicode=True)
    except RecursionError:
        raise ConfigError((Fault("configuration", 0, 0, "", _too_deep()),)) from None
    except yaml.representer.RepresenterError as error:
        got = f"{type(error.args[-1]).__name__} {error.args[-1]!r}"
        expected = "text, numbers, paths, lists and dictionaries"
        raise ConfigError((Fault("configuration", 0, 0, "", said(expected, got)),)) from None


class _Composer(yaml.BaseLoader):
    """PyYAML's composer; it leaves the meaning of plain scalars to us, and stops when too deep."""

    def __init__(self, text: str, faults: Faults) -> None:
        """Begin.

        Args:
            text: The whole file.
            faults: Told where it gets too deep, as Python's stack would not say it.
        """
        super().__init__(text)
        self._faults = faults
        self._open = 0  # lists and mappings that we are inside of

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a value and all below it."""
        event = self.peek_event()  # type: ignore[no-untyped-call]  # yaml has no types
        if self._open >= MOST_LEVELS and isinstance(event, yaml.CollectionStartEvent):
            self._faults.stop(_place(event), _too_deep())
        self._open += 1
        node = super().compose_node(parent, index)
        self._open -= 1
        return node

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: object) -> str:
        """Mark plain scalars; anything else keeps the tag that YAML gives it."""
        if kind is yaml.ScalarNode and isinstance(implicit, tuple) and implicit[0]:
            return PLAIN
        return str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]  # yaml has no types


def parse(text: str, faults: Faults, most_values: int = MOST_NODES) -> Tree:
    """Read YAML as a tree of located values.

    Args:
        text: The whole file.
        faults: Notes what is wrong with single keys and values.
        most_values: How many values the text may have, with every alias followed.
    Raises: ConfigError, if the text is empty, no YAML, or far too large.
    """
    node = _compose(text, faults)
    if node is None or (isinstance(node, yaml.ScalarNode) and node.tag == PLAIN and not node.value):
        faults.stop(None, said("settings such as 'name: Quickstart'", "an empty file"))
    return _Grower(faults, most_values).grow(node, "")


def plain_data(text: str) -> dict[str, Any]:
    """Give a configuration as plain data, without places, comments and ways of writing.

    Args:
        text: YAML that was read before without a fault.
    """
    data: dict[str, Any] = _plain(parse(text, Faults("")))
    return data


def value_in(text: str, name: str) -> Any:
    """Give a single value of a configuration; None if the text has none of that name.

    Raises: ConfigError, if the text cannot be read.
    """
    tree = parse(text, Faults(""))
    value = tree.get(name) if isinstance(tree, Entries) else None
    return value.value if isinstance(value, Leaf) else None


def _plain(tree: Tree) -> Any:
    if isinstance(tree, Entries):
        return {key.name: _plain(value) for key, value in tree.entries}
    if isinstance(tree, Items):
        return [_plain(item) for item in tree.items]
    assert isinstance(tree, Leaf)
    return tree.value.raw if isinstance(tree.value, Trap) else tree.value


def _compose(text: str, faults: Faults) -> yaml.Node | None:
    """Have PyYAML compose the one document of the text."""
    try:
        loader = _Composer(text, faults)
        try:
            return loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        before = text[: error.position].split("\n")
        place = Place(len(before), len(before[-1]) + 1)
        faults.stop(place, said("printable text", _character_words(error)))
    except yaml.MarkedYAMLError as error:
        faults.stop(_problem_place(error), said("YAML", _problem_words(error)))
    except (ValueError, OverflowError) as error:  # PyYAML converts escapes without a check
        faults.stop(None, said("YAML", f"an escape or version that is out of range ({error})"))


def _problem_place(error: yaml.MarkedYAMLError) -> Place | None:
    """Find where a reader should look first."""
    unclosed = "end of stream" in (error.problem or "")
    mark = (error.context_mark if unclosed else None) or error.problem_mark or error.context_mark
    return Place(mark.line + 1, mark.column + 1) if mark else None


def _problem_words(error: yaml.MarkedYAMLError) -> str:
    """Say in plain words what the parser found."""
    problem = error.problem or "something else"
    if "another document" in problem:
        return "a second document: keep one document in a file"
    for pattern, words in PROBLEMS:
        found = re.search(pattern, problem)
        if found:
            return words.format(it=shortened(found.groupdict().get("it", "")))
    return f"something else ({problem})"


def _character_words(error: yaml.reader.ReaderError) -> str:
    """Name a character that cannot be printed."""
    code = error.character if isinstance(error.character, int) else ord(error.character)
    return f"the character U+{code:04X}"


def _too_deep() -> str:
    """Say that lists and mappings lie too deep within each other."""
    return said(f"at most {MOST_LEVELS} levels of lists and mappings", "more")


class _Grower:
    """Turns PyYAML's nodes into located values, following aliases."""

    def __init__(self, faults: Faults, most_values: int) -> None:
        """Begin with nothing grown."""
        self._faults = faults
        self._most = most_values
        self._nodes = 0
        self._open: list[int] = []  # identities of the lists and mappings we are inside of

    def grow(self, node: yaml.Node, path: str) -> Tree:
        """Turn one node and all below it into located values."""
        place = _place(node)
        self._nodes += 1
        if self._nodes > self._most:
            expected = f"at most {self._most} values with every alias followed"
            self._faults.stop(place, said(expected, "more"), path)
        if node.tag not in ALLOWED_TAGS:
            self._faults.note(
                refused := Refused(place, path),
                said("a value without a tag", quoted(_tag_words(node.tag)), "remove the tag"),
            )
            return refused
        if isinstance(node, yaml.ScalarNode):
            value = plain_value(node.value) if node.tag == PLAIN else node.value
            return Leaf(place, path, value, node.value)
        return self._grow_branch(node, place, path)

    def _grow_branch(self, node: yaml.Node, place: Place, path: str) -> Tree:
        """Turn a list or a mapping into located values."""
        if id(node) in self._open:
            self._faults.stop(place, said("values", "an alias that holds itself"), path)
        if len(self._open) >= MOST_LEVELS:
            self._faults.stop(place, _too_deep(), path)
        self._open.append(id(node))
        grown: Tree
        if isinstance(node, yaml.MappingNode):
            grown = Entries(place, path, self._entries(node, path))
        else:
            items = enumerate(node.value)
            grown = Items(place, path, tuple(self.grow(item, f"{path}[{i}]") for i, item in items))
        self._open.pop()
        return grown

    def _entries(self, node: yaml.MappingNode, path: str) -> tuple[tuple[Key, Tree], ...]:
        """Turn the entries of a mapping, keeping the first of repeated keys."""
        kept: dict[str, tuple[Key, Tree]] = {}
        for key_node, value_node in node.value:
            name = self._key_name(key_node, path)
            if name is None:
                continue
            key = Key(_place(key_node), entry_path(path, name), name)
            if name in kept:
                first = kept[name][0].place.line
                message = said(f"{quoted(name)} once", f"it again (first on line {first})")
                self._faults.note(key, message)
                continue
            kept[name] = (key, self.grow(value_node, key.path))
        return tuple(kept.values())

    def _key_name(self, node: yaml.Node, path: str) -> str | None:
        """Return the text of a key, or note why it is none."""
        at = Refused(_place(node), path)
        if not isinstance(node, yaml.ScalarNode):
            kind = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
            self._faults.note(at, said(A_SETTING, kind))
            return None
        if node.tag not in ALLOWED_TAGS:
            self._faults.note(at, said(A_SETTING, quoted(_tag_words(node.tag)), "remove the tag"))
            return None
        value = plain_value(node.value) if node.tag == PLAIN else node.value
        if value == "<<" and node.tag == PLAIN:
            self._faults.note(at, said(A_SETTING, "the merge key <<", "write the settings out"))
            return None
        if isinstance(value, str):
            return value
        leaf = Leaf(at.place, path, value, shortened(node.value))
        remedy = "put it in quotes" if node.value else ""
        self._faults.note(at, said(A_SETTING, value_words(leaf), remedy))
        return None


def _place(node: yaml.Node | yaml.Event) -> Place:
    """Return where a node begins, or what it is made of."""
    mark = node.start_mark
    assert mark is not None
    return Place(mark.line + 1, mark.column + 1)


def _tag_words(tag: str) -> str:
    """Write a tag as the organiser did."""
    return tag.replace("tag:yaml.org,2002:", "!!")
