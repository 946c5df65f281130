"""The state of one student in a course: the competing version, the last upload, the practice place.

See `personal_rules` for the deadline.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from tourney.portal import boards, jobs
from tourney.portal.accounts import Course
from tourney.portal.boards import PortalRun, StoredBoard
from tourney.portal.jobs import Job
from tourney.portal.personal_rules import entry_of
from tourney.portal.versions import Version, versions_of
from tourney.sqlite.database import Database

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
    return StudentStatus(competing, reason, upload, version, place_of(database, course, name))


def place_of(database: Database, course: Course, name: str) -> Place | None:
    """Give a student's place on the practice board; `None` if the board does not show them."""
    runs = boards.runs_of(database, course.id, "practice")
    board = boards.board_of(database, runs[0].id, "course") if runs and name else None
    return _place_on(board, json.loads(board.shown), name) if board else None


def final_words(database: Database, run: PortalRun, name: str = "") -> str:
    """Describe the state of a final to the course, with the place of a player if it is shown."""
    board = boards.board_of(database, run.id, "course")
    shown = json.loads(board.shown) if board else {}
    state = str(shown.get("state", ""))
    place = _place_on(board, shown, name) if board else None
    if place and state == "over":
        return f"place {place.place} of {place.entrants}"
    words = FINAL_STATES.get(state, "starting")
    return f"{words}, place {place.place} so far" if place else words


def _place_on(board: StoredBoard, shown: Mapping[str, Any], name: str) -> Place | None:
    """Give the place of a player on a board; `None` if the board does not show the player."""
    if name not in board.own:
        return None
    columns = [each["name"] for each in shown["columns"]]
    if PLACE not in columns:
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
