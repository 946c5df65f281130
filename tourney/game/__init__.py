"""The interface of a game: the methods that a plugin implements and the platform calls.

Start with `protocol`, which defines the class `Game`. `turns` explains how a table asks for
decisions, and `asking` how players are called. Nothing here depends on a particular game.
"""

from tourney.game.protocol import Game
from tourney.game.turns import Flow, FlowTable, MakePlayer, Table, Turn

__all__ = ["Flow", "FlowTable", "Game", "MakePlayer", "Table", "Turn"]
