"""Who kills the referee: its players' processes end at once, and nothing is left lying about."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.sandbox.levels import Level, probe

from .classroom import CUP

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

REFEREE = """
import sys
from tourney import play_tournament

if __name__ == "__main__":
    play_tournament("class.yaml", store="class.db", workers=int(sys.argv[1]))
"""

SLOW = """
from tourney import Player

class Slow(Player):
    def bet(self, bankroll, minimum):
        return minimum + sum(range(3_000)) % 2

    def draw(self, dealer, player):
        return False
"""

CONFINED = b"tourney.sandbox"
"""On the command line of a player's process, and of that which it is forked from."""

PATIENCE_SECONDS = 300.0
"""The kernels may have to be compiled first."""
WITHIN_SECONDS = 1.0
BUSY_SECONDS = 1.5
"""Of CPU: more than it takes to start."""


@contextmanager
def refereed(folder: Path, workers: int) -> Iterator[subprocess.Popen[bytes]]:
    """Run a tournament that takes long, in a process with a temporary folder of its own."""
    (folder / "slow.py").write_text(SLOW, encoding="utf-8")
    (folder / "referee.py").write_text(REFEREE, encoding="utf-8")
    lines = CUP.format(tables=2_000, rounds=100) + "  - file: slow.py\n"
    (folder / "class.yaml").write_text(lines, encoding="utf-8")
    (folder / "temporary").mkdir()
    with subprocess.Popen(
        [sys.executable, "referee.py", str(workers)],
        cwd=folder,
        env={**os.environ, "TMPDIR": str(folder / "temporary")},
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def parents() -> dict[int, int]:
    """Give the parent of every process that has not ended."""
    found = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
            if words[0] not in "ZX":
                found[int(folder.name)] = int(words[1])
    return found


def descendants(ancestor: int) -> list[int]:
    """Give the processes that a process has started, and those that they have."""
    by_child = parents()
    found, sought = [], [ancestor]
    while sought:
        parent = sought.pop()
        children = [child for child, own in by_child.items() if own == parent]
        found += children
        sought += children
    return found


def confined(processes: list[int]) -> list[int]:
    """Pick those that play somebody's file."""
    found = []
    for number in processes:
        with suppress(OSError):
            if CONFINED in Path(f"/proc/{number}/cmdline").read_bytes():
                found.append(number)
    return found


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    """Say whether something comes to be in time."""
    until = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > until:
            return False
        time.sleep(0.01)
    return True


def shared_memory(processes: list[int]) -> set[Path]:
    """Give the files in shared memory that processes use; others come and go there."""
    found = set()
    for number in processes:
        with suppress(OSError):
            lines = Path(f"/proc/{number}/maps").read_text("utf-8", "replace").splitlines()
            found |= {Path(line.split(maxsplit=5)[5]) for line in lines if "/dev/shm/" in line}  # noqa: S108 - where it would be
    return found


@pytest.mark.parametrize("workers", with_more([2], [1]))
def test_who_kills_the_referee_ends_all_players(
    tmp_path_factory: pytest.TempPathFactory, workers: int
) -> None:
    """Within a second, whatever they are doing; and no file is left."""
    folder = tmp_path_factory.mktemp("o")  # a short name, as those of sockets are limited
    with refereed(folder, workers) as referee:
        # A process to fork from and a player, for each that plays.
        assert wait_until(
            lambda: len(confined(descendants(referee.pid))) >= 2 * workers, PATIENCE_SECONDS
        )
        family = descendants(referee.pid)
        playing, shared = confined(family), shared_memory([referee.pid, *family])
        shared = {path for path in shared if not path.is_relative_to(folder)}  # its store's
        referee.send_signal(signal.SIGKILL)
        assert wait_until(lambda: not parents().keys() & set(playing), WITHIN_SECONDS)
        assert wait_until(lambda: not parents().keys() & set(family), 10)
    assert not any(path.exists() for path in shared)
    assert list((folder / "temporary").iterdir()) == []


ENDLESS = """
def test_for_ever():
    while True:
        pass
"""


@pytest.mark.prove
@pytest.mark.parametrize("trust", [(), ("--no-sandbox",)], ids=["confined", "trusted"])
def test_who_kills_the_grader_ends_the_tests_on_trial(
    tmp_path: Path, trust: tuple[str, ...]
) -> None:
    """Whether they are shut in or not, and however long they would still take."""
    (tmp_path / "endless.py").write_text(ENDLESS, encoding="utf-8")
    command = [sys.executable, "-m", "tourney", "mutants", "endless.py", "--seconds", "600", *trust]
    family: list[int] = []
    with subprocess.Popen(command, cwd=tmp_path) as grader:
        try:
            assert wait_until(lambda: is_busy(descendants(grader.pid)), PATIENCE_SECONDS)
            family += descendants(grader.pid)
            grader.send_signal(signal.SIGKILL)
            assert wait_until(lambda: not parents().keys() & set(family), WITHIN_SECONDS)
        finally:
            grader.kill()
            for number in parents().keys() & set(family):
                os.kill(number, signal.SIGKILL)


def is_busy(processes: list[int]) -> bool:
    """Say whether one of some processes computes, long after it has begun."""
    for number in processes:
        with suppress(OSError):
            words = Path(f"/proc/{number}/stat").read_text("utf-8", "replace").rpartition(") ")[2]
            if int(words.split()[11]) / os.sysconf("SC_CLK_TCK") > BUSY_SECONDS:
                return True
    return False
