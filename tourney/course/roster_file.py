"""The roster as a file, and the cells of CSV files with their positions.

A roster is a CSV file with a heading, or a YAML list with the same keys. Only `person` is required:

    person,as,ids,email,groups,handle,team,late_days,excluded
    Ada Lovelace,Ada,lovelaceada;1842,ada@example.org,001,,,2,
    Blaise Pascal,Blaise,,,002,,Team Seine,,

`as` lists names; a download of a class plays under the first, or under the `team`. Students with a
name in common are a team, too. `ids` and `email` identify the student on learning platforms; an id
may have its kind before it, as in `sis:1842`. A student with a reason in `excluded` neither submits
nor plays.

CSV is read here, because Python's `csv` module gives no positions, and its writer changes the
quotes.
Source: RFC 4180.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO
from pathlib import Path
from typing import Annotated, Any, NamedTuple, TypeAlias
from unicodedata import normalize

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError

from tourney.config.documents import Faults, KeyPath, Place, Spot, parse, path_text
from tourney.config.scalars import plain_value
from tourney.config.settings import (
    AS_WRITTEN,
    Name,
    Settings,
    expecting,
    left_out,
    text_type,
)
from tourney.config.validation import read_settings
from tourney.config.words import closest, hint, near_file, quoted, said
from tourney.course.files import only_one, write_whole
from tourney.course.names import (
    LONGEST_PERSON,
    SHORTENED,
    check_name,
    folded,
    has_marks,
    is_misread,
    kind_and_id,
    shown,
    skeletons,
)
from tourney.course.pseudonyms import faults_of_handles
from tourney.course.roster import Person, Roster
from tourney.errors import GradebookError, SubmissionError

BYTE_ORDER_MARK = "\ufeff"
LINE_END = re.compile("\r\n|\r|\n")
UTF_8, WINDOWS, LATIN = "utf-8", "cp1252", "latin-1"
"""Encodings of exports; Windows has its own Latin-1, with few undefined bytes."""

SIGNATURES = {
    b"PK\x03\x04": "a spreadsheet (.xlsx or .ods) or a zip file",
    b"\xd0\xcf\x11\xe0": "a spreadsheet (.xls)",
    b"\xff\xfe": "text in UTF-16 (as spreadsheets save `Unicode text`, also as .xls)",
    b"\xfe\xff": "text in UTF-16 (as spreadsheets save `Unicode text`, also as .xls)",
    b"%PDF": "a PDF document",
    b"<?xml": "an XML document (as some platforms export .xls)",
    b"<": "a web page (as some platforms export .xls)",
}
"""Kinds of files by their first bytes."""

OF_UTF_8 = re.compile(rb"[\xc3-\xf4][\x80-\xbf]{1,3}")
SEPARATOR_LINE = re.compile('\ufeff?sep=([^\r\n"])(\r\n|\r|\n)', re.IGNORECASE)
"""First line of some files, which states the separator for Excel."""


class Cell(NamedTuple):
    """One cell."""

    text: str  # without quotes
    start: int  # where it begins in the text of the file, quotes included
    end: int  # behind it
    line: int = 1  # where it begins, from 1
    column: int = 1  # in characters of that line, from 1

    @property
    def place(self) -> Place:
        """Its line and column."""
        return self.line, self.column


Cells = tuple[Cell, ...]
"""One line of a table."""


def decoded(name: str, data: bytes) -> tuple[str, str]:
    r"""Decode the bytes of a file.

    Args:
        name: Name of the file, for messages.
        data: All bytes of the file.
    Returns: The text, and the encoding that gives exactly these bytes.
    Raises: GradebookError, if they are not text, or mix two encodings.

    >>> decoded("a.csv", b"Jos\xc3\xa9"), decoded("a.csv", b"Jos\xe9")
    (('José', 'utf-8'), ('José', 'cp1252'))
    """
    start = data.removeprefix(BYTE_ORDER_MARK.encode()).lstrip()
    if b"\0" in data or start.startswith(tuple(SIGNATURES)):
        found = (words for sign, words in SIGNATURES.items() if start.startswith(sign))
        words = next(found, "a binary file")
        raise GradebookError(
            f"{name} is {words}, not a CSV file. Export it as CSV, or open it in a "
            "spreadsheet program and save it as `CSV UTF-8`."
        )
    try:
        return data.decode(UTF_8), UTF_8
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(UTF_8)
        ends = list(LINE_END.finditer(before))
        line, column = len(ends) + 1, len(before) - (ends[-1].end() if ends else 0) + 1
        byte = data[error.start]
    if OF_UTF_8.search(data):
        text = data.decode(UTF_8, "replace")
        wrong = text.count("\ufffd")
        right = sum(not char.isascii() for char in text) - wrong
        remedy = (
            "unlike the rest of the file. Export it again."
            if right >= wrong
            else "so the file has another encoding. Save it as `CSV UTF-8` in a program that shows "
            "its names correctly."
        )
        raise GradebookError(
            f"{name}:{line}:{column}: the byte {byte:#04x} is not valid in UTF-8, {remedy}"
        )
    try:
        return data.decode(WINDOWS), WINDOWS
    except UnicodeDecodeError:
        return data.decode(LATIN), LATIN  # which knows every byte


def rows_of(faults: Faults, text: str, separator: str) -> Iterator[Cells]:
    r"""Yield the rows of a table, without empty ones and a line that states the separator.

    Args:
        faults: Collects quotes that are not closed, or closed too early; their lines are skipped.
        text: The whole text of the file.
        separator: The character between two cells.

    >>> rows = rows_of(Faults("a.csv"), "Student;ID\r'Ada';7", ";")
    >>> [[cell.text for cell in row] for row in rows]
    [['Student', 'ID'], ["'Ada'", '7']]
    """
    sign = re.escape(separator)
    pattern = re.compile(
        rf'("[^"]*(?:""[^"]*)*"|[^"{sign}\r\n][^{sign}\r\n]*|)({sign}|\r\n|\n|\r|\Z)'
    )
    row: list[Cell] = []
    stated = SEPARATOR_LINE.match(text)
    mark = len(BYTE_ORDER_MARK) if text.startswith(BYTE_ORDER_MARK) else 0
    at = begins = stated.end() if stated else mark
    line = 2 if stated else 1
    while at < len(text) or row:
        found = pattern.match(text, at)
        if found is None:
            place = line, at - begins + 1
            faults.note_at(place, "the quote of this cell is not closed before the next cell")
            found = re.compile(r"[^\r\n]*(\r\n|\r|\n|\Z)").match(text, at)
            assert found
            row = []
        else:
            row.append(Cell(_plain(found[1]), *found.span(1), line, at - begins + 1))
        at = found.end()
        for end in LINE_END.finditer(text, found.start(), at):
            line, begins = line + 1, end.end()
        if found[found.re.groups] != separator:
            if any(cell.text.strip() for cell in row):
                yield tuple(row)
            row = []


def separators_of(text: str) -> tuple[str, ...]:
    """Return the separators that a file may have; one that it states comes first."""
    stated = SEPARATOR_LINE.match(text)
    return (stated[1], *SEPARATORS) if stated else SEPARATORS


def _plain(written: str) -> str:
    """Return the text of a cell without its quotes."""
    return written[1:-1].replace('""', '"') if written.startswith('"') else written


MOST_BYTES = 5_000_000
LISTED = ("as", "ids", "groups")
COLUMNS = (
    "person", "as", "ids", "email", "groups", "handle", "team", "late_days", "excluded",
)  # fmt: skip
SEPARATORS = (",", ";", "\t")
"""Between the cells of a file; spreadsheets choose by country."""
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
    rows = (_csv_rows if path.suffix.lower() == ".csv" else _yaml_rows)(text, faults)
    found = [
        (person, at, faults.spots[at].place)
        for at, row in rows
        if (person := _person(row, at, faults))
    ]
    people = tuple(person for person, *_ in found)
    wrong = [*_shortened_ids(people), *_equal_people(people), *faults_of_handles(people)]
    for number, message in wrong:
        _, at, place = found[number]
        faults.note_at(place, message, path_text(at))
    faults.raise_any()
    return Roster(people, path)


def keep_roster(path: Path, before: Sequence[Person], after: Sequence[Person]) -> None:
    """Replace the file of a roster.

    Args:
        path: The CSV file.
        before: The roster as the user has seen it.
        after: The new roster.
    Raises: SubmissionError, if another process changed it meanwhile.
    """
    with only_one(path.parent):
        if read_roster(path).people != tuple(before):
            raise SubmissionError(f"{path}: another process changed it. Run the command again.")
        write_whole(path, written(after))


def written(people: Iterable[Person]) -> str:
    """Write a roster as CSV, with every column.

    >>> print(written([Person("Ada", ("Ada",), ("7", "ada"), 2)]).splitlines()[1])
    Ada,Ada,7;ada,,,,,2,
    """
    rows = (
        (
            each.person,
            BETWEEN.join(each.own_names),
            BETWEEN.join(each.ids),
            each.email,
            BETWEEN.join(each.groups),
            each.handle,
            each.team,
            each.late_days,
            each.excluded,
        )
        for each in people
    )
    return csv_text((COLUMNS, *rows))


def csv_text(rows: Iterable[Iterable[object]]) -> str:
    """Write rows as CSV; nothing in them is escaped as a formula."""
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES)
    except OSError as error:
        meant = near_file(path) if isinstance(error, FileNotFoundError) else None
        problem = f"{path} cannot be read: {error.strerror}{hint(meant)}"
        raise SubmissionError(problem) from error
    text, encoding = decoded(str(path), data)
    for line, words in enumerate(text.splitlines() if encoding != UTF_8 else (), 1):
        if is_misread(words):
            raise SubmissionError(
                f"{path}:{line}: the letters of this line come from another encoding. Save the "
                "file as `CSV UTF-8` in a program that shows its names correctly."
            )
    return text if path.suffix.lower() == ".csv" else text.removeprefix("\ufeff")


def _yaml_rows(text: str, faults: Faults) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the students of a YAML file, each with its position."""
    data = parse(text, faults)
    if not isinstance(data, list):
        faults.stop(faults.spots[()].place, "a roster is a list with '- ' before each person")
    yield from (((at,), _without_marks(each)) for at, each in enumerate(data))


