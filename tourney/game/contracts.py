"""Which contract a player's class inherits: the class that says for which game it is.

There is no list of games: a contract is known as soon as it is imported, and whoever writes a
player for it has imported it.
"""

import sys
from typing import TypeAlias

from tourney.game.players import BasePlayer

AnyPlayer: TypeAlias = BasePlayer
"""A player of any game."""


def contract_of(kind: type) -> type[BasePlayer] | None:
    """Give the contract that a class inherits; None if it inherits none.

    >>> from tourney.games.blackjack.players import ActPlayer
    >>> contract_of(ActPlayer), contract_of(int)
    (<class 'tourney.games.blackjack.players.player.Player'>, None)
    """
    # Only a real subclass inherits the contract; register() of a contract would fool issubclass().
    return next((each for each in kind.__mro__ if _is_contract(each)), None)


def game_of(kind: type) -> str:
    """Give the name of the game that a class is a player of; empty if it is none.

    >>> from tourney.games.straights.player import StraightsPlayer
    >>> game_of(StraightsPlayer), game_of(int)
    ('straights', '')
    """
    contract = contract_of(kind)
    return contract.plays_game if contract else ""


def contracts() -> tuple[type[BasePlayer], ...]:
    """Give the contracts of all games that can be imported here, as they first were."""
    known = filter(_is_contract, BasePlayer.__subclasses__())
    return tuple(each for each in known if each.__module__ in sys.modules)


def contract_name(contract: type[BasePlayer]) -> str:
    """Give the name by which a contract is imported.

    >>> from tourney.games.blackjack.players import Player
    >>> contract_name(Player)
    'tourney.Player'
    """
    home = contract.__module__
    page = "tourney" if home.startswith("tourney.") else home  # whose modules are its own business
    return f"{page}.{contract.__name__}"


def _is_contract(kind: type) -> bool:
    return BasePlayer in kind.__bases__ and bool(kind.plays_game)  # type: ignore[attr-defined]  # it inherits
