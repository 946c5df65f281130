"""The classic games of PettingZoo, and how an environment is made."""

import warnings
from importlib import import_module
from typing import Any, NamedTuple


class Classic(NamedTuple):
    """What the package knows of a game before its environment is loaded."""

    module: str  # below pettingzoo.classic
    least: float  # result of a seat in a match
    most: float
    unit: int = 1  # parts of a chip in which results are counted
    turns: int = 5  # mean number of turns of a seat


GAMES = {
    "chess": Classic("chess_v6", -1, 1, turns=170),
    "connect-four": Classic("connect_four_v3", -1, 1, turns=11),
    "go": Classic("go_v5", -1, 1, turns=250),
    "hanabi": Classic("hanabi_v5", 0, 25, turns=10),
    "leduc-holdem": Classic("leduc_holdem_v4", -7, 7, unit=2, turns=2),
    "rock-paper-scissors": Classic("rps_v2", -15, 15, turns=15),
    "texas-holdem": Classic("texas_holdem_v4", -50, 50, unit=2, turns=2),
    "texas-holdem-no-limit": Classic("texas_holdem_no_limit_v6", -100, 100, unit=2, turns=3),
    "tic-tac-toe": Classic("tictactoe_v3", -1, 1, turns=4),
}
"""The games by the names of their presets."""

PLAYERS = 2
"""Seats of every classic game as PettingZoo sets it up."""


def environment(module: str, rng_seed: int) -> Any:
    """Make an environment and begin a match.

    Args:
        module: Below pettingzoo.classic.
        rng_seed: Decides all chance of the match.
    """
    with warnings.catch_warnings():  # of pygame and of gymnasium, about their own future
        warnings.simplefilter("ignore")
        made = import_module(f"pettingzoo.classic.{module}").raw_env()
        made.reset(seed=rng_seed)
    return made
