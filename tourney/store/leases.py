"""Leases: only the process that holds the lease of a run may play it and write results.

The owner renews its lease regularly. On the same machine, other processes can see whether the
owner is alive. Elsewhere they watch for renewals instead of comparing times, because the clocks of
two machines may differ.
"""

import os
import platform
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from secrets import token_hex
from threading import Event, Thread
from time import monotonic, sleep, time
from typing import NamedTuple

from tourney.errors import RunInProgressError, StoreError, StoreRemovedError
from tourney.sqlite.database import Database, Place, Row
from tourney.store import runs
from tourney.store.migrations import open_database
from tourney.store.records import RunState, RunStatus
from tourney.store.rows import TEXT, WHOLE, checked

SIGN_SECONDS = 5.0
"""Seconds between two renewals of a lease."""
LEASE_SECONDS = 30.0
"""An owner that gives no sign for this time loses its lease."""
LOOK_SECONDS = 0.5
"""Seconds between two looks for a sign."""

_LEASE = (WHOLE, TEXT, TEXT, TEXT, WHOLE, TEXT, TEXT, frozenset({float}))
"""The types of the columns of a lease."""

Tell = Callable[[str], object]


class Lease(NamedTuple):
    """The owner of a run; the fields are the columns of the table."""

    run: int
    token: str
    host: str
    space: str
    process: int
    started: str
    since: str
    sign: float

    def __str__(self) -> str:
        """Describe the owner."""
        return f"process {self.process} on {self.host}, since {self.since}"


def of_run(database: Database, run: int) -> Lease | None:
    """Read the lease of a run; `None` if it has no lease."""
    found = database.read(
        _read,
        "SELECT run, token, host, space, process, started, since, sign FROM leases WHERE run = ?",
        (run,),
    )
    return next(iter(tuple(found)), None)


def _read(rows: Iterable[Row]) -> Iterator[Lease]:
    return (Lease(*checked(row, _LEASE)) for row in rows)


def state(database: Database, run: int, status: RunStatus | RunState) -> RunState:
    """Return "interrupted" for a running run that no process plays, otherwise its status."""
    if status != "running":
        return status
    lease = of_run(database, run)
    if lease is None:
        return "interrupted"
    is_alive = lives(lease)
    if is_alive is None:  # only displayed, so comparing clocks is good enough
        is_alive = time() - lease.sign < LEASE_SECONDS
    return "running" if is_alive else "interrupted"


@contextmanager
def held(database: Database, run: int, tell: Tell | None) -> Iterator[None]:
    """Hold a run exclusively; see `Store.held`."""
    try:
        if database.before_writing:  # this process holds it already
            yield
        else:
            with _kept_up(database, claim(database, run, tell)):
                yield
    except StoreRemovedError as lost:
        if lost.__cause__:  # the data has been saved
            raise
        raise _saved(database, lost) from lost


def claim(
    database: Database, run: int, tell: Tell | None = None, patience: float = LEASE_SECONDS
) -> Lease:
    """Take the lease of a run that no process plays.

    Args:
        database: The store.
        run: Its number.
        tell: Called with a message before waiting.
        patience: Seconds without a sign after which an owner on another machine loses the lease.
    Raises: RunNotFoundError; RunInProgressError, if its owner is alive.
    """
    watched, until = None, 0.0
    while True:
        with database.transaction():
            runs.require(database, run)
            found = of_run(database, run)
            is_alive = lives(found) if found else False
            is_given_up = found == watched and monotonic() >= until
            if is_alive is False or (is_alive is None and is_given_up):
                return _write(database, run)
        assert found
        if is_alive or (watched and found != watched):
            raise RunInProgressError(_played(database, found))
        if watched is None:
            watched, until = found, monotonic() + patience
            if tell:
                tell(
                    f"run {run} was played by {found}; waiting up to {patience:g} seconds for a "
                    "sign of life"
                )
        sleep(LOOK_SECONDS)


def lives(lease: Lease) -> bool | None:
    """Return whether the owner of a lease is alive; `None` if that is not visible from here."""
    if not lease.space or lease.space != _space():
        return None
    try:
        started = _started(lease.process)
    except OSError:  # some systems hide the processes of other users
        return None if _is_known(lease.process) else False
    return started == lease.started


def _is_known(process: int) -> bool:
    """Return whether a process of this number exists."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # a process of another user
    return True


def _write(database: Database, run: int) -> Lease:
    try:
        started = _started(os.getpid())
    except OSError:
        started = ""
    since = datetime.now(UTC).isoformat(timespec="seconds")
    owner = (platform.node(), _space(), os.getpid(), started, since, time())
    lease = Lease(run, token_hex(8), *owner)
    database.execute("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", lease)
    return lease


@contextmanager
def _kept_up(database: Database, lease: Lease) -> Iterator[None]:
    """Renew a lease with every transaction of this connection, and between them in a thread."""

    def renew() -> None:
        database.place.check()
        _renew(database, lease)

    is_over = Event()
    database.before_writing = renew
    Thread(target=_give_signs, args=(database.path.absolute(), lease, is_over), daemon=True).start()
    try:
        yield
    finally:
        is_over.set()
        database.before_writing = None
        with suppress(StoreError):  # the lease then ends with its process, or without renewals
            database.execute("DELETE FROM leases WHERE token = ?", (lease.token,))


def _give_signs(path: Path, lease: Lease, is_over: Event) -> None:
    """Renew a lease regularly, because one batch may take minutes."""
    place = Place(path)
    while not is_over.wait(SIGN_SECONDS):
        # Any error here occurs again, and is reported, with the next batch.
        with suppress(StoreError):
            place.check()
            with closing(open_database(path, create=False)) as own, own.transaction():
                _renew(own, lease)


def _renew(database: Database, lease: Lease) -> None:
    parameters = (time(), lease.run, lease.token)
    if database.execute("UPDATE leases SET sign = ? WHERE run = ? AND token = ?", parameters):
        return
    runs.require(database, lease.run)
    other = of_run(database, lease.run)
    raise RunInProgressError(
        f"{database.path}: run {lease.run}: {other or 'another process, which has finished,'} took "
        "it over while this process gave no sign of life; nothing was written since, and all "
        "results stored before are kept"
    )


def _played(database: Database, lease: Lease) -> str:
    end = f"kill {lease.process}" if lease.space == _space() else f"end it on {lease.host}"
    return (
        f"{database.path}: run {lease.run} is already being played by {lease}; `tourney watch "
        f"{lease.run}` follows it. Wait until it ends, or end it first: {end}"
    )


def _saved(database: Database, lost: StoreRemovedError) -> StoreRemovedError:
    """Copy the data of a removed file, which only this connection can still read."""
    path = database.place.beside()
    try:
        database.copy_to(path)
        with closing(open_database(path)) as copy:
            copy.execute("DELETE FROM leases")
    except StoreError as error:
        path.unlink()
        return StoreRemovedError(f"{lost}; its data could not be saved: {error}")
    return StoreRemovedError(f"{lost}; all results stored so far are saved in {path}", path)


def _space() -> str:
    """Identify the space of process numbers: the machine since its start, and the namespace.

    Empty, if processes cannot be looked up here.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return platform.node() if os.name == "posix" else ""


def _started(process: int) -> str:
    """Return when a process started, in ticks since the machine did; empty if it has ended.

    Raises: OSError, if the system hides it.
    """
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    words = stat.rpartition(") ")[2].split()
    return "" if words[0] in "ZX" else words[19]
