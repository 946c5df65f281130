"""Opening SQLite files: to read or to write, and checks of their place and their schema.

SQLite keeps a log, `…-wal`, next to a store. Without permission to write in the folder, a process
can neither make this log nor take over the log of a killed process. A store without a log is then
read directly, and a store whose log is in use by another process is read with the log. In all
other cases, and if the version is old, a temporary copy is read and deleted when it is closed.

A file that is deleted or replaced stays alive while it is open: SQLite would keep writing, and all
data would be lost at the end. A foreign view, trigger or column could change the data that is
read, so only the schema that the migrations make is accepted.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import TypeAlias

from tourney.errors import StoreError, StoreRemovedError


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection, and whether it reads a temporary copy."""

    connection: sqlite3.Connection
    is_read_only: bool = False
    folder: TemporaryDirectory[str] | None = None  # of the copy, if a copy is open

    def close(self) -> None:
        """Close the file and delete the copy, if any; closing twice is harmless."""
        self.connection.close()
        if self.folder:
            self.folder.cleanup()


def open_file(path: Path, busy_seconds: float, version: int) -> Opened:
    """Open a file, to write if permitted; make it if it is missing.

    Args:
        path: The file.
        busy_seconds: How long to wait for other processes.
        version: The current version; an older file is copied so that it can be migrated.
    Raises: sqlite3.Error; StoreError, if the file cannot be copied.
    """
    may_write = os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
    if may_write or not path.exists():
        # The caller begins and ends transactions; sqlite3 would begin them too late.
        return Opened(sqlite3.connect(path, timeout=busy_seconds, isolation_level=None))
    log = Path(f"{path.resolve()}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    how = "mode=ro" if has_log else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", timeout=busy_seconds, isolation_level=None, uri=True
    )
    # A log can only be read if another process has it open.
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA user_version").fetchone()[0] >= version:
            return Opened(connection, is_read_only=True)
    connection.close()
    return _open_copy(path, log if has_log else None, busy_seconds)


def _open_copy(path: Path, log: Path | None, busy_seconds: float) -> Opened:
    """Copy a store and its log to a temporary folder and open the copy."""
    folder = TemporaryDirectory(prefix="tourney-", ignore_cleanup_errors=True)
    copy = Path(folder.name) / path.name
    try:
        shutil.copyfile(path, copy)
        if log:
            shutil.copyfile(log, f"{copy}-wal")
    except OSError as error:
        folder.cleanup()
        raise StoreError(
            f"{path}: the store is read-only here and cannot be copied: {error.strerror} "
            f"({error.filename}); permit reading it, make room in the temporary folder, or copy "
            "the store yourself and name the copy with --store"
        ) from error
    return Opened(
        sqlite3.connect(copy, timeout=busy_seconds, isolation_level=None),
        is_read_only=True,
        folder=folder,
    )


Identity = tuple[int, int] | None
"""Device and inode of a file; None if it is missing."""


class Place:
    """Detects whether a store or its write-ahead log was replaced since it was opened."""

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        """Remember both files.

        Args:
            path: The store.
            is_read_only: Whether the store is open for reading only, which does not keep the log.
        Raises: StoreRemovedError, if the store is missing.
        """
        self._path = path.absolute()
        self._files: tuple[Path, ...] = (self._path,)
        if not is_read_only:
            self._files += (Path(f"{path.resolve()}-wal"),)
        self._opened = tuple(map(_identity, self._files))
        if not self._opened[0]:
            raise _lost(path, None)

    def check(self) -> None:
        """Make sure that both files are still the same.

        Raises: StoreRemovedError.
        """
        for file, opened in zip(self._files, self._opened, strict=True):
            found = _identity(file)
            if opened and found != opened:
                raise _lost(file, found)

    def beside(self) -> Path:
        """Make an empty file with a new name, in the store's folder if that still exists."""
        folder = self._path.parent if self._path.parent.is_dir() else Path(gettempdir())
        for number in count(1):
            path = folder / f"{self._path.stem}.saved-{number}{self._path.suffix}"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise AssertionError  # there is always another number


def _lost(file: Path, found: Identity) -> StoreRemovedError:
    cause = "replaced by another file" if found else "deleted or moved"
    return StoreRemovedError(f"{file} was {cause} while it was open")


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


Part: TypeAlias = tuple[str, str, str, str]
"""A part of a schema: type, name, table, and the statement that makes it."""


def misshapen(found: Iterable[tuple[object, ...]], scripts: tuple[str, ...]) -> list[str]:
    """Name the parts of a schema that are missing, changed or foreign.

    Args:
        found: Type, name, table and statement of each part.
        scripts: The migrations applied to the file.
    """
    parts, expected = set(map(_part, found)), _expected(scripts)
    return sorted({" ".join(part[:2]) for part in parts ^ expected})


def statements(script: str) -> Iterator[str]:
    """Split a script into statements, because `executescript` would commit implicitly."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


@cache
def _expected(scripts: tuple[str, ...]) -> frozenset[Part]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts:
            for statement in statements(script):
                connection.execute(statement)
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return frozenset(map(_part, rows))


def _part(row: tuple[object, ...]) -> Part:
    """Normalise the spaces of the statement: they differ between versions of SQLite."""
    kind, name, table, sql = (str(each) for each in row)
    return kind, name, table, " ".join(sql.split())
