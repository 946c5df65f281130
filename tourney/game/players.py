"""The base class of all players, and the contracts that players inherit.

There is no list of games. A contract is known once it is imported, and a player's module imports
the contract that it inherits.
"""

import sys
from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NoReturn, TypeAlias


class _GivenLater:
    """A placeholder for an attribute that players get at the table; explains early reads.

    A `__getattr__` could do the same, but it would slow down every access to a player's attributes.
    """

    def __init__(self, name: str, remedy: str) -> None:
        self._name = name
        self._remedy = remedy

    def __get__(self, player: object, kind: type) -> NoReturn:
        """Explain the mistake; not called once the player has the attribute."""
        raise AttributeError(
            f"self.{self._name} is not set before the player sits down, so the constructor cannot "
            f"use it; in your own tests, set {self._remedy}"
        )


def given_at_the_table(name: str, remedy: str) -> Any:
    """Declare an attribute that a player gets at the table.

    Args:
        name: Name of the attribute.
        remedy: A statement that sets it in an author's tests.
    """
    return _GivenLater(name, remedy)


class BasePlayer(ABC):  # noqa: B024 - the contracts of the games have the abstract methods
    """Makes the decisions of one seat; the contract of each game adds the questions.

    The contract of a game is a subclass with its name:
    `class WhistPlayer(BasePlayer, game="whist")`.
    """

    plays_game: ClassVar[str] = ""
    """Name of the game, set by its contract."""

    instead: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Hints of a contract for missing methods: for each, a method that the class may have in its
    place, and the remedy, such as a narrower contract; NAME stands for the class.
    """

    advice: ClassVar[Mapping[str, str]] = {}
    """Remedies of a contract for faults, by a pattern of their messages."""

    def __init_subclass__(cls, *, game: str = "", **others: Any) -> None:
        """Store the game of a contract."""
        super().__init_subclass__(**others)
        if game:
            cls.plays_game = game

    random: Random = given_at_the_table("random", "player.random = random.Random(1)")
    """Your random number generator; it repeats when the block is replayed. Set at the table."""


@dataclass(frozen=True, slots=True)
class Undeclared:
    """The reason why a player has no declaration."""

    reason: str  # a sentence


def give_luck(player: BasePlayer, rng_seed: int) -> None:
    """Give a player its random number generator, as at a table.

    Args:
        player: A new player.
        rng_seed: Seed of the generator.
    """
    player.random = Random(rng_seed)  # noqa: S311 - a player's dice, not a secret


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
