"""Grades of a final in the gradebook of a course, done by the checker.

Uses the functions of `tourney grades`, so the file has the same bytes.
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.grades.marks import Line, Marks, changes, mark
from tourney.course.grades.people import find
from tourney.course.grades.rankings import Ranking, run_ranking
from tourney.errors import GradebookError, PortalError
from tourney.portal import audit, boards, graded_tests
from tourney.portal.accounts import course_of
from tourney.portal.course_runs import registry
from tourney.portal.worker import Context, Handler
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of


def grade(context: Context) -> Mapping[str, Any]:
    """Fill a column of a gradebook; the course's folder and the upload do not change.

    Payload: `run` of the portal, `file` in the inbox, `shown` (its displayed name), `column`, `by`,
    `points` and `least` as texts (empty points: the maximum in the gradebook), `absent` or empty.
    Returns: lines (student, player name, place, before, after, reason), the bugs that each
        student's tests catch, the rule in words, the places that it counts, the house players,
        the number of changed cells, and the gradebook's text and encoding.
    """
    asked = context.job.payload
    path = context.places.inbox / asked["file"]
    try:
        book = read_gradebook(path)
        at = book.column(asked["column"])
        course = course_of(context.database, context.job.course or 0)
        marks = mark(
            book,
            at,
            _ranking(context),
            by=asked["by"],
            least=Fraction(asked["least"]),
            points=Fraction(asked["points"]) if asked["points"] else None,
            people=context.places.course(course.slug),
            absent=asked["absent"] or None,
        )
    except GradebookError as error:
        raise PortalError(str(error).replace(str(path), asked["shown"])) from error
    audit.note(
        context.database,
        "grades worked out",
        account=context.job.account,
        course=context.job.course,
        **{name: asked[name] for name in ("run", "column", "by", "points", "least", "absent")},
    )
    tests = _tests(context, marks)
    return {
        "status": "shown",
        "rule": marks.rule.formula,
        "counted": marks.counted if marks.rule.counted else [],
        "house": sorted(marks.ranking.house),
        **_filled(book, at, marks.lines, tests),
    }


def _tests(context: Context, marks: Marks) -> list[str]:
    """Give how many bugs each student's last tests catch; empty without any tests."""
    latest = graded_tests.latest_of(context.database, context.job.course or 0)
    if not latest:
        return []
    names = [
        [name for one in find(line.student, marks.people) for name in one.names]
        for line in marks.lines
    ]
    return [", ".join(latest[each].share for each in own if each in latest) for own in names]


def _ranking(context: Context) -> Ranking:
    """Give all entrants of a finished final."""
    noted = boards.existing(
        boards.run_by(context.database, context.job.course or 0, int(context.job.payload["run"]))
    )
    slug = course_of(context.database, noted.course).slug
    with Store.open(context.places.final_store(slug), create=False) as store:
        record = store.run(noted.number)
        if record.status != "finished":
            raise PortalError(f"{noted.title}: the final is not finished; grade it afterwards")
        tournament = enter_again(record, registry(), plays=False)
        return run_ranking(standings_of(tournament, store, record), record.entrants)


def _filled(book: Gradebook, at: int, lines: tuple[Line, ...], tests: list[str]) -> dict[str, Any]:
    new = changes(lines)
    return {
        "column": book.titles[at],
        "changed": len(new),
        "lines": [_told(each) for each in lines],
        "tests": tests,
        "text": book.filled(at, new),
        "encoding": book.encoding,
    }


def _told(line: Line) -> list[str]:
    row = line.row
    place = "" if row is None else "out" if row.place is None else str(row.place)
    after = (line.after or "blank") if line.is_changed else ""
    return [line.student.name, row.name if row else "", place, line.before, after, line.why]


HANDLERS: Mapping[str, Handler] = {"grades": grade}
"""The handler of each kind of job."""
