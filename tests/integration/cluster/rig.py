"""A cluster as real processes on this machine, which tests may kill, and runs played on it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from tourney.store.store import Store

PATIENCE = 60.0
"""Seconds after which a test gives up hope; far more than anything here takes."""

CONFIG = """\
name: Cluster test
seed: 1912
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
maximum: 500
format: {kind: independent, tables: 12, rounds: 20, batch_tables: 1}
entrants:
  - strategy: simple
  - strategy: counting
  - file: slow.py
"""
BATCHES = 36
SLOW = """\
import time

from tourney import Player


class Slow(Player):
    def __init__(self):
        time.sleep(0.1)

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 15
"""


@dataclass(frozen=True)
class Outcome:
    """How a command ended and what it said."""

    status: int
    output: str
    errors: str


class Command:
    """`tourney` as a process that leads a group of its own."""

    def __init__(self, arguments: list[str], folder: Path, environment: dict[str, str]) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tourney", *arguments],
            cwd=folder,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.number = self._process.pid

    @property
    def has_ended(self) -> bool:
        """Whether it is gone; the others of its group may live."""
        return self._process.poll() is not None

    def interrupt(self, number: signal.Signals) -> None:
        """Send a signal to everybody of the group, as a terminal does or a batch system."""
        os.killpg(self.number, number)

    def end(self) -> Outcome:
        """Wait for its end, and see that it has left nobody behind."""
        try:
            output, errors = self._process.communicate(timeout=PATIENCE)
        finally:
            if not self.has_ended:
                os.killpg(self.number, signal.SIGKILL)
        wait_until(lambda: not company(self.number), 10)
        return Outcome(self._process.returncode, output, errors)


@dataclass
class Desk:
    """An organiser's folder with a configuration and a store."""

    folder: Path
    environment: dict[str, str] = field(default_factory=lambda: dict(os.environ))

    def __post_init__(self) -> None:
        """Write the configuration and the competitor."""
        (self.folder / "cup.yaml").write_text(CONFIG, encoding="utf-8")
        (self.folder / "slow.py").write_text(SLOW, encoding="utf-8")

    def start(self, *arguments: str) -> Command:
        """Start a command of `tourney`."""
        return Command([*arguments, "--no-sandbox"], self.folder, self.environment)

    def run(self, *arguments: str) -> Outcome:
        """Play the tournament from the start, to its end."""
        return self.start("run", "cup.yaml", *arguments).end()

    def wait_for_batches(self, number: int, command: Command) -> None:
        """Wait until so many batches are stored."""
        assert wait_until(lambda: command.has_ended or self.stored() >= number)
        assert not command.has_ended, command.end().errors

    def stored(self) -> int:
        """Count the batches that are stored."""
        path = self.folder / "tourney.db"
        if not path.exists():
            return 0
        with Store.open(path, create=False) as store:
            return len(store.batch_numbers(1)) if store.runs() else 0

    def digest(self) -> bytes:
        """Give the digest of the finished run."""
        with Store.open(self.folder / "tourney.db", create=False) as store:
            assert store.run(1).status == "finished"
            assert store.batch_numbers(1) == set(range(BATCHES))
            return store.run_digest(1)


class Rig:
    """A scheduler and workers, started as their users start them."""

    def __init__(self, folder: Path, credentials: dict[str, Path] | None = None) -> None:
        self._folder = folder
        self._tls = [word for name, path in (credentials or {}).items() for word in (name, path)]
        self._address = folder / "scheduler.json"
        self._logs = (folder / "log.txt").open("w", encoding="utf-8")
        bound = ["--host", "127.0.0.1", "--port", "0", "--dashboard-address", "127.0.0.1:0"]
        told = [*bound, "--scheduler-file", str(self._address)]
        self.scheduler = self._start("scheduler", *(["--protocol", "tls"] * bool(self._tls)), *told)
        self.workers: list[subprocess.Popen[bytes]] = []
        assert wait_until(lambda: self._address.exists() and bool(self._address.read_text()))

    @property
    def address(self) -> str:
        """The address of the scheduler."""
        return self._address.read_text(encoding="utf-8").partition('"address": "')[2].split('"')[0]

    def hire(self, number: int, *options: str) -> None:
        """Start workers until there are so many.

        Args:
            number: How many.
            options: Further ones of Dask's command.
        """
        self.workers = [worker for worker in self.workers if worker.poll() is None]
        name = ["--scheduler-file", str(self._address), "--nthreads", "1", "--no-nanny"]
        while len(self.workers) < number:
            self.workers.append(self._start("worker", *name, "--no-dashboard", *options))

    def close(self) -> None:
        """End everybody."""
        for process in (*self.workers, self.scheduler):
            if process.poll() is None:
                process.kill()
            process.wait()
        self._logs.close()

    def _start(self, role: str, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.dask_{role}", *self._tls, *arguments],
            cwd=self._folder,
            stdout=self._logs,
            stderr=self._logs,
        )


def company(leader: int) -> list[int]:
    """Give the numbers of the processes of a group that are still there."""
    table = subprocess.run(
        ["ps", "-A", "-o", "pid=,pgid=,stat="], capture_output=True, text=True, check=True
    )
    rows = (line.split() for line in table.stdout.splitlines())
    return [
        int(number)
        for number, group, state in rows
        if int(group) == leader and not state.startswith("Z")
    ]


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Look again and again until something is so; say whether it came about."""
    deadline = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True
