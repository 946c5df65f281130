"""A gradebook as a learning platform exports it: a CSV file, of which one column is filled.

Whatever is not filled stays as it was, byte by byte: quotes, the mark before the text, line ends,
names. Leaves out what the platforms' headings are, which mark goes where, and who plays as whom.
Source: [Canvas], [Moodle] and [Gradescope] in docs/sources.md.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tourney.config.documents import Faults
from tourney.config.words import closest, joined, quoted, said
from tourney.course.csv_cells import BYTE_ORDER_MARK, LINE_END, Cells, decoded, rows_of
from tourney.course.grades.people import POSSIBLE, TEXT_AS_FORMULA, Student, students_of, titles_of
from tourney.course.grades.platforms import Platform, platform_of
from tourney.errors import ConfigError, GradebookError

MOST_BYTES = 20_000_000
SEPARATORS = (",", ";", "\t")

READ_ONLY = "read only"
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Gradebook:
    """A gradebook that was read."""

    path: Path
    text: str
    encoding: str  # in which the text has the bytes of the file
    separator: str
    platform: Platform
    rows: tuple[Cells, ...]  # the heading first
    students: tuple[Student, ...]  # in order
    passed_over: tuple[tuple[int, str], ...]  # lines of nobody who plays, and whose they are
    decimal_sign: str  # "." or ","

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the columns."""
        return titles_of(self.rows[0])

    def column(self, name: str) -> int:
        """Find a column that can be filled.

        Args:
            name: Its title, with or without what the platform adds to it.
        Raises: GradebookError, if there is none, or more than one, or it takes no marks.
        """
        wanted = name.strip().casefold()
        whole = [at for at, title in enumerate(self.titles) if title.casefold() == wanted]
        short = self.platform.short
        found = whole or [
            at for at, each in enumerate(self.titles) if short(each).casefold() == wanted
        ]
        found = [at for at in found if self._takes_marks(at)] or found
        fillable = [title for at, title in enumerate(self.titles) if self._takes_marks(at)]
        if len(found) > 1:
            titles = ", ".join(quoted(self.titles[at]) for at in found)
            raise GradebookError(f"{self.path}: column: expected one of that name, got {titles}")
        if found and self._takes_marks(found[0]):
            return found[0]
        if found:
            raise GradebookError(
                f"{self.path}: column: {quoted(name)} is not for marks: {self.platform.name} "
                "would ignore it"
            )
        expected = joined([quoted(each) for each in fillable]) or "an assignment, but there is none"
        remedy = f"make the assignment in {self.platform.name} and export again"
        remedy = f"name one of these, or {remedy}" if fillable else remedy
        words = said(expected, quoted(name), remedy, meant=closest(name, fillable))
        raise GradebookError(f"{self.path}: column: {words}")

    def possible(self, column: int) -> Fraction | None:
        """Give the points that a column is worth; None if the export does not say."""
        for row in self.rows[1:]:
            if POSSIBLE in row[0].text and column < len(row):
                return number_in(row[column].text) or None
        titles = [title.casefold() for title in self.titles]
        own = self.platform.short(titles[column])
        named = (each.format(own) for each in self.platform.most)
        at = next((titles.index(each) for each in named if each in titles), None)
        told = () if at is None else (number_in(each.cells[at].text) for each in self.students)
        return next(filter(None, told), None)

    def filled(self, column: int, marks: Mapping[int, str]) -> str:
        """Give the text of the gradebook with marks in it, and not a character else changed.

        Args:
            column: Where the marks, or other words, go.
            marks: By line of the file.
        """
        cells = ((each.cells[column], marks.get(each.line)) for each in self.students)
        changed = [(cell.start, cell.end, new) for cell, new in cells if new is not None]
        return self._changed(changed)

    def with_column(self, title: str, texts: Mapping[int, str]) -> str:
        """Give the text with one more column, and not a character else changed.

        Args:
            title: Of the column, which becomes the last.
            texts: What stands in it, by line of the file; nothing in other lines.
        """
        heading, *rows = self.rows
        new = {heading[0].line: title, **texts}
        ends = [(row[-1].end, new.get(row[0].line, "")) for row in (heading, *rows)]
        return self._changed([(end, end, text) for end, text in ends], before=self.separator)

    def _changed(self, changes: Sequence[tuple[int, int, str]], before: str = "") -> str:
        """Put texts, quoted where they have to be, in the place of others."""
        parts, done = [], 0
        for start, end, new in changes:
            parts += [self.text[done:start], before, self._quoted(new)]
            done = end
        return "".join([*parts, self.text[done:]])

    def mark_text(self, mark: Fraction) -> str:
        """Write a mark with two decimals at most, as Canvas shows them, in the file's manner."""
        cents = int(mark * 100 + Fraction(1, 2))
        text = f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".")
        return text.replace(".", self.decimal_sign)

    @property
    def calculated(self) -> tuple[str, ...]:
        """Names that a spreadsheet would take for formulas."""
        names = {"sorted", "whole", "first", "last"}
        columns = [at for at, each in enumerate(self.titles) if self.platform.part(each) in names]
        cells = (student.cells[at].text for student in self.students for at in columns)
        return tuple(text for text in cells if _is_calculated(text))

    def _quoted(self, text: str) -> str:
        has_signs = any(sign in text for sign in (self.separator, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if has_signs else text

    def _takes_marks(self, column: int) -> bool:
        about = [row for row in self.rows[1:] if POSSIBLE in row[0].text and column < len(row)]
        is_read_only = any(READ_ONLY in row[column].text for row in about)
        return self.platform.takes_marks(self.titles[column]) and not is_read_only


def read_gradebook(path: Path) -> Gradebook:
    """Read a gradebook, or a list of participants.

    Args:
        path: What Canvas, Moodle or Gradescope exported.
    Raises: GradebookError, with every fault of the file, each with its line and column.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise GradebookError(
            f"{path}: expected a gradebook, got nothing of that name; check the spelling"
        ) from None
    except OSError as error:
        raise GradebookError(f"{path}: expected a gradebook, got: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise GradebookError(f"{path}: expected up to {MOST_BYTES:,} bytes, got more")
    text, encoding = decoded(str(path), data)
    separator, platform = _form_of(path, text)
    faults = Faults(str(path))
    rows = tuple(rows_of(faults, text, separator))
    students, passed_over = students_of(rows, platform, faults)
    try:
        faults.raise_any()
    except ConfigError as error:
        raise GradebookError(str(error)) from error
    has_commas = any(re.fullmatch(r"\d+,\d+", cell.text) for row in rows for cell in row)
    sign = "," if has_commas else "."
    return Gradebook(
        path, text, encoding, separator, platform, rows, students, passed_over, decimal_sign=sign
    )


def _form_of(path: Path, text: str) -> tuple[str, Platform]:
    """Find out what stands between cells, and whose export it is."""
    for separator in SEPARATORS:
        heading = next(rows_of(Faults(""), text, separator), ())
        if platform := platform_of(titles_of(heading)):
            return separator, platform
    first = LINE_END.split(text.removeprefix(BYTE_ORDER_MARK).lstrip("\r\n"), maxsplit=1)[0]
    got = quoted(first.strip()) if first.strip() else "an empty line"
    expected = (
        "a heading of Canvas (Student, ID, Section), Moodle (First name, Last name, Email address) "
        "or Gradescope (First Name, Last Name, SID)"
    )
    remedy = "export the gradebook or the participants from there"
    raise GradebookError(f"{path}:1: " + said(expected, got, remedy))


def _is_calculated(text: str) -> bool:
    """Say whether a spreadsheet would take a name for a formula.

    >>> [_is_calculated(each) for each in ("=1+1", '="=1+1"', '="" & A1', "Lovelace, Ada")]
    [True, False, True, False]
    """
    return text.lstrip(" ").startswith(FORMULA_STARTS) and not TEXT_AS_FORMULA.fullmatch(text)


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
