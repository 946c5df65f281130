"""A store that may not be written is read by every command that only reads."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from tourney.store.store import Store

READING = (
    "leaderboard",
    "leaderboard --per-table --format csv",
    "runs",
    "runs 1",
    "verify --full --workers 1",
    "replay --entrant simple --table 1 --range 1",
    "verdicts",
    "floor",
)
WRITING = ("resume 1 --workers 1", "extend 1 --tables 9 --workers 1", "runs --delete 1")

PROGRAM = """
import io, json, sys
from contextlib import redirect_stderr, redirect_stdout
from tourney.cli import main

answers = []
for command in json.loads(sys.argv[1]):
    with redirect_stdout(io.StringIO()) as out, redirect_stderr(io.StringIO()) as err:
        status = main([*command.split(), "--store", sys.argv[2]])
    answers.append((status, out.getvalue(), err.getvalue()))
json.dump(answers, sys.stdout)
"""
"""Runs commands one after the other, since to start Python takes longer than any."""


class Answer(NamedTuple):
    """What a command left behind."""

    status: int
    out: str
    err: str


Answers = dict[str, Answer]


@pytest.fixture
def closed(_small_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Give a store, in a folder that nobody may write in."""
    copy = copied(_small_store, tmp_path_factory.mktemp("closed"))
    yield copy
    copy.parent.chmod(0o755)


@pytest.fixture(scope="module")
def answers(
    _small_store: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Answers, Answers]:
    """Give what commands that read say of an open store, and then of the closed one."""
    copy = copied(_small_store, tmp_path_factory.mktemp("read"))
    opened = run_all(READING, copy)
    for left in copy.parent.glob("tourney.db-*"):
        left.unlink()
    close(copy)
    found = read_only(READING, copy)
    assert [each.name for each in copy.parent.iterdir()] == ["tourney.db"]
    return opened, found


def copied(store: Path, folder: Path) -> Path:
    """Copy a store that nobody has open into a folder."""
    for file in store.parent.glob("tourney.db*"):
        shutil.copy(file, folder)
    copy = folder / "tourney.db"
    with closing(sqlite3.connect(copy)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for left in folder.glob("tourney.db-*"):
        left.unlink()
    return copy


def close(path: Path) -> None:
    """Take away the leave to write a store and its folder."""
    for file in path.parent.iterdir():
        file.chmod(0o444)
    path.parent.chmod(0o555)


def run_all(commands: Sequence[str], path: Path, before: Sequence[str] = ()) -> Answers:
    """Run commands on a store, in a process of their own."""
    words = [*before, sys.executable, "-c", PROGRAM, json.dumps(commands), str(path)]
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", check=False)
    assert done.returncode == 0, done.stderr
    return {
        command: Answer(*each)
        for command, each in zip(commands, json.loads(done.stdout), strict=True)
    }


def read_only(commands: Sequence[str], path: Path) -> Answers:
    """Run commands where the store may not be written, by a mount if we are administrator."""
    if os.geteuid():
        return run_all(commands, path)
    if not shutil.which("bwrap"):
        pytest.skip("no bubblewrap, and the administrator may write anywhere")
    folder = str(path.parent)
    return run_all(commands, path, ("bwrap", "--dev-bind", "/", "/", "--ro-bind", folder, folder))


@pytest.mark.parametrize("command", READING)
def test_a_closed_store_is_read(answers: tuple[Answers, Answers], command: str) -> None:
    """With what an open one gives, and nothing is written beside it."""
    expected, found = (each[command] for each in answers)
    assert (found.status, found.out) == (0, expected.out), found.err
    assert expected.status == 0


def test_a_closed_store_is_not_written(closed: Path) -> None:
    """What would write says that it may not, and does not play first."""
    close(closed)
    for command, ran in read_only(WRITING, closed).items():
        assert ran.status == 1, command
        assert "the file or its folder cannot be written" in ran.err
        assert "Traceback" not in ran.err


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
    (ran,) = read_only(["leaderboard"], closed.parent / "copy.db").values()
    assert ran.status == 2
    assert "has no runs; `tourney run CONFIG` plays one" in ran.err


def test_a_store_that_is_being_written_is_read_along(closed: Path) -> None:
    """By somebody who may not write it, while its owner has it open."""
    with Store.open(closed) as kept:
        kept.set_expected_batches(1, 6)
        (ran,) = read_only(["runs"], closed).values()
    assert (ran.status, "Small" in ran.out) == (0, True), ran.err
