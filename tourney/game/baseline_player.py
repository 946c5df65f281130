"""Whom a check compares players with, in a game that says nobody better."""

from collections.abc import Callable
from typing import NamedTuple

from tourney.game.players import BasePlayer


class Sparring(NamedTuple):
    """Players that sit beside the one that is checked, and once in its place."""

    make: Callable[[], BasePlayer]
    told: str = "who always does the first that is legal"
    answer: str = "answer"  # what a player is asked for


def nobody() -> BasePlayer:
    """Leave a seat to its stand-in, which every table has."""
    raise LookupError("nobody sits there: a stand-in does the first that is legal")
