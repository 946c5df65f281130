"""A gradebook as Canvas exports it: a CSV file, of which one column is filled.

Whatever is not filled stays as it was, byte by byte: quotes, the mark before the text, line ends.
Only a student's name that a spreadsheet would calculate gets an apostrophe. Leaves out which mark
goes where.
Source: [Canvas] in docs/sources.md.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tourney.config.words import closest, one_of, quoted, said
from tourney.course.grades.cells import BYTE_ORDER_MARK, Cell, Cells, rows_of
from tourney.errors import GradebookError

MOST_BYTES = 20_000_000
HEADING = re.compile(f'{BYTE_ORDER_MARK}?"?(?:Student|LastName)"?([,;\t])')

NAMES = ("Student", "LastName", "FirstName")
IDS = ("ID", "SIS User ID", "SIS Login ID", "Integration ID")
ABOUT_PEOPLE = (*NAMES, *IDS, "Root Account", "Section")

TOTALS = re.compile(
    r"(?:^|\s)(?:(?:Unposted )?(?:Current|Final) (?:Score|Points|Grade)|Override (?:Grade|Status))"
    r"(?: \(.*\))?$"
)
"""Titles of columns that Canvas works out itself, some after the name of a group."""

POSSIBLE = "Points Possible"
POSTING = re.compile(r"\s*(?:Muted|Manual Posting.*)?\s*", re.IGNORECASE)
READ_ONLY = "read only"
NUMBER_OF = re.compile(r"(?P<title>.*) \(\d+\)", re.DOTALL)
TEST_STUDENTS = ("Student, Test", "Test Student")

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")
TEXT_AS_FORMULA = re.compile(r'="[^"]*"')
"""How Canvas itself writes a name that begins with '='."""


@dataclass(frozen=True, slots=True)
class Student:
    """One line of a gradebook."""

    line: int  # of the file, from 1
    name: str  # given name first
    ids: tuple[str, ...]  # what the platform calls the person
    cells: Cells


@dataclass(frozen=True, slots=True)
class Gradebook:
    """A gradebook that was read."""

    path: Path
    text: str
    separator: str
    rows: tuple[Cells, ...]  # the heading first
    decimal_sign: str  # "." or ","

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the columns."""
        return tuple(cell.text.strip() for cell in self.rows[0])

    def column(self, name: str) -> int:
        """Find a column that can be filled.

        Args:
            name: Its title, with or without the number that Canvas puts behind it.
        Raises: GradebookError, if there is none, or more than one, or Canvas would ignore it.
        """
        wanted = name.strip().casefold()
        whole = [at for at, title in enumerate(self.titles) if title.casefold() == wanted]
        found = whole or [at for at, each in enumerate(self.titles) if _short(each) == wanted]
        fillable = [title for at, title in enumerate(self.titles) if self._takes_marks(at)]
        if len(found) > 1:
            titles = ", ".join(quoted(self.titles[at]) for at in found)
            raise GradebookError(f"{self.path}: column: expected one of that name, got {titles}")
        if found and self._takes_marks(found[0]):
            return found[0]
        if found:
            raise GradebookError(
                f"{self.path}: column: {quoted(name)} is not for marks: Canvas would ignore it"
            )
        expected = one_of([quoted(each) for each in fillable]) or "an assignment, but there is none"
        remedy = "make the assignment in Canvas and export again"
        words = said(expected, quoted(name), remedy, meant=closest(name, fillable))
        raise GradebookError(f"{self.path}: column: {words}")

    def possible(self, column: int) -> Fraction | None:
        """Give the points that a column is worth; None if the export does not say."""
        for row in self.rows[1:]:
            if POSSIBLE in row[0].text and column < len(row):
                return number_in(row[column].text) or None
        return None

    @property
    def students(self) -> Iterator[Student]:
        """Give the lines about people, in order; without the one Canvas makes up for tests.

        Raises: GradebookError, if a line has not as many cells as the heading.
        """
        for row in self.rows[1:]:
            if _is_about_columns(row):
                continue
            line = self.text.count("\n", 0, row[0].start) + 1
            if len(row) != len(self.titles):
                raise GradebookError(
                    f"{self.path}:{line}: expected {len(self.titles)} cells, as in the heading, "
                    f"got {len(row)}: export again"
                )
            if row[0].text not in TEST_STUDENTS:
                said_of = dict(zip(self.titles, (cell.text.strip() for cell in row), strict=True))
                ids = tuple(filter(None, (said_of.get(title) for title in IDS)))
                yield Student(line, _name(said_of), ids, row)

    def filled(self, column: int, marks: Mapping[int, str]) -> str:
        """Give the text of the gradebook with marks in it.

        Args:
            column: Where the marks go.
            marks: By line of the file.
        """
        changed: dict[int, tuple[Cell, str]] = {}
        for student in self.students:
            if (mark := marks.get(student.line)) is not None:
                cell = student.cells[column]
                changed[cell.start] = (cell, self._quoted(mark))
            for cell in self._calculated(student):
                changed[cell.start] = (cell, self._quoted(f"'{cell.text}"))
        parts, done = [], 0
        for start, (cell, new) in sorted(changed.items()):
            parts += [self.text[done:start], new]
            done = cell.end
        return "".join([*parts, self.text[done:]])

    def mark_text(self, mark: Fraction) -> str:
        """Write a mark with two decimals at most, as Canvas shows them, in the file's manner."""
        cents = int(mark * 100 + Fraction(1, 2))
        text = f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".")
        return text.replace(".", self.decimal_sign)

    @property
    def calculated(self) -> tuple[str, ...]:
        """Names that a spreadsheet would take for formulas."""
        return tuple(cell.text for each in self.students for cell in self._calculated(each))

    def _calculated(self, student: Student) -> Iterator[Cell]:
        # Only what students choose themselves: Canvas knows all else by what exactly it is called.
        for title, cell in zip(self.titles, student.cells, strict=True):
            if title in NAMES and _is_calculated(cell.text):
                yield cell

    def _quoted(self, text: str) -> str:
        has_signs = any(sign in text for sign in (self.separator, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if has_signs else text

    def _takes_marks(self, column: int) -> bool:
        title = self.titles[column]
        about = [row for row in self.rows[1:] if POSSIBLE in row[0].text and column < len(row)]
        is_read_only = any(READ_ONLY in row[column].text for row in about)
        return bool(title and title not in ABOUT_PEOPLE) and not (
            is_read_only or TOTALS.search(title)
        )


def read_gradebook(path: Path) -> Gradebook:
    """Read a gradebook.

    Args:
        path: What Canvas exported.
    Raises: GradebookError, if it is something else.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        text = data.decode("utf-8")
    except OSError as error:
        raise GradebookError(f"{path}: expected a gradebook, got: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise GradebookError(
            f"{path}: expected a CSV file in UTF-8, got other bytes: take it as Canvas exported "
            "it, or save it as CSV UTF-8"
        ) from error
    if len(data) > MOST_BYTES:
        raise GradebookError(f"{path}: expected up to {MOST_BYTES:,} bytes, got more")
    if found := HEADING.match(text):
        rows = tuple(rows_of(path, text, found[1]))
        has_commas = any(re.fullmatch(r"\d+,\d+", cell.text) for row in rows for cell in row)
        return Gradebook(path, text, found[1], rows, "," if has_commas else ".")
    first = text.removeprefix(BYTE_ORDER_MARK).partition("\n")[0].strip()
    got = quoted(first) if first else "an empty line"
    raise GradebookError(
        f"{path}:1: "
        + said("a heading with Student, ID, Section", got, "export the gradebook from Canvas")
    )


def number_in(text: str) -> Fraction | None:
    """Read a number as Canvas writes it; None if it is none.

    >>> number_in(" 1,250.50 "), number_in("87,5"), number_in("EX")
    (Fraction(2501, 2), Fraction(175, 2), None)
    """
    if not re.fullmatch(r"-?\d+(?:[.,]\d+)*", text := text.strip()):
        return None
    # The last sign is that of the decimals, as Canvas reads it.
    *whole, last = re.split("[.,]", text)
    return Fraction(f"{''.join(whole)}.{last}" if whole else last)


def _short(title: str) -> str:
    """Give a title without the number of the assignment."""
    found = NUMBER_OF.fullmatch(title)
    return (found["title"] if found else title).strip().casefold()


def _name(said_of: Mapping[str, str]) -> str:
    """Give a name with the given name first.

    >>> _name({"Student": "Lovelace, Ada"}), _name({"LastName": "Noether", "FirstName": "Emmy"})
    ('Ada Lovelace', 'Emmy Noether')
    """
    if "Student" not in said_of:
        return f"{said_of['FirstName']} {said_of['LastName']}".strip()
    whole = said_of["Student"]
    if TEXT_AS_FORMULA.fullmatch(whole):
        whole = whole[2:-1]
    last, _, first = whole.partition(",")
    return f"{first.strip()} {last.strip()}".strip()


def _is_calculated(text: str) -> bool:
    """Say whether a spreadsheet would take a name for a formula.

    >>> [_is_calculated(each) for each in ("=1+1", '="=1+1"', '="" & A1', "Lovelace, Ada")]
    [True, False, True, False]
    """
    return text.lstrip(" ").startswith(FORMULA_STARTS) and not TEXT_AS_FORMULA.fullmatch(text)


def _is_about_columns(row: Cells) -> bool:
    """Say whether a line tells of columns, and not of a student."""
    return POSSIBLE in row[0].text or all(POSTING.fullmatch(cell.text) for cell in row)
