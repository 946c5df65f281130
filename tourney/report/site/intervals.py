"""The scale of a board's intervals, which outliers do not stretch.

If a few rows would squeeze all others into a fraction of the scale, the scale ends with the others,
and the outliers have an arrow at the edge.
"""

from collections.abc import Sequence
from itertools import accumulate
from statistics import median
from typing import NamedTuple

from tourney.report.site.model import IntervalData

WIDTH = 120
"""Width of the drawing, in pixels."""

EDGE = 8
"""Margin on both sides, for arrows."""

LEAST_ROWS = 4
"""Rows of a board with outliers; a smaller board has no outliers."""

MOST_BEYOND = 10
"""At most one row in this many leaves the scale; of any clipped board at least one does."""


class Axis(NamedTuple):
    """A scale, from its least value to its greatest."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return the position of a value; at the edge if it is beyond the scale.

        >>> Axis(0, 10).at(5), Axis(0, 10).at(99)
        ('60', '112')
        """
        span = self.high - self.low or 1
        share = min(max((value - self.low) / span, 0.0), 1.0)
        return f"{EDGE + share * (WIDTH - 2 * EDGE):.1f}".removesuffix(".0")

    def is_within(self, value: float) -> bool:
        """Check whether a value is on the scale."""
        return self.low <= value <= self.high

    def is_left_by(self, interval: IntervalData | None) -> bool:
        """Check whether an interval reaches beyond the scale."""
        return interval is not None and not all(map(self.is_within, _ends(interval)))


def make_axis(intervals: Sequence[IntervalData | None]) -> Axis | None:
    """Return the scale of a board; `None` if there are no intervals.

    Args:
        intervals: Of the rows.

    >>> usual = [IntervalData(mean=number / 10, half_width=0.5) for number in range(5)]
    >>> make_axis(usual)
    Axis(low=-0.5, high=0.9)
    >>> make_axis([*usual, IntervalData(mean=-40, half_width=3)])
    Axis(low=-0.5, high=0.9)
    """
    known = [each for each in intervals if each]
    if not known:
        return None
    middle = median(each.mean for each in known)
    ends = sorted(map(_ends, known), key=lambda each: max(middle - each[0], each[1] - middle))
    lows = list(accumulate((low for low, _ in ends), min))  # of the first n, nearest first
    highs = list(accumulate((high for _, high in ends), max))
    last = len(known) - 1
    first = last - max(1, len(known) // MOST_BEYOND) if len(known) >= LEAST_ROWS else last
    shown = last
    for at in range(last - 1, first - 1, -1):
        # A row that stretches the scale only slightly stays on it.
        if 2 * (highs[at] - lows[at]) <= highs[shown] - lows[shown]:
            shown = at
    return Axis(lows[shown], highs[shown])


def _ends(interval: IntervalData) -> tuple[float, float]:
    half = interval.half_width or 0
    return interval.mean - half, interval.mean + half
