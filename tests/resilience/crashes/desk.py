"""An organiser's desk: a small tournament, and the platform as processes that tests may kill."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tourney.plugins.loading import load_plugins
from tourney.standings.standing import Standing
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of

PATIENCE = 300.0
"""Seconds after which a test gives up hope; far more than anything here takes, however busy the
machine is."""
ORPHAN_SECONDS = 10.0
"""Seconds in which workers must have noticed that nobody waits for them any more."""

CONFIG = """\
name: Crash test
seed: 1912
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
maximum: 500
format: {kind: duplicate, tables: 60, rounds: 60, batch_tables: 3}
floor: {tables: 6, dealers: 4}
entrants:
  - strategy: simple
  - strategy: counting
  - strategy: ramp
"""

CONFIG_OF_STAGES = """\
name: Crash test of stages
seed: 1912
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
stages:
  - format: {kind: multi-table, seats: 3, block_rounds: 5, level_rounds: 10, rise_percent: 50,
             rebuys: 1, batch_tables: 2}
  - qualifiers: {top: 6}
    format: {kind: knockout, seats: 3, rounds: 20}
floor: {tables: 6, dealers: 4}
entrants:
  - {strategy: simple, count: 12, policy: {rebuys: 1}}
  - {strategy: counting, count: 12}
  - {strategy: leader, count: 6}
"""


SLEEPER = """\
import time
from pathlib import Path

from tourney import Card, Hand, Player


class Sleeper(Player):
    def bet(self, bankroll: int, minimum: int) -> int:
        if not Path("awake").exists():
            time.sleep(0.002)
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        return False
"""
"""Takes some seconds for its tables, until it is woken."""


TIMELY = re.compile("loading machine code; |the board is final, |.* batches played$")


@dataclass(frozen=True)
class Outcome:
    """How a process ended and what it said."""

    status: int
    output: str
    errors: str

    @property
    def told(self) -> list[str]:
        """Give the lines of its errors, but for those of a busy or new machine."""
        lines = self.errors.strip().splitlines()
        return [each for each in lines if not TIMELY.match(each)]


@dataclass(frozen=True)
class Seen:
    """A process as the system lists it."""

    number: int
    parent: int
    group: int


class Command:
    """A command of the platform as a process that leads a group of its own."""

    def __init__(self, arguments: list[str], folder: Path, store: Path) -> None:
        self._wal = store.with_name(f"{store.name}-wal")
        self._process = subprocess.Popen(
            arguments,
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.number = self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether the process is gone; the others of its group may live."""
        return self._process.poll() is not None

    def wait_for_writes(self, count: int) -> None:
        """Wait until the store has been written to so often, or the process has ended."""
        deadline = time.monotonic() + PATIENCE
        last = self._mark()
        while count and not self.has_ended:
            time.sleep(0.002)
            assert time.monotonic() < deadline
            if (mark := self._mark()) != last:
                last = mark
                count -= 1

    def wait_for_workers(self, count: int) -> list[int]:
        """Wait until so many workers are there, and give their numbers."""
        wait_until(lambda: len(self._workers()) >= count or self.has_ended)
        return self._workers()

    def interrupt(self, *, everybody: bool) -> None:
        """Press Ctrl-C for the process, or for everybody of its group, as a terminal does."""
        if everybody:
            os.killpg(self.number, signal.SIGINT)
        else:
            self._process.send_signal(signal.SIGINT)

    def kill(self) -> None:
        """End the process at once, and forget what it said."""
        self._process.kill()
        # Orphans hold its pipes open, so nobody waits for their end.
        self._process.wait()
        self._close()

    def end(self) -> Outcome:
        """Wait for its end."""
        output, errors = self._process.communicate(timeout=PATIENCE)
        return Outcome(self._process.returncode, output, errors)

    def is_left_alone(self) -> bool:
        """Say whether everybody else of its group ends, too, and soon."""
        return wait_until(lambda: not self._company(), ORPHAN_SECONDS)

    def clean_up(self) -> None:
        """End whatever a failed test left behind."""
        if not self.has_ended or self._company():
            os.killpg(self.number, signal.SIGKILL)
            self._process.wait()
        self._close()

    def _company(self) -> list[int]:
        """Give the numbers of the others of its group that are still there."""
        return [seen.number for seen in listed() if seen.group == self.number != seen.number]

    def _workers(self) -> list[int]:
        """Give the children of the process's children: a server of clean processes forks them."""
        everybody = listed()
        children = {seen.number for seen in everybody if seen.parent == self.number}
        return [seen.number for seen in everybody if seen.parent in children]

    def _mark(self) -> tuple[int, int] | None:
        # SQLite is not asked: another connection would tidy up after a killed process.
        try:
            status = self._wal.stat()
        except FileNotFoundError:
            return None
        return status.st_size, status.st_mtime_ns

    def _close(self) -> None:
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()


