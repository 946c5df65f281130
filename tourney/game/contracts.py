"""Contracts: the base classes that players inherit, one or more for each game.

There is no list of games. A contract is known once it is imported, and a player's module imports
the contract that it inherits.
"""

import sys
from typing import TypeAlias

from tourney.game.players import BasePlayer

AnyPlayer: TypeAlias = BasePlayer
"""A player of any game."""


def contract_of(kind: type) -> type[BasePlayer] | None:
    """Return the contract that a class inherits; `None` if it inherits no contract.

    >>> from tourney.games.blackjack.players import ActPlayer
    >>> contract_of(ActPlayer), contract_of(int)
    (<class 'tourney.games.blackjack.players.player.Player'>, None)
    """
    # Only a real subclass inherits the contract; register() of a contract would fool issubclass().
    return next((each for each in kind.__mro__ if _is_contract(each)), None)


def game_of(kind: type) -> str:
    """Return the name of the game that a class plays; empty if it is no player.

    >>> from tourney.games.straights.player import StraightsPlayer
    >>> game_of(StraightsPlayer), game_of(int)
    ('straights', '')
    """
    contract = contract_of(kind)
    return contract.plays_game if contract else ""


def contracts() -> tuple[type[BasePlayer], ...]:
    """Return the contracts of all imported games, without those of reloaded modules."""
    known = filter(_is_contract, BasePlayer.__subclasses__())
    return tuple(each for each in known if each.__module__ in sys.modules)


def contract_name(contract: type[BasePlayer]) -> str:
    """Return the name by which authors import a contract.

    >>> from tourney.games.blackjack.players import Player
    >>> contract_name(Player)
    'tourney.Player'
    """
    home = contract.__module__
    page = "tourney" if home.startswith("tourney.") else home
    return f"{page}.{contract.__name__}"


def _is_contract(kind: type) -> bool:
    return BasePlayer in kind.__bases__ and bool(kind.plays_game)  # type: ignore[attr-defined]  # it inherits
