"""The axis on which a board draws its intervals, and where they stand on it."""

from collections.abc import Sequence
from typing import NamedTuple

from tourney.leaderboard.site.model import IntervalTold

WIDTH = 120
"""Of the drawing, in pixels."""

EDGE = 4


class Axis(NamedTuple):
    """From the least end of an interval to the greatest."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Give where a value stands.

        >>> Axis(0, 10).at(5)
        '60.0'
        """
        span = self.high - self.low or 1
        return f"{EDGE + (value - self.low) / span * (WIDTH - 2 * EDGE):.1f}"


def make_axis(intervals: Sequence[IntervalTold | None]) -> Axis | None:
    """Give the axis of a board; None if there is nothing to draw."""
    known = [each for each in intervals if each]
    if not known:
        return None
    lows = [each.mean - (each.half_width or 0) for each in known]
    highs = [each.mean + (each.half_width or 0) for each in known]
    return Axis(min(lows), max(highs))
