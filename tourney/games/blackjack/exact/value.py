"""The law of a round's result: the exact probability of every net result."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

Law = dict[int, int]
"""Weight of each net result, in the unit of the rules; the total weight is known from context."""


@dataclass(frozen=True, slots=True)
class ExactValue:
    """The value of a round.

    Args:
        law: (net result in minimums, probability), by net result.
    """

    law: tuple[tuple[Fraction, Fraction], ...]

    @property
    def mean(self) -> Fraction:
        """Mean result per round, in minimums."""
        return sum((net * p for net, p in self.law), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Variance of the result of one round, in squared minimums."""
        return sum((net * net * p for net, p in self.law), Fraction(0)) - self.mean**2

    @property
    def sd(self) -> float:
        """Standard deviation of the result of one round, in minimums."""
        return sqrt(self.variance)

    @property
    def results(self) -> Mapping[float, float]:
        """Probability of each net result, in minimums."""
        return {float(net): float(p) for net, p in self.law}

    def probability(self, net: Fraction | float) -> Fraction:
        """Return the probability of a net result, in minimums.

        >>> ExactValue(((Fraction(-1), Fraction(1, 3)), (Fraction(1), Fraction(2, 3)))).mean
        Fraction(1, 3)
        """
        return dict(self.law).get(Fraction(net), Fraction(0))


def exact_value_of(law: Mapping[int, Fraction], wager: int) -> ExactValue:
    """Convert a law to an exact value.

    Args:
        law: Probability of each net result, in the unit of the rules.
        wager: The minimum, in the unit of the rules.
    """
    assert sum(law.values()) == 1
    return ExactValue(tuple((Fraction(net, wager), p) for net, p in sorted(law.items()) if p))


def added(law: Law, another: Law) -> Law:
    """Return the law of the sum of two independent results; total weights multiply."""
    total: Law = {}
    for net, weight in law.items():
        for more, times in another.items():
            total[net + more] = total.get(net + more, 0) + weight * times
    return total


def add_to(law: Law, another: Law, times: int) -> None:
    """Add another law to a law in place, with its weights multiplied by `times`."""
    for net, weight in another.items():
        law[net] = law.get(net, 0) + weight * times
