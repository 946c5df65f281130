"""Budgets and stopwatches: computing is counted, sleeping is caught, waiting is neither."""

import os
import time

import pytest

from tourney.confine.budgets import Budget, Stopwatch, is_waiting_for_processor, seconds_of


def test_a_batch_may_take_more_than_its_share() -> None:
    """But not all batches may."""
    budget = Budget(base=1.0, decision=0.001, batch_factor=4)
    assert budget.of_batch(1_000) == pytest.approx(5.0)
    assert budget.of_all(1_000) == pytest.approx(2.0)


def test_computing_is_read_from_outside() -> None:
    """It goes on while a process computes, and stands while it sleeps."""
    began = seconds_of(os.getpid())
    while seconds_of(os.getpid()) == began:
        pass
    assert seconds_of(2**22 + 1) == 0  # nobody has such a number


def test_too_much_computing_is_late() -> None:
    """However busy the machine is."""
    watch = Stopwatch(os.getpid(), most=0.02, stall=60)
    assert watch.late() is None
    until = time.process_time() + 0.03
    while time.process_time() < until:
        pass
    assert watch.late() == ("cpu", "expected at most 0.02 s of computing, got more")


def test_sleep_is_late() -> None:
    """A process that neither computes nor waits for its turn."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.read(reading, 1)
        os._exit(0)
    try:
        watch = Stopwatch(child, most=60, stall=0.05)
        late = None
        until = time.monotonic() + 5
        while late is None and time.monotonic() < until:
            time.sleep(0.01)
            late = watch.late()
        assert late == ("stalled", "expected an answer, got 0.05 s of sleep")
    finally:
        os.write(writing, b"x")
        os.waitpid(child, 0)
        os.close(reading)
        os.close(writing)


def test_who_runs_waits_for_the_processor_and_nobody_else() -> None:
    """This process runs, or it could not ask."""
    assert is_waiting_for_processor(os.getpid())
    assert not is_waiting_for_processor(2**22 + 1)
