"""A store that may not be written is read by every command that only reads."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tourney.store import Store
from tourney.store.migrations import _SEALS, MIGRATIONS

READING = (
    "leaderboard",
    "leaderboard --per-table --format csv",
    "runs",
    "runs 1",
    "verify --all --workers 1",
    "replay --entrant simple --table 1 --rounds 1",
    "verdicts",
    "floor",
)
WRITING = ("resume 1 --workers 1", "extend 1 --tables 9 --workers 1", "runs --delete 1")

PROGRAM = "import sys; from tourney.cli import main; sys.exit(main(sys.argv[1:]))"

OLD_VERSION = MIGRATIONS.index(_SEALS)
"""Before there were seals."""


@pytest.fixture
def closed(store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a store, in a folder that nobody may write in."""
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    folder = tmp_path_factory.mktemp("closed")
    copy = folder / "tourney.db"
    shutil.copy(store, copy)
    yield copy
    folder.chmod(0o755)


def close(path: Path) -> None:
    """Take away the leave to write a store and its folder."""
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)


def read_only(command: str, path: Path) -> subprocess.CompletedProcess[str]:
    """Run a command where the store may not be written, by a mount if we are administrator."""
    words = [sys.executable, "-c", PROGRAM, *command.split(), "--store", str(path)]
    if os.geteuid() == 0:
        if not shutil.which("bwrap"):
            pytest.skip("no bubblewrap, and the administrator may write anywhere")
        folder = str(path.parent)
        words = ["bwrap", "--dev-bind", "/", "/", "--ro-bind", folder, folder, *words]
    return subprocess.run(words, capture_output=True, text=True, cwd="/", check=False)


@pytest.mark.parametrize("command", READING)
def test_a_closed_store_is_read(closed: Path, command: str) -> None:
    """With what an open one gives, and nothing is written beside it."""
    expected = subprocess.run(
        [sys.executable, "-c", PROGRAM, *command.split(), "--store", str(closed)],
        capture_output=True,
        text=True,
        check=True,
    )
    for left in closed.parent.glob("tourney.db-*"):
        left.unlink()
    close(closed)
    ran = read_only(command, closed)
    assert (ran.returncode, ran.stdout) == (0, expected.stdout), ran.stderr
    assert [each.name for each in closed.parent.iterdir()] == ["tourney.db"]


@pytest.mark.parametrize("command", WRITING)
def test_a_closed_store_is_not_written(closed: Path, command: str) -> None:
    """What would write says that it may not, and does not play first."""
    close(closed)
    ran = read_only(command, closed)
    assert ran.returncode == 1
    assert "expected a file and a folder that can be written" in ran.stderr
    assert "Traceback" not in ran.stderr


def test_a_log_that_was_left_beside_a_closed_store_is_read_along(closed: Path) -> None:
    """What a killed process has written last stands in the log alone."""
    with closing(sqlite3.connect(closed)) as database:
        database.execute("PRAGMA wal_autocheckpoint = 0")
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM runs")
        database.commit()
        for file in closed.parent.glob("tourney.db*"):
            if not file.name.endswith("-shm"):
                shutil.copy(file, closed.parent / f"copy{file.suffix}")
    for file in closed.parent.glob("tourney.db*"):
        file.unlink()
    assert (closed.parent / "copy.db-wal").stat().st_size
    close(closed.parent / "copy.db")
    ran = read_only("leaderboard", closed.parent / "copy.db")
    assert ran.returncode == 2
    assert "expected a run, got an empty store" in ran.stderr


def test_an_older_closed_store_is_read(closed: Path) -> None:
    """It is brought up to date as a copy, which goes again."""
    expected = read_only("leaderboard", closed)
    with closing(sqlite3.connect(closed, isolation_level=None)) as database:
        for table in ("runs", "sources", "batches", "standings"):
            database.execute(f"ALTER TABLE {table} DROP COLUMN seal")
        for column in ("digest", "roster"):
            database.execute(f"ALTER TABLE runs DROP COLUMN {column}")
        database.execute(f"PRAGMA user_version = {OLD_VERSION}")
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    close(closed)
    before = closed.read_bytes()
    ran = read_only("leaderboard", closed)
    assert (ran.returncode, ran.stdout) == (0, expected.stdout), ran.stderr
    assert closed.read_bytes() == before


def test_a_store_that_is_being_written_is_read_along(closed: Path) -> None:
    """By somebody who may not write it, while its owner has it open."""
    with Store.open(closed) as kept:
        kept.set_expected_batches(1, 6)
        ran = read_only("runs", closed)
    assert (ran.returncode, "Small" in ran.stdout) == (0, True), ran.stderr