class Desk:
    """Where an organiser sits: a folder with a configuration and a store."""

    all_batches = 60
    """Batches that the tournament has without further entrants."""

    def __init__(self, folder: Path, config: str = CONFIG) -> None:
        folder.mkdir()
        self.folder = folder
        self.config = folder / "crash.yaml"
        self.config.write_text(config, encoding="utf-8")
        self.store = folder / "tourney.db"
        self._commands: list[Command] = []

    def enter(self, name: str, text: str) -> None:
        """Enter a competitor from a file."""
        (self.folder / name).write_text(text, encoding="utf-8")
        with self.config.open("a", encoding="utf-8") as config:
            config.write(f"  - file: {name}\n")

    def wake(self) -> None:
        """Let a `SLEEPER` play on without a pause: nobody needs its run to last any more."""
        (self.folder / "awake").touch()

    def start_program(self, *arguments: str) -> Command:
        """Start any program."""
        command = Command(list(arguments), self.folder, self.store)
        self._commands.append(command)
        return command

    def go_on(self, workers: int, before: tuple[str, ...] = ()) -> Command:
        """Resume the run, or begin it if it is not there yet.

        Args:
            workers: Processes that play.
            before: What stands before the interpreter.
        """
        order = ("resume",) if self._has_run() else ("run", str(self.config))
        how = ("--no-sandbox", "--store", str(self.store), "--workers", str(workers))
        return self.start_program(*before, sys.executable, "-m", "tourney", *order, *how)

    def wait_for_file(self, name: str) -> None:
        """Wait until a competitor has left a file."""
        assert wait_until((self.folder / name).exists)

    def wait_for_run(self) -> None:
        """Wait until the run is stored, of which nothing may have been played."""
        assert wait_until(self._has_run)

    def wait_for_batches(self, count: int) -> None:
        """Wait until so many more batches are stored than now; the run has to be there."""
        self.wait_for_run()
        most = len(self.batches()) + count
        assert wait_until(lambda: len(self.batches()) >= most)

    def batches(self) -> frozenset[int]:
        """Give the numbers of the batches that are stored."""
        with Store.open(self.store, create=False) as store:
            return store.batch_numbers(store.run().number)

    def digest(self) -> bytes:
        """Give the digest of the finished run, whose batches are all there."""
        assert self.batches() == set(range(self.all_batches))
        return self.results()[0]

    def results(self) -> tuple[bytes, tuple[Standing, ...]]:
        """Give the digest of the finished run, and its standings."""
        with Store.open(self.store, create=False) as store:
            run = store.run()
            assert run.status == "finished"
            tournament = enter_again(run, load_plugins())
            return store.run_digest(run.number), standings_of(tournament, store, run)

    def clean_up(self) -> None:
        """End whatever a failed test left behind."""
        for command in self._commands:
            command.clean_up()

    def _has_run(self) -> bool:
        if not self.store.exists():
            return False
        # A copy is asked, so that the next process finds what the killed one left.
        copy = self.folder / "copy.db"
        for suffix in ("", "-wal"):
            source = self.store.with_name(self.store.name + suffix)
            target = copy.with_name(copy.name + suffix)
            target.unlink(missing_ok=True)
            if source.exists():
                target.write_bytes(source.read_bytes())
        with Store.open(copy) as store:
            return bool(store.runs())


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Look again and again until something is so; say whether it came about."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


def listed() -> list[Seen]:
    """List the processes there are, without those that only wait to be counted."""
    table = subprocess.run(
        ["ps", "-A", "-o", "pid=,ppid=,pgid=,stat="], capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in table.stdout.splitlines())
    return [
        Seen(int(number), int(parent), int(group))
        for number, parent, group, state in rows
        if not state.startswith("Z")
    ]
