"""The words of a report: what was measured, as an author reads it."""

from collections.abc import Sequence
from statistics import fmean, stdev

from tourney.sandbox.levels import Level

LONGEST = 80
"""Characters shown of a printed line."""
MICRO = 1e6
QUANTILE = 1.98
"""Of Student's distribution for 95 %, with about as many degrees of freedom as there are tables."""


def level_words(level: Level) -> str:
    """Say how well a file was confined."""
    return "none: the file ran with all your rights" if level is Level.UNSAFE else level.value


def printed_words(printed: str) -> str:
    """Show the beginning of what a player printed."""
    first, *others = printed.strip().splitlines() or [""]
    more = f" (and {len(others)} more {'lines' if others[1:] else 'line'})" if others else ""
    return f"{first[:LONGEST]}{more}"


def cost_words(seconds: float, most: float) -> str:
    """Say what a decision costs.

    >>> cost_words(3e-6, 1e-4)
    '3.0 µs a decision, of 100 µs allowed'
    """
    return f"{MICRO * seconds:.1f} µs a decision, of {MICRO * most:.0f} µs allowed"


def seconds_words(seconds: float) -> str:
    """Say how much computing something takes.

    >>> seconds_words(3.1), seconds_words(0.0124), seconds_words(2.4e-6)
    ('3.1 s', '12 ms', '2 µs')
    """
    if seconds >= 1:
        return f"{seconds:,.1f} s"
    milli = 1_000 * seconds
    return f"{milli:.0f} ms" if milli >= 1 else f"{MICRO * seconds:.0f} µs"


def lead_words(ahead: Sequence[float]) -> str:
    """Say by how much a player leads, with the interval of the mean.

    >>> lead_words([0.0, 2.0, 1.0, 1.0])
    '+1.0 ± 0.8'
    """
    return f"{fmean(ahead):+.1f} ± {margin_of(ahead):.1f}"


def margin_of(ahead: Sequence[float]) -> float:
    """Give half the interval of the mean."""
    return QUANTILE * stdev(ahead) / float(len(ahead) ** 0.5)
