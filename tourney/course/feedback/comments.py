"""Feedback as a column of comments, in an overview or in a platform's file.

In a platform's file only the bytes of the comments change.
"""

import re
from collections.abc import Callable, Sequence

from tourney.course.feedback.model import Answer
from tourney.course.grades.book import Gradebook
from tourney.course.grades.people import find
from tourney.course.identity import folded
from tourney.course.roster import Roster
from tourney.standings.data import csv_of

COLUMN = "Feedback comments"
"""The column's title in a grading worksheet of Moodle."""

BEGINS_FORMULA = re.compile(r"""(^["\s]+|[,;\t|]["\s]*)([=+@-])""")


def as_comments(answers: Sequence[Answer], file_name: Callable[[Answer], str]) -> str:
    """Return the overview as CSV: a line for each student, with the comment.

    Args:
        answers: One for each student.
        file_name: Returns the name of the student's pages.
    """
    rows = [["Name", "IDs", "Plays as", "Result", "Place", "Page", COLUMN]]
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
    """Return the text of a cell on one line, without formulas."""
    return without_formulas(" ".join(text.split()))


def without_formulas(text: str) -> str:
    """Put an apostrophe before each formula, also after another separator of cells.

    >>> without_formulas("mend it; =1+1")
    "mend it; '=1+1"
    >>> print(without_formulas('"=1+1"'))
    "'=1+1"
    """
    return BEGINS_FORMULA.sub(r"\1'\2", text)


def filled(book: Gradebook, answers: Sequence[Answer]) -> tuple[str, tuple[str, ...]]:
    """Fill the comments of a platform's file, or add them as its last column.

    Args:
        book: A gradebook, a list of participants or a grading worksheet.
        answers: The feedback of each student.
    Returns: The text of the file, and the names of students in it without a comment.
    """
    people = Roster(tuple(each.handed_in.person for each in answers))
    texts = {each.handed_in.person: in_one_line(each.comment) for each in answers}
    comments, unknown = {}, []
    for student in book.students:
        found = find(student, people)
        if len(found) == 1:
            # Latin-1 does not have all letters.
            data = texts[found[0]].encode(book.encoding, "backslashreplace")
            comments[student.line] = data.decode(book.encoding)
        else:
            unknown.append(student.name)
    at = book.column_of("comment")
    titles = [folded(title) for title in book.titles]
    if at is None and folded(COLUMN) in titles:
        at = titles.index(folded(COLUMN))
    if at is not None:
        return book.filled(at, comments), tuple(unknown)
    return book.with_column(COLUMN, comments), tuple(unknown)
