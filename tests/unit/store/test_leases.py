"""A run is had by one process at a time; whether that lives is seen, or told by its signs."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tourney.errors import RunInProgressError, RunNotFoundError
from tourney.sqlite.database import Database
from tourney.store import leases
from tourney.store.leases import Lease
from tourney.store.migrations import open_database
from tourney.store.store import Store

ELSEWHERE = "another machine"
PATIENCE = 1.0


@contextmanager
def connected(path: Path) -> Iterator[Database]:
    """Open the file as somebody else does."""
    database = open_database(path, create=False)
    try:
        yield database
    finally:
        database.close()


def give(store: Store, run: int, **changed: object) -> Lease:
    """Let a process have the run: this one, but for what is changed."""
    store._database.execute("DELETE FROM leases")
    lease = leases.claim(store._database, run)._replace(**changed)  # type: ignore[arg-type]  # any field
    store._database.execute(
        "INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?, ?, ?, ?)", tuple(lease)
    )
    return lease


def of_ended_process() -> dict[str, object]:
    """Give the number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    return {"process": process.pid}


def test_a_run_is_had_by_one_at_a_time(store: Store, run: int, path: Path) -> None:
    """Whoever comes second is told who has it; afterwards anybody may."""
    with store.held(run):
        with (
            Store(path) as other,
            pytest.raises(RunInProgressError, match=f"process {os.getpid()} on "),
        ):
            other.held(run).__enter__()
        assert store.status(run) == "running"
    assert store.status(run) == "interrupted"
    assert store.lease(run) is None
    with Store(path) as other, other.held(run):
        assert other.lease(run) is not None


def test_whoever_has_a_run_may_have_it_again(store: Store, run: int) -> None:
    """A command holds it while it looks around, and play holds it once more."""
    with store.held(run):
        with store.held(run):
            pass
        assert store.lease(run) is not None


def test_only_a_run_that_exists_can_be_had(store: Store) -> None:
    """The others are named."""
    with pytest.raises(RunNotFoundError):
        store.held(3).__enter__()


def test_a_run_that_is_had_is_not_deleted(store: Store, run: int, path: Path) -> None:
    """Its owner may delete it, though."""
    with store.held(run):
        with Store(path) as other, pytest.raises(RunInProgressError):
            other.delete_run(run)
        store.delete_run(run)
    assert store.runs() == ()


def test_a_process_that_has_ended_has_nothing(store: Store, run: int) -> None:
    """On the same machine that is seen at once."""
    give(store, run, **of_ended_process())
    assert store.status(run) == "interrupted"
    before = time.monotonic()
    with store.held(run):
        assert time.monotonic() - before < leases.LOOK_SECONDS


@pytest.mark.skipif(sys.platform != "linux", reason="only there the start of a process is known")
def test_a_number_that_was_given_again_is_another_process(store: Store, run: int) -> None:
    """It began at another time."""
    give(store, run, started="1")
    with store.held(run):
        pass


def test_without_a_sign_an_owner_elsewhere_is_given_up(store: Store, run: int) -> None:
    """Nobody can look for its process, so it is waited for; its clock may show any time."""
    told: list[str] = []
    for clock in (0.0, time.time(), time.time() + 10_000):
        give(store, run, space=ELSEWHERE, sign=clock, host="alpha", process=7)
        before = time.monotonic()
        leases.claim(store._database, run, told.append, patience=PATIENCE)
        assert time.monotonic() - before >= PATIENCE
    assert len(told) == 3
    assert told[0].startswith("run 1 was played by process 7 on alpha, since ")
    assert told[0].endswith("waiting up to 1 seconds for a sign of life")


@pytest.mark.parametrize("clock", [0.0, 1e12])
def test_an_owner_elsewhere_that_gives_a_sign_keeps_its_run(
    store: Store, run: int, path: Path, clock: float
) -> None:
    """However wrong its clock is."""
    give(store, run, space=ELSEWHERE, sign=clock)

    def sign() -> None:
        with connected(path) as own:
            own.execute("UPDATE leases SET sign = sign + 1")

    timer = threading.Timer(PATIENCE / 2, sign)
    timer.start()
    with pytest.raises(RunInProgressError, match="or end it first: end it on "):
        leases.claim(store._database, run, patience=4 * PATIENCE)
    timer.join()


def test_a_state_is_told_without_waiting(store: Store, run: int) -> None:
    """There the clocks are compared: only a word hangs on it."""
    give(store, run, space=ELSEWHERE)
    assert store.status(run) == "running"
    give(store, run, space=ELSEWHERE, sign=time.time() - leases.LEASE_SECONDS)
    assert store.status(run) == "interrupted"


def test_signs_are_given_while_nothing_is_written(
    store: Store, run: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A batch may take minutes."""
    monkeypatch.setattr(leases, "SIGN_SECONDS", 0.05)
    with store.held(run):
        first = store.lease(run)
        until = time.monotonic() + 10
        while store.lease(run) == first:
            assert time.monotonic() < until
            time.sleep(0.01)


def test_whoever_lost_a_run_writes_nothing(store: Store, run: int) -> None:
    """Whatever it is about to write, nothing of it is kept."""
    with store.held(run):
        store._database.execute("UPDATE leases SET token = 'x', host = 'beta'")
        with pytest.raises(
            RunInProgressError, match=r"run 1: process \d+ on beta, since .* took it over"
        ):
            store.finish_run(run, "finished", "2026-01-02T04:00:00Z")
    assert store.run(run).status == "running"
    lease = store.lease(run)
    assert lease
    assert lease.token == "x"  # noqa: S105 - of the other
