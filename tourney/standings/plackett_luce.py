"""Plackett-Luce ratings: the chance of each entrant to finish first, from finishing orders.

Each entrant has a strength. The first finisher is drawn in proportion to the strengths, then the
second among the remaining ones, and so on. The ratings are the logarithms of the strengths that
maximise the likelihood, found by Newton's method; they do not depend on the sequence of games. A
tie counts as every order that it may stand for, with equal weights; so between two it is half a win
for both.

An entrant that wins or loses every game would have an infinite rating. So each entrant also has
drawn games against a player of average strength, which pull all ratings slightly to the middle. The
standard errors ignore that games at one table share cards.

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
from tourney.standings.tallies import Games

Floats: TypeAlias = "NDArray[np.float64]"

TIED_GAMES = 1.0
"""Drawn games of each entrant against a player of average strength."""

MOST_ENTRANTS = 1000
"""Most entrants to rate together: a matrix of all pairs is solved several times."""

MOST_STEPS = 100
"""Most Newton steps; each doubles the correct digits, and ten are usual."""

CLOSE = 1e-10
"""The last step is at most this large."""

ROUNDING = 1e-12
"""Relative error of the log-likelihood, a sum with one term for each game."""

CHUNK = 1 << 13
"""Orders that are processed together, so that they fit into the processor's caches."""


@dataclass(frozen=True, slots=True)
class Ratings:
    """Natural logarithms of strengths, whose mean is 0, and their standard errors."""

    values: dict[int, float]  # by entrant
    errors: dict[int, float]


def rate(games: Sequence[Games], tied_games: float = TIED_GAMES) -> Ratings | None:
    """Rate all entrants that have played.

    Args:
        games: Their finishing orders.
        tied_games: Drawn games of each entrant against the average player.
    Returns: `None` without games, for too large a field, or if the ratings do not converge.

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
    """The likelihood of the orders, as a function of the ratings."""

    def __init__(self, games: Sequence[Games], entrants: int, tied_games: float) -> None:
        self.entrants = entrants
        self._tied = tied_games
        self._parts = [
            (each.entrants[at : at + CHUNK], each.times[at : at + CHUNK], stages_of(each.ties))
            for each in games
            for at in range(0, len(each.times), CHUNK)
        ]
        self._left = np.zeros(entrants)  # how often each has finished before the last one
        for orders, times, stages in self._parts:
            leaving = times[:, None] * stages.leaving
            self._left += np.bincount(orders.ravel(), leaving.ravel(), entrants)

    def at(self, ratings: Floats) -> float:
        """Return the log-likelihood, up to a constant."""
        strengths = np.exp(ratings)
        found = float(self._left @ ratings)
        for orders, times, stages in self._parts:
            found -= float(times @ np.log(strengths[orders] @ stages.running.T) @ stages.weights)
        middle = np.logaddexp(0, ratings) + np.logaddexp(0, -ratings)
        return found - self._tied / 2 * float(middle.sum())

    def slopes(self, ratings: Floats) -> tuple[Floats, Floats]:
        """Return the gradient, and the negative second derivatives by pairs of entrants."""
        entrants, strengths = self.entrants, np.exp(ratings)
        gradient = self._left.copy()
        of_pairs = np.zeros(entrants * entrants)
        for orders, times, (running, weights, _) in self._parts:
            own = strengths[orders]
            parts = 1 / (own @ running.T)  # 1 / total strength still playing, by order and stage
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
    """The stages of a finishing order, as seats finish one after the other."""

    running: Floats  # by stage and finish: 1 if still playing, else 0
    weights: Floats  # by stage: its weight
    leaving: Floats  # by finish: how often it finishes while others still play


def stages_of(ties: Sequence[bool]) -> Stages:
    """Return the stages of orders with these ties.

    Entrants that tie might have finished in any order among themselves. Each of these orders counts
    with equal weight; a stage that several of them share counts for all of them.

    Args:
        ties: By finish, whether it ties with the previous one.

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
        # One of the last group stays until the end.
        leaving += [1.0 if behind else (size - 1) / size] * size
        for left in range(size, 0, -1):
            for some in combinations(group, left):
                if len(some) + len(behind) > 1:
                    running.append([float(seat in {*some, *behind}) for seat in range(seats)])
                    weights.append(1 / comb(size, left))
    return Stages(np.array(running), np.array(weights), np.array(leaving))


def _groups(ties: Sequence[bool]) -> list[range]:
    """Divide finishes into groups of ties."""
    starts = [finish for finish, is_tied in enumerate(ties) if not is_tied]
    return [range(start, end) for start, end in pairwise([*starts, len(ties)])]


def _highest(likelihood: _Likelihood) -> Floats | None:
    """Return the ratings that maximise the likelihood; `None` if they do not converge."""
    ratings = np.zeros(likelihood.entrants)
    height = likelihood.at(ratings)
    for _ in range(MOST_STEPS):
        gradient, curvature = likelihood.slopes(ratings)
        step = np.linalg.solve(curvature, gradient)
        if float(np.abs(step).max()) < CLOSE:
            return ratings + step
        # Far from the maximum a whole step may overshoot.
        while True:
            higher = likelihood.at(ratings + step)
            if higher >= height - ROUNDING * abs(height) or float(np.abs(step).max()) < CLOSE:
                break
            step /= 2
        ratings, height = ratings + step, higher
    return None


def _about_the_mean(ratings: Floats, curvature: Floats) -> tuple[Floats, Floats]:
    """Return ratings minus their mean, with standard errors."""
    spread = np.linalg.inv(curvature)
    variances = np.diag(spread) - 2 * spread.mean(axis=1) + spread.mean()
    return ratings - ratings.mean(), np.sqrt(np.maximum(variances, 0.0))
