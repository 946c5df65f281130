"""The CSC 24400 program: one player, who is asked hit or stand, against the dealer.

Thin over the game: the rules, the totals and who wins come from `games.blackjack`. Here are
only the program's shoe, its questions and its words.

Source: CSC 24400 project 4.
"""

from tourney.games.blackjack.programs.csc24400.answers import Dialogue
from tourney.games.blackjack.programs.csc24400.program import (
    ArgumentsError,
    Sitting,
    play,
    rng_seed_of,
)
from tourney.games.blackjack.programs.csc24400.readings import TEXT, TRANSCRIPT, Reading
from tourney.games.blackjack.programs.csc24400.screen import HEADER
from tourney.games.blackjack.programs.csc24400.shoe import SeededShoe

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
