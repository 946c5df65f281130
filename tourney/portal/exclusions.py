"""Jobs that take an entrant off the boards of a finished final, done by the checker."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from tourney.errors import PortalError, StoreError, TourneyError
from tourney.portal import audit, boards, jobs
from tourney.portal.accounts import course_of
from tourney.portal.worker import Context, Handler
from tourney.store.store import Store
from tourney.tournament.exclusion import exclude


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
    database, asked = context.database, context.job.payload
    course = course_of(database, context.job.course or 0)
    noted = boards.existing(boards.run_by(database, course.id, int(asked["run"])))
    with Store.open(context.places.final_store(course.slug), create=False) as store:
        record = store.run(noted.number)
        found = [each for each in record.entrants if each.name == asked["entrant"]]
        if not found:
            raise PortalError(f"entrant: {asked['entrant']!r} is not in this final")
        number = found[0].number
        if asked["reason"] or found[0].excluded is not None:  # a killed job may have put it back
            with _no_further_place(context, noted, found[0].name if asked["reason"] else ""):
                _exclude(store, noted.number, number, asked["reason"] or None)
        left = store.run(noted.number).entrants
    with database.transaction():
        names = {str(each.number): each.name for each in left if each.excluded is not None}
        boards.change(database, noted, excluded={**names, **_hidden(noted, names)})
        audit.note(
            database,
            "entrant excluded" if asked["reason"] else "entrant put back",
            account=context.job.account,
            course=course.id,
            run=noted.id,
            entrant=number,
        )
        if context.places.site(course.slug, noted.id).is_dir():
            jobs.insert(database, "publish", {"run": noted.id}, course=course.id)
    return {"status": "done"}


@contextmanager
def _no_further_place(context: Context, noted: boards.PortalRun, name: str) -> Iterator[None]:
    """Keep hidden places of a final hidden while a revealed entrant is excluded.

    The number of revealed places falls first, because the follower may look at any time.
    """
    board = boards.board_of(context.database, noted.id, "course")
    is_revealing = board is not None and json.loads(board.shown).get("state") == "revealing"
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


def _exclude(store: Store, run: int, entrant: int, reason: str | None) -> None:
    try:
        exclude(store, store.run(run), entrant, reason)
    except StoreError:
        raise
    except TourneyError as error:
        raise PortalError(str(error)) from error


def _hidden(noted: boards.PortalRun, names: Mapping[str, str]) -> Mapping[str, str]:
    """Give the pseudonyms of excluded entrants whose students were erased."""
    withheld: Mapping[str, str] = noted.settings.get("withheld", {})
    return {number: withheld[number] for number in names if number in withheld}


HANDLERS: Mapping[str, Handler] = {"exclude": exclude_entrant}
"""The handler of each kind of job."""
