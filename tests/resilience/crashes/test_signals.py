"""SIGTERM and SIGHUP end a command as Ctrl-C does: in order, and with a way on."""

import os
import shlex
import signal
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.cli.signals import NAMES, Ending

from .desk import PATIENCE, SLEEPER, Command, Desk, listed, wait_until
from .test_owners import tourney, under_way

ROOT = Path(__file__).parents[3]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")


@pytest.fixture
def slow(desk: Desk) -> Desk:
    """Give a desk whose tournament takes some seconds."""
    desk.enter("sleeper.py", SLEEPER)
    return desk


def end_in_order(desk: Desk, command: Command, number: signal.Signals) -> None:
    """Let a run end that a signal was sent to, and see that it says how to go on."""
    last = command.end()
    assert last.status == 128 + number, last.errors
    assert command.is_left_alone()
    told = last.errors.strip().splitlines()
    assert told[-2:] == [
        "interrupted; every finished batch is kept",
        f"to resume: tourney resume 1 --store {shlex.quote(str(desk.store))} --no-sandbox",
    ]
    assert "Traceback" not in last.errors


@pytest.mark.parametrize(
    ("workers", "number"),
    with_more(
        [(1, signal.SIGTERM), (2, signal.SIGINT)],
        [(1, signal.SIGINT), (1, signal.SIGHUP), (2, signal.SIGTERM), (2, signal.SIGHUP)],
    ),
)
def test_a_run_ends_in_order(slow: Desk, workers: int, number: signal.Signals) -> None:
    """It keeps what is finished, says how to go on, and leaves no process behind."""
    command = under_way(slow, workers)
    os.kill(command.number, number)
    end_in_order(slow, command, number)


@pytest.mark.parametrize("number", with_more([signal.SIGHUP], [signal.SIGTERM]))
def test_everybody_of_a_group_may_be_told(slow: Desk, number: signal.Signals) -> None:
    """A batch system ends all processes of a job at once, and more than once."""
    command = under_way(slow, workers=2)
    for _ in range(3):
        os.killpg(command.number, number)
        time.sleep(0.05)
    end_in_order(slow, command, number)


@pytest.mark.parametrize("seconds", with_more([0.5], [0.0, 1.5]))
def test_what_workers_need_may_still_be_loading(slow: Desk, seconds: float) -> None:
    """Nothing has been played, and it can go on all the same."""
    command = slow.go_on(workers=2)
    slow.wait_for_run()
    time.sleep(seconds)
    os.kill(command.number, signal.SIGTERM)
    end_in_order(slow, command, signal.SIGTERM)


@pytest.mark.parametrize("where", ["before", "after"])
def test_a_worker_may_just_be_asked_for(where: str) -> None:
    """What was to become a worker ends without a word: who asked says that it was interrupted."""
    ended = subprocess.run(
        [sys.executable, "-c", ASKS_FOR_A_WORKER, where], capture_output=True, text=True, check=True
    )
    assert (ended.stdout, ended.stderr) == ("interrupted\n", "")


ASKS_FOR_A_WORKER = """
import os, signal, sys
from multiprocessing import forkserver, reduction
from tourney.execution.workers.pool import PoolWorkers

before = reduction.sendfds

def sendfds(*told):
    if sys.argv[1] == "after":
        before(*told)
    signal.raise_signal(signal.SIGINT)

if __name__ == "__main__":
    reduction.sendfds = sendfds
    try:
        PoolWorkers({}, "auto", 1)
    except KeyboardInterrupt:
        print("interrupted")
    server = forkserver._forkserver
    os.close(server._forkserver_alive_fd)
    os.waitpid(server._forkserver_pid, 0)  # it has said what it had to say
"""


def test_more_signals_do_not_disturb_the_end(slow: Desk) -> None:
    """Whoever closes a terminal hangs up twice, and batch systems are impatient."""
    command = under_way(slow, workers=2)
    os.kill(command.number, signal.SIGTERM)
    while not command.has_ended:
        for number in (signal.SIGINT, signal.SIGHUP, signal.SIGTERM):
            os.kill(command.number, number)
        time.sleep(0.001)
    last = command.end()
    assert last.status - 128 in {signal.SIGINT, signal.SIGHUP, signal.SIGTERM}  # who was first
    assert command.is_left_alone()
    assert last.errors.count("to resume: ") == 1
    assert "Traceback" not in last.errors


def test_a_hang_up_that_is_ignored_stays_ignored(slow: Desk) -> None:
    """As under nohup."""
    command = slow.go_on(workers=2, before=("nohup",))
    slow.wait_for_run()
    os.killpg(command.number, signal.SIGHUP)
    slow.wake()
    last = command.end()
    assert last.status == 0, last.errors


@pytest.mark.prove
@pytest.mark.parametrize("number", with_more([signal.SIGTERM], [signal.SIGHUP]))
@pytest.mark.parametrize("what", ["watch 1", "verify 1 --full --no-sandbox --workers 2"])
def test_commands_that_only_look_end_in_order(
    slow: Desk, what: str, number: signal.Signals
) -> None:
    """Without a traceback, and leaving no process behind."""
    run = under_way(slow)
    if what.startswith("verify"):
        slow.wake()
        assert run.end().status == 0
        (slow.folder / "awake").unlink()
    command = tourney(slow, *what.split())
    time.sleep(2.5)
    assert not command.has_ended
    os.kill(command.number, number)
    last = command.end()
    assert last.status == 128 + number
    assert "Traceback" not in last.errors
    assert command.is_left_alone()


