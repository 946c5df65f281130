"""What everybody is told, as a column of comments: in a file of its own, or in a platform's.

In a platform's file every byte but those of the comments stays. Leaves out what is told.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from tourney.config.located import Faults
from tourney.course import Person, Roster
from tourney.course.grades.cells import BYTE_ORDER_MARK, Cells, rows_of
from tourney.errors import GradebookError
from tourney.show.feedback.model import Answer
from tourney.standings import csv_of

COLUMN = "Feedback comments"
"""As Moodle calls it in a grading worksheet."""

ABOUT_COLUMNS = "Points Possible"
"""Stands in a line of Canvas that is about nobody."""

MOST_BYTES = 20_000_000
SEPARATORS = ",;\t"
NAMES = (
    ("student",),
    ("full name",),
    ("name",),
    ("first name", "last name"),
    ("first name", "surname"),
    ("firstname", "lastname"),
)
"""Columns in which platforms keep names."""

IDS = (
    *("id", "sis user id", "sis login id", "integration id"),  # Canvas
    *("identifier", "id number", "email address", "username"),  # Moodle
    *("sid", "email"),  # Gradescope
)
"""Columns in which they keep what they call people."""

BEGINS_FORMULA = re.compile(r"([,;\t|]\s*)([=+@-])")


def as_comments(answers: Sequence[Answer], file_name: Callable[[Answer], str]) -> str:
    """Give the overview as CSV: a line for everybody, with the comment.

    Args:
        answers: One for each person.
        file_name: Gives the name of their pages.
    """
    rows = [["Name", "IDs", "Plays as", "What became of it", "Place", "Page", COLUMN]]
    for each in answers:
        person, played = each.handed_in.person, each.played
        places = ("out" if one.is_out else str(one.place or "") for one in played)
        row = [
            person.person,
            ";".join(person.ids),
            ";".join(one.name for one in played),
            each.state,
            ";".join(places),
            f"{file_name(each)}.html",
            each.comment,
        ]
        rows.append([in_one_line(cell) for cell in row])
    return csv_of(rows)


def in_one_line(text: str) -> str:
    """Give the text of a cell on one line, in which no spreadsheet finds a formula."""
    return without_formulas(" ".join(text.split()))


def without_formulas(text: str) -> str:
    """Put an apostrophe before what would be a formula where another sign parted the cells.

    >>> without_formulas("mend it; =1+1")
    "mend it; '=1+1"
    """
    return BEGINS_FORMULA.sub(r"\1'\2", text)


def filled(path: Path, answers: Sequence[Answer]) -> tuple[str, tuple[str, ...]]:
    """Fill the comments of a platform's file, or add them as its last column.

    Args:
        path: A gradebook, a list of participants or a grading worksheet, as it was exported.
        answers: What people are told.
    Returns: The text of the file, and the names of those in it who are told nothing.
    Raises: GradebookError, if it is none of these.
    """
    text = _text_of(path)
    first = text.removeprefix(BYTE_ORDER_MARK).partition("\n")[0]
    separator = max(SEPARATORS, key=first.count)
    faults = Faults(str(path))
    heading, *rows = (*rows_of(faults, text, separator),) or ((),)
    faults.raise_any()
    titles = [cell.text.strip().casefold() for cell in heading]
    if not any(set(names) <= set(titles) for names in NAMES) and not set(IDS) & set(titles):
        raise GradebookError(
            f"{path}:1: expected a heading with names or ids of students, got "
            f"{', '.join(titles)[:80] or 'none'}: export it from Canvas, Moodle or Gradescope"
        )
    at = titles.index(COLUMN.casefold()) if COLUMN.casefold() in titles else None
    people = Roster(tuple(each.handed_in.person for each in answers))
    told = {each.handed_in.person: in_one_line(each.comment) for each in answers}
    changes = [] if at is not None else [(heading[-1].end, heading[-1].end, f"{separator}{COLUMN}")]
    nobodys = []
    for row in rows:
        person = _person(titles, row, people)
        comment = told[person] if person else ""
        if person is None and ABOUT_COLUMNS not in row[0].text:
            nobodys.append(row[0].text)
        if at is None:
            changes.append((row[-1].end, row[-1].end, separator + _cell(comment)))
        elif person and at < len(row):
            changes.append((row[at].start, row[at].end, _cell(comment)))
    return _changed(text, changes), tuple(nobodys)


def _text_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES).decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        got = getattr(error, "strerror", None) or "bytes that are no UTF-8: save it as CSV UTF-8"
        raise GradebookError(f"{path}: expected a platform's CSV file, got {got}") from error


def _person(titles: Sequence[str], row: Cells, people: Roster) -> Person | None:
    """Find who a line is about; None if that is not clear."""
    said: Mapping[str, str] = {
        title: cell.text.strip() for title, cell in zip(titles, row, strict=False)
    }
    found = {person for title in IDS if (person := people.find(said.get(title, "")))}
    for names in NAMES:
        whole = " ".join(said.get(each, "") for each in names)
        last, comma, first = whole.partition(",")
        if not found and (person := people.find(f"{first} {last}" if comma else whole)):
            found = {person}
    return found.pop() if len(found) == 1 else None


def _cell(text: str) -> str:
    quoted = text.replace('"', '""')
    return f'"{quoted}"' if text else ""


def _changed(text: str, changes: Sequence[tuple[int, int, str]]) -> str:
    parts, done = [], 0
    for start, end, new in changes:
        parts += [text[done:start], new]
        done = end
    return "".join([*parts, text[done:]])
