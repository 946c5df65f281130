"""Runs and their boards in portal.db: the last board of each audience, and its history.

A board's version counts only visible changes of its audience. So ETags and event numbers do not
change while results are sealed. See `course_runs` for making a board of results.

The history of a practice board has an entry for each new version and for new shoes. An entry that
changes no place and no score is not kept. Entries have names of the course's own data, with the
names that others may see.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal

from tourney.errors import PortalError
from tourney.portal.database import now
from tourney.sqlite.database import Database

Audience = Literal["public", "course", "staff"]
Purpose = Literal["practice", "final", "match"]
PRACTISED: tuple[Purpose, ...] = ("practice", "match")
"""Purposes of runs in the store of practice."""


@dataclass(frozen=True, slots=True)
class PortalRun:
    """A run of a course, with its organiser's settings."""

    id: int
    course: int
    purpose: Purpose
    number: int  # in its store
    title: str
    made: str
    finished: str | None
    account: int | None
    settings: Mapping[str, Any]

    @property
    def is_public(self) -> bool:
        """Whether everyone may see its board."""
        return self.settings.get("audience") == "public"

    @property
    def is_stopped(self) -> bool:
        """Whether a lecturer has stopped it before its end."""
        return bool(self.settings.get("stopped")) and self.finished is None


@dataclass(frozen=True, slots=True)
class StoredBoard:
    """The last board of one audience."""

    version: int
    edition: int  # also counts changes of own rows; never shown
    shown: str  # JSON, the same for the whole audience
    own: Mapping[str, Sequence[str]]  # own rows, by player name
    # Pseudonyms on the board by player name; each is shown only to its student.
    pseudonyms: Mapping[str, str]


_FIELDS = tuple(each.name for each in fields(PortalRun))


def note_run(
    database: Database,
    course: int,
    purpose: Purpose,
    number: int,
    title: str,
    *,
    account: int | None = None,
    settings: Mapping[str, Any] | None = None,
) -> PortalRun:
    """Record a run of a store unless it is recorded; give the recorded run.

    Args:
        database: The portal's.
        course: Its course.
        purpose: Such as practice or final.
        number: In its store.
        title: Shown above its board.
        account: Owner of the match.
        settings: Freeze, reveal, audience.
    """
    database.execute(
        "INSERT INTO runs (course, purpose, number, title, made, account, settings) "
        "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        (course, purpose, number, title, now(), account, json.dumps(settings or {})),
    )
    found = _runs_where(
        database, "course = ? AND purpose = ? AND number = ?", (course, purpose, number)
    )
    return found[0]


def run_by(database: Database, course: int, number: int) -> PortalRun | None:
    """Find a run of a course by its number in the portal."""
    found = _runs_where(database, "course = ? AND id = ?", (course, number))
    return found[0] if found else None


def runs_of(database: Database, course: int, purpose: Purpose) -> tuple[PortalRun, ...]:
    """Give the runs of a course for a purpose, newest first."""
    return _runs_where(database, "course = ? AND purpose = ? ORDER BY id DESC", (course, purpose))


def finals(database: Database) -> tuple[PortalRun, ...]:
    """Give the finals of all courses."""
    return _runs_where(database, "purpose = 'final' ORDER BY id", ())


def change(database: Database, run: PortalRun, **settings: object) -> None:
    """Change settings of a run, in a transaction of the caller."""
    row = database.first("SELECT settings FROM runs WHERE id = ?", (run.id,))
    assert row
    kept = {**json.loads(row[0]), **settings}
    database.execute("UPDATE runs SET settings = ? WHERE id = ?", (json.dumps(kept), run.id))


def finish_run(database: Database, run: PortalRun) -> None:
    """Record that a run is finished."""
    database.execute(
        "UPDATE runs SET finished = coalesce(finished, ?) WHERE id = ?", (now(), run.id)
    )


def forget_run(database: Database, run: PortalRun) -> None:
    """Remove a run without a commitment, and its boards."""
    with database.transaction():
        database.execute("DELETE FROM boards WHERE run = ?", (run.id,))
        database.execute("DELETE FROM runs WHERE id = ?", (run.id,))


def board_of(database: Database, run: int, audience: Audience) -> StoredBoard | None:
    """Give the last board of an audience; `None` before the first."""
    row = database.first(
        "SELECT version, edition, data FROM boards WHERE run = ? AND audience = ?", (run, audience)
    )
    if row is None:
        return None
    data = _decoded(row[2])
    return StoredBoard(row[0], row[1], data["shown"], data["own"], data.get("pseudonyms", {}))


def content_of(board: StoredBoard | None) -> Mapping[str, Any]:
    """Give the content of a board; empty without one. It is shared: change only a copy."""
    return _decoded(board.shown) if board else {}


