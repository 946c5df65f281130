"""What a player of any game declares, or why it does not."""

from typing import Any, TypeAlias

from tourney.game.contracts import AnyPlayer
from tourney.game.players import Undeclared
from tourney.game.rules import Rules

Declared: TypeAlias = Any
"""What a game's players declare, each in its own way, or `Undeclared`."""


def declared_by(player: AnyPlayer, rules: Rules) -> Declared:
    """Give what a player declares for a game.

    Args:
        player: A new one, which does not sit at a table.
        rules: Of the game that it is a player of.
    """
    game = rules.game
    if not isinstance(player, game.contract()):
        return Undeclared(f"it does not play {game}")
    return game.declare(player, rules)
