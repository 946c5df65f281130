"""The versions of a course, as pages show them, and their sources.

The folder of the course is authoritative. The checker copies its state here, since the web process
does not open the folder. No authors are stored, only player names.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from io import StringIO
from pathlib import PurePosixPath
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.sqlite.database import Database

COLUMNS = "name, digest, received, status, reason, plays, report, id"


@dataclass(frozen=True, slots=True)
class Version:
    """One submitted version."""

    name: str  # the player name
    digest: str
    received: str  # last upload, in the format of `database.now`
    status: str  # accepted, rejected or withdrawn
    reason: str
    plays: bool  # it competes for its name
    report: Mapping[str, Any]  # from `CheckReport.to_data`
    id: int = 0  # of the portal; 0 before it is stored


Files = Sequence[tuple[str, str]]
"""Names and texts."""


def keep(
    database: Database, course: int, name: str, versions: Sequence[tuple[Version, Files]]
) -> None:
    """Store all versions of a name, replacing the earlier rows; each version keeps its number.

    Args:
        database: The portal's.
        course: Its course.
        name: The player name of all of them.
        versions: With their sources.
    """
    digests = [each.digest for each, _ in versions]
    with database.transaction():
        database.execute(
            "DELETE FROM versions WHERE course = ? AND name = ? "
            "AND digest NOT IN (SELECT value FROM json_each(?))",
            (course, name, json.dumps(digests)),
        )
        database.insert_all(
            "INSERT INTO versions "
            "(course, name, digest, received, status, reason, plays, report, files) "
            "VALUES (:course, :name, :digest, :received, :status, :reason, :plays, :report, "
            ":files) ON CONFLICT (course, name, digest) DO UPDATE SET "
            "received = excluded.received, status = excluded.status, reason = excluded.reason, "
            "plays = excluded.plays, report = excluded.report",
            [
                {
                    **asdict(each),
                    "course": course,
                    "report": json.dumps(each.report),
                    "files": json.dumps(files),
                }
                for each, files in versions
            ],
        )


def versions_of(database: Database, course: int, name: str | None) -> tuple[Version, ...]:
    """Give the versions of a name, or of a whole course by name; newest first."""
    return tuple(
        database.read(
            _versions,
            f"SELECT {COLUMNS} FROM versions WHERE course = ? AND (? IS NULL OR name = ?) "  # noqa: S608 - columns of ours
            "ORDER BY name, received DESC, id DESC",
            (course, name, name),
        )
    )


def playing_names(database: Database, course: int) -> frozenset[str]:
    """Give the player names in a course that have a competing version."""
    rows = database.read(iter, "SELECT name FROM versions WHERE course = ? AND plays", (course,))
    return frozenset(name for (name,) in rows)


def version_by(database: Database, course: int, number: int) -> Version | None:
    """Find a version of a course by its number."""
    found = database.read(
        _versions,
        f"SELECT {COLUMNS} FROM versions WHERE course = ? AND id = ?",  # noqa: S608 - likewise
        (course, number),
    )
    return next(iter(tuple(found)), None)


def files_of(database: Database, version: Version) -> Files:
    """Give the source of a version."""
    row = database.first("SELECT files FROM versions WHERE id = ?", (version.id,))
    return [(name, text) for name, text in json.loads(row[0])] if row else []


def _versions(rows: Iterable[tuple[Any, ...]]) -> Iterator[Version]:
    for name, digest, received, status, reason, plays, report, number in rows:
        checked = json.loads(report)
        yield Version(name, digest, received, status, reason, bool(plays), checked, number)


KIND = "copies"
"""The kind of job that searches for copies."""
INDEX = "submissions.csv"
SOURCE_COLUMNS = ("folder", "name", "received", "status", "competes", "digest")
DIGITS = 12
"""Digits of a version's digest in messages and in the names of folders."""


def pack_sources(
    places: Places, course: int, into: IO[bytes], names: frozenset[str] | None, *, is_all: bool
) -> None:
    """Write the sources of a course into a zip: a folder for each version, and a list.

    Args:
        places: Of the portal; its database is opened here, because another thread calls this.
        course: Its course.
        into: The file.
        names: The player names to write; `None` for all.
        is_all: Whether to write all versions; otherwise those that compete.
    """
    with closing(open_database(places)) as database, ZipFile(into, "w", ZIP_DEFLATED) as archive:
        rows = StringIO()
        index = csv.writer(rows, lineterminator="\r\n")
        index.writerow(SOURCE_COLUMNS)
        for name, digest, received, status, plays, files in _shown_versions(database, course):
            if (names is not None and name not in names) or not (plays or is_all):
                continue
            folder = f"{safe_path(name)}/{digest[:DIGITS]}"
            competes = "yes" if plays else "no"
            index.writerow((folder, name, received, status, competes, digest))
            for path, text in json.loads(files):
                archive.writestr(f"{folder}/{safe_path(path)}", text)
        archive.writestr(INDEX, "\ufeff" + rows.getvalue())


def _shown_versions(database: Database, course: int) -> Iterator[tuple[Any, ...]]:
    """Give (name, digest, received, status, plays, files) of all versions, one at a time."""
    numbers = database.read(
        tuple, "SELECT id FROM versions WHERE course = ? ORDER BY name, received, id", (course,)
    )
    sql = "SELECT name, digest, received, status, plays, files FROM versions WHERE id = ?"
    for (number,) in numbers:
        if row := database.first(sql, (number,)):  # else it was removed meanwhile
            yield row


def safe_path(path: str) -> str:
    """Give a path that stays inside an archive.

    >>> safe_path("../a/b.py"), safe_path("/")
    ('a/b.py', 'source')
    """
    parts = [part for part in PurePosixPath(path).parts if part not in {"/", "..", "."}]
    return "/".join(parts) or "source"
