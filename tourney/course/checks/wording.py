"""The words of a report: what was measured, as an author reads it."""

from collections.abc import Sequence
from statistics import fmean, stdev

from tourney.course.checks.confining import BUDGET
from tourney.jail.levels import Level

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


def cost_words(seconds: float) -> str:
    """Say what a decision costs.

    >>> cost_words(3e-6)
    '3.0 µs a decision, of 100 µs allowed'
    """
    return f"{MICRO * seconds:.1f} µs a decision, of {MICRO * BUDGET.decision:.0f} µs allowed"


def lead_words(ahead: Sequence[float]) -> str:
    """Say by how much a player leads, with the interval of the mean.

    >>> lead_words([0.0, 2.0, 1.0, 1.0])
    '+1.0 ± 0.8'
    """
    return f"{fmean(ahead):+.1f} ± {margin_of(ahead):.1f}"


def margin_of(ahead: Sequence[float]) -> float:
    """Give half the interval of the mean."""
    return QUANTILE * stdev(ahead) / float(len(ahead) ** 0.5)
