"""Who plays a run: a lease, kept up by signs of life, without which nobody writes results.

Whether its owner lives can be seen on the same machine. Elsewhere only the signs tell: they are
watched, not compared with a clock, because clocks of two machines may differ.
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
from tourney.sqlite.database import Database, Row
from tourney.sqlite.opening import Place
from tourney.store import runs
from tourney.store.migrations import open_database
from tourney.store.records import RunState, RunStatus
from tourney.store.rows import TEXT, WHOLE, checked

SIGN_SECONDS = 5.0
"""Between two signs of life."""
LEASE_SECONDS = 30.0
"""Without a sign for so long, the owner is given up."""
LOOK_SECONDS = 0.5
"""Between two looks for a sign."""

_LEASE = (WHOLE, TEXT, TEXT, TEXT, WHOLE, TEXT, TEXT, frozenset({float}))
"""What the columns of a lease may hold."""

Tell = Callable[[str], object]


class Lease(NamedTuple):
    """Who plays a run; the columns of the table."""

    run: int
    token: str
    host: str
    space: str
    process: int
    started: str
    since: str
    sign: float

    def __str__(self) -> str:
        """Name the owner for people."""
        return f"process {self.process} on {self.host}, since {self.since}"


def of_run(database: Database, run: int) -> Lease | None:
    """Read the lease of a run; None if there is none."""
    found = database.read(
        _read,
        "SELECT run, token, host, space, process, started, since, sign FROM leases WHERE run = ?",
        (run,),
    )
    return next(iter(tuple(found)), None)


def _read(rows: Iterable[Row]) -> Iterator[Lease]:
    return (Lease(*checked(row, _LEASE)) for row in rows)


def state(database: Database, run: int, status: RunStatus | RunState) -> RunState:
    """Say of a run of this status whether it is played, if it is not over."""
    if status != "running":
        return status
    lease = of_run(database, run)
    if lease is None:
        return "interrupted"
    is_alive = lives(lease)
    if is_alive is None:  # only words hang on it here, so clocks will do
        is_alive = time() - lease.sign < LEASE_SECONDS
    return "running" if is_alive else "interrupted"


@contextmanager
def held(database: Database, run: int, tell: Tell | None) -> Iterator[None]:
    """Have a run to oneself; see `Store.held`."""
    try:
        if database.before_writing:  # it is held already
            yield
        else:
            with _kept_up(database, claim(database, run, tell)):
                yield
    except StoreRemovedError as lost:
        if lost.__cause__:  # it has been saved
            raise
        raise _saved(database, lost) from lost


def claim(
    database: Database, run: int, tell: Tell | None = None, patience: float = LEASE_SECONDS
) -> Lease:
    """Take the lease of a run that nobody plays.

    Args:
        database: Where it is kept.
        run: Its number.
        tell: Told what is being waited for.
        patience: Seconds without a sign after which an owner is given up that cannot be seen.
    Raises: RunNotFoundError; RunInProgressError, if its owner lives.
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
                    f"run {run} was played by {found}; waiting for a sign of it, {patience:g} "
                    "seconds at most"
                )
        sleep(LOOK_SECONDS)


def lives(lease: Lease) -> bool | None:
    """Say whether the process lives that has a lease; None if that cannot be seen from here."""
    if not lease.space or lease.space != _space():
        return None
    try:
        started = _started(lease.process)
    except OSError:  # not everybody's processes are shown everywhere
        return None if _is_known(lease.process) else False
    return started == lease.started


def _is_known(process: int) -> bool:
    """Say whether there is a process of this number."""
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True  # somebody else's
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
    """Have every transaction of this connection renew a lease, and a thread between them."""

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
        with suppress(StoreError):  # then its process tells that it is over, or its silence
            database.execute("DELETE FROM leases WHERE token = ?", (lease.token,))


def _give_signs(path: Path, lease: Lease, is_over: Event) -> None:
    """Renew a lease from time to time, as one batch may take minutes."""
    place = Place(path)
    while not is_over.wait(SIGN_SECONDS):
        # Whatever is wrong here is found again, and told, with the next batch.
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
        f"{database.path}: run {lease.run}: expected to play it alone, got "
        f"{other or 'somebody else, who is done,'} that took it over while no sign came from here; "
        "nothing was written since, and whatever was finished is kept once"
    )


def _played(database: Database, lease: Lease) -> str:
    end = f"kill {lease.process}" if lease.space == _space() else f"end it on {lease.host}"
    return (
        f"{database.path}: run {lease.run}: expected a run that nobody plays, got one that is "
        f"played by {lease} (`tourney watch {lease.run}` follows it; wait for its end, or end it "
        f"first: {end})"
    )


def _saved(database: Database, lost: StoreRemovedError) -> StoreRemovedError:
    """Save what is stored in a file that nobody can open any more."""
    path = database.place.beside()
    try:
        database.copy_to(path)
        with closing(open_database(path)) as copy:
            copy.execute("DELETE FROM leases")
    except StoreError as error:
        path.unlink()
        return StoreRemovedError(f"{lost}; what was stored could not be saved: {error}")
    return StoreRemovedError(f"{lost}; everything stored so far is saved in {path}", path)


def _space() -> str:
    """Name what numbers of processes belong to: a machine since its start, and a namespace in it.

    Empty, if nobody can look for a process here.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return platform.node() if os.name == "posix" else ""


def _started(process: int) -> str:
    """Say when a process began, in ticks since the machine did; empty, if it has ended.

    Raises: OSError, if it is not shown.
    """
    stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    words = stat.rpartition(") ")[2].split()
    return "" if words[0] in "ZX" else words[19]
