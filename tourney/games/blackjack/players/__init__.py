"""Players of blackjack: base classes, strategy charts, declarations, and the information
they see.
"""

from tourney.game.players import Undeclared
from tourney.games.blackjack.players.chart import (
    Chart,
    ChartPlayer,
    chart_player,
    load_chart,
    read_chart,
    write_chart,
)
from tourney.games.blackjack.players.declaration_request import declaration_of
from tourney.games.blackjack.players.declared_strategies import (
    BetLine,
    BetRamp,
    CountingPlayer,
    CountSystem,
    DeviatingPlayer,
    InsuringPlayer,
    deviates,
    pure,
)
from tourney.games.blackjack.players.player import ActPlayer, Player, acts, sit_down, watches_cards

__all__ = [
    "ActPlayer",
    "BetLine",
    "BetRamp",
    "Chart",
    "ChartPlayer",
    "CountSystem",
    "CountingPlayer",
    "DeviatingPlayer",
    "InsuringPlayer",
    "Player",
    "Undeclared",
    "acts",
    "chart_player",
    "declaration_of",
    "deviates",
    "load_chart",
    "pure",
    "read_chart",
    "sit_down",
    "watches_cards",
    "write_chart",
]
