"""Plackett-Luce ratings: how likely each entrant is to finish first, from finishing orders.

Everybody has a strength. Who finishes first is drawn in proportion to the strengths, then who
finishes second among those that are left, and so on. The ratings are the logarithms of the
strengths that make the orders most likely, found by Newton's method; in which order the games were
played makes no difference. A tie counts as every order that it may stand for, with an equal part
of each; so between two it is half a win for both.

Who wins or loses everything would have a rating without end. So everybody has also played a game
against somebody of middling strength, and tied: that pulls all ratings a little to the middle, and
holds them. Leaves out that games at one table have cards in common; the errors are as if they had
not.

Source: Plackett, 1975, and Hunter, 2004; for the game against the middle Turner and others, 2020;
docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise
from math import comb
from typing import NamedTuple, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.standings.packed_results import Games

Floats: TypeAlias = "NDArray[np.float64]"

TIED_GAMES = 1.0
"""That everybody has played against somebody of middling strength."""

MOST_ENTRANTS = 1000
"""Who are rated together: a matrix of all pairs is solved several times."""

MOST_STEPS = 100
"""Newton's method doubles its digits with each; ten are usual."""

CLOSE = 1e-10
"""A step so small is the last one."""

ROUNDING = 1e-12
"""Of the logarithm of the likelihood, a sum of as many terms as there are games."""

CHUNK = 1 << 13
"""Orders that are looked at together: so many fit into the caches of a processor."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Natural logarithms of strengths, whose mean is 0, and their standard errors."""

    values: dict[int, float]  # by entrant
    errors: dict[int, float]


def rate(games: Sequence[Games], tied_games: float = TIED_GAMES) -> Ratings | None:
    """Rate everybody who has played; None if there is nobody, or too many, or no end was found.

    Args:
        games: Their finishing orders.
        tied_games: Of everybody against the middle.

    >>> games = Games((False, False), np.array([[4, 9], [9, 4]]), np.array([12, 4]))
    >>> ratings = rate([games], tied_games=1e-9)
    >>> round(float(np.exp(ratings.values[4] - ratings.values[9])), 6)
    3.0
    """
    if not games:
        return None
    entrants = np.unique(np.concatenate([each.entrants.ravel() for each in games]))
    if len(entrants) > MOST_ENTRANTS:
        return None
    numbered = [each._replace(entrants=np.searchsorted(entrants, each.entrants)) for each in games]
    likelihood = _Likelihood(numbered, len(entrants), tied_games)
    found = _highest(likelihood)
    if found is None:
        return None
    values, errors = _about_the_mean(found, likelihood.slopes(found)[1])
    names = entrants.tolist()
    return Ratings(
        dict(zip(names, values.tolist(), strict=True)),
        dict(zip(names, errors.tolist(), strict=True)),
    )


class _Likelihood:
    """How likely the orders are, by the ratings of all entrants."""

    def __init__(self, games: Sequence[Games], entrants: int, tied_games: float) -> None:
        self.entrants = entrants
        self._tied = tied_games
        self._parts = [
            (each.entrants[at : at + CHUNK], each.times[at : at + CHUNK], stages_of(each.ties))
            for each in games
            for at in range(0, len(each.times), CHUNK)
        ]
        self._left = np.zeros(entrants)  # how often each has left the running before the end
        for orders, times, stages in self._parts:
            leaving = times[:, None] * stages.leaving
            self._left += np.bincount(orders.ravel(), leaving.ravel(), entrants)

    def at(self, ratings: Floats) -> float:
        """Give the logarithm of how likely the orders are, but for a constant."""
        strengths = np.exp(ratings)
        found = float(self._left @ ratings)
        for orders, times, stages in self._parts:
            found -= float(times @ np.log(strengths[orders] @ stages.running.T) @ stages.weights)
        middle = np.logaddexp(0, ratings) + np.logaddexp(0, -ratings)
        return found - self._tied / 2 * float(middle.sum())

    def slopes(self, ratings: Floats) -> tuple[Floats, Floats]:
        """Give its gradient, and what its curvature is downwards, by pairs of entrants."""
        entrants, strengths = self.entrants, np.exp(ratings)
        gradient = self._left.copy()
        of_pairs = np.zeros(entrants * entrants)
        for orders, times, (running, weights, _) in self._parts:
            own = strengths[orders]
            parts = 1 / (own @ running.T)  # of what is in the running, by order and stage
            counted = times[:, None] * weights
            leaving = own * ((parts * counted) @ running)
            gradient -= np.bincount(orders.ravel(), leaving.ravel(), entrants)
            both = (running[:, :, None] * running[:, None, :]).reshape(len(running), -1)
            products = (own[:, :, None] * own[:, None, :]).reshape(len(own), -1)
            products *= (parts**2 * counted) @ both
            pairs = orders[:, :, None] * entrants + orders[:, None, :]
            of_pairs += np.bincount(pairs.ravel(), products.ravel(), entrants * entrants)
        curvature = -of_pairs.reshape(entrants, entrants)
        np.fill_diagonal(curvature, np.diag(curvature) + self._left - gradient)
        wins = 1 / (1 + np.exp(-ratings))  # against the middle
        np.fill_diagonal(curvature, np.diag(curvature) + self._tied * wins * (1 - wins))
        return gradient + self._tied * (0.5 - wins), curvature


