"""Rounds of a single seat, each beside the count of the cards that were seen before it."""

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

from tourney.game.watcher import Watcher

if TYPE_CHECKING:  # rules name their game, so what knows rules is loaded after this
    from tourney.game.arrays import NDArray, np
    from tourney.game.blocks import Block


NO_COUNT = "none"
"""Stands for a count by which nothing counts: for whoever looks at rounds alone."""


class CountedRounds(Watcher):
    """Told a block with a single seat; keeps its rounds."""

    def __init__(self) -> None:
        self.rows: list[tuple[int, int, int, int]] = []
        """True count before a round, rounded down; first wager; what it won; its luck, or 0."""
        self._points = self._wager = 0

    @property
    @abstractmethod
    def points(self) -> int:
        """The true count now, rounded down."""

    def wagered(self, seat: int, wager: int) -> None:
        """Keep the count before the first card."""
        del seat
        self._points, self._wager = self.points, wager

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Keep a round."""
        del seat, staked
        self.rows.append((self._points, self._wager, net, luck or 0))


class Counting(Protocol):
    """A count of the cards of a game."""

    @property
    def name(self) -> str:
        """What it is called."""

    def watcher(self) -> CountedRounds:
        """Give what counts the cards of a block that it watches."""

    def logged(self, block: "Block", declared: object) -> "NDArray[np.int64]":
        """Play a block in machine code, and give its rounds as `CountedRounds.rows` has them.

        Args:
            block: With a single seat, which can be played compiled.
            declared: By its player.
        Returns: Shape (rounds, 4).
        """


def tags_of(text: str, cards: int) -> Sequence[int]:
    """Read what each card counts; nothing, if it is no list of as many whole numbers.

    >>> tags_of("1, 0 -1", 3), tags_of("1 2", 3), tags_of("hi-lo", 3)
    ((1, 0, -1), (), ())
    """
    try:
        tags = tuple(map(int, text.replace(",", " ").split()))
    except ValueError:
        return ()
    return tags if len(tags) == cards else ()
