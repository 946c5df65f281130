"""The state of a course for its staff, and of one student in it.

It is read from the tables that the checker fills, because the web process opens no folder.

`personal_rules` has the deadline of a student.
"""

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tourney.portal import boards, jobs
from tourney.portal.accounts import Course
from tourney.portal.boards import PortalRun
from tourney.portal.database import now
from tourney.portal.jobs import Job
from tourney.portal.notices import unsent
from tourney.portal.personal_rules import entry_of
from tourney.portal.versions import Version, playing_names, versions_of
from tourney.sqlite.database import Database

KINDS: Mapping[str, str] = {
    "check": "checks of submissions",
    "choose": "choices of a version",
    "tests": "test files",
    "practice": "practice runs",
    "match": "private matches",
    "final": "finals",
    "publish": "pages of results",
    "grades": "gradebooks",
    "roster": "rosters",
    "assignment": "new assignments",
    "game": "changes of the game",
    "team": "changes of teams",
    "terms": "changes of settings",
    "tournament": "tournament files",
}
"""Kinds of jobs that staff see in the queue, in words."""
ROSTER_CHANGES = ("joined", "left", "changed")
"""The changes in the result of a roster's preview."""
RECENT = 8
"""Listed uploads."""


@dataclass(frozen=True, slots=True)
class Idle:
    """A student of the roster without a competing version."""

    person: str
    name: str  # player name
    groups: Sequence[str]
    reason: str


@dataclass(frozen=True, slots=True)
class Waiting:
    """The unfinished jobs of a kind."""

    words: str
    queued: int
    running: int
    oldest: str  # time at which the oldest was received


@dataclass(frozen=True, slots=True)
class Decision:
    """Something that the staff has to decide or to repair."""

    words: str
    page: str  # name of the page where this is done
    job: int = 0  # in its address; 0 for none


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of a course."""

    students: int  # on the roster, without excluded ones
    idle: Sequence[Idle]
    queue: Sequence[Waiting]
    decisions: Sequence[Decision]
    uploads: Sequence[Job]  # the latest, newest first


def overview_of(database: Database, course: Course) -> Overview:
    """Give the state of a course."""
    return Overview(
        len(course.students),
        list(_idle(database, course)),
        list(_queue(database, course)),
        list(_decisions(database, course)),
        jobs.of_course(database, course.id, ["check"], most=RECENT),
    )


def not_joined(database: Database, course: Course) -> list[Mapping[str, Any]]:
    """Give the people of the roster who are no members of the course, without excluded ones."""
    rows = database.read(
        iter,
        "SELECT person, memberships.name FROM memberships JOIN accounts ON accounts.id = account "
        "WHERE course = ? AND removed IS NULL AND erased IS NULL",
        (course.id,),
    )
    joined, count = set(rows), Counter(each["person"] for each in course.people)
    persons = {person for person, _ in joined if count[person] == 1}  # even if they were renamed
    return [
        each
        for each in course.students
        if each["person"] not in persons and (each["person"], each["name"]) not in joined
    ]


def _idle(database: Database, course: Course) -> Iterator[Idle]:
    """Give the students without a competing version, each with the latest reason."""
    playing, reasons = playing_names(database, course.id), _reasons(database, course)
    absent = {(each["person"], each["name"]) for each in not_joined(database, course)}
    for each in course.students:
        person, name = each["person"], each["name"]
        if name not in playing:
            usual = "has not joined the course" if (person, name) in absent else "no submission"
            yield Idle(person, name, each["groups"], reasons.get(name) or usual)


def _reasons(database: Database, course: Course) -> Mapping[str, str]:
    """Give the latest reason why a name does not compete."""
    rows = database.read(
        iter,
        "SELECT name, received, status || iif(reason = '', '', ': ' || reason) "
        "FROM versions WHERE course = :course UNION ALL "
        "SELECT name, received, CASE "
        "WHEN state IN ('queued', 'running') THEN 'waits for its check' "
        "WHEN state = 'failed' THEN 'the portal failed at the check' "
        "ELSE 'refused: ' || json_extract(result, '$.reason') END FROM jobs "
        "WHERE course = :course AND kind = 'check' AND (state IN ('queued', 'running', 'failed') "
        "OR json_extract(result, '$.status') = 'refused') ORDER BY received",
        {"course": course.id},
    )
    return {name: reason for name, _, reason in rows}


def _queue(database: Database, course: Course) -> Iterator[Waiting]:
    rows = database.read(
        iter,
        "SELECT kind, sum(state = 'queued'), sum(state = 'running'), min(received) FROM jobs "
        "WHERE course = :course AND state IN ('queued', 'running') AND not_before <= :now "
        "AND kind IN (SELECT value FROM json_each(:kinds)) GROUP BY kind ORDER BY kind",
        {"course": course.id, "now": now(), "kinds": json.dumps(list(KINDS))},
    )
    for kind, queued, running, oldest in rows:
        yield Waiting(KINDS[kind], queued, running, oldest)


def _decisions(database: Database, course: Course) -> Iterator[Decision]:
    if not course.students:
        words = "The course has no roster yet: upload one."
        yield Decision(words if course.is_first else "The assignment is not set up.", "organise")
        return
    if not course.told.get("deadline"):
        yield Decision("The course has no deadline.", "organise")
    handout = course.told.get("handout")
    if isinstance(handout, dict) and handout.get("problems"):
        yield Decision("A part of the game's material is missing.", "game")
    if absent := len(not_joined(database, course)):
        words = "1 student has" if absent == 1 else f"{absent} students have"
        yield Decision(f"{words} not joined the course.", "people")
    for job in jobs.of_course(database, course.id, ["roster"], most=1):
        if job.result.get("status") == "shown" and any(map(job.result.get, ROSTER_CHANGES)):
            yield Decision("A previewed roster is not saved.", "doing", job.id)
    if (mails := unsent(database, course.id)).waiting or mails.failed:
        yield Decision("Mails to people of the course could not be sent.", "people")
    yield from _of_uploads(database, course)
    yield from _of_finals(database, course)


def _of_uploads(database: Database, course: Course) -> Iterator[Decision]:
    """Give the uploads that the portal gave up, unless their student has a newer one."""
    rows = database.read(
        iter,
        "SELECT id, name FROM jobs WHERE course = :course AND kind = 'check' AND state = 'failed' "
        "AND NOT EXISTS (SELECT 1 FROM jobs AS newer WHERE newer.course = :course "
        "AND newer.kind = 'check' AND newer.name = jobs.name AND newer.id > jobs.id) ORDER BY id",
        {"course": course.id},
    )
    for number, name in rows:
        yield Decision(f"The portal failed at an upload of {name}.", "handed", number)


def _of_finals(database: Database, course: Course) -> Iterator[Decision]:
    """Give the finals that are stopped, or frozen without a time of their reveal."""
    for run in boards.runs_of(database, course.id, "final"):
        board = boards.board_of(database, run.id, "course")
        shown = boards.content_of(board)
        if run.is_stopped:
            yield Decision(f"{run.title} is stopped: resume it.", "finals")
        elif run.finished and shown.get("state") == "sealed" and not shown.get("until"):
            yield Decision(f"{run.title} is over and frozen: reveal its results.", "finals")
        elif shown.get("state") == "revealing":
            yield Decision(f"{run.title} has hidden places: reveal the rest.", "finals")


PLACE = "rank"
"""The column with the place on a board."""
FINAL_STATES = {
    "playing": "playing",
    "stopped": "stopped",
    "sealed": "the results are hidden",
    "revealing": "the results are being revealed",
    "over": "finished",
}
"""The states of a board of a final, in words."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the practice board."""

    place: str
    entrants: int


