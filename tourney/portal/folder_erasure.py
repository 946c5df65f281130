"""Jobs that remove an erased person from a course's folder.

The checker cleans the folder and the store of finals; `practice` cleans its own store. A job that
is killed starts again and finds less to do. A final's store keeps the data that its digest covers:
the player name and the source. Boards and pages show a random pseudonym from then on.
"""

import logging
import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from secrets import token_bytes
from typing import Any

from tourney.course.class_folder import Played, forget_person, forget_versions, names_of
from tourney.course.folder import Submissions
from tourney.course.pseudonyms import KEY_BYTES, random_handle
from tourney.errors import TourneyError
from tourney.portal import boards, jobs
from tourney.portal.accounts import Course, assignments_of
from tourney.portal.course_jobs import share_roster, tell_again
from tourney.portal.course_runs import SHOWN_DIGITS
from tourney.portal.database import now
from tourney.portal.erasure import MEMBER, NAMING, OF_THEIRS, PRACTICE, drop_jobs
from tourney.portal.jobs import ROSTER
from tourney.portal.worker import Context, Handler
from tourney.store.records import EntrantRecord
from tourney.store.store import Store

LOOK_EVERY = 0.2
log = logging.getLogger("tourney.portal")


def erase_member(context: Context) -> Mapping[str, Any]:
    """Remove an erased person from a course's folders; their membership still has the name."""
    try:
        return _erase_member(context)
    except TourneyError as error:  # the next sweep retries it
        job = context.job
        log.error("account %s is not yet erased from course %s: %s", job.account, job.course, error)  # noqa: TRY400 - in words
        raise


def _erase_member(context: Context) -> Mapping[str, Any]:
    database, course = context.database, context.course
    who = (course.id, context.job.account)
    _wait_for_others(context)
    member = database.first(
        "SELECT person, name FROM members WHERE course = ? AND account = ?", who
    )
    if member:
        person, name = member
        others = _names_of_others(context)
        handle = random_handle("", token_bytes(KEY_BYTES))
        # The roster of the first assignment is copied to the others, so it is changed last.
        for each in reversed(assignments_of(database, course)):
            folder = context.places.course(each.slug)
            played = names_of(folder, person, name, others)
            _withhold(context, each, person, played, handle)
            forget_versions(folder, person, played, handle)
            _forget_told(context, each, played)
            forget_person(folder, person, name, handle, others)  # last: a retry starts from it
            tell_again(database, each.id, folder)
        share_roster(database, context.places, course)
        database.execute("DELETE FROM members WHERE course = ? AND account = ?", who)
    # Otherwise the data would stay in the write-ahead log.
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return {"status": "erased"}


def forget_practice(context: Context) -> Mapping[str, Any]:
    """Remove the practice runs and matches of people without submissions in the folder."""
    database, course = context.database, context.course
    names = set(Submissions(context.folder).names())
    path = context.places.practice_store(course.slug)
    if path.is_file():
        with Store.open(path) as store:
            for number in [each.number for each in store.runs()]:
                files = (each for each in store.run(number).entrants if not each.distribution)
                if any(_name_of(each) not in names for each in files):
                    _forget_run(context, course, number)
                    store.delete_run(number)
    with database.transaction():
        boards.forget_others(database, course.id, sorted(names))
    jobs.add(database, "practice", {}, course=course.id, replaces=True)
    return {"status": "forgotten"}


def _forget_run(context: Context, course: Course, number: int) -> None:
    """Remove a practice run or a match, with its board and its pages."""
    for purpose in boards.PRACTISED:
        for each in boards.runs_of(context.database, course.id, purpose):
            if each.number == number:
                if (site := context.places.site(course.slug, each.id)).is_dir():
                    shutil.rmtree(site)
                boards.forget_run(context.database, each)


def _wait_for_others(context: Context) -> None:
    """Wait for the person's running jobs, and remove them, too."""
    database, who = context.database, context.job.account
    at_work = f"SELECT 1 FROM jobs WHERE ({OF_THEIRS}) AND state = 'running' AND lease >= :now"  # noqa: S608 - ours
    while database.first(at_work, {"account": who, "now": now()}):
        time.sleep(LOOK_EVERY)
    assert who is not None
    with database.transaction():
        files = drop_jobs(database, who)
    for name in files:
        (context.places.inbox / name).unlink(missing_ok=True)


def _names_of_others(context: Context) -> tuple[str, ...]:
    """Give the player names of the other members of the course."""
    sql = "SELECT name FROM members WHERE course = ? AND account <> ?"
    who = (context.job.course, context.job.account)
    return tuple(name for (name,) in context.database.read(iter, sql, who))


def _withhold(context: Context, course: Course, person: str, played: Played, handle: str) -> None:
    """Show a pseudonym for a person in finals, and remove the author from the stores."""
    database, places = context.database, context.places
    _forget_author(places.practice_store(course.slug), person, played)
    numbers = _forget_author(places.final_store(course.slug), person, played)
    writes = "SELECT 1 FROM jobs WHERE course = ? AND kind = 'publish' AND state = 'running'"
    for run in boards.runs_of(database, course.id, "final"):
        if who := {str(each): handle for each in numbers.get(run.number, ())}:
            with database.transaction():
                before = run.settings.get("withheld", {})
                excluded = run.settings.get("excluded", {})
                excluded |= {each: handle for each in who if each in excluded}
                boards.change(database, run, withheld={**before, **who}, excluded=excluded)
                database.execute("DELETE FROM answers WHERE run = ?", (run.id,))
            if places.site(course.slug, run.id).is_dir() or database.first(writes, (course.id,)):
                asked = {"run": run.id, "is_erasing": True}
                jobs.add(database, "publish", asked, course=course.id)


def _forget_author(path: Path, person: str, played: Played) -> Mapping[int, tuple[int, ...]]:
    if not path.is_file():
        return {}
    with Store.open(path) as store:
        everybody = [each for run in store.runs() for each in store.run(run.number).entrants]
        own, shared = (
            sorted({each.name for each in everybody if _name_of(each) in names})
            for names in (played.own, played.shared)
        )
        return store.forget_author(person, own, shared)


def _name_of(entrant: EntrantRecord) -> str:
    """Give an entrant's player name; in a practice run the version follows it."""
    return entrant.name.removesuffix(f" {entrant.digest.hex()[:SHOWN_DIGITS]}")


def _forget_told(context: Context, assignment: Course, played: Played) -> None:
    """Remove versions, and jobs with names of the roster, and restart practice."""
    database, course = context.database, assignment.id
    with database.transaction():
        for name in played.own:
            database.execute("DELETE FROM versions WHERE course = ? AND name = ?", (course, name))
        rows = database.read(
            iter,
            "SELECT id, json_extract(payload, '$.file') FROM jobs "  # noqa: S608 - ours
            f"WHERE course = ? AND kind IN {NAMING} AND state = 'done'",
            (course,),
        )
        for number, file in tuple(rows):  # they name people of the roster
            if str(file).startswith(ROSTER):
                (context.places.inbox / file).unlink(missing_ok=True)
            jobs.unsay(database, number)
            database.execute("DELETE FROM jobs WHERE id = ?", (number,))
        jobs.insert(database, PRACTICE, {}, course=course, replaces=True)


HANDLERS: Mapping[str, Handler] = {MEMBER: erase_member}
"""Handlers of the checker's jobs; `practice` does the other kind."""
