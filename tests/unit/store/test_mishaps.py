"""Whatever happens to a process or its disk, the store holds whole batches, each once."""

import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

import pytest

import tourney.store
from tourney.errors import StoreError
from tourney.store.records import RunRecord
from tourney.store.store import Store

from .writer import batch_of

WRITER = Path(__file__).with_name("writer.py")
ROOT = Path(tourney.store.__file__).parents[2]


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start the writer as a process of its own."""
    return subprocess.Popen(
        [sys.executable, str(WRITER), *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_killed_writer_leaves_whole_batches_only(path: Path, record: RunRecord) -> None:
    """Every batch that was reported is there; the one in hand is there whole or not at all."""
    random = Random(20)
    with Store(path) as store:
        run = store.create_run(record).number
    for _ in range(6):
        with start(path, run, 10_000) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            time.sleep(random.uniform(0, 0.1))
            writer.kill()
            reported = 1 + writer.stdout.read().count("\n")
        with Store(path) as store:
            stored = store.batch_numbers(run)
            assert stored == set(range(len(stored)))
            assert len(stored) >= reported
            for number in stored:
                assert store.batch_results(run, number) == batch_of(number)
            seats = sum(1 for _ in store.seat_results(run))
            assert seats == sum(len(block.seats) for n in stored for block in batch_of(n))
            assert store._database.first("PRAGMA integrity_check") == ("ok",)
            store.delete_run(run)
            run = store.create_run(record).number


def test_a_full_disk_is_said_in_plain_words(path: Path, record: RunRecord) -> None:
    """The writer stops with one message, nothing stored is lost, and there is a way on."""
    with Store(path) as store:
        run = store.create_run(record).number
    with start(path, run, 10_000, 300_000) as writer:
        output, _ = writer.communicate()
    *stored, message = output.splitlines()
    assert writer.returncode == 1
    assert message.startswith(f"{path}: the disk is full or fails (")
    assert message.endswith("make room, then run `tourney resume`")
    with Store(path) as store:
        assert len(stored) > 1
        assert store.batch_numbers(run) == set(range(len(stored)))
        assert store.add_batch(run, 0, len(stored), batch_of(len(stored)), 0.1, "again")
        assert store.batch_results(run, len(stored)) == batch_of(len(stored))


def test_two_processes_with_the_same_batches_store_each_once(path: Path, record: RunRecord) -> None:
    """Whoever comes second is told that the batch is there."""
    with Store(path) as store:
        run = store.create_run(record).number
    with start(path, run, 60) as first, start(path, run, 60) as second:
        lines = first.communicate()[0].split("\n") + second.communicate()[0].split("\n")
    assert (first.returncode, second.returncode) == (0, 0)
    assert sorted(int(line.split()[0]) for line in lines if "True" in line) == list(range(60))
    assert sum("False" in line for line in lines) == 60
    with Store(path) as store:
        assert store.batch_results(run, 59) == batch_of(59)


def test_many_may_open_a_new_store_at_once(tmp_path: Path) -> None:
    """Whoever comes first makes the file; nobody fails because another is at it."""

    def open_store(path: Path) -> int:
        with Store(path) as store:
            return len(store.runs())

    with ThreadPoolExecutor(8) as threads:
        for path in (tmp_path / f"{number}.db" for number in range(10)):
            assert list(threads.map(open_store, [path] * 8)) == [0] * 8


def test_a_writer_may_be_read_along(path: Path, record: RunRecord) -> None:
    """A reader sees whole batches only and never waits."""
    with Store(path) as store:
        run = store.create_run(record).number
        with start(path, run, 40) as writer:
            while writer.poll() is None:
                seats = sum(1 for _ in store.seat_results(run))
                assert seats % sum(len(block.seats) for block in batch_of(0)) == 0
        assert len(store.batch_numbers(run)) == 40


def test_a_copy_of_the_process_may_not_use_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite's locks belong to one process; a copy that used them would harm the file."""
    with monkeypatch.context() as copy:
        copy.setattr(os, "getpid", lambda: -1)
        with pytest.raises(StoreError, match="another process opened this store"):
            store.runs()
    assert store.runs() == ()