def _without_marks(data: Any) -> Any:
    """Remove invisible marks from the texts of a student."""
    if isinstance(data, str):
        return shown(data) if has_marks(data) else data
    if isinstance(data, dict):
        return {key: _without_marks(each) for key, each in data.items()}
    return [_without_marks(each) for each in data] if isinstance(data, list) else data


def _csv_rows(text: str, faults: Faults) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the lines of a CSV file as the mappings that YAML would have."""
    separators = separators_of(text)
    headings = (next(rows_of(Faults(""), text, each), ()) for each in separators)
    both = zip(separators, map(_heading, headings), strict=True)
    separator, heading = next((each for each in both if "person" in each[1]), ("", ()))
    if not separator:
        first = _heading(next(rows_of(Faults(""), text, ","), ()))
        got = quoted(", ".join(filter(None, first))) if any(first) else "an empty line"
        expected = f"a heading with {', '.join(COLUMNS)}"
        meant = next((near for each in first if (near := closest(each, ("person",)))), None)
        faults.stop((1, 1), said(expected, got, "the first line names the columns", meant))
    for row in list(rows_of(faults, text, separator))[1:]:
        cells = _cells_of_quoted_row(row, separator)
        if len(cells) > len(heading):
            got = f"this line has {len(cells)} cells, and the heading has {len(heading)}"
            faults.note_at(cells[0].place, f"{got}. Put a text with {separator!r} into quotes.")
            continue
        faults.spots = {(): Spot(cells[0].place, cells[0].place)}  # each line is a file of its own
        yield (), dict(_csv_settings(heading, cells, faults))


def _cells_of_quoted_row(row: Cells, separator: str) -> Cells:
    """Return the cells of a row that Excel has read as a single cell, and put into quotes."""
    if len(row) > 1 or separator not in row[0].text:
        return row
    line, column = row[0].place
    inner = next(rows_of(Faults(""), row[0].text, separator), row)
    return tuple(each._replace(line=line, column=column + each.column) for each in inner)


def _heading(cells: Cells) -> tuple[str, ...]:
    return tuple(cell.text.strip().casefold() for cell in cells)


def _csv_settings(
    heading: Sequence[str], cells: Cells, faults: Faults
) -> Iterator[tuple[str, Any]]:
    for name, cell in zip(heading, cells, strict=False):
        text = normalize("NFC", shown(cell.text) if has_marks(cell.text) else cell.text.strip())
        if not name or not text:
            continue
        faults.spots[name,] = Spot(cell.place, cell.place, text)
        if name in LISTED:
            yield name, [part.strip() for part in text.split(BETWEEN) if part.strip()]
        else:
            yield name, plain_value(text) if name == "late_days" else text


def _person(data: Any, at: KeyPath, faults: Faults) -> Person | None:
    """Read one student; `None` after a fault in one of their names or ids."""
    if not isinstance(data, dict):
        faults.note(at, "write a person as {person: Ada Lovelace, as: Ada}")
        return None
    values = read_settings(PersonFile, data, at, faults)
    if "person" not in values:
        return None
    team = values.get("team", "")
    own = values.get("as", () if "as" in data or "team" in data else (values["person"],))
    names = tuple(dict.fromkeys((team, *own) if team else own))
    before = faults.count
    for key, each in (*((("team", team),) if team else ()), *(("as", each) for each in own)):
        try:
            check_name(each)
        except SubmissionError as error:
            faults.note((*at, key) if key in data else at, str(error))
    is_open = any(key not in values and key not in ASIDE for key in data)
    if is_open or faults.count > before:
        return None
    others = {name: value for name, value in values.items() if name not in {"person", "as"}}
    return Person(values["person"], names, **others)


def _some_texts(texts: str | tuple[str, ...]) -> tuple[str, ...]:
    listed = (texts,) if isinstance(texts, str) else texts
    if not listed or not all(text.strip() for text in listed):
        raise PydanticCustomError("blank", "a blank text or an empty list")
    return listed


Texts: TypeAlias = Annotated[
    str | tuple[str, ...], AfterValidator(_some_texts), expecting("a text or a list of texts")
]


PersonName: TypeAlias = text_type("a name", LONGEST_PERSON)  # type: ignore[valid-type]  # made by a function
Address: TypeAlias = text_type("an address", LONGEST_PERSON)  # type: ignore[valid-type]  # made by a function
Handle: TypeAlias = text_type("a handle")  # type: ignore[valid-type]  # made by a function
Reason: TypeAlias = text_type("a reason")  # type: ignore[valid-type]  # made by a function


class PersonFile(Settings):
    """A person."""

    person: PersonName
    """name of the person"""

    as_: Texts = left_out("as")
    """names to play under"""

    ids: Annotated[Texts, AS_WRITTEN] = left_out()
    """ids on learning platforms"""

    email: Address = left_out()
    """address"""

    groups: Annotated[Texts, AS_WRITTEN] = left_out()
    """groups or sections"""

    handle: Handle = left_out()
    """pseudonym"""

    team: Name = left_out()
    """name that a team plays under"""

    late_days: Annotated[int, Field(ge=0, le=1000)] = left_out()
    """late days"""

    excluded: Reason = left_out()
    """reason why the person takes no part"""


ASIDE = ("groups", "late_days", "excluded")
"""Keys that do not identify a student."""


def _shortened_ids(people: Iterable[Person]) -> Iterator[tuple[int, str]]:
    """Find students with an id that a spreadsheet program has shortened: index and reason."""
    for number, person in enumerate(people):
        for text in (kind_and_id(each)[1] for each in person.ids):
            if SHORTENED.fullmatch(text):
                yield number, f"a spreadsheet program has shortened the id {text!r}; write it whole"


def _equal_people(people: Iterable[Person]) -> Iterator[tuple[int, str]]:
    """Find students with the name or id of another: index and reason."""
    alike: dict[str, str] = {}
    seen: dict[str, Person] = {}
    for number, person in enumerate(people):
        for name in person.names:
            others = [alike[each] for each in skeletons(name) if alike.get(each, name) != name]
            if others:
                yield number, f"{name!r} is too much like {others[0]!r}; choose another name"
            alike = dict.fromkeys(skeletons(name), name) | alike
        # Of two students of the same name, one needs an id or another name to play under.
        own = (*person.own_keys, f"{folded(person.person)} as {' or '.join(person.own_names)}")
        if double := next((key for key in own if key in seen), None):
            kinds = f", or write their kinds, as in `sis:{double}`" if double.isdecimal() else ""
            words = f"{double!r} is also {seen[double].person}. Give each student different ids"
            yield number, f"{words}{kinds}."
        seen |= dict.fromkeys(own, person)
