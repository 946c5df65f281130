"""Which contract a game asks of its players: one class for each game."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from tourney.players.player import Player
from tourney.players.straights import StraightsPlayer

AnyPlayer: TypeAlias = Player | StraightsPlayer
"""A player of any game."""

CONTRACTS: Mapping[str, type[AnyPlayer]] = MappingProxyType(
    {"blackjack": Player, "straights": StraightsPlayer}
)
"""The class that players of a game are made from, by the name of the game."""


def contract_of(kind: type) -> str | None:
    """Give the game whose contract a class inherits; None if it inherits none.

    >>> from tourney.players import ActPlayer
    >>> contract_of(ActPlayer), contract_of(int)
    ('blackjack', None)
    """
    # Only a real subclass inherits the contract; register() of a contract would fool issubclass().
    return next((game for game, base in CONTRACTS.items() if base in kind.__mro__), None)
