"""What the players of every game have in common: luck of their own, and clear mistakes."""

from abc import ABC
from collections.abc import Mapping
from random import Random
from typing import ClassVar


class BasePlayer(ABC):
    """Who decides for one seat, whatever the game; the games say what is asked."""

    GIVEN_AT_THE_TABLE: ClassVar[Mapping[str, str]] = {
        "random": "set player.random = random.Random(1)"
    }
    """How a test of one's own replaces what is given at the table, by attribute."""

    random: Random
    """Your own luck, the same whenever the block is played again. Given at the table."""

    def __getattr__(self, name: str) -> object:
        """Explain what is only there at a table."""
        if remedy := self.GIVEN_AT_THE_TABLE.get(name):
            raise AttributeError(
                f"self.{name} is given when the player sits down, after its constructor; "
                f"in a test of your own, {remedy}"
            )
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def give_luck(player: BasePlayer, rng_seed: int) -> None:
    """Give a player its own generator, as at a table.

    Args:
        player: A new player.
        rng_seed: Seeds the generator.
    """
    player.random = Random(rng_seed)  # noqa: S311 - a player's dice, not a secret
