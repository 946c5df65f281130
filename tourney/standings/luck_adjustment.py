"""Results without the luck of the cards.

Luck is zero on average, so what is left has the same mean, and a fraction of the noise. A table
that a fault has lost is worth the same with any luck. Source: Burch, Schmid, Moravcik, Bowling,
"AIVAT", 2018; docs/sources.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from statistics import NormalDist

from tourney.game.arrays import np
from tourney.standings.tallies import BankrollTally, Scoring, Tally

PARTS = 1 << 32
"""Of the unit of the rules, in which luck is counted."""

NORMAL = NormalDist()
MANY_ERRORS = 3
"""Standard errors that luck exceeds in one row of 370, if there are many tables."""


@dataclass(frozen=True, slots=True)
class Adjusted:
    """What is left of an entrant's results."""

    mean: Fraction  # final bankroll in chips, over tables
    luck_errors: float | None  # the mean luck, in its own standard errors; None for one table
    most_luck_errors: float | None  # that chance explains; None for one table

    def profit(self, scoring: Scoring) -> float:
        """Give the profit a round in chips."""
        initial = Fraction(scoring.bankroll, scoring.rules.unit)
        return float((self.mean - initial) / scoring.scheduled_rounds)


def adjusted(tally: Tally, scoring: Scoring) -> Adjusted | None:
    """Take luck out of an entrant's results; None where it was not followed."""
    parts, lucks = adjusted_worths(tally, scoring), tally.lucks()
    if parts is None or not lucks:
        return None
    mean = Fraction(sum(parts), len(parts) * PARTS * scoring.rules.unit)
    return Adjusted(mean, _in_standard_errors(lucks), most_luck_errors(len(lucks)))


def most_luck_errors(tables: int) -> float | None:
    """Give the standard errors beyond which luck is hard to believe; None for one table.

    With few tables the standard error is a guess itself, so the more are needed for luck to be as
    rare: Student's distribution says how many.

    >>> [round(most_luck_errors(tables), 1) for tables in (2, 3, 10, 400)]
    [235.8, 19.2, 4.1, 3.0]
    """
    if tables == 1:
        return None
    # A quarter of a second to import, which whoever only plays does not need.
    from scipy.special import stdtrit  # noqa: PLC0415 - see above

    return -float(stdtrit(tables - 1, NORMAL.cdf(-MANY_ERRORS)))


def adjusted_worths(tally: Tally, scoring: Scoring) -> list[int] | None:
    """Give what every table is worth without luck, in parts of the unit, in order of tables."""
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
