"""Processes that others are forked from may be killed like those, and are replaced like them."""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store

from .desk import Command, Desk, listed, wait_until

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at command lines")
needs_confinement = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

SLOW = """\
from tourney import Card, Hand, Player


class Slow(Player):
    def bet(self, bankroll: int, minimum: int) -> int:
        return minimum + sum(range(30_000)) % 2

    def draw(self, dealer: Card, player: Hand) -> bool:
        return False
"""
MOST_LOST = 2
"""With a third loss of the same batch the run would end."""
SECONDS_TO_END = 0.1
"""In which a process is gone that nobody asks anything more."""
SERVER, FORK_SERVER = "multiprocessing.forkserver", "tourney.sandbox.fork_server"


def called(command: Command, words: str) -> list[int]:
    """Give the processes that a command has started, by what stands on their command line.

    What is forked from one of them has the same line, and is not meant.
    """
    family, found = {command.number}, []
    for seen in sorted(listed(), key=lambda each: each.number):
        if seen.parent in family:
            family.add(seen.number)
            if seen.parent not in found and words in _line(seen.number):
                found.append(seen.number)
    return found


def stop_player(command: Command) -> tuple[int, int]:
    """Stop a process of players that is asked something; give it, and what it was forked from.

    Until it goes on or is lost, its batch cannot end. Give 0 twice if it has ended meanwhile.
    """
    nurseries = called(command, FORK_SERVER)
    for seen in listed():
        if seen.parent in nurseries:
            with suppress(ProcessLookupError):
                os.kill(seen.number, signal.SIGSTOP)
                # Whoever has answered everything is ended, stopped or not.
                time.sleep(SECONDS_TO_END)
                if any(each.number == seen.number for each in listed()):
                    return seen.number, seen.parent
    return 0, 0


def _line(process: int) -> str:
    with suppress(OSError):
        return Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8", errors="replace")
    return ""


def kill(command: Command, words: str) -> bool:
    """Kill what others are forked from, as soon as it is there; say whether it had forked none."""
    assert wait_until(lambda: bool(called(command, words)) or command.has_ended)
    servers = called(command, words)
    for number in servers:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGSTOP)  # so that it forks nobody while we look
    has_none = not any(each.parent in servers for each in listed())
    for number in servers:
        with suppress(ProcessLookupError):
            os.kill(number, signal.SIGKILL)
    return has_none


def test_a_fork_server_that_is_killed_at_the_start_is_replaced(desk: Desk, whole: bytes) -> None:
    """While it is loading what workers need, all of them wait for it."""
    command = desk.go_on(workers=2)
    # On a busy machine it is seen when all workers are there, and nobody misses it.
    was_early = kill(command, SERVER)
    last = command.end()
    assert last.status == 0, last.errors
    told = "a worker could not be started: the process that it is forked from ended"
    assert told in last.errors or not was_early
    assert desk.digest() == whole


def test_a_fork_server_that_is_killed_again_and_again_ends_the_run(desk: Desk) -> None:
    """In words, and with a way on."""
    command = desk.go_on(workers=2)
    while not command.has_ended:
        for number in called(command, SERVER):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
    last = command.end()
    assert last.status == 1, last.errors
    assert "\nto resume: tourney resume 1 " in last.errors
    assert (
        "no worker could be started: the process that workers are forked from ended 3 times"
        in last.errors
    )
    assert "Traceback" not in last.errors


def test_a_run_outlives_its_fork_server_and_then_a_worker(desk: Desk, whole: bytes) -> None:
    """Workers go on without it; with the first that has to be replaced, it is, too."""
    command = desk.go_on(workers=2)
    command.wait_for_writes(15)
    workers = command.wait_for_workers(2)
    kill(command, SERVER)
    if workers:
        with suppress(ProcessLookupError):
            os.kill(workers[0], signal.SIGKILL)
    last = command.end()
    assert last.status == 0, last.errors
    assert desk.digest() == whole


@pytest.mark.prove
@needs_confinement
@pytest.mark.parametrize("workers", with_more([2], [1]))
def test_a_run_outlives_what_its_players_are_forked_from(desk: Desk, workers: int) -> None:
    """Its batch is played again, and nobody is blamed."""
    desk.enter("slow.py", SLOW)
    command = start_confined(desk, workers)
    # What is found out about the machine beforehand is forked from processes of its own.
    desk.wait_for_batches(1)
    lost = 0
    while lost < MOST_LOST and not command.has_ended:
        # An idle one would be replaced before anything is lost.
        player, parent = stop_player(command)
        if parent:
            os.kill(parent, signal.SIGKILL)
            lost += 1
            with suppress(ProcessLookupError):  # stopped at its birth, it would stay for ever
                os.kill(player, signal.SIGKILL)
    assert lost
    last = command.end()
    assert last.status == 0, last.errors
    assert "players' processes ended with the process that they are forked from" in last.errors
    with Store.open(desk.store, create=False) as store:
        assert list(store.faulted(1)) == []
        assert len(store.batch_numbers(1)) == 80


@needs_confinement
def test_what_players_are_forked_from_is_not_replaced_for_ever(desk: Desk) -> None:
    """A run that gets no further ends, and can go on."""
    desk.enter("slow.py", SLOW)
    command = start_confined(desk, workers=1)
    desk.wait_for_batches(1)
    while not command.has_ended:
        for number in called(command, FORK_SERVER):
            with suppress(ProcessLookupError):
                os.kill(number, signal.SIGKILL)
    last = command.end()
    assert last.status == 1, last.errors
    assert "\nto resume: tourney resume 1 " in last.errors
    assert "Traceback" not in last.errors


def start_confined(desk: Desk, workers: int) -> Command:
    """Start the run with files confined."""
    how = ("--store", str(desk.store), "--workers", str(workers))
    return desk.start_program(sys.executable, "-m", "tourney", "run", str(desk.config), *how)