class Stages(NamedTuple):
    """How a finishing order comes about, as seats leave the running one after the other."""

    running: Floats  # by stage and finish: 1 for those who are still in the running, or 0
    weights: Floats  # by stage: how much it counts
    leaving: Floats  # by finish: how often it leaves while others stay


def stages_of(ties: Sequence[bool]) -> Stages:
    """Give the stages of orders with these ties.

    Those who tie might have finished in any order among themselves. Each of these orders counts,
    with an equal part; a stage that several of them share counts for all of them.

    Args:
        ties: By finish, whether it shares that of the one before.

    >>> stages_of((False, False, False)).running.tolist()
    [[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]]
    >>> tied = stages_of((False, True, False))
    >>> tied.running.tolist(), tied.weights.tolist()
    ([[1.0, 1.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]], [1.0, 0.5, 0.5])
    >>> stages_of((False, True)).leaving.tolist()
    [0.5, 0.5]
    """
    seats = len(ties)
    running: list[list[float]] = []
    weights: list[float] = []
    leaving: list[float] = []
    for group in _groups(ties):
        size, behind = len(group), range(group.stop, seats)
        # Of the last group one is left over.
        leaving += [1.0 if behind else (size - 1) / size] * size
        for left in range(size, 0, -1):
            for some in combinations(group, left):
                if len(some) + len(behind) > 1:
                    running.append([float(seat in {*some, *behind}) for seat in range(seats)])
                    weights.append(1 / comb(size, left))
    return Stages(np.array(running), np.array(weights), np.array(leaving))


def _groups(ties: Sequence[bool]) -> list[range]:
    """Divide finishes into those that are shared."""
    starts = [finish for finish, is_tied in enumerate(ties) if not is_tied]
    return [range(start, end) for start, end in pairwise([*starts, len(ties)])]


def _highest(likelihood: _Likelihood) -> Floats | None:
    """Find the ratings that make orders most likely; None if that takes too long."""
    ratings = np.zeros(likelihood.entrants)
    height = likelihood.at(ratings)
    for _ in range(MOST_STEPS):
        gradient, curvature = likelihood.slopes(ratings)
        step = np.linalg.solve(curvature, gradient)
        if float(np.abs(step).max()) < CLOSE:
            return ratings + step
        # Far from the top a whole step may lead down again.
        while True:
            higher = likelihood.at(ratings + step)
            if higher >= height - ROUNDING * abs(height) or float(np.abs(step).max()) < CLOSE:
                break
            step /= 2
        ratings, height = ratings + step, higher
    return None


def _about_the_mean(ratings: Floats, curvature: Floats) -> tuple[Floats, Floats]:
    """Give ratings less their mean, and standard errors of that."""
    spread = np.linalg.inv(curvature)
    variances = np.diag(spread) - 2 * spread.mean(axis=1) + spread.mean()
    return ratings - ratings.mean(), np.sqrt(np.maximum(variances, 0.0))
