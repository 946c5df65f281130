"""What everybody is told, as a column of comments: in a file of its own, or in a platform's.

In a platform's file every byte but those of the comments stays. Leaves out what is told.
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
"""As Moodle calls it in a grading worksheet."""

BEGINS_FORMULA = re.compile(r"""(^["\s]+|[,;\t|]["\s]*)([=+@-])""")


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
    >>> print(without_formulas('"=1+1"'))
    "'=1+1"
    """
    return BEGINS_FORMULA.sub(r"\1'\2", text)


def filled(book: Gradebook, answers: Sequence[Answer]) -> tuple[str, tuple[str, ...]]:
    """Fill the comments of a platform's file, or add them as its last column.

    Args:
        book: A gradebook, a list of participants or a grading worksheet.
        answers: What people are told.
    Returns: The text of the file, and the names of students in it who are told nothing.
    """
    people = Roster(tuple(each.handed_in.person for each in answers))
    told = {each.handed_in.person: in_one_line(each.comment) for each in answers}
    comments, nobodys = {}, []
    for student in book.students:
        found = find(student, people)
        if len(found) == 1:
            # A file of Latin-1 has no letters for all that people write.
            data = told[found[0]].encode(book.encoding, "backslashreplace")
            comments[student.line] = data.decode(book.encoding)
        else:
            nobodys.append(student.name)
    at = book.column_of("comment")
    titles = [folded(title) for title in book.titles]
    if at is None and folded(COLUMN) in titles:
        at = titles.index(folded(COLUMN))
    if at is not None:
        return book.filled(at, comments), tuple(nobodys)
    return book.with_column(COLUMN, comments), tuple(nobodys)
