"""What every game owes the platform, and what all games share.

A game is a generator of turns: whoever plays it, in this process or in another, now or again,
takes a turn and sends back an action or a fault. See `Game` for what a game has to give.
"""

from tourney.game.protocol import Game
from tourney.game.turns import Flow, FlowTable, MakePlayer, Table, Turn

__all__ = ["Flow", "FlowTable", "Game", "MakePlayer", "Table", "Turn"]
