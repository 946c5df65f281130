"""The law of a round's result: every net result there is, with its exact probability."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt

Law = dict[int, int]
"""Weight of each net result, which is in parts of a chip; what weights are parts of is told."""


@dataclass(frozen=True, slots=True)
class ExactValue:
    """What a round is worth.

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
        """Give how probable a net result is, in minimums.

        >>> ExactValue(((Fraction(-1), Fraction(1, 3)), (Fraction(1), Fraction(2, 3)))).mean
        Fraction(1, 3)
        """
        return dict(self.law).get(Fraction(net), Fraction(0))


def exact_value_of(law: Mapping[int, Fraction], wager: int) -> ExactValue:
    """Give the value of a law.

    Args:
        law: Probability of each net result, which is in parts of a chip.
        wager: The minimum in parts of a chip.
    """
    assert sum(law.values()) == 1
    return ExactValue(tuple((Fraction(net, wager), p) for net, p in sorted(law.items()) if p))


def added(law: Law, another: Law) -> Law:
    """Give the law of the sum of two independent results, in the product of their weights."""
    total: Law = {}
    for net, weight in law.items():
        for more, times in another.items():
            total[net + more] = total.get(net + more, 0) + weight * times
    return total


def add_to(law: Law, another: Law, times: int) -> None:
    """Add a law so many times to another, as one more way for things to go."""
    for net, weight in another.items():
        law[net] = law.get(net, 0) + weight * times
