"""What places are worth in one column of a gradebook: the order in which all of it is asked.

A command and a portal do the same with what comes of it: show it, and write it if that is wanted.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from tourney.course.grades.book import Gradebook
from tourney.course.grades.filling import EXCUSED, Line, fill, with_absent
from tourney.course.grades.people import people_of
from tourney.course.grades.rules import Rule, rule_of
from tourney.course.roster import Roster
from tourney.errors import GradebookError, PointsError
from tourney.standings.standing import Standing

USUAL_POINTS = Fraction(100)


@dataclass(frozen=True, slots=True)
class Marks:
    """What becomes of a column."""

    lines: tuple[Line, ...]  # of everybody, in the order of the gradebook
    rule: Rule
    most: Fraction  # points of the first place
    people: Roster  # who plays under which name


def mark(
    book: Gradebook,
    column: int,
    standings: Sequence[Standing],
    *,
    by: str,
    least: Fraction,
    points: Fraction | None = None,
    people: Path | None = None,
    group: str | None = None,
    absent: str | None = None,
) -> Marks:
    """Say what becomes of everybody's cell of a column.

    Args:
        book: The gradebook.
        column: Which column is filled.
        standings: The whole board, best first.
        by: How marks follow, one of RULES.
        least: What the last place is worth, in points.
        points: What the first is; None for what the gradebook says, or 100.
        people: Roster, or folder of submissions, that says who plays under which name.
        group: Whose cells are filled; None for everybody's.
        absent: What whoever is absent gets, one of ABSENT; None to leave those cells.
    Raises: PointsError, if the last is worth more than the first; GradebookError, ConfigError or
        SubmissionError, if the rule makes no sense, the platform excuses nobody, or people cannot
        be read.
    """
    most = (book.possible(column) or USUAL_POINTS) if points is None else points
    if least > most:
        raise PointsError(f"least: expected up to {points_text(most)}, got {points_text(least)}")
    if absent == EXCUSED and not book.platform.excuses:
        raise GradebookError(
            f"{book.path}: absent: expected 0 or blank for {book.platform.name}, got {EXCUSED}, "
            "which only Canvas reads as excused; with neither their cells stay as they are"
        )
    rule = rule_of(by, standings)
    known = people_of(people, [row.name for row in standings])
    lines = fill(
        book, column, standings, known, lambda row: rule.mark(row, least, most), group=group
    )
    if absent is not None:
        lines = with_absent(lines, absent)
    return Marks(lines, rule, most, known)


def points_text(points: Fraction) -> str:
    """Write points for a reader.

    >>> points_text(Fraction(25, 2))
    '12.5'
    """
    return f"{float(points):.10g}"
