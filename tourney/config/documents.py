"""YAML documents as plain data, with the place of every value; the only module that imports yaml.

Rejects what a configuration does not need: tags, merge keys, repeated keys, recursive aliases and
aliases that multiply. A plain scalar that YAML versions read differently stays a `Trap` in the
data, and a value with a fault is `REFUSED`; no setting accepts either.
"""

import os
import re
import shlex
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path, PurePath
from typing import Any, Final, NoReturn, TypeAlias

import yaml

from tourney.config.scalars import Trap, number_words, plain_value
from tourney.config.words import (
    hint,
    near_file,
    quoted,
    said,
    shortened,
    stray_byte,
    system_words,
    value_words,
)
from tourney.errors import ConfigError, Fault

MOST_BYTES = 5_000_000  # of a file
USUAL = "tournament.yaml"
"""Name of a new tournament's file, also in a course folder."""
NEW = "`tourney new tournament` writes one"
PROGRAMS = (".py", ".cpp", ".cc", ".cxx")
"""Suffixes of competitors, which are not configurations."""
LONGEST_KEY = 40  # characters of a key that a path shows
PLAIN = "?"  # tag of an unquoted scalar; no YAML file can write it
TEXT_TAG = "tag:yaml.org,2002:str"
ALLOWED_TAGS = frozenset({PLAIN, TEXT_TAG, "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"})
MOST_NODES = 100_000  # counted after aliases are followed
MOST_LEVELS = 50  # of nested lists and mappings
TOO_DEEP = f"more than {MOST_LEVELS} levels of nested lists and mappings"
A_SETTING = "the name of a setting"

HARD_SPACE = "\u00a0"
"""Does not indent; texts copied from web pages have it."""
WITHOUT_COLON = "could not find expected ':'"

PROBLEMS = (
    (r"found character '\\t'", "a tab; indent with spaces"),
    (r"found character (?P<it>'.+') that", "text that begins with {it}; put it in quotes"),
    (
        "mapping values are not allowed",
        (
            "a ':' that fits no key; check the indentation here and above, write a space after "
            "each ':', or put the text in quotes"
        ),
    ),
    (
        "expected <block end>",
        "text that does not fit the lines above; check the indentation and the quotes",
    ),
    (WITHOUT_COLON, "a line without ':' and a space; write 'name: value'"),
    (r"found undefined alias '(?P<it>.+)'", "an alias without an anchor before it: '{it}'"),
    ("found unexpected end of stream", "a quote that is never closed"),
    ("but found '<stream end>'", "the file ends too early; close every bracket"),
    (r"expected ',' or (?P<it>'.'), but got", "a bracket that is not closed; add {it}"),
    (
        r"found unknown escape character (?P<it>'.+')",
        "a backslash before {it}; write two backslashes or use single quotes",
    ),
    (
        "expected escape sequence of",
        "a backslash that begins no character; write two backslashes or use single quotes",
    ),
    (
        "expected alphabetic or numeric character",
        "a '*' or '&' without a name; begin entries of a list with '- ', or put the text in quotes",
    ),
    (
        "expected '<document start>'",
        "text after the end of the settings; write 'name: value' on each line",
    ),
)


class Refused(Enum):
    """Stands for a value whose fault is already noted; its readers stay silent."""

    REFUSED = "refused"


REFUSED: Final = Refused.REFUSED

KeyPath: TypeAlias = tuple[str | int, ...]
"""The keys and indexes that lead to a value."""

Place: TypeAlias = tuple[int, int]
"""Line and column, from 1."""


@dataclass(frozen=True, slots=True)
class Spot:
    """The place of a value in the text, and the text as written."""

    place: Place
    key: Place  # of its key; its own in a list
    raw: str = ""  # a single value as written, without quotes


