"""A competitor that ends its process ends no more than that."""

import sys

import pytest

from .desk import Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")

QUITTER = """\
import os

from tourney import Card, Hand, Player


class Quitter(Player):
    def bet(self, bankroll: int, minimum: int) -> int:
        os._exit(0)

    def draw(self, dealer: Card, player: Hand) -> bool:
        return False
"""


def test_a_competitor_that_ends_its_process_is_named(desk: Desk) -> None:
    """The run stops with its name and the command to go on with, and keeps the others' batches."""
    desk.enter("quitter.py", QUITTER)
    command = desk.go_on(workers=2)
    last = command.end()
    assert last.status == 1, last.errors
    first, *deaths, remedy, message = last.told
    assert first.startswith("run 1 in ")
    assert deaths
    for line in deaths:
        assert "a worker that had the batch died (exit status 0); it is played again" in line
    assert remedy.startswith("to resume: tourney resume 1 ")
    assert message.startswith("batch ")
    assert "3 workers that played it died (exit status 0)" in message
    assert "its entrants are quitter:" in message
    assert command.is_left_alone()
    assert desk.batches()
