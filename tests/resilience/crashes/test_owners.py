"""A run has one owner, whose life shows, and a store that is taken away is noticed."""

import os
import signal
import sqlite3
import sys
from contextlib import closing, suppress
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.store.store import Store

from .desk import SLEEPER, Command, Desk, wait_until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")


@pytest.fixture
def slow(desk: Desk) -> Desk:
    """Give a desk whose tournament takes some seconds."""
    desk.enter("sleeper.py", SLEEPER)
    return desk


def tourney(desk: Desk, *arguments: str) -> Command:
    """Start a command on the desk's store."""
    program = (sys.executable, "-m", "tourney", *arguments)
    return desk.start_program(*program, "--store", str(desk.store))


def under_way(desk: Desk, workers: int = 1) -> Command:
    """Start the run, and wait until some of it is stored."""
    command = desk.go_on(workers)
    assert wait_until(lambda: stored(desk.store) > 2 or command.has_ended)
    assert not command.has_ended
    return command


def state(desk: Desk) -> str:
    """Give what `runs` says of the run."""
    last = tourney(desk, "runs", "1").end()
    assert last.status == 0, last.errors
    return last.output.splitlines()[0].rpartition(", ")[2]


def stored(path: Path) -> int:
    """Count the batches in a file; there may be none yet."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path)) as connection, suppress(sqlite3.OperationalError):
        return int(connection.execute("SELECT count(*) FROM batches").fetchone()[0])
    return 0


@pytest.mark.prove
def test_a_run_that_is_played_is_not_played_twice(slow: Desk) -> None:
    """Whoever tries is told by whom, and the owner goes on undisturbed."""
    owner = under_way(slow)
    second = slow.go_on(workers=1).end()
    assert (second.status, second.output) == (4, "")
    (message,) = second.errors.splitlines()
    assert message.startswith(
        f"{slow.store}: run 1 is already being played by process {owner.number} on "
    )
    assert message.endswith(f"or end it first: kill {owner.number}")
    assert state(slow) == "running"
    slow.wake()
    last = owner.end()
    assert last.status == 0, last.errors
    assert state(slow) == "finished"


@pytest.mark.prove
def test_a_run_that_is_played_is_not_deleted(slow: Desk) -> None:
    """Nothing is taken from under its owner, not even while that is stopped."""
    owner = under_way(slow)
    os.kill(owner.number, signal.SIGSTOP)
    last = tourney(slow, "runs", "--delete", "1").end()
    assert last.status == 4
    assert f"played by process {owner.number} on " in last.errors
    os.kill(owner.number, signal.SIGCONT)
    slow.wake()
    assert owner.end().status == 0
    assert tourney(slow, "runs", "--delete", "1").end().status == 0


@pytest.mark.prove
def test_a_killed_run_is_interrupted_and_goes_on_at_once(slow: Desk) -> None:
    """Nobody waits for an owner that this machine knows to be gone."""
    command = under_way(slow)
    command.kill()
    assert state(slow) == "interrupted"
    listed = tourney(slow, "runs").end()
    assert " interrupted " in listed.output
    assert listed.errors == (
        f"to resume an interrupted run: tourney resume RUN --store '{slow.store}'\n"
    )
    slow.wake()
    last = slow.go_on(workers=1).end()
    assert last.status == 0, last.errors
    assert "waiting" not in last.errors


def test_whoever_lost_a_run_writes_nothing_more(slow: Desk) -> None:
    """A machine that slept too long finds its run taken over, and leaves it alone."""
    owner = under_way(slow)
    with closing(sqlite3.connect(slow.store)) as connection, connection:
        connection.execute("UPDATE leases SET token = 'x', process = 7, host = 'elsewhere'")
        before = connection.execute("SELECT count(*) FROM batches").fetchone()
    connection.close()
    last = owner.end()
    assert last.status == 4
    assert "run 1: process 7 on elsewhere, since " in last.errors
    assert "to go on" not in last.errors
    assert "Traceback" not in last.errors
    assert (stored(slow.store),) == before


def end_lost(desk: Desk, command: Command) -> None:
    """Let a command end that has lost its store."""
    last = command.end()
    assert last.status == 3, last.errors
    assert command.is_left_alone()
    _, remedy, message = last.told
    saved = desk.store.with_name("tourney.saved-1.db")
    assert message.endswith(f"; all results stored so far are saved in {saved}")
    assert remedy == f"to resume: tourney resume 1 --store '{saved}' --no-sandbox"


def digest(desk: Desk) -> bytes:
    """Give the digest of the run."""
    with Store.open(desk.store, create=False) as store:
        return store.run_digest(1)


@pytest.mark.prove
@pytest.mark.parametrize("workers", with_more([2], [1]))
def test_a_deleted_store_is_noticed_and_nothing_is_lost(
    slow: Desk, tmp_path: Path, workers: int
) -> None:
    """What was played is saved in a new file, from which the run goes on."""
    command = under_way(slow, workers)
    for file in slow.folder.glob("tourney.db*"):
        file.unlink()
    end_lost(slow, command)
    saved = slow.store.with_name("tourney.saved-1.db")
    assert stored(saved) > 0
    slow.store = saved
    assert state(slow) == "interrupted"
    slow.wake()
    last = slow.go_on(workers=2).end()
    assert last.status == 0, last.errors
    undisturbed = Desk(tmp_path / "undisturbed")
    undisturbed.enter("sleeper.py", SLEEPER)
    undisturbed.wake()
    assert undisturbed.go_on(workers=2).end().status == 0
    assert digest(slow) == digest(undisturbed)


def test_a_replaced_store_is_noticed_and_left_alone(slow: Desk) -> None:
    """Another file of the same name belongs to somebody else."""
    command = under_way(slow)
    other = slow.folder / "other.db"
    other.write_bytes(b"somebody's")
    other.rename(slow.store)
    end_lost(slow, command)
    assert slow.store.read_bytes() == b"somebody's"


def test_a_lost_log_is_noticed(slow: Desk) -> None:
    """It holds the latest batches, and is as much a part of the store as the file."""
    command = under_way(slow)
    slow.store.with_name("tourney.db-wal").unlink()
    end_lost(slow, command)


def test_a_store_whose_folder_is_gone_is_saved_elsewhere(slow: Desk) -> None:
    """Somebody tidied up the wrong folder."""
    command = under_way(slow)
    slow.folder.rename(slow.folder.with_name("gone"))
    last = command.end()
    assert last.status == 3, last.errors
    saved = Path(last.errors.rpartition("are saved in ")[2].strip())
    try:
        assert saved.parent != slow.folder
        assert stored(saved) > 0
    finally:
        saved.unlink()


def _is_log_open(desk: Desk, files: Path) -> bool:
    with suppress(OSError):
        return any(str(file.readlink()) == f"{desk.store}-wal" for file in files.iterdir())
    return False


@pytest.mark.skipif(sys.platform != "linux", reason="looks at a process's files")
def test_whoever_watches_a_store_that_is_taken_away_is_told(slow: Desk) -> None:
    """Nothing more would ever come from it."""
    owner = under_way(slow)
    watcher = tourney(slow, "watch", "1")
    files = Path(f"/proc/{watcher.number}/fd")
    # Past the store's opening, in the middle of which it would make another.
    assert wait_until(lambda: _is_log_open(slow, files))
    for file in slow.folder.glob("tourney.db*"):
        file.unlink()
    last = watcher.end()
    assert last.status == 3
    message = last.errors.splitlines()[-1]
    assert message.startswith(f"{slow.store} was deleted or moved while it was open")
    assert owner.end().status == 3
