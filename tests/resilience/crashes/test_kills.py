"""A run that is killed at any instant goes on to the digest of one that is not.

The processes are real, and when they are killed is left to luck; see `test_points` for every point.
"""

import os
import signal
import sys
from pathlib import Path
from random import Random

import pytest

from tests.support.proving import with_more

from .desk import CONFIG_OF_STAGES, Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs signals and process groups")

THINKER = """\
from pathlib import Path

from tourney import Card, Hand, Player


class Thinker(Player):
    def bet(self, bankroll: int, minimum: int) -> int:
        Path("thinking").touch()
        while True:
            pass

    def draw(self, dealer: Card, player: Hand) -> bool:
        return False
"""


@pytest.mark.parametrize(
    ("workers", "kills"),
    with_more([(2, 2)], [(1, 10), (2, 4)]),
)
def test_a_run_killed_again_and_again_ends_as_if_it_never_was(
    workers: int, kills: int, desk: Desk, random: Random, whole: bytes
) -> None:
    """No batch is lost or stored twice, and workers do not outlive their parent for long."""
    for _ in range(kills):
        command = desk.go_on(workers)
        command.wait_for_writes(random.randint(0, 8))
        command.kill()
        assert command.is_left_alone()
    last = desk.go_on(workers).end()
    assert last.status == 0, last.errors
    assert desk.digest() == whole


@pytest.mark.prove
@pytest.mark.parametrize(
    ("workers", "kills"),
    with_more([(2, 1)], [(1, 4), (2, 2)]),
)
def test_an_event_of_stages_killed_again_and_again_comes_to_the_same_places(
    workers: int, kills: int, random: Random, tmp_path: Path
) -> None:
    """Who sits where follows from what the store keeps, whenever its process ended."""
    whole = Desk(tmp_path / "whole", CONFIG_OF_STAGES)
    assert whole.go_on(workers=1).end().status == 0
    desk = Desk(tmp_path / "killed", CONFIG_OF_STAGES)
    try:
        for _ in range(kills):
            command = desk.go_on(workers)
            command.wait_for_writes(random.randint(1, 12))
            command.kill()
            assert command.is_left_alone()
        last = desk.go_on(workers).end()
    finally:
        desk.clean_up()
    assert last.status == 0, last.errors
    assert desk.results() == whole.results()


def test_a_run_outlives_its_workers(desk: Desk, random: Random, whole: bytes) -> None:
    """Another worker takes the place and the tasks of each one that is killed."""
    command = desk.go_on(workers=2)
    killed = 0
    for _ in range(3):
        command.wait_for_writes(random.randint(2, 5))
        # A quick run may be over before its third worker dies.
        if workers := command.wait_for_workers(2):
            os.kill(random.choice(workers), signal.SIGKILL)
            killed += 1
    assert killed
    last = command.end()
    assert last.status == 0, last.errors
    assert desk.digest() == whole


def test_a_run_outlives_workers_that_have_not_begun(desk: Desk, whole: bytes) -> None:
    """Workers that are killed before they took a task are replaced like others."""
    command = desk.go_on(workers=2)
    for worker in command.wait_for_workers(2):
        os.kill(worker, signal.SIGKILL)
    last = command.end()
    assert last.status == 0, last.errors
    assert desk.digest() == whole


def test_workers_at_a_long_task_do_not_outlive_the_run(desk: Desk) -> None:
    """A competitor that never answers keeps no process alive that nobody waits for."""
    desk.enter("thinker.py", THINKER)
    command = desk.go_on(workers=2)
    desk.wait_for_file("thinking")
    command.kill()
    assert command.is_left_alone()
