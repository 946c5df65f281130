"""Budgets and stopwatches: computing is counted, sleeping is caught, waiting is neither."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tourney.config.model import LimitsConfig
from tourney.sandbox.budgets import Budget, Share, Sleep, Stopwatch, is_asleep, seconds_of
from tourney.sandbox.lockdown import Limits
from tourney.tournament.entrant_specs import budget_of


def test_a_check_without_a_configuration_has_the_limits_of_a_tournament() -> None:
    """The defaults stand twice, since a sandboxed process must not load pydantic."""
    limits = LimitsConfig()
    assert budget_of(limits) == Budget()
    assert limits.memory_mib << 20 == Limits().memory


def test_a_batch_may_take_more_than_its_share() -> None:
    """But not all batches may."""
    budget = Budget(base=1.0, decision=0.001, batch_factor=4)
    assert budget.of_batch(1_000) == pytest.approx(5.0)
    assert budget.of_all(1_000) == pytest.approx(2.0)


def test_a_limit_of_all_decisions_is_named_as_one() -> None:
    """Not the little that was left of it for the last batch."""
    budget = Budget(base=1.0, decision=0.001, batch_factor=4)
    assert budget.share(100, asked=100, used=0.0) == Share(
        pytest.approx(1.1), "1.10 s for 100 decisions"
    )
    assert budget.share(100, asked=1_000, used=0.1) == Share(pytest.approx(1.4))
    assert budget.share(100, asked=1_000, used=1.999).words == "2.00 s for 1,000 decisions"


def test_computing_is_read_from_outside() -> None:
    """It goes on while a process computes, and stands while it sleeps."""
    began = seconds_of(os.getpid())
    while seconds_of(os.getpid()) == began:
        pass
    assert seconds_of(2**22 + 1) == 0  # nobody has such a number


def test_too_much_computing_is_late() -> None:
    """However busy the machine is."""
    watch = Stopwatch(Sleep(os.getpid()), most=0.02, stall=60)
    assert watch.late() is None
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    assert watch.late() == ("cpu", "it computed for more than 0.02 s; it may have an endless loop")


@contextmanager
def running(program: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program of Python, once it says that it has begun."""
    words = [sys.executable, "-S", "-c", f"print(flush=True)\n{program}"]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        try:
            assert process.stdout
            process.stdout.readline()
            yield process
        finally:
            process.kill()


def slept(process: subprocess.Popen[bytes], seconds: float) -> float:
    """Look at a process for some time, as a referee does; give how long it slept."""
    sleep, until = Sleep(process.pid), time.monotonic() + seconds
    while time.monotonic() < until:
        time.sleep(0.02)
        sleep.look()
    return sleep.seconds


def test_sleep_is_late() -> None:
    """A process that neither computes nor waits for its turn."""
    with running("input()") as process:
        watch = Stopwatch(Sleep(process.pid), most=60, stall=0.1)
        late, until = None, time.monotonic() + 5
        while late is None and time.monotonic() < until:
            time.sleep(0.02)
            late = watch.late()
    assert late == ("stalled", "it slept for 0.1 s instead of answering")


def test_to_compute_a_little_in_between_is_no_excuse() -> None:
    """Naps add up; so they do over several exchanges."""
    naps = "import time\nwhile True:\n time.sleep(0.1)\n sum(range(60_000))"
    with running(naps) as process:
        sleep, until = Sleep(process.pid), time.monotonic() + 10
        while sleep.seconds <= 0.5 and time.monotonic() < until:
            watch = Stopwatch(sleep, most=60, stall=0.5)
            time.sleep(0.02)
            watch.late()
        assert watch.late() == ("stalled", "it slept for 0.5 s instead of answering")


def test_to_compute_is_no_sleep() -> None:
    """However seldom it has its turn."""
    with running("while True: pass") as process:
        assert slept(process, 0.5) == 0


def test_who_was_stopped_did_not_sleep() -> None:
    """Somebody else stopped it."""
    with running("while True: pass") as process:
        process.send_signal(signal.SIGSTOP)
        assert slept(process, 0.5) == 0


def test_who_looks_too_late_has_seen_little() -> None:
    """A referee that was stopped itself does not know what happened meanwhile."""
    with running("input()") as process:
        sleep = Sleep(process.pid)
        time.sleep(0.5)
        sleep.look()
        assert 0 < sleep.seconds <= 0.1


def test_who_may_have_waited_for_the_referee_did_not_sleep() -> None:
    """Something was read or written, so it counts anew."""
    with running("input()") as process:
        sleep = Sleep(process.pid)
        for _ in range(10):
            time.sleep(0.02)
            sleep.resume()
            sleep.look()
        assert sleep.seconds == 0


def test_who_runs_is_not_asleep() -> None:
    """This process runs, or it could not ask."""
    assert not is_asleep(os.getpid())
    assert is_asleep(2**22 + 1)  # nobody knows
