"""The history of practice boards: every student's place after each change of the board.

An entry is kept for each new version and for new shoes; one that changes no place and no score is
not kept. Entries have names of the course's own data, with the names that others may see.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from tourney.portal.boards import PortalRun
from tourney.portal.database import now
from tourney.sqlite.database import Database

KEPT = 200
"""Entries of a course; older ones are deleted."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an entrant in an entry."""

    name: str  # on the board for staff
    place: int | None  # None if out
    score: str
    shown: str  # name for the course; empty if the course may not follow this entrant
    is_submission: bool  # so the name is of a student


@dataclass(frozen=True, slots=True)
class Entry:
    """A practice board at a time."""

    id: int
    run: int  # in its store; another run has other shoes
    made: str
    places: Mapping[str, Place]  # by `name`


def record(database: Database, run: PortalRun, places: Sequence[Place]) -> bool:
    """Keep an entry of a practice board; give whether it differs from the entry before."""
    with database.transaction():
        last = next(iter(entries(database, run.course, most=1)), None)
        if last and (last.run, list(last.places.values())) == (run.number, list(places)):
            return False
        sql = "INSERT INTO practice_boards (course, run, made) VALUES (?, ?, ?)"
        number = database.insert(sql, (run.course, run.number, now()))
        for at, each in enumerate(places):
            database.execute(
                "INSERT INTO practice_places VALUES (?, ?, ?, ?, ?, ?, ?)",
                (number, at, each.name, each.place, each.score, each.shown, each.is_submission),
            )
        _delete_old(database, run.course)
    return True


def entries(
    database: Database, course: int, before: int = 0, most: int = KEPT
) -> tuple[Entry, ...]:
    """Give the latest entries of a course, oldest first.

    Args:
        database: The portal's.
        course: Its course.
        before: Number of an entry; only older ones are given. 0 for all.
        most: Greatest number of entries.
    """
    sql = (
        "SELECT id, run, made FROM practice_boards WHERE course = :course "
        "AND (:before = 0 OR id < :before) ORDER BY id DESC LIMIT :most"
    )
    asked = {"course": course, "before": before, "most": most}
    rows = tuple(database.read(iter, sql, asked))
    return tuple(
        Entry(number, run, made, {each.name: each for each in _places(database, number)})
        for number, run, made in reversed(rows)
    )


def forget_others(database: Database, course: int, names: Sequence[str]) -> None:
    """Delete the places of all students except those with the given names."""
    sql = (
        "SELECT DISTINCT name FROM practice_places JOIN practice_boards ON id = entry "
        "WHERE course = ? AND is_submission"
    )
    for (name,) in tuple(database.read(iter, sql, (course,))):
        if name not in names:
            database.execute(
                "DELETE FROM practice_places WHERE name = ? "
                "AND entry IN (SELECT id FROM practice_boards WHERE course = ?)",
                (name, course),
            )


def _places(database: Database, entry: int) -> Iterator[Place]:
    sql = (
        "SELECT name, place, score, shown, is_submission FROM practice_places "
        "WHERE entry = ? ORDER BY row"
    )
    for name, place, score, shown, is_submission in database.read(iter, sql, (entry,)):
        yield Place(name, place, score, shown, bool(is_submission))


def _delete_old(database: Database, course: int) -> None:
    old = "SELECT id FROM practice_boards WHERE course = ? ORDER BY id DESC LIMIT -1 OFFSET ?"
    for (number,) in tuple(database.read(iter, old, (course, KEPT))):
        database.execute("DELETE FROM practice_places WHERE entry = ?", (number,))
        database.execute("DELETE FROM practice_boards WHERE id = ?", (number,))