@pytest.mark.prove
def test_nobody_may_be_there_to_read_the_last_words(slow: Desk, tmp_path: Path) -> None:
    """A terminal that was closed takes nothing more, and that is no failure of its own."""
    program = tmp_path / "closing.py"
    program.write_text(CLOSED_TERMINAL, encoding="utf-8")
    arguments = ("run", str(slow.config), "--store", str(slow.store), "--no-sandbox")
    last = slow.start_program(sys.executable, str(program), *arguments).end()
    assert last.status == 0, last.errors
    assert last.output == "129\n"
    slow.wake()
    assert slow.go_on(workers=1).end().status == 0


CLOSED_TERMINAL = """\
import os, pty, sys, time

process, terminal = pty.fork()
if not process:
    os.execv(sys.executable, [sys.executable, "-m", "tourney", *sys.argv[1:]])
shown = b""
while b"batches" not in shown:
    shown += os.read(terminal, 4096)
time.sleep(0.5)
os.close(terminal)
print(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))
"""


@pytest.fixture
def handlers() -> Iterator[None]:
    """Put back who hears signals."""
    before = {number: signal.getsignal(number) for number in map(signal.Signals.__getitem__, NAMES)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("handlers")
def test_a_signal_is_heard_even_where_no_exception_can_pass() -> None:
    """As in what a compiler calls: the interrupt is lost there, and comes again."""
    lost: list[bool] = []

    class Deaf:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGTERM)

    with Ending() as ending:
        Deaf()
        lost.append(True)
        with pytest.raises(KeyboardInterrupt):
            time.sleep(PATIENCE)
    assert (lost, ending.number) == ([True], signal.SIGTERM)


def test_an_interrupt_that_passes_through_a_text_leaves_the_status_alone(tmp_path: Path) -> None:
    """As when a dataclass is being made: Python would rather end the program by SIGINT."""
    (tmp_path / "sitecustomize.py").write_text(INTERRUPTED_TEXT, encoding="utf-8")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    told = os.environ | {"PYTHONPATH": paths}
    ended = subprocess.run([sys.executable, "-m", "tourney"], env=told, check=False)
    assert ended.returncode == 143


STARTS = {
    "python -m tourney": ("-m", "tourney"),
    "tourney": ("-c", "import sys; from tourney.__main__ import main; sys.exit(main())"),
}
"""How the command line starts; the console script does what its target in pyproject.toml says."""


@pytest.mark.parametrize("start", STARTS.values(), ids=STARTS)
def test_an_interrupt_of_a_start_ends_it_without_a_word(
    start: tuple[str, ...], tmp_path: Path
) -> None:
    """Nobody has to see which module was just being imported."""
    (tmp_path / "click.py").write_text(INTERRUPTS, encoding="utf-8")
    paths = os.pathsep.join(filter(None, [str(tmp_path), os.environ.get("PYTHONPATH", "")]))
    told = os.environ | {"PYTHONPATH": paths}
    ended = subprocess.run([sys.executable, *start], env=told, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, b"", b"")


def test_the_console_script_starts_as_the_module_does() -> None:
    """What pip writes imports this target, and calls it."""
    told = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert told["project"]["scripts"]["tourney"] == "tourney.__main__:main"


INTERRUPTS = """
import os, signal, time
os.kill(os.getpid(), signal.SIGINT)
time.sleep(60)
"""

INTERRUPTED_TEXT = """
import tourney.cli

def main():
    try:
        exec("raise KeyboardInterrupt")
    except KeyboardInterrupt:
        return 143

tourney.cli.main = main
"""


def test_who_compiles_for_workers_ends_with_the_run(tmp_path: Path) -> None:
    """Compiling takes a minute, and nobody is left to use what comes of it."""
    loading = tmp_path / "loading.py"
    loading.write_text(LOADING, encoding="utf-8")
    parent = subprocess.Popen([sys.executable, "-c", PARENT, str(loading)], stdout=subprocess.PIPE)
    assert parent.stdout
    with parent.stdout as lines:
        child = int(lines.readline())
        assert lines.readline() == b"loading\n"
        parent.kill()
        parent.wait()
        # It holds the other end of the pipe: no more comes of it once it is gone.
        assert wait_until(lambda: child not in {each.number for each in listed()})
        assert lines.read() == b""


def test_who_compiles_meanwhile_ends_with_the_run(tmp_path: Path) -> None:
    """In the middle of compiling, however the run ends."""
    own = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    parent = subprocess.Popen([sys.executable, "-c", ASKS], stdout=subprocess.PIPE, env=own)
    assert parent.stdout
    with parent.stdout as lines:
        child = int(lines.readline())
        kept = tmp_path / "machine-code"
        assert wait_until(lambda: any(each.suffix == ".nbc" for each in kept.iterdir()))
        parent.kill()
        parent.wait()
        assert wait_until(lambda: child not in {each.number for each in listed()})
    assert not list(kept.glob("*.made"))


ASKS = """
import time
from tourney.execution.background_compile import start
from tourney.games.blackjack.engines.interfaces import BlackjackKernels
from tourney.games.blackjack.kernels import TABLES
child = start(BlackjackKernels(), TABLES)
print(child._process.pid, flush=True)
time.sleep(600)
"""
PARENT = """
import subprocess, sys, time
print(subprocess.Popen([sys.executable, sys.argv[1]]).pid, flush=True)
time.sleep(60)
"""
LOADING = """
import os, time
from tourney.execution.workers.worker_start import ended_with_parent
with ended_with_parent(os.getppid(), ""):
    print("loading", flush=True)
    time.sleep(60)
print("loaded", flush=True)
"""
