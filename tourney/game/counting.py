"""Rounds of a single seat, each with the count of the cards seen before it."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tourney.game.turns import Watcher

if TYPE_CHECKING:  # rules import their game, so this would be a cycle
    from tourney.game.arrays import NDArray, np
    from tourney.game.blocks import Block


NO_COUNT = "none"
"""The count in which no card counts, for analyses of rounds alone."""


class CountedRounds(Watcher):
    """Watches a block with a single seat and keeps its rounds."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        """True count before a round, rounded down; first wager; net result; luck, or 0."""
        self._points = self._wager = 0

    @property
    @abstractmethod
    def points(self) -> int:
        """The current true count, rounded down."""

    def wagered(self, seat: int, wager: int) -> None:
        """Remember the count before the first card."""
        del seat
        self._points, self._wager = self.points, wager

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Add a round."""
        del seat, staked
        self.rows.append((self._points, self._wager, net, luck or 0))


class Counting(Protocol):
    """A count of the cards of a game."""

    @property
    def name(self) -> str:
        """Name of the count."""

    def watcher(self) -> CountedRounds:
        """Return a watcher that counts the cards of a block."""

    def logged(self, block: "Block", declared: object) -> "NDArray[np.int64]":
        """Play a block in machine code and return its rounds, as in `CountedRounds.rows`.

        Args:
            block: A block with a single seat that the compiled engine can play.
            declared: The declaration of its player.
        Returns: Shape (rounds, 4).
        """


def tags_of(text: str, cards: int) -> Sequence[int]:
    """Parse the tags of the cards; empty if the text is not a list of `cards` whole numbers.

    >>> tags_of("1, 0 -1", 3), tags_of("1 2", 3), tags_of("hi-lo", 3)
    ((1, 0, -1), (), ())
    """
    try:
        tags = tuple(map(int, text.replace(",", " ").split()))
    except ValueError:
        return ()
    return tags if len(tags) == cards else ()
