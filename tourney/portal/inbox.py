"""The inbox: uploads, until their job has finished.

A file is on the disk before its job is recorded. Files of finished jobs are removed, and so are
files without a job, left by a process that ended between the two steps.
"""

import os
import time
from contextlib import suppress
from pathlib import Path
from secrets import token_hex

from tourney.errors import StoreFullError
from tourney.portal.places import Places
from tourney.sqlite.database import Database

PREFIX = "check-"
ROSTER = "roster-"
"""Prefix of gradebooks, which are previewed before they are saved."""
KEPT = 86_400.0
"""A previewed gradebook can be saved for this many seconds."""
BETWEEN = 60.0
"""Seconds after which a file without a job will never get one."""


def put(places: Places, content: bytes, prefix: str = PREFIX) -> Path:
    """Store an upload; it is on the disk when this returns.

    Raises: StoreFullError, if the disk is full.
    """
    path = places.inbox / f"{prefix}{token_hex(16)}"
    try:
        with path.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        path.unlink(missing_ok=True)
        raise StoreFullError(
            f"{path}: the disk has no room ({error.strerror}); try again later"
        ) from error
    return path


def sweep(places: Places, database: Database) -> None:
    """Remove files that no job needs."""
    # Listed before the jobs are read, so that no new job is missed.
    lying = list(places.inbox.glob(f"{PREFIX}*"))
    rows = database.read(
        iter,
        "SELECT json_extract(payload, '$.file') FROM jobs "
        "WHERE state IN ('queued', 'running') AND kind IN ('check', 'tests')",
    )
    wanted = {name for (name,) in rows}
    for path in lying:
        with suppress(FileNotFoundError):  # another thread removed it
            if path.name not in wanted and time.time() - path.stat().st_mtime > BETWEEN:
                path.unlink()
    for path in places.inbox.glob(f"{ROSTER}*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > KEPT:
                path.unlink()
