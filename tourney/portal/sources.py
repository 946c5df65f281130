"""All submissions of a course: their sources as an archive, and a search for copies."""

import csv
import json
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import PurePosixPath
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile

from tourney.portal.database import open_database
from tourney.portal.places import Places
from tourney.sqlite.database import Database

KIND = "copies"
"""The kind of job that searches for copies."""
INDEX = "submissions.csv"
COLUMNS = ("folder", "name", "received", "status", "competes", "digest")
DIGITS = 12
"""Digits of a version's digest in the names of folders."""


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
        index.writerow(COLUMNS)
        for name, digest, received, status, plays, files in _versions(database, course):
            if (names is not None and name not in names) or not (plays or is_all):
                continue
            folder = f"{safe_path(name)}/{digest[:DIGITS]}"
            competes = "yes" if plays else "no"
            index.writerow((folder, name, received, status, competes, digest))
            for path, text in json.loads(files):
                archive.writestr(f"{folder}/{safe_path(path)}", text)
        archive.writestr(INDEX, "\ufeff" + rows.getvalue())


def _versions(database: Database, course: int) -> Iterator[tuple[Any, ...]]:
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
