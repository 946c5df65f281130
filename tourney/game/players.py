"""What the players of every game have in common: luck of their own, and clear mistakes."""

from abc import ABC
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, ClassVar, NoReturn


class _GivenLater:
    """Stands for what a player is given at the table, and says so to whoever asks before.

    A `__getattr__` could say it too, but it would make every look at a player's attributes slow.
    """

    def __init__(self, name: str, remedy: str) -> None:
        self._name = name
        self._remedy = remedy

    def __get__(self, player: object, kind: type) -> NoReturn:
        """Explain; not called once the player has an attribute of its own."""
        raise AttributeError(
            f"self.{self._name} is given when the player sits down, after its constructor; "
            f"in a test of your own, set {self._remedy}"
        )


def given_at_the_table(name: str, remedy: str) -> Any:
    """Declare what a player only has at a table.

    Args:
        name: As players call it.
        remedy: How a test of one's own replaces it.
    """
    return _GivenLater(name, remedy)


class BasePlayer(ABC):  # noqa: B024 - the games' contracts say what is abstract
    """Who decides for one seat, whatever the game; the games say what is asked.

    The contract of a game is a class with its name: `class WhistPlayer(BasePlayer, game="whist")`.
    """

    plays_game: ClassVar[str] = ""
    """Name of the game, said by its contract."""

    instead: ClassVar[Mapping[str, tuple[str, str]]] = {}
    """Said by a contract: by a method that a class lacks, another one that it has in its place, and
    the remedy, such as a narrower contract; NAME stands for the class."""

    def __init_subclass__(cls, *, game: str = "", **others: Any) -> None:
        """Note of a contract whose it is."""
        super().__init_subclass__(**others)
        if game:
            cls.plays_game = game

    random: Random = given_at_the_table("random", "player.random = random.Random(1)")
    """Your own luck, the same whenever the block is played again. Given at the table."""


@dataclass(frozen=True, slots=True)
class Undeclared:
    """Why a player cannot be played by its declaration."""

    reason: str  # a sentence


def give_luck(player: BasePlayer, rng_seed: int) -> None:
    """Give a player its own generator, as at a table.

    Args:
        player: A new player.
        rng_seed: Seeds the generator.
    """
    player.random = Random(rng_seed)  # noqa: S311 - a player's dice, not a secret
