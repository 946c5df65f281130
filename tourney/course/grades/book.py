"""Gradebooks as learning platforms export them: CSV files, of which one column is filled.

Everything else stays as it was, byte by byte: quotes, the mark before the text, line ends, names.
Source: [Canvas], [Moodle] and [Gradescope] in docs/sources.md.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from pathlib import Path

from tourney.config.documents import Faults
from tourney.config.words import closest, joined, quoted, said
from tourney.course.grades.people import (
    NAMES,
    POSSIBLE,
    TEXT_AS_FORMULA,
    Student,
    students_of,
    titles_of,
)
from tourney.course.grades.platforms import Part, Platform, platform_of
from tourney.course.names import folded
from tourney.course.roster_file import (
    BYTE_ORDER_MARK,
    LINE_END,
    SEPARATOR_LINE,
    Cell,
    Cells,
    decoded,
    rows_of,
    separators_of,
)
from tourney.errors import ConfigError, GradebookError

MOST_BYTES = 20_000_000

READ_ONLY = re.compile(r"\s*\([^\d()]+\)\s*")
"""In the line of the maxima, in any language: `(read only)`."""
NO_MARK = frozenset(("", "-", "ex", "n/a", "needs grading", "in progress", "exempt"))
"""Texts of cells without a mark."""
NO_NUMBER = re.compile(r"[^\W\d_]|%")
FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True, slots=True)
class Gradebook:
    """A gradebook that was read."""

    path: Path
    text: str
    encoding: str  # of the file
    separator: str
    platform: Platform
    rows: tuple[Cells, ...]  # the heading first
    students: tuple[Student, ...]  # in order
    passed_over: tuple[tuple[int, str], ...]  # lines of other people: number and description

    @property
    def titles(self) -> tuple[str, ...]:
        """Titles of the columns."""
        return titles_of(self.rows[0])

    def column(self, name: str) -> int:
        """Find a column that can be filled.

        Args:
            name: Its title, with or without the platform's additions.
        Raises: GradebookError, unless exactly one column has the title and takes marks.
        """
        found = self._titled(name)
        found = [at for at in found if self._takes_marks(at)] or found
        fillable = [title for at, title in enumerate(self.titles) if self._takes_marks(at)]
        if len(found) > 1:
            titles = [self.titles[at] for at in found]
            words = f"{quoted(name)} is ambiguous: {', '.join(map(quoted, titles))}. "
            if len(set(titles)) > 1:
                words += "Write one in full."
            else:
                words += f"Rename one in {self.platform.name}, and export the gradebook again."
            raise GradebookError(f"{self.path}: column: {words}")
        if found and self._takes_marks(found[0]):
            self._check_words(found[0])
            return found[0]
        if found:
            raise GradebookError(
                f"{self.path}: column: {quoted(self.titles[found[0]])} is not for marks: "
                f"{self.platform.name} would ignore it"
            )
        expected = joined([quoted(each) for each in fillable]) or "an assignment, but there is none"
        remedy = f"make the assignment in {self.platform.name} and export again"
        if fillable:
            remedy = f"name one of these, or {remedy}"
        else:
            remedy = f"export the gradebook, as a list of participants has no marks, or {remedy}"
        words = said(expected, quoted(name), remedy, meant=closest(name, fillable))
        raise GradebookError(f"{self.path}: column: {words}")

    def _titled(self, name: str) -> list[int]:
        """Return the columns with an equal title, or else without regard to capitals, or short."""
        short = self.platform.short
        spellings = (
            (name.strip(), self.titles),
            (folded(name), map(folded, self.titles)),
            (folded(name), (folded(short(title)) for title in self.titles)),
        )
        found = (
            [at for at, title in enumerate(titles) if title == wanted]
            for wanted, titles in spellings
        )
        return next(filter(None, found), [])

    def _check_words(self, column: int) -> None:
        """Reject a column of words or percentages.

        Raises: GradebookError, if it has such cells and no points.
        """
        texts = [each.cells[column].text.strip() for each in self.students]
        words = [text for text in texts if text.casefold() not in NO_MARK]
        is_scale = self.column_of("scale") is not None and self.column_of("most") is None
        if is_scale or (words and all(map(NO_NUMBER.search, words))):
            shown = f" such as {quoted(words[0])}" if words else ""
            raise GradebookError(
                f"{self.path}: column: {quoted(self.titles[column])} has the words of a scale or "
                f"percentages{shown}, not points. Set it to points in {self.platform.name}, and "
                "export it again."
            )

    def possible(self, column: int) -> Fraction | None:
        """Return the maximum of a column, if the export has it.

        Raises: GradebookError, if a sign in it may be that of decimals or of thousands.
        """
        for row in self.rows[1:]:
            if POSSIBLE in row[0].text and column < len(row):
                return self._most_in(row[column], row[column].text, column)
        heading = self.rows[0][column]
        if most := self._most_in(heading, self.platform.most_in(self.titles[column]), column):
            return most
        at = self._most_at(column)
        cells = [] if at is None else [each.cells[at] for each in self.students]
        most_of = (self._most_in(cell, cell.text, column) for cell in cells)
        return next(filter(None, most_of), None)

    def _most_in(self, cell: Cell, text: str, column: int) -> Fraction | None:
        """Read a maximum in a cell; `None` for 0 and other texts."""
        sign = self._known_sign(column)
        if sign or not AMBIGUOUS.fullmatch(text.strip()):
            return number_in(text, sign) or None
        line, at = cell.place
        meant = joined([f"{float(number_in(text, each) or 0):.10g}" for each in ".,"])
        raise GradebookError(
            f"{self.path}:{line}:{at}: the maximum {quoted(text.strip())} may be {meant}. Set the "
            "points of the first place (--max-points)."
        )

    def _most_at(self, column: int) -> int | None:
        """Find the column with the maximum of another column, if there is one."""
        titles = [folded(title) for title in self.titles]
        own = self.platform.short(self.titles[column])
        named = (folded(each.format(own)) for each in self.platform.most)
        at = next((titles.index(each) for each in named if each in titles), None)
        return self.column_of("most") if at is None else at

    def column_of(self, part: Part) -> int | None:
        """Find the first column of a kind, if there is one."""
        parts = [self.platform.part(title) for title in self.titles]
        return parts.index(part) if part in parts else None

    def filled(self, column: int, marks: Mapping[int, str]) -> str:
        """Return the text of the gradebook with marks; all other characters stay the same.

        Args:
            column: The column to fill.
            marks: Texts of cells by line of the file.
        """
        cells = ((each.cells[column], marks.get(each.line)) for each in self.students)
        changed = [(cell.start, cell.end, new) for cell, new in cells if new is not None]
        return self._changed(changed)

    def with_column(self, title: str, texts: Mapping[int, str]) -> str:
        """Return the text with a new last column; all other characters stay the same.

        Args:
            title: Title of the column.
            texts: Its cells by line of the file; other lines get an empty cell.
        """
        heading, *rows = self.rows
        new = {heading[0].line: title, **texts}
        ends = [(row[-1].end, new.get(row[0].line, "")) for row in (heading, *rows)]
        return self._changed([(end, end, text) for end, text in ends], before=self.separator)

    def _changed(self, changes: Sequence[tuple[int, int, str]], before: str = "") -> str:
        """Replace parts of the text; new texts are quoted if needed."""
        parts, done = [], 0
        for start, end, new in changes:
            parts += [self.text[done:start], before, self._quoted(new)]
            done = end
        return "".join([*parts, self.text[done:]])

    def mark_text(self, mark: Fraction, column: int) -> str:
        """Write a mark with two decimals at most, with the decimal sign of its column."""
        cents = int(mark * 100 + Fraction(1, 2))
        text = f"{cents // 100}.{cents % 100:02}".rstrip("0").rstrip(".")
        return text.replace(".", self._known_sign(column) or ".")

    def _known_sign(self, column: int) -> str:
        """Return the decimal sign of a column, of its maximum, or of other columns of marks."""
        others = [at for at, title in enumerate(self.titles) if self.platform.takes_marks(title)]
        for at in (column, self._most_at(column), *others):
            signs = [
                sign
                for row in self.rows[1:]
                if at is not None and at < len(row)
                for sign in [_sign_in(row[at].text)]
                if sign
            ]
            if signs:
                return max(".,", key=signs.count)
        return ""

    @property
    def calculated(self) -> tuple[str, ...]:
        """Names that a spreadsheet would take for formulas."""
        columns = [at for at, each in enumerate(self.titles) if self.platform.part(each) in NAMES]
        cells = (student.cells[at].text for student in self.students for at in columns)
        return tuple(text for text in cells if _is_calculated(text))

    def _quoted(self, text: str) -> str:
        has_signs = any(sign in text for sign in (self.separator, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if has_signs else text

    def _takes_marks(self, column: int) -> bool:
        about = [row for row in self.rows[1:] if POSSIBLE in row[0].text and column < len(row)]
        is_read_only = any(READ_ONLY.fullmatch(row[column].text) for row in about)
        return self.platform.takes_marks(self.titles[column]) and not is_read_only


def read_gradebook(path: Path) -> Gradebook:
    """Read a gradebook, or a list of participants.

    Args:
        path: Exported by a platform.
    Raises: GradebookError, with every fault of the file, each with its line and column.
    """
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise GradebookError(f"{path}: there is no such file. Check the spelling.") from None
    except OSError as error:
        raise GradebookError(f"{path} cannot be read: {error.strerror}") from error
    if len(data) > MOST_BYTES:
        raise GradebookError(f"{path} has more than {MOST_BYTES:,} bytes; export it again")
    text, encoding = decoded(str(path), data)
    separator, platform = _form_of(path, text)
    text = _with_empty_cells(text, separator)
    faults = Faults(str(path))
    rows = tuple(rows_of(faults, text, separator))
    students, passed_over = students_of(rows, platform, faults)
    try:
        faults.raise_any()
    except ConfigError as error:
        raise GradebookError(str(error)) from error
    return Gradebook(path, text, encoding, separator, platform, rows, students, passed_over)


BLOCK = 16
"""Rows that Excel saves together; it omits the cells at their ends if no row has a text there."""


def _with_empty_cells(text: str, separator: str) -> str:
    """Add the empty cells that Excel omits at the ends of rows, after the first block."""
    heading, *rows = rows_of(Faults(""), text, separator)
    parts, done = [], 0
    for row in rows[BLOCK - 1 :]:
        end = row[-1].end
        if end < len(text):  # a download that broke off has no line end
            parts += [text[done:end], separator * (len(heading) - len(row))]
            done = end
    return "".join([*parts, text[done:]])


def _form_of(path: Path, text: str) -> tuple[str, Platform]:
    """Find the separator of the cells, and the platform of the export."""
    for separator in separators_of(text):
        heading = next(rows_of(Faults(""), text, separator), ())
        if platform := platform_of(titles_of(heading)):
            return separator, platform
    stated = SEPARATOR_LINE.match(text)
    below = text[stated.end() :] if stated else text
    first = LINE_END.split(below.removeprefix(BYTE_ORDER_MARK).lstrip("\r\n"), maxsplit=1)[0]
    got = quoted(first.strip()) if first.strip() else "an empty line"
    expected = (
        "a heading of Canvas (Student, ID, Section), Moodle (First name, Last name, Email address) "
        "or Gradescope (First Name, Last Name, SID)"
    )
    remedy = (
        "export the gradebook or the participants from there; or, for a roster, put the line "
        "name,email on top"
    )
    if line := _heading_below(text):
        remedy = f"remove the lines above line {line}, which has the heading"
    raise GradebookError(f"{path}:1: " + said(expected, got, remedy))


MOST_LINES_ABOVE = 20
"""Lines above a heading, such as a title, after which it is still found."""


def _heading_below(text: str) -> int:
    """Return the line of a heading that is not on top; 0 without one."""
    tops = (
        islice(rows_of(Faults(""), text, each), MOST_LINES_ABOVE) for each in separators_of(text)
    )
    lines = (row[0].line for rows in tops for row in rows if platform_of(titles_of(row)))
    return next(lines, 0)


def _is_calculated(text: str) -> bool:
    """Report whether a spreadsheet would take a name for a formula.

    >>> [_is_calculated(each) for each in ("=1+1", '="=1+1"', '="" & A1', "Lovelace, Ada")]
    [True, False, True, False]
    """
    return text.lstrip(" ").startswith(FORMULA_STARTS) and not TEXT_AS_FORMULA.fullmatch(text)


AMBIGUOUS = re.compile(r"-?[1-9]\d{0,2}[.,]\d{3}")
"""A number whose sign may be that of decimals or of thousands."""
GROUPED = re.compile(r"-?\d{1,3}([.,])\d{3}(?:\1\d{3})+")
DECIMAL = re.compile(r"-?(?:\d+|\d{1,3}([.,])\d{3}(?:\1\d{3})*(?!\1))([.,])\d+")


def _sign_in(text: str, known: str = "") -> str | None:
    """Return the decimal sign of a number, empty for a whole number.

    Args:
        text: The number.
        known: The decimal sign of other numbers of the file, if they have one.
    Returns: `None` for other texts, and if the sign may also be that of thousands.

    >>> _sign_in("12,50"), _sign_in("1,250.50"), _sign_in("20"), _sign_in("1,250")
    (',', '.', '', None)
    >>> _sign_in("1,250", known=","), _sign_in("1,250", known=".")
    (',', '')
    """
    text = text.strip()
    if AMBIGUOUS.fullmatch(text):
        return (known if known in text else "") if known else None
    if re.fullmatch(r"-?\d+", text) or GROUPED.fullmatch(text):
        return ""
    found = DECIMAL.fullmatch(text)
    return found[2] if found else None


def number_in(text: str, known: str = "") -> Fraction | None:
    """Read a number as Canvas writes it; `None` for texts without a clear decimal sign.

    >>> number_in(" 1,250.50 "), number_in("87,5"), number_in("EX") is None
    (Fraction(2501, 2), Fraction(175, 2), True)
    >>> number_in("1,250") is None, number_in("1,250", ".")
    (True, Fraction(1250, 1))
    """
    sign = _sign_in(text, known)
    if sign is None:
        return None
    whole, point, decimals = text.strip().partition(sign) if sign else (text.strip(), "", "")
    whole = re.sub("[.,]", "", whole)
    return Fraction(f"{whole}.{decimals}" if point else whole)
