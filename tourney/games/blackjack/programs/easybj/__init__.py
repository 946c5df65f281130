"""Easy Blackjack: one player, who is asked or plays by a chart, against a dealer's open cards.

Thin over the game: what is allowed, who wins and how much comes from `games.blackjack`, and
what a chart says from `players`. Here are only the program's options, shoes and words.

Source: [EASYBJ] in docs/sources.md.
"""

from tourney.games.blackjack.programs.easybj.options import (
    USAGE,
    ArgumentsError,
    Options,
    read_options,
)
from tourney.games.blackjack.programs.easybj.player import Person
from tourney.games.blackjack.programs.easybj.program import Streams, run
from tourney.games.blackjack.programs.easybj.shoes import FileShoe, InfiniteShoe, RecordedShoe

__all__ = [
    "USAGE",
    "ArgumentsError",
    "FileShoe",
    "InfiniteShoe",
    "Options",
    "Person",
    "RecordedShoe",
    "Streams",
    "read_options",
    "run",
]