class Faults:
    """The faults of one file and the places of its values, collected while reading."""

    def __init__(self, source: str) -> None:
        """Begin without faults.

        Args:
            source: The file's name as the user gave it.
        """
        self.source = source
        self.spots: dict[KeyPath, Spot] = {}  # empty for data without a text
        self._found: list[Fault] = []

    @property
    def count(self) -> int:
        """Count the faults noted so far."""
        return len(self._found)

    def line(self, path: KeyPath) -> int:
        """Return the line of a value; 0 if it comes from no text."""
        return self.spots[path].place[0] if path in self.spots else 0

    def raw(self, path: KeyPath, value: Any) -> str:
        """Return a single value as written."""
        if path in self.spots:
            return self.spots[path].raw
        if isinstance(value, (bool, int, float)):
            return number_words(value)
        return "null" if value is None else str(value)

    def written(self, path: KeyPath, value: Any, *, keeps_null: bool = False) -> Any:
        """Return a value with every single value in it as the written text.

        Args:
            value: Plain data.
            keeps_null: Keep `null` as `None`, like an empty value.
        """
        match value:
            case dict() | list():
                items = value.items() if isinstance(value, dict) else enumerate(value)
                texts = {
                    key: self.written((*path, key), each, keeps_null=keeps_null)
                    for key, each in items
                }
                return texts if isinstance(value, dict) else list(texts.values())
            case None:
                return None if keeps_null else self.raw(path, value) or None
        return value if value is REFUSED else self.raw(path, value)

    def note(self, path: KeyPath, message: str, *, at_key: bool = False) -> None:
        """Note a fault of the value at a path, or of its key, and continue."""
        spot = self.spots.get(path)
        place = (0, 0) if spot is None else spot.key if at_key else spot.place
        self.note_at(place, message, path_text(path))

    def note_at(self, place: Place, message: str, path: str = "") -> None:
        """Note a fault at a place of the text."""
        self._found.append(Fault(self.source, *place, path, message))

    def take(self, error: ConfigError) -> None:
        """Note the faults of another file that this one names."""
        self._found += error.faults

    def forget(self, names: Collection[str]) -> None:
        """Forget the places of settings whose values come from elsewhere."""
        self.spots = {path: at for path, at in self.spots.items() if not {*path[:1]} & {*names}}

    def stop(self, place: Place | None, message: str, path: KeyPath = ()) -> NoReturn:
        """Give up on the file because of one fault.

        Raises: ConfigError, always, with only this fault.
        """
        fault = Fault(self.source, *(place or (0, 0)), path_text(path), message)
        raise ConfigError((fault,)) from None

    def sort_by(self, names: Sequence[str]) -> None:
        """Sort the faults of settings without places by these names."""
        last = len(names)
        self._found.sort(key=lambda each: names.index(each.path) if each.path in names else last)

    def raise_any(self) -> None:
        """Raise a ConfigError with every fault, if there is one."""
        if self._found:
            raise ConfigError(tuple(self._found))


def path_text(path: KeyPath) -> str:
    """Write a path for a message.

    >>> path_text(("entrants", 2, "options")), path_text(("two words",))
    ('entrants[2].options', "['two words']")
    """
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(r"\w[\w-]*", part) and len(part) <= LONGEST_KEY:
            text += f".{part}" if text else part
        else:
            text += f"[{part[:LONGEST_KEY]!r}]"
    return text


def file_text(path: Path, remedy: str = NEW) -> str:
    """Read a file as UTF-8; its path must be UTF-8, too.

    Args:
        remedy: The fix for a missing file.
    Raises: ConfigError, if it cannot be read.
    """
    faults = Faults(str(path))
    if byte := stray_byte(str(path)):
        faults.stop(None, f"the path is not UTF-8 ({byte}); rename the file or its folder")
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        problem = f"no such file{hint(near_file(path))}"
        faults.stop(None, f"{problem}; {remedy}" if remedy else problem)
    except (OSError, ValueError) as error:
        inside = path / USUAL
        is_there = isinstance(error, IsADirectoryError) and os.access(inside, os.R_OK)
        meant = str(inside) if is_there else None
        faults.stop(None, f"the file cannot be read ({system_words(error)}){hint(meant)}")
    if path.suffix in PROGRAMS:
        faults.stop(
            None,
            "this is a competitor; a configuration is a YAML file. "
            f"`tourney check {shlex.quote(str(path))}` checks a competitor",
        )
    if len(data) > MOST_BYTES:
        faults.stop(None, f"the file is larger than {MOST_BYTES} bytes")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        byte = f"the byte 0x{data[error.start]:02x} on line {line}"
        faults.stop(None, f"the file is not UTF-8 ({byte}); save it as UTF-8")


