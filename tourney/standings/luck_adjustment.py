"""Results adjusted for the luck of the cards.

Luck is zero on average, so the adjusted result has the same mean and a fraction of the variance. A
table lost by a fault keeps its value. Source: Burch, Schmid, Moravcik, Bowling, "AIVAT", 2018;
docs/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from tourney.game.arrays import np
from tourney.standings.tallies import BankrollTally, Scoring, Tally

PARTS = 1 << 32
"""Luck is counted in this fraction of the unit of the rules."""

NORMAL = NormalDist()
MANY_ERRORS = 3
"""Standard errors that luck exceeds in one row of 370, if there are many tables."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """An entrant's results adjusted for luck."""

    mean: Fraction  # final bankroll in chips, over tables
    luck_errors: float | None  # the mean luck in its standard errors; None for one table
    most_luck_errors: float | None  # that chance explains; None for one table

    def profit(self, scoring: Scoring) -> float:
        """Return the profit per round in chips."""
        initial = Fraction(scoring.bankroll, scoring.rules.unit)
        return float((self.mean - initial) / scoring.scheduled_rounds)


def adjusted(tally: Tally, scoring: Scoring) -> Adjusted | None:
    """Return an entrant's results adjusted for luck; `None` if luck was not followed."""
    parts, lucks = adjusted_worths(tally, scoring), tally.lucks()
    if parts is None or not lucks:
        return None
    mean = Fraction(sum(parts), len(parts) * PARTS * scoring.rules.unit)
    return Adjusted(mean, _in_standard_errors(lucks), most_luck_errors(len(lucks)))


def most_luck_errors(tables: int) -> float | None:
    """Return the standard errors beyond which luck is implausible; `None` for one table.

    With few tables the standard error is uncertain itself, so equally rare luck has more standard
    errors, by Student's distribution.

    >>> [round(most_luck_errors(tables), 1) for tables in (2, 3, 10, 400)]
    [235.8, 19.2, 4.1, 3.0]
    """
    if tables == 1:
        return None
    from scipy.special import stdtrit  # noqa: PLC0415 - takes 0.25 s, and play does not need it

    return -float(stdtrit(tables - 1, NORMAL.cdf(-MANY_ERRORS)))


def adjusted_worths(tally: Tally, scoring: Scoring) -> list[int] | None:
    """Return the adjusted value of every table, in PARTS of the unit, in order of tables."""
    lucks = tally.lucks()
    if lucks is None or not isinstance(tally, BankrollTally):
        return None
    lost = tally.lost(scoring)
    return [
        int(worth) * PARTS - (0 if table in lost else luck)
        for table, worth, luck in zip(tally.tables(), tally.worths(scoring), lucks, strict=True)
    ]


def _in_standard_errors(lucks: list[int]) -> float | None:
    if len(lucks) == 1:
        return None
    values = np.array(lucks, dtype=np.float64)
    error = float(values.std(ddof=1)) / sqrt(len(values))
    return float(values.mean()) / error if error else 0.0
