"""Easy Blackjack: a person or a chart against a dealer whose cards are both visible.

The rules and payouts come from `games.blackjack`, and charts from `players`. This package has only
the options, shoes and words of the program.

Source: [EASYBJ] in docs/sources.md.
"""

from tourney.games.blackjack.programs.easybj.options import (
    USAGE,
    ArgumentsError,
    Options,
    read_options,
)
from tourney.games.blackjack.programs.easybj.program import Person, Streams, run
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
