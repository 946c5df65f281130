"""The CSC 24400 program: one player against the dealer, with questions to hit or stand.

The rules, totals and results come from `games.blackjack`. This package has only the shoe, the
questions and the words of the program.

Source: CSC 24400 project 4.
"""

from tourney.games.blackjack.programs.csc24400.answers import Dialogue
from tourney.games.blackjack.programs.csc24400.program import (
    ArgumentsError,
    Sitting,
    play,
    rng_seed_of,
)
from tourney.games.blackjack.programs.csc24400.screen import HEADER
from tourney.games.blackjack.programs.csc24400.shoe import TEXT, TRANSCRIPT, Reading, SeededShoe

__all__ = [
    "HEADER",
    "TEXT",
    "TRANSCRIPT",
    "ArgumentsError",
    "Dialogue",
    "Reading",
    "SeededShoe",
    "Sitting",
    "play",
    "rng_seed_of",
]
