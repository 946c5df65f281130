"""Jobs on a final, done by the checker: grades, and entrants taken off its boards.

Grades use the functions of `tourney grades`, so the gradebook has the same bytes.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

from tourney.course.grades.book import Gradebook, read_gradebook
from tourney.course.grades.marks import Line, Marks, changes, mark
from tourney.course.grades.people import find
from tourney.course.grades.rankings import Ranking, run_ranking
from tourney.errors import PortalError
from tourney.plugins.loading import load_plugins
from tourney.portal import boards, graded_tests, jobs
from tourney.portal.worker import Context, Handler, hide_path
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import exclude, standings_of


def grade(context: Context) -> Mapping[str, Any]:
    """Fill a column of a gradebook; the course's folder and the upload do not change.

    Payload: `run` of the portal, `file` in the inbox, `shown` (its displayed name), `column`, `by`,
    `points` and `least` as texts (empty points: the maximum in the gradebook), `absent` or empty.
    Returns: lines (student, player name, place, before, after, reason), the bugs that each
        student's tests catch, the rule in words, the places that it counts, the house players,
        the number of changed cells, and the gradebook's text and encoding.
    """
    asked = context.job.payload
    with hide_path(str(context.upload), asked["shown"]):
        book = read_gradebook(context.upload)
        at = book.column(asked["column"])
        marks = mark(
            book,
            at,
            _ranking(context),
            by=asked["by"],
            least=Fraction(asked["least"]),
            points=Fraction(asked["points"]) if asked["points"] else None,
            people=context.folder,
            absent=asked["absent"] or None,
        )
    noted = {name: asked[name] for name in ("run", "column", "by", "points", "least", "absent")}
    context.note("grades worked out", **noted)
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
    course = context.course
    noted = boards.existing_run(context.database, course.id, int(context.job.payload["run"]))
    with Store.open(context.places.final_store(course.slug), create=False) as store:
        record = store.run(noted.number)
        if record.status != "finished":
            raise PortalError(f"{noted.title}: the final is not finished; grade it afterwards")
        tournament = enter_again(record, load_plugins(), plays=False)
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


def exclude_entrant(context: Context) -> Mapping[str, Any]:
    """Take an entrant off all boards and pages of a final, or put it back.

    Payload: `run`, `entrant` (its name), `reason` (empty to put it back). Name and reason are
    deleted from the job when it is over, because a job outlives the data of a person.
    Raises: PortalError, if this is not possible; its lecturer sees the reason.
    """
    try:
        done = _exclude_entrant(context)
    except PortalError:
        _forget_words(context)
        raise
    _forget_words(context)
    return done


def _forget_words(context: Context) -> None:
    kept = json.dumps({"run": context.job.payload["run"]})
    sql = "UPDATE jobs SET payload = ? WHERE id = ?"
    context.database.execute(sql, (kept, context.job.id))


def _exclude_entrant(context: Context) -> Mapping[str, Any]:
    database, course, asked = context.database, context.course, context.job.payload
    noted = boards.existing_run(database, course.id, int(asked["run"]))
    with Store.open(context.places.final_store(course.slug), create=False) as store:
        record = store.run(noted.number)
        found = [each for each in record.entrants if each.name == asked["entrant"]]
        if not found:
            raise PortalError(f"entrant: {asked['entrant']!r} is not in this final")
        number = found[0].number
        if asked["reason"] or found[0].excluded is not None:  # a killed job may have put it back
            name = found[0].name if asked["reason"] else ""
            with _no_further_place(context, noted, name), hide_path(f"{context.folder}/"):
                exclude(store, record, number, asked["reason"] or None)
        left = store.run(noted.number).entrants
    with database.transaction():
        names = {str(each.number): each.name for each in left if each.excluded is not None}
        boards.change(database, noted, excluded={**names, **_hidden(noted, names)})
        act = "entrant excluded" if asked["reason"] else "entrant put back"
        context.note(act, run=noted.id, entrant=number)
        if context.places.site(course.slug, noted.id).is_dir():
            jobs.insert(database, "publish", {"run": noted.id}, course=course.id)
    return {"status": "done"}


@contextmanager
def _no_further_place(context: Context, noted: boards.PortalRun, name: str) -> Iterator[None]:
    """Keep hidden places of a final hidden while a revealed entrant is excluded.

    The number of revealed places falls first, because the follower may look at any time.
    """
    board = boards.board_of(context.database, noted.id, "course")
    is_revealing = boards.content_of(board).get("state") == "revealing"
    revealed = noted.settings.get("revealed", 0)
    if not (board and is_revealing and revealed and name in board.own):
        yield
        return
    boards.change(context.database, noted, revealed=revealed - 1)
    try:
        yield
    except BaseException:
        boards.change(context.database, noted, revealed=revealed)
        raise


def _hidden(noted: boards.PortalRun, names: Mapping[str, str]) -> Mapping[str, str]:
    """Give the pseudonyms of excluded entrants whose students were erased."""
    withheld: Mapping[str, str] = noted.settings.get("withheld", {})
    return {number: withheld[number] for number in names if number in withheld}


HANDLERS: Mapping[str, Handler] = {"grades": grade, "exclude": exclude_entrant}
"""The handler of each kind of job."""