class _Writer(yaml.SafeDumper):
    """PyYAML's writer; text stays text, whatever it looks like."""

    def text(self, value: str) -> yaml.ScalarNode:
        """Write text, in quotes if `parse` would refuse it or read it differently without."""
        is_plain = bool(value) and plain_value(value) == value
        is_plain &= not value.startswith(HARD_SPACE)
        return self.represent_scalar(TEXT_TAG, value, style=None if is_plain else '"')

    def path(self, value: PurePath) -> yaml.ScalarNode:
        """Write a path as text."""
        return self.text(str(value))


_Writer.add_representer(str, _Writer.text)
_Writer.add_multi_representer(PurePath, _Writer.path)


def plain_numbers(data: Any) -> Any:
    """Replace NumPy's numbers by Python's.

    >>> plain_numbers({"decks": (1, 2)})
    {'decks': (1, 2)}
    """
    match data:
        case Mapping():
            return {name: plain_numbers(value) for name, value in data.items()}
        case list() | tuple():
            plain = map(plain_numbers, data)
            return tuple(plain) if isinstance(data, tuple) else list(plain)
    # Recognises NumPy's single numbers by their empty shape, without an import.
    return data.item() if getattr(data, "shape", None) == () else data


def as_yaml(data: Mapping[str, Any]) -> str:
    """Write a configuration of a program as YAML.

    Args:
        data: Nested text, numbers, paths, lists and mappings.
    Raises: ConfigError, if it contains anything else.
    """
    try:
        return yaml.dump(plain_numbers(data), Dumper=_Writer, sort_keys=False, allow_unicode=True)
    except RecursionError:
        raise ConfigError((Fault("configuration", 0, 0, "", TOO_DEEP),)) from None
    except yaml.representer.RepresenterError as error:
        wrong = error.args[-1]
        problem = said(
            "text, numbers, paths, lists and dictionaries", f"{type(wrong).__name__} {wrong!r}"
        )
        place = path_text(_path_to(wrong, data, ()) or ())
        raise ConfigError((Fault("configuration", 0, 0, place, problem),)) from None


def _path_to(wanted: object, data: Any, path: KeyPath) -> KeyPath | None:
    """Return where nested data contains an object; `None` if it does not."""
    if data is wanted:
        return path
    parts: Iterable[tuple[Any, Any]] = ()
    if isinstance(data, Mapping):
        parts = ((str(key), each) for key, each in data.items())
    elif isinstance(data, list | tuple):
        parts = enumerate(data)
    return next((at for key, each in parts if (at := _path_to(wanted, each, (*path, key)))), None)


