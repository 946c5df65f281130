"""The inbox: what was handed in, until its job is over.

A file is on the disk before its job is written down. One whose job is over, or that never got one
because its process ended between the two, is swept away.
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
"""Of gradebooks, which are shown before they are kept."""
KEPT = 86_400.0
"""Seconds in which a gradebook that was shown can be kept."""
BETWEEN = 60.0
"""Seconds after which a file without a job gets none any more."""


def put(places: Places, content: bytes, prefix: str = PREFIX) -> Path:
    """Keep what was handed in; it is on the disk when this returns.

    Raises: StoreFullError, if there is no room.
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
            f"{path}: expected room on the disk, got '{error.strerror}'"
        ) from error
    return path


def sweep(places: Places, database: Database) -> None:
    """Remove what no job waits for any more."""
    lying = list(places.inbox.glob(f"{PREFIX}*"))  # before jobs are read, so that none is missed
    rows = database.read(
        iter,
        "SELECT json_extract(payload, '$.file') FROM jobs "
        "WHERE state IN ('queued', 'running') AND kind IN ('check', 'tests')",
    )
    wanted = {name for (name,) in rows}
    for path in lying:
        with suppress(FileNotFoundError):  # another thread was quicker
            if path.name not in wanted and time.time() - path.stat().st_mtime > BETWEEN:
                path.unlink()
    for path in places.inbox.glob(f"{ROSTER}*"):
        with suppress(FileNotFoundError):
            if time.time() - path.stat().st_mtime > KEPT:
                path.unlink()
