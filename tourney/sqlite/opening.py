"""The file: opened to write or to read, still in its place, and of a shape that is ours.

Beside a store SQLite keeps a log, `…-wal`. Whoever may not write in the folder can neither make
one nor take in one that a killed process has left. A store without a log is read as it stands,
one with a log that another process has open is read along with it, and of all others, and of
those of older versions, a copy in a temporary folder is read, which goes when it is closed.

A file that is deleted or replaced lives on for those who have it open: SQLite goes on writing, and
all of it is lost in the end. And a view, a trigger or a column that somebody else has put into a
file would decide what is read of it, so only what our own scripts make is accepted.
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
    """A connection, and what may be done with it."""

    connection: sqlite3.Connection
    is_read_only: bool = False
    folder: TemporaryDirectory[str] | None = None  # where the copy is, if it is of one

    def close(self) -> None:
        """Let go of the file, and of the copy if it is of one; closing twice does no harm."""
        self.connection.close()
        if self.folder:
            self.folder.cleanup()


def open_file(path: Path, busy_seconds: float, version: int) -> Opened:
    """Open a file, to write if that may be done.

    Args:
        path: The file; it is made if it is missing.
        busy_seconds: How long to wait for other processes.
        version: An older one has to be brought up to date.
    Raises: sqlite3.Error, or StoreError if it cannot be copied.
    """
    may_write = os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
    if may_write or not path.exists():
        # Transactions are begun and ended by name; sqlite3 would begin them too late.
        return Opened(sqlite3.connect(path, timeout=busy_seconds, isolation_level=None))
    log = Path(f"{path.resolve()}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    how = "mode=ro" if has_log else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", timeout=busy_seconds, isolation_level=None, uri=True
    )
    # With a log, nothing can be read unless another process has it open.
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA user_version").fetchone()[0] >= version:
            return Opened(connection, is_read_only=True)
    connection.close()
    return _open_copy(path, log if has_log else None, busy_seconds)


def _open_copy(path: Path, log: Path | None, busy_seconds: float) -> Opened:
    """Open a copy of a store, and of what its log has that it has not."""
    folder = TemporaryDirectory(prefix="tourney-", ignore_cleanup_errors=True)
    copy = Path(folder.name) / path.name
    try:
        shutil.copyfile(path, copy)
        if log:
            shutil.copyfile(log, f"{copy}-wal")
    except OSError as error:
        folder.cleanup()
        raise StoreError(
            f"{path}: expected to read a copy of the store, because it may not be written here, "
            f"got {error.strerror!r} for {error.filename} (permit reading it, make room in the "
            "temporary folder, or copy the store yourself and name the copy with --store)"
        ) from error
    return Opened(
        sqlite3.connect(copy, timeout=busy_seconds, isolation_level=None),
        is_read_only=True,
        folder=folder,
    )


Identity = tuple[int, int] | None
"""Device and number of a file; None if there is none."""


class Place:
    """A store's file and its write-ahead log, as they were when it was opened."""

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        """Look at them.

        Args:
            path: The file.
            is_read_only: Whether it is open for reading, which does not keep the log in its place.
        Raises: StoreRemovedError, if they have gone already.
        """
        self._path = path.absolute()
        self._files: tuple[Path, ...] = (self._path,)
        if not is_read_only:
            self._files += (Path(f"{path.resolve()}-wal"),)
        self._opened = tuple(map(_identity, self._files))
        if not self._opened[0]:
            raise _lost(path, None)

    def check(self) -> None:
        """Make sure that they are still the same.

        Raises: StoreRemovedError.
        """
        for file, opened in zip(self._files, self._opened, strict=True):
            found = _identity(file)
            if opened and found != opened:
                raise _lost(file, found)

    def beside(self) -> Path:
        """Make an empty file with a new name, beside the store if its folder is there."""
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
    got = "another file of that name" if found else "none: it was deleted or moved"
    return StoreRemovedError(f"{file}: expected the file that was opened, got {got}")


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


Part: TypeAlias = tuple[str, str, str, str]
"""Of a schema: type, name, table, and the statement that makes it."""


def misshapen(found: Iterable[tuple[object, ...]], scripts: tuple[str, ...]) -> list[str]:
    """Name what a file's schema has that it should not have, or lacks.

    Args:
        found: Type, name, table and statement of its parts.
        scripts: That it has been through.
    """
    parts, expected = set(map(_part, found)), _expected(scripts)
    return sorted({" ".join(part[:2]) for part in parts ^ expected})


def statements(script: str) -> Iterator[str]:
    """Cut a script into statements, because `executescript` would commit on its own."""
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
    """Give a part of a schema; versions of SQLite space its statement differently."""
    kind, name, table, sql = (str(each) for each in row)
    return kind, name, table, " ".join(sql.split())
