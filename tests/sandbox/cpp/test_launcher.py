"""The launcher: what it starts is held as a host of Python is, and ends with the referee."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import HONEST, SEAT_REQUESTS, SEATS, questions
from tests.sandbox.cpp.written import one
from tests.sandbox.process.test_hosts import lives
from tests.support.cpp_build import build
from tourney.errors import ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox.fork_servers import FORK_SERVERS
from tourney.sandbox.host_process import Setup, preload
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.lockdown import LAYERS, Limits
from tourney.sandbox.native.compilation import launcher
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Report, Submitted

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

ROOT = Path(__file__).parents[3]
HELD_BY = re.compile(
    r"^(Uid|Gid|Groups|Cap\w+|NoNewPrivs|Seccomp\w*|Threads|SigIgn|SigBlk):.*", re.MULTILINE
)
"""Lines of a process's status that say what it may do."""
PLAYING = """
import os, time
from tests.sandbox.attacks.asking import SEAT_REQUESTS
from tests.sandbox.cpp.written import one
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.wire import Submitted
from tests.support.cpp_build import build
from tourney.sandbox.referee import SandboxedPool
submitted = Submitted("player.cpp", b"", program=build((("player.cpp", one()),)).program)
pool = SandboxedPool(BLACKJACK, submitted)
pool.sit(SEAT_REQUESTS)
print(pool.process, flush=True)
print(pool._host._fork_server.number, flush=True)
time.sleep(60)
"""


@pytest.fixture(scope="module")
def program() -> Submitted:
    """Build a player."""
    return Submitted("player.cpp", b"", program=build((("player.cpp", one()),)).program)


def _held(submitted: Submitted, layers: tuple[str, ...]) -> tuple[Report | None, list[str], str]:
    """Say what holds a competitor's process: by its own report, and by the kernel's word."""
    setup = Setup(limits=Limits(layers=layers))
    with SandboxedPool(BLACKJACK, submitted, setup) as pool:
        pool.sit(SEAT_REQUESTS)
        place = Path(f"/proc/{pool.process}")
        status = [found[0] for found in HELD_BY.finditer((place / "status").read_text())]
        assert os.getsid(pool.process or 0) == pool.process
        return pool.held, status, (place / "limits").read_text()


@pytest.mark.parametrize("left_out", ["", *LAYERS])
def test_a_program_is_held_by_what_holds_a_host_of_python(
    left_out: str, program: Submitted
) -> None:
    """Whatever the kernel tells of both is the same, with every layer and without each."""
    layers = tuple(layer for layer in LAYERS if layer != left_out)
    python = _held(Submitted("honest.py", HONEST), layers)
    assert _held(program, layers) == python
    assert len(python[1]) >= 12
    assert python[0]
    assert bool(python[0].landlock) == ("landlock" in layers)
    assert f"Seccomp:\t{2 if 'filter' in layers else 0}" in python[1]


def test_a_host_and_its_launcher_end_with_the_referee() -> None:
    """Killed without a word, it takes both along."""
    with subprocess.Popen(
        [sys.executable, "-c", PLAYING], stdout=subprocess.PIPE, cwd=ROOT
    ) as referee:
        assert referee.stdout is not None
        processes = [Path("/proc") / referee.stdout.readline().decode().strip() for _ in range(2)]
        assert all(map(lives, processes))
        referee.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while any(map(lives, processes)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(lives, processes))


def test_the_end_of_a_launcher_is_nobodys_fault(program: Submitted) -> None:
    """Its hosts end with it, and the batch is played again; no player is blamed."""
    with SandboxedPool(BLACKJACK, program) as pool:
        pool.sit(SEAT_REQUESTS)
        server = FORK_SERVERS.of(preload(Setup(program=program.program)))
        os.kill(server.number, signal.SIGKILL)
        while server.lives:  # its hosts end with it, and not before
            time.sleep(0.001)
        with pytest.raises(
            ConfinementError, match="the process that players' processes are forked from has ended"
        ):
            pool.decide(questions(Call.WAGER, 1, list(range(SEATS))))


def test_a_program_that_no_kernel_runs_is_told_with_the_kernels_word() -> None:
    """What is no program, or one for another processor, ends before it begins."""
    with SandboxedPool(BLACKJACK, Submitted("player", b"", program=b"\x7fELF but no more")) as pool:
        faults = [each.verdict for each in pool.sit(SEAT_REQUESTS)]
    assert all(verdict and verdict.cause == "died" for verdict in faults)
    assert "execveat: Exec format error" in pool.printed


def test_nothing_of_a_launcher_is_left_to_a_program(program: Submitted) -> None:
    """It holds its three pipes, what it prints to, and nothing else; and is not the launcher."""
    with SandboxedPool(BLACKJACK, program) as pool:
        pool.sit(SEAT_REQUESTS)
        place = Path(f"/proc/{pool.process}")
        assert sorted(int(each.name) for each in (place / "fd").iterdir()) == [0, 1, 2, 3, 4]
        assert (place / "cmdline").read_bytes() == b"player\0"
        assert (place / "environ").read_bytes() == b""
        assert launcher() not in (place / "exe").read_bytes()
