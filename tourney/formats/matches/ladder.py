"""The format `ladder`: neighbours by rating meet where their order is least certain.

Ratings are computed from all matches after each wave, before the next wave is drawn.
docs/rules/ladder.md numbers the rules.

Ratings follow the Bradley-Terry model: an entrant of strength s beats one of strength t with
probability s / (s + t), and a draw is half a win. The estimate has maximum likelihood, with one
additional draw of each entrant against strength 1, so that it exists for entrants that never lose.
All results are used together, so their order has no effect.

Source: [BradleyTerry1952], [Hunter2004] in docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import fsum, log, sqrt
from typing import Annotated, ClassVar, NamedTuple

from annotated_types import Ge, Le

from tourney.formats.field import Field
from tourney.formats.matches.schedules import Matches, SortedSchedule
from tourney.formats.matches.table import WIN, MatchTable, counts_of
from tourney.game.arrays import NDArray, np
from tourney.standings.places import Finish, by_score

SCALE = 400 / log(10)
"""Rating points for a factor e of strength, as in chess: 400 points are odds of ten to one."""

PRECISION = 1e-11
MOST_STEPS = 100_000
EXACT_UP_TO = 1_000
"""Most entrants for whom the uncertainty of ratings is computed; its time grows with their cube."""


class Pair(NamedTuple):
    """The results between two entrants."""

    one: int
    other: int
    points: float  # of `one`; a draw counts one half
    meetings: int


@dataclass(frozen=True, slots=True)
class Ratings:
    """The strengths of all entrants."""

    points: tuple[float, ...]  # of each entrant; their mean is 0
    weights: NDArray[np.float64]  # information about each, given all others; (entrants,)
    covariance: NDArray[np.float64] | None  # (entrants, entrants); None for too many

    def certainty(self, one: int, other: int) -> float:
        """Return the certainty of the order of two: their difference over its standard error."""
        if self.covariance is None:
            variance = 1 / self.weights[one] + 1 / self.weights[other]
        else:
            both = self.covariance[one, one] + self.covariance[other, other]
            variance = both - 2 * self.covariance[one, other]
        apart = abs(self.points[one] - self.points[other])
        return round(apart / (SCALE * sqrt(variance)), 6)

    def half_widths(self) -> NDArray[np.float64] | None:
        """Return half the width of each rating's 95 % confidence interval; `None` for too many
        entrants.
        """
        if self.covariance is None:
            return None
        # Of the difference from the mean: only differences can be estimated.
        common = self.covariance.mean(axis=0)
        variance = np.diag(self.covariance) - 2 * common + common.mean()
        widths: NDArray[np.float64] = 1.96 * SCALE * np.sqrt(variance)
        return widths


def rated(entrants: int, pairs: Sequence[Pair]) -> Ratings:
    """Return the maximum likelihood strengths.

    Only sums and quotients in a fixed order are used, so each machine computes the same bits.

    Args:
        entrants: Number of entrants.
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
        # Rescale: half of all draws against strength 1 must be won. Without this step the
        # common level would drift.
        better *= entrants / 2 / float(np.sum(better / (better + 1)))
        moved = float(np.max(np.abs(better / strengths - 1)))
        strengths = better
        if moved < PRECISION:
            break
    logs = [log(strength) for strength in strengths]
    mean = fsum(logs) / entrants
    # Rounded because the order of a sum may change the last bits.
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
    """Invert the curvature of the log-likelihood at its maximum.

    It does not use a linear algebra library, whose last bits differ between machines, because the
    draw of the next wave depends on it.
    """
    if len(weights) > EXACT_UP_TO:
        return None
    matrix = np.diag(weights)
    matrix[one, other] = matrix[other, one] = -weight  # each pair occurs once
    for step in range(len(weights)):
        column = matrix[:, step].copy()
        row = matrix[step] / column[step]
        matrix -= column[:, None] * row
        matrix[step] = row
        matrix[:, step] = -column / column[step]
        matrix[step, step] = 1 / column[step]
    return matrix


def _slope(one: NDArray[np.float64], other: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Return the variance of the result of a meeting, which is its information."""
    return one / (one + other) * (other / (one + other))


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder(Matches):
    """Matches where the ranking is least certain."""

    waves: Annotated[int, Ge(1), Le(100_000)]
    """Number of waves; each is drawn by the ratings."""

    tables: Annotated[int, Ge(1), Le(100_000)] | None = None
    """Most matches of a wave; by default as many as neighbours can play."""

    summary: ClassVar[str] = "neighbours in the ranking meet where their order is least certain"

    def schedule(self, field: Field) -> LadderSchedule:
        """Create the schedule of a field."""
        return LadderSchedule(self, field)


class LadderSchedule(SortedSchedule):
    """Draws each wave by the ratings after the one before."""

    def __init__(self, options: Ladder, field: Field) -> None:
        """Start with equal ratings."""
        super().__init__(options, field, options.waves)
        self._most = options.tables or field.entrants
        self._ratings: Ratings | None = None  # after all matches so far, once they are computed

    def settle(self, match: MatchTable) -> None:
        """Count a match."""
        super().settle(match)
        self._ratings = None

    def finishes(self) -> tuple[Finish, ...]:
        """Return places by rating; entrants with a verdict come last, unless `on_fault` is keep."""
        ratings = self.ratings()
        widths = ratings.half_widths()
        entrants = range(self.field.entrants)
        behind = set() if self.plan.fault == "stands" else self.faulted
        worths = [(each not in behind, ratings.points[each]) for each in entrants]
        return tuple(
            Finish(
                entrant,
                place,
                self.bankroll(entrant),
                f"rating {points:+.0f}" + ("" if widths is None else f" ± {widths[entrant]:.0f}"),
                counts=counts_of(self.scores.total(entrant)),
            )
            for entrant, place, (_, points) in by_score(enumerate(worths))
        )

    def ratings(self) -> Ratings:
        """Return the ratings after the finished matches."""
        if self._ratings is None:
            without = self.struck_out
            counting = [each for each in range(self.field.entrants) if each not in without]
            pairs = [
                Pair(each, other, record.halves / WIN, record.meetings)
                for each in counting
                for other, record in self.scores.opponents(each)
                if each < other and other not in without
            ]
            self._ratings = rated(self.field.entrants, pairs)
        return self._ratings

    def companies(self, lots: Sequence[int]) -> list[list[int]]:
        """Choose disjoint groups of neighbours, the least certain first."""
        ratings, seats = self.ratings(), self.plan.seats
        order = sorted(
            lots, key=lambda each: ratings.points[each], reverse=True
        )  # stable: ties keep the order of the lots
        certainties = [ratings.certainty(one, other) for one, other in pairwise(order)]
        sums = [
            sum(certainties[first : first + seats - 1]) for first in range(len(order) - seats + 1)
        ]
        ranks = self.field.shuffled((1, -self.drawn), range(len(sums)))
        free = [True] * len(order)
        chosen: list[int] = []
        for first in sorted(ranks, key=lambda each: sums[each]):  # also stable
            if len(chosen) < self._most and all(free[first : first + seats]):
                free[first : first + seats] = [False] * seats
                chosen.append(first)
        return [order[first : first + seats] for first in sorted(chosen)]