@dataclass(frozen=True, slots=True)
class StudentStatus:
    """The state of one student."""

    competing: Version | None
    reason: str  # why no version competes; empty if one does
    upload: Job | None  # the last one that no newer upload replaced
    version: Version | None  # that the last upload became, if any
    place: Place | None  # on the practice board
    excluded: str = ""  # reason of the roster for excluding the student


def status_of(database: Database, course: Course, person: str, name: str) -> StudentStatus:
    """Give the state of a student.

    Args:
        database: The portal's.
        course: Its course.
        person: Name on the roster.
        name: The player name, also of the rest of a team; may be empty.
    """
    versions = versions_of(database, course.id, name) if name else ()
    competing = next((each for each in versions if each.plays), None)
    upload = _last_upload(database, course, name)
    digest = upload.result.get("digest") if upload else None
    version = next((each for each in versions if digest and each.digest == digest), None)
    excluded = str(entry_of(course, person, name).get("excluded") or "")
    reason = "" if competing else _reason(name, excluded, upload, versions[0] if versions else None)
    place = place_of(database, course, name)
    return StudentStatus(competing, reason, upload, version, place, excluded)


def place_of(database: Database, course: Course, name: str) -> Place | None:
    """Give a student's place on the practice board; `None` if the board does not show them."""
    runs = boards.runs_of(database, course.id, "practice")
    return place_in(database, runs[0], name) if runs and name else None


def coming_finals(database: Database, course: int) -> list[Job]:
    """Give the requested finals of a course that have no run, also failed ones, by start."""
    begun = {run.settings.get("job") for run in boards.runs_of(database, course, "final")}
    requests = jobs.of_course(database, course, ["final"])
    found = [each for each in requests if each.id not in begun and each.state != "replaced"]
    return sorted(found, key=lambda each: each.not_before)


def final_words(database: Database, run: PortalRun, name: str = "") -> str:
    """Describe the state of a final to the course, with the place of a player if it is shown."""
    state = str(boards.content_of(boards.board_of(database, run.id, "course")).get("state", ""))
    place = place_in(database, run, name)
    if place and state == "over":
        return f"place {place.place} of {place.entrants}"
    words = FINAL_STATES.get(state, "starting")
    return f"{words}, place {place.place} so far" if place else words


def place_in(database: Database, run: PortalRun, name: str) -> Place | None:
    """Give the place of a player in a run; `None` if the course does not see it."""
    board = boards.board_of(database, run.id, "course")
    shown = boards.content_of(board)
    columns = [each["name"] for each in shown.get("columns", ())]
    if board is None or name not in board.own or PLACE not in columns:
        return None
    return Place(board.own[name][columns.index(PLACE)], len(shown["rows"]))


def _last_upload(database: Database, course: Course, name: str) -> Job | None:
    found = jobs.of_course(database, course.id, ["check"], name) if name else ()
    return next((each for each in found if each.state != "replaced"), None)


def _reason(name: str, excluded: str, upload: Job | None, last: Version | None) -> str:
    """Explain why a student has no version that competes."""
    if not name:
        return "You have no player name yet. Ask your lecturer for one."
    if excluded:
        return f"The roster excludes you: {excluded}. Ask your lecturer."
    if upload and not upload.is_over:
        return "Your upload waits for its check."
    if upload and upload.fault:
        words = "could not be checked" if upload.state == "failed" else "was refused"
        return f"Your last upload {words}: {upload.fault}"
    if last:
        return f"Your last submission was {last.status}: {last.reason}"
    return "You have not submitted yet."
