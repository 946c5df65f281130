"""What every game owes the platform, and what all games share.

Open `protocol` first: it holds the class `Game`; `turns` explains how a table gives its turns, and
`asking` how players are asked. No game is named here.
"""

from tourney.game.protocol import Game
from tourney.game.turns import Flow, FlowTable, MakePlayer, Table, Turn

__all__ = ["Flow", "FlowTable", "Game", "MakePlayer", "Table", "Turn"]