class _Composer(yaml.BaseLoader):
    """PyYAML's composer; it does not interpret plain scalars, and limits the depth."""

    def __init__(self, text: str, faults: Faults) -> None:
        """Begin.

        Args:
            faults: Receives the place where the text is nested too deeply.
        """
        super().__init__(text)
        self._faults = faults
        self._open = 0  # depth of lists and mappings

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Compose a value and all below it."""
        event = self.peek_event()  # type: ignore[no-untyped-call]  # yaml has no types
        if self._open >= MOST_LEVELS and isinstance(event, yaml.CollectionStartEvent):
            self._faults.stop(_place_of(event), TOO_DEEP)
        self._open += 1
        node = super().compose_node(parent, index)
        self._open -= 1
        return node

    def resolve(self, kind: type[yaml.Node], value: str | None, implicit: object) -> str:
        """Mark plain scalars; anything else keeps its YAML tag."""
        if kind is yaml.ScalarNode and isinstance(implicit, tuple) and implicit[0]:
            return PLAIN
        return str(super().resolve(kind, value, implicit))  # type: ignore[no-untyped-call]  # yaml has no types


def parse(text: str, faults: Faults, most_values: int = MOST_NODES) -> Any:
    """Read YAML as plain data.

    Args:
        faults: Receives faults of single keys and values, and the places of all.
        most_values: Largest number of values, with all aliases followed.
    Raises: ConfigError, if the text is empty, not YAML, or far too large.
    """
    node = _compose(text, faults)
    if node is None or (isinstance(node, yaml.ScalarNode) and node.tag == PLAIN and not node.value):
        faults.stop(None, "the file is empty; add settings such as 'name: Quickstart'")
    return _Builder(faults, most_values).build(node, (), _place_of(node))


def parse_settings(text: str, faults: Faults, example: str) -> dict[str, Any]:
    """Read YAML whose outermost value is a mapping.

    Args:
        faults: As for `parse`.
        example: A setting of such a file.
    Raises: ConfigError, if it is not a mapping.
    """
    data = parse(text, faults)
    if not isinstance(data, dict):
        faults.raise_any()
        found = value_words(data, faults.raw((), data))
        faults.stop(faults.spots[()].place, said(f"settings such as '{example}'", found))
    return data


def plain_data(text: str) -> dict[str, Any]:
    """Return a configuration as plain data, without places and comments.

    Args:
        text: YAML that was read before without a fault.
    """
    data: dict[str, Any] = _untrapped(parse(text, Faults("")))
    return data


def _untrapped(data: Any) -> Any:
    match data:
        case dict():
            return {key: _untrapped(value) for key, value in data.items()}
        case list():
            return [_untrapped(item) for item in data]
    return data.raw if isinstance(data, Trap) else data


def _compose(text: str, faults: Faults) -> yaml.Node | None:
    """Compose the document of the text with PyYAML."""
    try:
        loader = _Composer(text, faults)
        try:
            return loader.get_single_node()
        finally:
            loader.dispose()
    except yaml.reader.ReaderError as error:
        before = text[: error.position].split("\n")
        place = len(before), len(before[-1]) + 1
        faults.stop(place, f"{_character_words(error)} is not printable; remove it")
    except yaml.MarkedYAMLError as error:
        at = _problem_place(error)
        is_hard = at and HARD_SPACE in [*text.splitlines(), ""][at[0] - 1]
        problem = "a no-break space; write plain spaces" if is_hard else _problem_words(error)
        faults.stop(at, f"invalid YAML: {problem}")
    except (ValueError, OverflowError) as error:  # PyYAML converts escapes without a check
        faults.stop(None, f"invalid YAML: an escape or version is out of range ({error})")


def _problem_place(error: yaml.MarkedYAMLError) -> Place | None:
    """Find the most helpful place of a problem."""
    problem = error.problem or ""
    begins = "end of stream" in problem or problem == WITHOUT_COLON
    mark = (error.context_mark if begins else None) or error.problem_mark or error.context_mark
    return (mark.line + 1, mark.column + 1) if mark else None


def _problem_words(error: yaml.MarkedYAMLError) -> str:
    """Describe the problem of the parser in plain words."""
    problem = error.problem or "unknown problem"
    if "another document" in problem:
        return "a second document; keep one document in a file"
    for pattern, words in PROBLEMS:
        found = re.search(pattern, problem)
        if found:
            return words.format(it=shortened(found.groupdict().get("it", "")))
    return problem


def _character_words(error: yaml.reader.ReaderError) -> str:
    """Name a character that cannot be printed."""
    code = error.character if isinstance(error.character, int) else ord(error.character)
    return f"the character U+{code:04X}"


class _Builder:
    """Turns PyYAML's nodes into data and the places of its values, following aliases."""

    def __init__(self, faults: Faults, most_values: int) -> None:
        """Begin with no values."""
        self._faults = faults
        self._most = most_values
        self._nodes = 0
        self._open: list[int] = []  # identities of the enclosing lists and mappings

    def build(self, node: yaml.Node, path: KeyPath, key: Place) -> Any:
        """Turn a node and all below it into data."""
        place = _place_of(node)
        self._nodes += 1
        if self._nodes > self._most:
            message = f"more than {self._most} values with all aliases followed"
            self._faults.stop(place, message, path)
        is_scalar = isinstance(node, yaml.ScalarNode)
        self._faults.spots[path] = Spot(place, key, node.value if is_scalar else "")
        if node.tag not in ALLOWED_TAGS:
            tag = quoted(_tag_words(node.tag))
            self._faults.note(path, f"values have no tags; remove {tag}")
            return REFUSED
        if is_scalar:
            return plain_value(node.value) if node.tag == PLAIN else node.value
        return self._build_branch(node, path)

    def _build_branch(self, node: yaml.Node, path: KeyPath) -> Any:
        """Turn a list or a mapping into data."""
        if id(node) in self._open:
            self._faults.stop(_place_of(node), "the alias contains itself", path)
        if len(self._open) >= MOST_LEVELS:
            self._faults.stop(_place_of(node), TOO_DEEP, path)
        self._open.append(id(node))
        built: Any
        if isinstance(node, yaml.MappingNode):
            built = self._build_mapping(node, path)
        else:
            items = enumerate(node.value)
            built = [self.build(item, (*path, at), _place_of(item)) for at, item in items]
        self._open.pop()
        return built

    def _build_mapping(self, node: yaml.MappingNode, path: KeyPath) -> dict[str, Any]:
        """Turn the entries of a mapping, keeping the first of repeated keys."""
        kept: dict[str, Any] = {}
        for key_node, value_node in node.value:
            name, place = self._key_of(key_node, path), _place_of(key_node)
            if name is None:
                continue
            if key_node.tag == value_node.tag == PLAIN and ":" in name and not value_node.value:
                remedy = f"write {quoted(name.replace(':', ': ', 1))}"
                message = f"{quoted(name)} has no space after ':'; {remedy}"
                self._faults.note_at(place, message, path_text(path))
                name = name.partition(":")[0]
                self.build(value_node, (*path, name), place)
                kept[name] = REFUSED
                continue
            inside = (*path, name)
            if name in kept:
                first = self._faults.spots[inside].key[0]
                message = f"{quoted(name)} appears twice (first on line {first}); remove one"
                self._faults.note_at(place, message, path_text(inside))
                continue
            kept[name] = self.build(value_node, inside, place)
        return kept

    def _key_of(self, node: yaml.Node, path: KeyPath) -> str | None:
        """Return the text of a key, or note why it is not valid."""
        is_plain = node.tag == PLAIN
        got, remedy = "", ""
        if not isinstance(node, yaml.ScalarNode):
            got = "a list" if isinstance(node, yaml.SequenceNode) else "a mapping"
        elif node.tag not in ALLOWED_TAGS:
            got, remedy = quoted(_tag_words(node.tag)), "remove the tag"
        elif is_plain and node.value.startswith(HARD_SPACE):
            got, remedy = "a no-break space", "write plain spaces"
        elif is_plain and node.value == "<<":
            got, remedy = "the merge key <<", "write the settings out"
        else:
            value = plain_value(node.value) if is_plain else node.value
            if isinstance(value, str):
                return value
            got, remedy = value_words(value, node.value), "put it in quotes" if node.value else ""
        self._faults.note_at(_place_of(node), said(A_SETTING, got, remedy), path_text(path))
        return None


def _place_of(node: yaml.Node | yaml.Event) -> Place:
    """Return the place where a node begins."""
    mark = node.start_mark
    assert mark is not None
    return mark.line + 1, mark.column + 1


def _tag_words(tag: str) -> str:
    """Write a tag as the organiser wrote it."""
    return tag.replace("tag:yaml.org,2002:", "!!")
