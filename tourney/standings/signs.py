"""How far a mean may stray from the truth by chance, however few tables there are.

If the results of tables lean to neither side, each could as well have fallen as far to the other
side of the truth as it fell to this one. So take how far they fell for given, and only their
signs for chance. Whatever the distances are, the standardised sum of so many random signs exceeds
a number at most 3.1787 times as often as a normal variable does. That holds for any number of
tables, for results of any spread, and for those that take few values only; no other result has to
be independent of these. Where results do lean, a mean strays further to one side: there the
number grows by Johnson's correction, made larger for many entrants; that was measured, not proven.

Source: Bentkus and Dzindzalieta, 2015; Efron, 1969; Johnson, 1978; docs/sources.md.
"""

from __future__ import annotations

from math import inf, sqrt
from statistics import NormalDist

from tourney.game.arrays import NDArray, np

NORMAL = NormalDist()

OF_SIGNS = 1 / (4 * NORMAL.cdf(-sqrt(2)))
"""Times that a standardised sum of signs may be beyond a number for once of a normal variable."""


def critical(alpha: float, sides: float) -> float:
    """Give what no standardised sum of signs exceeds, with probability 1 - alpha at least.

    Args:
        alpha: How often any may.
        sides: How many there are; one for each direction in which a difference can stray.

    >>> round(critical(0.05, 2), 3), round(critical(0.05, 8 * 7), 3)
    (2.415, 3.449)
    """
    return -NORMAL.inv_cdf(alpha / (OF_SIGNS * sides))


def least_tables(alpha: float, sides: float) -> int:
    """Give the fewest tables that can tell anything: of fewer no sum of signs is as large.

    >>> [least_tables(0.05, entrants * (entrants - 1)) for entrants in (2, 8, 20, 60, 300)]
    [6, 12, 16, 20, 26]
    """
    return int(critical(alpha, sides) ** 2) + 1


def student(limit: float, tables: int) -> float:
    """Turn a limit of standardised sums into one of Student's t; infinite with too few tables.

    One follows from the other: a sum is divided by the squares about zero, t by those about the
    mean.

    >>> round(student(3.449, 48), 2), student(3.449, 11)
    (3.94, inf)
    """
    rest = tables - limit * limit
    return limit * sqrt((tables - 1) / rest) if rest > 0 else inf


def against_lean(limit: float, lean: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the t that a mean needs which luck may have left without its rare losses.

    Johnson's t, corrected for skewness, asks for lean times (limit² / 3 + 1 / 6) more where the
    lean is small. Of many means that lean, those lead that have shown the least of it. So this
    asks for about as much where two are compared, and for more the more questions there are.

    Args:
        limit: The t that is enough where results lean to neither side.
        lean: Skewness of the mean, more than 0 where its rare results are losses.

    >>> [round(float(each), 3) for each in against_lean(3.0, np.array([-1.0, 0.0, 0.1, 1.0]))]
    [3.0, 3.0, 3.386, 6.857]
    """
    if limit == inf:
        return np.full_like(lean, inf)
    return limit + np.maximum(lean, 0) * limit**3 / 7
