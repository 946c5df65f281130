"""Levels: periods with one minimum wager each, which rises from one to the next."""

from collections.abc import Sequence

MOST_CHIPS = 1_000_000_000
"""No minimum rises above it, so that sums stay within 64 bits."""


class Levels:
    """The minimums of a tournament, and when each begins.

    >>> levels = Levels(5, (10, 25), rise_percent=50, rounds=20)
    >>> [levels.minimum(level) for level in range(1, 7)]
    [5, 10, 25, 37, 55, 82]
    >>> levels.at(rounds=19, seconds=0), levels.at(rounds=20, seconds=0)
    (1, 2)
    """

    def __init__(
        self,
        first: int,
        listed: Sequence[int],
        *,
        rise_percent: int,
        rounds: int | None = None,
        minutes: float | None = None,
    ) -> None:
        """Begin.

        Args:
            first: Minimum of the first level, in chips.
            listed: Minimums of those after it, in chips.
            rise_percent: How much more each is after those.
            rounds: Length of a level; None if it is counted in minutes.
            minutes: Length of a level; None if it is counted in rounds.
        """
        self._minimums = [first, *listed]
        self._rise = rise_percent
        self._rounds = rounds
        self._seconds = 60 * (minutes or 0)

    def at(self, rounds: int, seconds: float) -> int:
        """Say which level it is after so many rounds, and at this time of the clock."""
        if self._rounds:
            return 1 + rounds // self._rounds
        return 1 + int(seconds // self._seconds)

    def minimum(self, level: int) -> int:
        """Give the least wager of a level, in chips."""
        while len(self._minimums) < level:
            last = self._minimums[-1]
            risen = max(last + 1, last * (100 + self._rise) // 100)
            if risen > MOST_CHIPS:
                return MOST_CHIPS
            self._minimums.append(risen)
        return self._minimums[level - 1]
