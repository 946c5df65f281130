"""Who hands in, and as whom: a roster of people and the names they play under.

A roster is a CSV file with a heading, or a YAML list with the same words:

    person,as,ids,late_days,handle
    Ada Lovelace,Ada,lovelaceada;ada@example.org,2,Moonlight
    Blaise Pascal,Team Seine;Blaise,,,

`as` lists names, the first of which a whole class's download plays under; people with a name
in common are a team. `ids` are what a learning platform calls the person. A `handle` stands for
the first name where names are withheld.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from tourney.config.located import Entries, Faults, Items, Key, Leaf, Place, Tree, plain_data
from tourney.config.parsing import parse
from tourney.config.scalars import plain_value
from tourney.config.settings import Setting, read_settings, setting
from tourney.config.typed import INVALID, Typed, text_of, typed_from
from tourney.config.words import closest, quoted, said
from tourney.course.lookalikes import find_alike
from tourney.course.names import check_name
from tourney.course.pseudonyms import faults_of_handles
from tourney.errors import SubmissionError

MOST_BYTES = 5_000_000
LISTED = ("as", "ids")
COLUMNS = ("person", *LISTED, "late_days", "handle")


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who may hand in."""

    person: str
    names: tuple[str, ...]  # under which they may submit, at least one
    ids: tuple[str, ...] = ()  # on learning platforms
    late_days: int | None = None  # None for as many as everybody
    handle: str = (
        ""  # in place of the first name, where names are withheld; empty if none is chosen
    )

    @property
    def keys(self) -> frozenset[str]:
        """What the person is found by."""
        words = self.person.casefold().split()
        # A platform that strips spaces also puts the last name first.
        turned = ["".join(words), "".join([*words[-1:], *words[:-1]])]
        ids = (each.casefold().strip() for each in self.ids)
        return frozenset([" ".join(words), *turned, *ids])


@dataclass(frozen=True, slots=True)
class Roster:
    """Everybody who may hand in."""

    people: tuple[Person, ...]

    def find(self, who: str) -> Person | None:
        """Find somebody by name or by what a platform calls them; None if that is not clear."""
        key = " ".join(who.casefold().split())
        found = [person for person in self.people if key in person.keys]
        return found[0] if len(found) == 1 else None

    def closest(self, who: str) -> str | None:
        """Give the name of somebody who was probably meant, if one is near."""
        # Without the domain of a mail address, which everybody has in common.
        words = {_local(key): person for person in self.people for key in person.keys}
        near = None if who.isdecimal() else closest(_local(who), words)
        return words[near].person if near else None


def _local(key: str) -> str:
    return key.partition("@")[0]


def read_roster(path: Path) -> Roster:
    """Read a roster.

    Args:
        path: A file with .csv, .yaml or .yml.
    Raises: ConfigError, with every fault; SubmissionError, if it cannot be read.
    """
    text = _text_of(path)
    faults = Faults(str(path))
    if path.suffix.lower() == ".csv":
        rows = list(_csv_rows(text, faults))
    else:
        tree = parse(text, faults)
        if not isinstance(tree, Items):
            faults.stop(tree.place, "expected a list with '- ' before each person")
        rows = list(tree.items)
    people = tuple(person for row in rows if (person := _person(row, faults)))
    _note_equal_people(people, rows, faults)
    for number, fault in () if faults.count else faults_of_handles(people):
        faults.note(rows[number], fault)
    faults.raise_any()
    return Roster(people)


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "text that is not UTF-8"
        raise SubmissionError(f"{path}: expected a roster, got: {reason}") from error


def _csv_rows(text: str, faults: Faults) -> Iterator[Tree]:
    """Give the lines of a CSV file as the mappings that YAML would have."""
    reader = csv.reader(StringIO(text))
    heading = [cell.strip().casefold() for cell in next(reader, [])]
    if "person" not in heading:
        got = quoted(", ".join(filter(None, heading))) if any(heading) else "an empty line"
        expected = f"a heading with {', '.join(COLUMNS)}"
        meant = next((near for each in heading if (near := closest(each, ("person",)))), None)
        faults.stop(Place(1, 1), said(expected, got, "the first line names the columns", meant))
    for cells in reader:
        place = Place(reader.line_num, 1)
        if any(cell.strip() for cell in cells):
            yield Entries(place, "", tuple(_csv_entries(heading, cells, place)))


def _csv_entries(
    heading: Sequence[str], cells: Sequence[str], place: Place
) -> Iterator[tuple[Key, Tree]]:
    for name, cell in zip(heading, cells, strict=False):
        if not name or not cell.strip():
            continue
        value: Tree = Leaf(place, name, cell.strip(), cell)
        if name in LISTED:
            parts = (part.strip() for part in cell.split(";") if part.strip())
            value = Items(place, name, tuple(Leaf(place, name, part, part) for part in parts))
        elif name == "late_days":
            value = Leaf(place, name, plain_value(cell.strip()), cell)
        yield Key(place, name, name), value


def _person(tree: Tree, faults: Faults) -> Person | None:
    """Read one person."""
    if not isinstance(tree, Entries):
        faults.note(tree, "expected a person such as {person: Ada Lovelace, as: Ada}")
        return None
    values = read_settings(tree, SETTINGS, faults)
    if "person" not in values:
        return None
    names = values.get("as", (values["person"],))
    try:
        for name in names:
            check_name(name)
    except SubmissionError as error:
        faults.note(tree.get("as") or tree, str(error))
        return None
    ids, late_days = values.get("ids", ()), values.get("late_days")
    return Person(values["person"], names, ids, late_days, values.get("handle", ""))


def _some_texts(data: Any) -> tuple[str, ...]:
    """Take a text, or a list of them."""
    texts = data if isinstance(data, list) else [data]
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise ValueError("no texts")
    return tuple(texts)


TEXTS = Typed({}, _some_texts, "a text or a list of texts")


def _read_ids(tree: Tree, faults: Faults) -> Any:
    """Take ids as they are written; a number is one too."""
    leaves = tree.items if isinstance(tree, Items) else (tree,)
    if all(isinstance(leaf, Leaf) and leaf.raw.strip() for leaf in leaves):
        return tuple(leaf.raw for leaf in leaves if isinstance(leaf, Leaf))
    faults.note(tree, f"expected an id or a list of them, got {str(plain_data(tree))[:40]!r}")
    return INVALID


SETTINGS: tuple[Setting, ...] = (
    setting("person", "who", text_of("a name"), required=True),
    setting("as", "names to play under", TEXTS),
    Setting("ids", "what learning platforms call the person", _read_ids),
    setting("late_days", "late days", typed_from(Annotated[int, Field(ge=0, le=1000)])),
    setting("handle", "what the person is called where names are withheld", text_of("a handle")),
)


def _note_equal_people(people: Sequence[Person], rows: Sequence[Tree], faults: Faults) -> None:
    """Note what would not say which person, or which name on the board, is meant."""
    if faults.count:
        return
    names = tuple(dict.fromkeys(name for person in people for name in person.names))
    for person, row in zip(people, rows, strict=True):
        for name in person.names:
            if other := find_alike(name, names[: names.index(name)]):
                got = f"{name!r} beside {other!r}: choose another"
                faults.note(row, f"expected names that nobody takes for each other, got {got}")
    seen: dict[str, Person] = {}
    for person, row in zip(people, rows, strict=True):
        double = next((key for key in sorted(person.keys) if key in seen), None)
        if double:
            other = seen[double].person
            got = f"{double!r} of {other} again"
            faults.note(row, f"expected people that can be told apart, got {got}: add other ids")
        seen |= dict.fromkeys(person.keys, person)
