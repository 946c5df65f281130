"""Health of the portal's processes: each reports to portal.db every few seconds.

A report means that the process lives, was set up, and can write; a job may take hours meanwhile. A
process that has never reported failed at its start.
"""

import logging
import os
import time
from collections.abc import Mapping
from contextlib import closing
from datetime import UTC, datetime, timedelta
from threading import Thread

from tourney.errors import StoreError
from tourney.portal.database import now, open_database, time_text
from tourney.portal.places import Places
from tourney.sqlite.database import Database

SAY_EVERY = 5.0
LATELY = timedelta(seconds=20)
"""A process counts as healthy for this long after a report."""
ROLES = ("web", "checker", "practice", "runner", "follower")
"""The processes of a portal."""

log = logging.getLogger("tourney.portal")


def note_start(places: Places, role: str) -> None:
    """Record the start of this process; it is not healthy before its first report."""
    try:
        with closing(open_database(places)) as database:
            database.execute(
                "INSERT INTO processes (role, number, begun, seen) VALUES (?, ?, ?, '') "
                "ON CONFLICT (role) DO UPDATE SET number = excluded.number, "
                "begun = excluded.begun, seen = '', starts = starts + 1",
                (role, os.getpid(), now()),
            )
    except StoreError:  # a full disk must not stop the process
        log.exception("the start of a process could not be recorded")


def tell(database: Database, role: str) -> None:
    """Report that this process is healthy."""
    database.execute(
        "UPDATE processes SET seen = ? WHERE role = ? AND number = ?", (now(), role, os.getpid())
    )


def keep_telling(places: Places, role: str) -> None:
    """Report in a thread from now on that this process is healthy."""
    Thread(target=_keep_telling, args=(places, role), daemon=True).start()


def _keep_telling(places: Places, role: str) -> None:
    while True:
        try:
            with closing(open_database(places)) as database:
                while True:
                    tell(database, role)
                    time.sleep(SAY_EVERY)
        except StoreError:
            log.exception("a process could not report its health")
            time.sleep(SAY_EVERY)


def not_well(database: Database) -> tuple[str, ...]:
    """Give the processes without a recent report."""
    since = time_text(datetime.now(UTC) - LATELY)
    rows = database.read(iter, "SELECT role FROM processes WHERE seen >= ?", (since,))
    well = {role for (role,) in rows}
    return tuple(role for role in ROLES if role not in well)


def was_well(places: Places, role: str, number: int) -> bool:
    """Give whether an ended process had ever reported."""
    try:
        with closing(open_database(places)) as database:
            row = database.first(
                "SELECT seen FROM processes WHERE role = ? AND number = ?", (role, number)
            )
    except StoreError:
        return False
    return row is not None and row[0] != ""


def starts(database: Database) -> Mapping[str, int]:
    """Give the number of starts of each process."""
    return dict(database.read(iter, "SELECT role, starts FROM processes"))
