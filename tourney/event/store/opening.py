"""Opening the file: to write where that may be done, and to read where it may not.

Beside a store SQLite keeps a log, `…-wal`. Whoever may not write in the folder can neither make
one nor take in one that a killed process has left. A store without a log is read as it stands,
one with a log that another process has open is read along with it, and of all others, and of
those of older versions, a copy in a temporary folder is read, which goes when it is closed.
"""

import os
import shutil
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tourney.errors import StoreError


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
