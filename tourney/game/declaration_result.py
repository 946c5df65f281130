"""The declaration of a player, or the reason why it is missing."""

from typing import Any, TypeAlias

from tourney.game.players import AnyPlayer, Undeclared
from tourney.game.rules import Rules

Declared: TypeAlias = Any
"""A declaration, in a form that each game defines, or `Undeclared`."""


def declared_by(player: AnyPlayer, rules: Rules) -> Declared:
    """Return the declaration of a player.

    Args:
        player: A new player that does not sit at a table.
        rules: Rules of the game that the player should play.
    """
    game = rules.game
    if not isinstance(player, game.contract()):
        return Undeclared(f"it does not play {game}")
    return game.declare(player, rules)
