"""Ratings: how strong everybody is, from all meetings at once.

In the model of Bradley and Terry somebody of strength s beats somebody of strength t with
probability s / (s + t); a draw is half a win. Strengths are those under which the results were
likeliest, with one more draw of everybody against strength 1, so that who never lost has one, too.
Everything enters at once, so the order of play is no matter. Leaves out who meets next.

Source: [BradleyTerry1952], [Hunter2004] in docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, log, sqrt
from typing import NamedTuple

from tourney.game.arrays import NDArray, np

SCALE = 400 / log(10)
"""Rating points for a factor e of strength, as in chess: 400 points are ten to one."""

PRECISION = 1e-11
MOST_STEPS = 100_000
EXACT_UP_TO = 1_000
"""Entrants for whom the uncertainty of a rating is computed, which takes the cube of their
number."""


class Pair(NamedTuple):
    """What was between two."""

    one: int
    other: int
    points: float  # of the one; a draw is half of one
    meetings: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """How strong everybody is."""

    points: tuple[float, ...]  # of each entrant; their mean is 0
    weights: NDArray[np.float64]  # what is known of each, if all others were known; (entrants,)
    covariance: NDArray[np.float64] | None  # (entrants, entrants); None for too many

    def certainty(self, one: int, other: int) -> float:
        """Say how sure the order of two is: their difference over its standard error."""
        if self.covariance is None:
            variance = 1 / self.weights[one] + 1 / self.weights[other]
        else:
            both = self.covariance[one, one] + self.covariance[other, other]
            variance = both - 2 * self.covariance[one, other]
        apart = abs(self.points[one] - self.points[other])
        return round(apart / (SCALE * sqrt(variance)), 6)

    def half_widths(self) -> NDArray[np.float64] | None:
        """Give half the width of every rating's 95 % interval; None for too many entrants."""
        if self.covariance is None:
            return None
        # Of the difference from the mean: where that is nobody knows, and it is no matter.
        common = self.covariance.mean(axis=0)
        variance = np.diag(self.covariance) - 2 * common + common.mean()
        widths: NDArray[np.float64] = 1.96 * SCALE * np.sqrt(variance)
        return widths


def rated(entrants: int, pairs: Sequence[Pair]) -> Ratings:
    """Give the likeliest strengths.

    Only sums and quotients in a fixed order are taken, so every machine gives the same bits.

    Args:
        entrants: How many.
        pairs: All pairs that have met, each once and in order.
    """
    one = np.array([pair.one for pair in pairs], dtype=np.int64)
    other = np.array([pair.other for pair in pairs], dtype=np.int64)
    points = np.array([pair.points for pair in pairs], dtype=np.float64)
    meetings = np.array([pair.meetings for pair in pairs], dtype=np.float64)

    def sums(of_one: NDArray[np.float64], of_other: NDArray[np.float64]) -> NDArray[np.float64]:
        sums_of = (np.bincount(one, of_one, entrants), np.bincount(other, of_other, entrants))
        return np.add(*sums_of, dtype=np.float64)

    won = 0.5 + sums(points, meetings - points)
    strengths = np.ones(entrants)
    for _ in range(MOST_STEPS):
        both = meetings / (strengths[one] + strengths[other])
        better = won / (sums(both, both) + 1 / (strengths + 1))
        # All together: half of the draws against strength 1 have to be won. Without this step
        # the common level would creep.
        better *= entrants / 2 / float(np.sum(better / (better + 1)))
        moved = float(np.max(np.abs(better / strengths - 1)))
        strengths = better
        if moved < PRECISION:
            break
    logs = [log(strength) for strength in strengths]
    mean = fsum(logs) / entrants
    # Rounded, since equal results may differ in the last bits by the order of a sum.
    points_of = tuple(round(SCALE * (each - mean), 4) + 0.0 for each in logs)
    weight = meetings * _slope(strengths[one], strengths[other])
    weights = sums(weight, weight) + _slope(strengths, 1.0)
    return Ratings(points_of, weights, _covariance(weights, one, other, weight))


def _covariance(
    weights: NDArray[np.float64],
    one: NDArray[np.int64],
    other: NDArray[np.int64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64] | None:
    """Invert the curvature of the likelihood at its top.

    Written out, as libraries of linear algebra give other last bits on other machines, and who
    meets next depends on it.
    """
    if len(weights) > EXACT_UP_TO:
        return None
    matrix = np.diag(weights)
    matrix[one, other] = matrix[other, one] = -weight  # a pair is there once
    for step in range(len(weights)):
        column = matrix[:, step].copy()
        row = matrix[step] / column[step]
        matrix -= column[:, None] * row
        matrix[step] = row
        matrix[:, step] = -column / column[step]
        matrix[step, step] = 1 / column[step]
    return matrix


def _slope(one: NDArray[np.float64], other: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Give the variance of a meeting's result, which is what it tells of the two."""
    return one / (one + other) * (other / (one + other))
