"""The file of a roster: read with every fault at once, and written.

It is a CSV file with a heading, or a YAML list with the same words, of which all but
`person` may be left out:

    person,as,ids,email,groups,handle,team,late_days,excluded
    Ada Lovelace,Ada,lovelaceada;1842,ada@example.org,001,,,2,
    Blaise Pascal,Blaise,,,002,,Team Seine,,

`as` lists names, the first of which a whole class's download plays under, unless there is a `team`;
people with a name in common are a team, too. `ids` and `email` are what a learning platform calls
the person. Who is `excluded` neither hands in nor plays, for the reason that stands there.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
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
from tourney.course.grades.cells import Cells, decoded, rows_of
from tourney.course.lookalikes import skeletons
from tourney.course.names import check_name
from tourney.course.pseudonyms import faults_of_handles
from tourney.course.roster import Person, Roster
from tourney.errors import SubmissionError

MOST_BYTES = 5_000_000
LISTED = ("as", "ids", "groups")
COLUMNS = (
    "person", "as", "ids", "email", "groups", "handle", "team", "late_days", "excluded",
)  # fmt: skip
SEPARATORS = (",", ";", "\t")
"""Between the cells of a file; spreadsheets choose by the country they are in."""
BETWEEN = ";"
"""Between the parts of one cell."""


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
    found = [(person, row) for row in rows if (person := _person(row, faults))]
    people = tuple(person for person, _ in found)
    _note_equal_people(found, faults)
    for number, fault in faults_of_handles(people):
        faults.note(found[number][1], fault)
    faults.raise_any()
    return Roster(people)


def written(people: Iterable[Person]) -> str:
    """Write a roster as CSV, with every column.

    >>> print(written([Person("Ada", ("Ada",), ("7", "ada"), 2)]).splitlines()[1])
    Ada,Ada,7;ada,,,,,2,
    """
    text = StringIO()
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(COLUMNS)
    for each in people:
        rows.writerow(
            (
                each.person,
                BETWEEN.join(each.own_names),
                BETWEEN.join(each.ids),
                each.email,
                BETWEEN.join(each.groups),
                each.handle,
                each.team,
                "" if each.late_days is None else each.late_days,
                each.excluded,
            )
        )
    return text.getvalue()


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        raise SubmissionError(f"{path}: expected a roster, got: {error.strerror}") from error
    text, _ = decoded(str(path), data)
    return text if path.suffix.lower() == ".csv" else text.removeprefix("\ufeff")


def _csv_rows(text: str, faults: Faults) -> Iterator[Tree]:
    """Give the lines of a CSV file as the mappings that YAML would have."""
    headings = (next(rows_of(Faults(""), text, each), ()) for each in SEPARATORS)
    both = zip(SEPARATORS, map(_heading, headings), strict=True)
    separator, heading = next((each for each in both if "person" in each[1]), ("", ()))
    if not separator:
        first = _heading(next(rows_of(Faults(""), text, ","), ()))
        got = quoted(", ".join(filter(None, first))) if any(first) else "an empty line"
        expected = f"a heading with {', '.join(COLUMNS)}"
        meant = next((near for each in first if (near := closest(each, ("person",)))), None)
        faults.stop(Place(1, 1), said(expected, got, "the first line names the columns", meant))
    for cells in list(rows_of(faults, text, separator))[1:]:
        entries = tuple(_csv_entries(heading, cells))
        yield Entries(Place(cells[0].line, cells[0].column), "", entries)


def _heading(cells: Cells) -> tuple[str, ...]:
    return tuple(cell.text.strip().casefold() for cell in cells)


def _csv_entries(heading: Sequence[str], cells: Cells) -> Iterator[tuple[Key, Tree]]:
    for name, cell in zip(heading, cells, strict=False):
        text, place = cell.text.strip(), Place(cell.line, cell.column)
        if not name or not text:
            continue
        value: Tree = Leaf(place, name, text, text)
        if name in LISTED:
            parts = (part.strip() for part in text.split(BETWEEN) if part.strip())
            value = Items(place, name, tuple(Leaf(place, name, part, part) for part in parts))
        elif name == "late_days":
            value = Leaf(place, name, plain_value(text), text)
        yield Key(place, name, name), value


def _person(tree: Tree, faults: Faults) -> Person | None:
    """Read one person; None if a fault leaves open what they are called."""
    if not isinstance(tree, Entries):
        faults.note(tree, "expected a person such as {person: Ada Lovelace, as: Ada}")
        return None
    values = read_settings(tree, SETTINGS, faults)
    if "person" not in values:
        return None
    team = values.get("team", "")
    is_named = tree.get("as") or tree.get("team")
    own = values.get("as", () if is_named else (values["person"],))
    names = tuple(dict.fromkeys((team, *own) if team else own))
    before = faults.count
    for key, each in (
        *(("team", each) for each in [team] if each),
        *(("as", each) for each in own),
    ):
        try:
            check_name(each)
        except SubmissionError as error:
            faults.note(tree.get(key) or tree, str(error))
    is_open = any(key.name not in values and key.name not in ASIDE for key, _ in tree.entries)
    if is_open or faults.count > before:
        return None
    told = {name: values[name] for name in TOLD if name in values}
    return Person(values["person"], names, **told)


def _some_texts(data: Any) -> tuple[str, ...]:
    """Take a text, or a list of them."""
    texts = data if isinstance(data, list) else [data]
    if not texts or not all(isinstance(text, str) and text.strip() for text in texts):
        raise ValueError("no texts")
    return tuple(texts)


TEXTS = Typed({}, _some_texts, "a text or a list of texts")


def _read_as_written(tree: Tree, faults: Faults) -> Any:
    """Take ids and groups as they are written; a number is one too."""
    leaves = tree.items if isinstance(tree, Items) else (tree,)
    if all(isinstance(leaf, Leaf) and leaf.raw.strip() for leaf in leaves):
        return tuple(leaf.raw for leaf in leaves if isinstance(leaf, Leaf))
    faults.note(tree, f"expected a text or a list of them, got {str(plain_data(tree))[:40]!r}")
    return INVALID


ASIDE = ("groups", "late_days", "excluded")
"""What nobody is called by."""
TOLD = ("ids", "late_days", "email", "groups", "handle", "team", "excluded")
SETTINGS: tuple[Setting, ...] = (
    setting("person", "who", text_of("a name"), required=True),
    setting("as", "names to play under", TEXTS),
    Setting("ids", "what learning platforms call the person", _read_as_written),
    setting("email", "address", text_of("an address")),
    Setting("groups", "groups or sections", _read_as_written),
    setting("handle", "pseudonym", text_of("a handle")),
    setting("team", "name that a team plays under", text_of("a name")),
    setting("late_days", "late days", typed_from(Annotated[int, Field(ge=0, le=1000)])),
    setting("excluded", "why they take no part", text_of("a reason")),
)


def _note_equal_people(found: Sequence[tuple[Person, Tree]], faults: Faults) -> None:
    """Note what would not say which person, or which name on the board, is meant."""
    alike: dict[str, str] = {}
    seen: dict[str, Person] = {}
    for person, row in found:
        for name in person.names:
            others = [alike[each] for each in skeletons(name) if alike.get(each, name) != name]
            if others:
                got = f"{name!r} beside {others[0]!r}: choose another"
                faults.note(row, f"expected names that nobody takes for each other, got {got}")
            alike = dict.fromkeys(skeletons(name), name) | alike
        # Of two people of one name at least one has an id, or another name to play under.
        own = (*person.own_keys, f"{person.person.casefold()} as {' or '.join(person.own_names)}")
        if double := next((key for key in own if key in seen), None):
            got = f"{double!r} of {seen[double].person} again"
            faults.note(row, f"expected people that can be told apart, got {got}: add other ids")
        seen |= dict.fromkeys(own, person)
