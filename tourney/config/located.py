"""A configuration as a tree whose every value knows its place and its YAML path.

Leaves hold scalars, items hold lists, entries hold mappings. Knows neither the YAML
parser, which makes the tree, nor the settings, which are read from it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from tourney.config.scalars import Scalar, number_words
from tourney.errors import ConfigError, Fault

LONGEST_KEY = 40  # characters of a key that a path shows


@dataclass(frozen=True, slots=True)
class Place:
    """Where something begins in the text."""

    line: int  # from 1
    column: int  # from 1


NOWHERE = Place(0, 0)
"""Where something is that stands in no text."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """A single value."""

    place: Place
    path: str
    value: Scalar
    raw: str  # as written, without quotes


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    place: Place
    path: str
    items: tuple["Tree", ...]


@dataclass(frozen=True, slots=True)
class Key:
    """The name of an entry of a mapping."""

    place: Place
    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Entries:
    """A mapping, without its repeated keys."""

    place: Place
    path: str
    entries: tuple[tuple[Key, "Tree"], ...]

    def get(self, name: str) -> "Tree | None":
        """Return the value of the entry of this name, if there is one."""
        return next((value for key, value in self.entries if key.name == name), None)

    def key(self, name: str) -> Key | None:
        """Return the key of this name, if there is one."""
        return next((key for key, _ in self.entries if key.name == name), None)

    def without(self, name: str) -> "Entries":
        """Return the same mapping with one entry left out."""
        kept = tuple((key, value) for key, value in self.entries if key.name != name)
        return Entries(self.place, self.path, kept)


@dataclass(frozen=True, slots=True)
class Refused:
    """A value whose fault is noted already; whoever reads it stays silent."""

    place: Place
    path: str


Tree: TypeAlias = Leaf | Items | Entries | Refused


class Faults:
    """Every fault of one file, gathered while it is read."""

    def __init__(self, source: str) -> None:
        """Begin without faults.

        Args:
            source: The file's name as the user gave it.
        """
        self.source = source
        self._found: list[Fault] = []

    @property
    def count(self) -> int:
        """How many faults have been noted."""
        return len(self._found)

    def note(self, at: Tree | Key, message: str) -> None:
        """Note a fault of this value or key, and go on."""
        self._found.append(Fault(self.source, at.place.line, at.place.column, at.path, message))

    def take(self, error: ConfigError) -> None:
        """Note the faults of another file, which this one names."""
        self._found += error.faults

    def stop(self, place: Place | None, message: str, path: str = "") -> NoReturn:
        """Give up on the file because of this one fault.

        Raises: ConfigError, always, and with no other fault.
        """
        line, column = (place.line, place.column) if place else (0, 0)
        raise ConfigError((Fault(self.source, line, column, path, message),)) from None

    def raise_any(self) -> None:
        """Raise a ConfigError with every fault, if there is one."""
        if self._found:
            raise ConfigError(tuple(self._found))


def entry_path(path: str, name: str) -> str:
    """Say where an entry of a mapping is.

    >>> entry_path("entrants[2]", "options"), entry_path("", "two words")
    ('entrants[2].options', "['two words']")
    """
    if re.fullmatch(r"\w[\w-]*", name) and len(name) <= LONGEST_KEY:
        return f"{path}.{name}" if path else name
    return f"{path}[{name[:LONGEST_KEY]!r}]"


def plain_data(tree: Tree) -> Any:
    """Return the values without their places; lists become lists, mappings dicts."""
    match tree:
        case Leaf():
            return tree.value
        case Items():
            return [plain_data(item) for item in tree.items]
        case Entries():
            return {key.name: plain_data(value) for key, value in tree.entries}
    return None


def grown(data: Any, path: str = "") -> Tree:
    """Return a tree of values that stand in no text, as `plain_data` would give them back.

    >>> grown({"spread": 4}).get("spread")
    Leaf(place=Place(line=0, column=0), path='spread', value=4, raw='4')
    """
    match data:
        case Mapping():
            keys = [Key(NOWHERE, entry_path(path, str(name)), str(name)) for name in data]
            values = zip(keys, data.values(), strict=True)
            return Entries(NOWHERE, path, tuple((key, grown(it, key.path)) for key, it in values))
        case list() | tuple():
            items = enumerate(data)
            return Items(NOWHERE, path, tuple(grown(it, f"{path}[{at}]") for at, it in items))
        case bool() | int() | float():
            return Leaf(NOWHERE, path, data, number_words(data))
    return Leaf(NOWHERE, path, data, "null" if data is None else str(data))


def leaves(tree: Tree) -> tuple[Leaf, ...]:
    """Return every single value in the tree, in the order of the file."""
    match tree:
        case Leaf():
            return (tree,)
        case Items():
            return tuple(leaf for item in tree.items for leaf in leaves(item))
        case Entries():
            return tuple(leaf for _, value in tree.entries for leaf in leaves(value))
    return ()


def has_refused(tree: Tree) -> bool:
    """Say whether some value in the tree has been refused already."""
    match tree:
        case Items():
            return any(has_refused(item) for item in tree.items)
        case Entries():
            return any(has_refused(value) for _, value in tree.entries)
    return isinstance(tree, Refused)