@lru_cache(maxsize=8)
def _decoded(text: str) -> Mapping[str, Any]:
    """Decode JSON. A class asks for few boards many times, and each has hundreds of rows."""
    content: Mapping[str, Any] = json.loads(text)
    return content


def edition_of(database: Database, run: int, audience: Audience) -> int | None:
    """Give the edition of the last board of an audience; `None` before the first."""
    row = database.first(
        "SELECT edition FROM boards WHERE run = ? AND audience = ?", (run, audience)
    )
    return int(row[0]) if row else None


def show_board(
    database: Database,
    run: int,
    audience: Audience,
    shown: Mapping[str, object],
    own: Mapping[str, Sequence[str]],
    *,
    pseudonyms: Mapping[str, str] = MappingProxyType({}),
) -> bool:
    """Store the board of an audience; give whether it differs from the board before.

    Args:
        database: The portal's.
        run: Its number in the portal.
        audience: The audience.
        shown: The board, as JSON values.
        own: Each entrant's own row, by name; shown only to its student.
        pseudonyms: Of the shown rows, by name; each is shown only to its student.
    """
    text = json.dumps(shown, ensure_ascii=False)
    private = {"own": own, "pseudonyms": dict(pseudonyms)}
    data = json.dumps({"shown": text, **private}, ensure_ascii=False)
    with database.transaction():  # short, because page requests wait for it
        before = database.first(
            "SELECT version, data = ?, json_extract(data, '$.shown') = ? FROM boards "
            "WHERE run = ? AND audience = ?",
            (data, text, run, audience),
        )
        if before and before[1]:
            return False
        is_other = before is None or not before[2]
        version = (before[0] if before else 0) + is_other
        database.execute(
            "INSERT INTO boards (run, audience, version, made, data, edition) "
            "VALUES (?, ?, ?, ?, ?, 1) "
            "ON CONFLICT (run, audience) DO UPDATE SET version = excluded.version, "
            "made = iif(version = excluded.version, made, excluded.made), data = excluded.data, "
            "edition = edition + 1",
            (run, audience, version, now(), data),
        )
    return is_other


def versions(database: Database) -> dict[tuple[int, str], int]:
    """Give the version of every board, by run and audience."""
    rows = database.read(iter, "SELECT run, audience, version FROM boards")
    return {(run, audience): version for run, audience, version in rows}


def commit(database: Database, run: PortalRun, text: str) -> None:
    """Publish the commitment of a run, once; it is never removed or changed."""
    database.execute(
        "INSERT INTO commitments (run, made, text) SELECT ?, ?, ? "
        "WHERE NOT EXISTS (SELECT 1 FROM commitments WHERE run = ? AND text = ?)",
        (run.id, now(), text, run.id, text),
    )


def committed(database: Database, course: int) -> tuple[tuple[str, str, str, str], ...]:
    """Give (number, title, time, text) of the commitments of a course's runs, in order."""
    rows = database.read(
        iter,
        "SELECT runs.id, title, commitments.made, text FROM commitments "
        "JOIN runs ON runs.id = commitments.run WHERE course = ? ORDER BY commitments.id",
        (course,),
    )
    return tuple((str(run), title, made, text) for run, title, made, text in rows)


def _runs_where(
    database: Database, where: str, parameters: Sequence[object]
) -> tuple[PortalRun, ...]:
    columns = ", ".join(_FIELDS)
    return tuple(database.read(_runs, f"SELECT {columns} FROM runs WHERE {where}", parameters))  # noqa: S608 - columns of ours


def _runs(rows: Iterable[tuple[Any, ...]]) -> Iterator[PortalRun]:
    for row in rows:
        values = dict(zip(_FIELDS, row, strict=True))
        yield PortalRun(**{**values, "settings": json.loads(values["settings"])})


def existing_run(database: Database, course: int, number: int) -> PortalRun:
    """Give a run of a course by its number in the portal.

    Raises: PortalError, if there is no such run.
    """
    run = run_by(database, course, number)
    if run is None:
        raise PortalError("run: this course has no such run")
    return run


KEPT = 200
"""Entries of a course; older ones are deleted."""


@dataclass(frozen=True, slots=True)
class Place:
    """The place of an entrant in an entry, in the order of the columns of `practice_places`."""

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
        database.insert_all(
            "INSERT INTO practice_places VALUES (?, ?, ?, ?, ?, ?, ?)",
            [(number, at, *astuple(each)) for at, each in enumerate(places)],
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
    own = "entry IN (SELECT id FROM practice_boards WHERE course = :course)"
    database.execute(
        f"DELETE FROM practice_places WHERE {own} "  # noqa: S608 - a condition of ours
        f"AND name IN (SELECT name FROM practice_places WHERE {own} AND is_submission) "
        "AND name NOT IN (SELECT value FROM json_each(:names))",
        {"course": course, "names": json.dumps(names)},
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
