"""Ctrl-C keeps what is played, and says how to go on."""

import os
import shlex
import sys
import time
from pathlib import Path

import pytest

from tests.support.proving import with_more

from .desk import SLEEPER, Command, Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")

MARK = "to resume: "


def interrupted(desk: Desk, command: Command, options: str = "") -> str:
    """Let an interrupted command end, and give the command that it tells to go on with.

    Args:
        desk: Whose run it plays.
        command: The command.
        options: What the run has to be given again.
    """
    last = command.end()
    assert last.status == 130, last.errors
    assert command.is_left_alone()
    first, kept, remedy = last.told
    assert first.startswith("run 1 in ")
    assert kept == "interrupted; every finished batch is kept"
    assert remedy == f"{MARK}tourney resume 1 --store {shlex.quote(str(desk.store))}{options}"
    assert not last.output
    return remedy.removeprefix(MARK)


def do_as_told(desk: Desk, told: str) -> None:
    """Give a shell the command as it stands, from another folder."""
    programs = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    last = desk.start_program("env", f"PATH={programs}", "sh", "-c", f"cd / && {told}").end()
    assert last.status == 0, last.errors


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupted_run_says_how_to_go_on(desk: Desk, workers: int, whole: bytes) -> None:
    """The command it prints, pasted into a shell, finishes the run as if nothing had been."""
    command = desk.go_on(workers)
    command.wait_for_writes(15)
    # A terminal interrupts all processes; another program interrupts the one it knows.
    command.interrupt(everybody=workers > 1)
    told = interrupted(desk, command)
    assert 0 < len(desk.batches()) < desk.all_batches
    do_as_told(desk, told)
    assert desk.digest() == whole


def test_workers_that_are_starting_die_quietly_of_an_interrupt(desk: Desk) -> None:
    """No traceback of theirs hides the command to go on with."""
    command = desk.go_on(workers=2)
    command.wait_for_workers(1)
    command.interrupt(everybody=True)
    interrupted(desk, command)


@pytest.mark.parametrize("seconds", with_more([0.5], [0.0, 1.5]))
def test_what_workers_need_may_still_be_loading(desk: Desk, seconds: float) -> None:
    """Whoever loads it belongs to the group that a terminal interrupts, and says nothing."""
    desk.enter("sleeper.py", SLEEPER)  # or all is played before
    command = desk.go_on(workers=2)
    desk.wait_for_run()
    time.sleep(seconds)
    command.interrupt(everybody=True)
    interrupted(desk, command, " --no-sandbox")


@pytest.mark.parametrize("where", ["stored", "said"])
def test_the_run_may_just_have_begun(desk: Desk, where: str) -> None:
    """Whoever interrupts it before anything is played is told what there is to go on with."""
    config, store = str(desk.config), str(desk.store)
    interrupted(desk, desk.start_program(sys.executable, "-c", JUST_BEGUN, where, config, store))


JUST_BEGUN = """
import signal, sys
from tourney.cli import main, run
from tourney.store.store import Store

where, config, store = sys.argv[1:]

def then_interrupted(do):
    def done(*told):
        given = do(*told)
        signal.raise_signal(signal.SIGINT)
        return given
    return done

if where == "stored":
    Store.create_run = then_interrupted(Store.create_run)
else:
    run.words_of_kind = then_interrupted(run.words_of_kind)
sys.exit(main(["run", config, "--no-sandbox", "--store", store]))
"""
