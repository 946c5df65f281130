"""Differences between results that have bounds, and how sure they are however results are spread.

A gambler bets a fixed part of a capital at every table on the claim that one entrant is better.
Each table multiplies the capital by 1 + part * difference / range, which bounds keep from falling
below 0. If the claim is false, the expected capital is never more than the stake. So it reaches
N times the stake with probability 1/N at most (Markov). That holds for any spread of results,
also if a large loss has not been seen yet, for any number of tables, and for tables that differ
from each other, if they are independent. The stake is shared by gamblers with different parts.

Source: Waudby-Smith and Ramdas, 2024; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log2, sqrt
from typing import NamedTuple

from tourney.errors import PluginError
from tourney.game.arrays import NDArray, np

ROUNDING = 1e-9
"""Part of the range by which a result may exceed it, as floats are rounded."""

CHUNK = 256
"""Tables whose factors are multiplied before a logarithm is taken: 2**256 is a float."""

STEPS = 30
"""Halvings that find an end of an interval to within a billionth of the range."""


class Bounds(NamedTuple):
    """The least and the most that a table can bring an entrant, in the unit of the measure."""

    low: float
    high: float

    @property
    def span(self) -> float:
        """The greatest difference between two results."""
        return self.high - self.low

    @property
    def negated(self) -> Bounds:
        """The bounds of the results below 0, where the least is the best."""
        return Bounds(-self.high, -self.low)


def bets(tables: int, limit: float) -> NDArray[np.float64]:
    """Give the parts of the capital that gamblers bet, each about half of the one before.

    A gambler who bets limit * range / (spread * √tables) wins most at a difference that the limit
    just lets pass. The spread is at most the range, so no smaller part is needed.

    Args:
        tables: How many are played.
        limit: Standard errors that a difference needs where results lean to neither side.

    >>> [[round(float(part), 2) for part in bets(tables, 3.449)] for tables in (12, 400)]
    [[1.0], [0.17, 0.31, 0.56, 1.0]]
    """
    least = min(1.0, limit / sqrt(tables))
    halvings = round(-log2(least))
    return np.array([least ** (step / halvings) for step in range(halvings, 0, -1)] + [1.0])


def capital(differences: NDArray[np.float64], parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the logarithm of what a stake of 1 has become.

    Args:
        differences: Results of one entrant less those of another in ranges, shape (..., tables).
        parts: That are bet, from 0 to 1.

    >>> float(capital(np.array([1.0, 1.0, -1.0]), np.array([0.5])).round(6)) == round(log(1.125), 6)
    True
    """
    with np.errstate(divide="ignore"):  # the gambler who bets everything may lose everything
        each = np.array([_log_product(1 + part * differences) for part in parts])
    found: NDArray[np.float64] = np.logaddexp.reduce(each, axis=0) - log(len(parts))
    return found


def _log_product(factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give the logarithm of a product over tables; one that would be 0 in floats counts as 0."""
    starts = np.arange(0, factors.shape[-1], CHUNK)
    products: NDArray[np.float64] = np.multiply.reduceat(factors, starts, axis=-1)
    logarithms: NDArray[np.float64] = np.log(products).sum(axis=-1)
    return logarithms


def least_difference(span: float, tables: int, needed: float) -> float:
    """Give the mean difference without which the capital cannot grow as large as needed.

    Args:
        span: The range of a result.
        tables: How many are played.
        needed: Logarithm of the capital.

    >>> round(least_difference(154, 400, log(56 / 0.05)), 1)
    2.7
    """
    return span * (exp(needed / tables) - 1)


def likely_difference(
    span: float, tables: int, limit: float, needed: float, spreads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Give the mean differences at which the capital is as large as needed, about.

    Args:
        span: The range of a result.
        tables: How many are played.
        limit: See `bets`.
        needed: Logarithm of the capital.
        spreads: Standard deviations of the differences.
    """
    parts = bets(tables, limit)
    growth = (needed + log(len(parts))) / tables
    of_each = [(np.exp(growth + (part * spreads / span) ** 2 / 2) - 1) / part for part in parts]
    least: NDArray[np.float64] = span * np.min(of_each, axis=0)
    return least


def half_widths(
    rows: NDArray[np.float64], parts: NDArray[np.float64], needed: float
) -> NDArray[np.float64]:
    """Give how far true means may be from the means that were seen.

    Args:
        rows: Differences in ranges, from -1 to 1, shape (rows, tables).
        parts: That are bet.
        needed: Logarithm of the capital that no more than so many gamblers reach by chance.
    """
    means = rows.mean(axis=1)
    below = means - _lower_ends(rows, parts, needed)
    above = -means - _lower_ends(-rows, parts, needed)
    widths: NDArray[np.float64] = np.maximum(below, above)
    return widths


def _lower_ends(
    rows: NDArray[np.float64], parts: NDArray[np.float64], needed: float
) -> NDArray[np.float64]:
    """Find the greatest means that gamblers against them have shown to be too small."""
    high = rows.mean(axis=1)
    low: NDArray[np.float64] = np.full_like(high, -1.0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        # The worst that can happen to a bet on more than the mean is a difference of -1. Where all
        # results are that bad no mean is left to bet on.
        room = np.where(middle > low, 1 + middle, np.inf)
        is_refuted = capital((rows - middle[:, None]) / room[:, None], parts) >= needed
        low, high = np.where(is_refuted, middle, low), np.where(is_refuted, high, middle)
    return low


class Bounded:
    """Everybody's results in parts of their range, and differences between any two."""

    def __init__(
        self,
        tables: Sequence[Sequence[object]],
        values: Sequence[NDArray[np.float64]],
        bounds: Bounds,
    ) -> None:
        """Take in results.

        Args:
            tables: Everybody's, in order; results at the same table are compared.
            values: What they brought.
            bounds: That all of them keep.
        Raises: PluginError, if one does not.
        """
        if not bounds.low < bounds.high:
            raise PluginError(
                f"bounds of results: expected a range, got {bounds.low:g} to the same"
            )
        self.span = bounds.span
        self._rows = [_in_range(each, bounds) for each in values]
        first, known = tables[0], dict[object, int]()
        is_matrix = all(each == first for each in tables)
        self._numbers: list[NDArray[np.int64]] = []
        if not is_matrix:
            self._numbers = [
                np.array([known.setdefault(table, len(known)) for table in each]) for each in tables
            ]
            # Tables that nobody shares are compared in their order.
            is_matrix = {len(each) * len(tables) for each in tables} == {len(known)}
        self._matrix = np.stack(self._rows) if is_matrix else None

    def own(self) -> list[NDArray[np.float64]]:
        """Give everybody's results in ranges as differences to the middle, twice as large.

        Returns: Rows of equal lengths together, in the order of entrants.
        """
        if self._matrix is not None:
            return [2 * self._matrix - 1]
        return [2 * row[None, :] - 1 for row in self._rows]

    def to_the_one_before(self) -> list[NDArray[np.float64]]:
        """Give the differences of all entrants but the first to the one before, as `own` does."""
        if self._matrix is not None:
            return [self._matrix[1:] - self._matrix[:-1]]
        return [self.differences(each, each - 1)[None, :] for each in range(1, len(self._rows))]

    def differences(self, one: int, other: int) -> NDArray[np.float64]:
        """Give the results of one entrant less those of another, in ranges, table by table.

        Tables that only one of them played are compared in their order, which no result decides.
        """
        mine, theirs = self._rows[one], self._rows[other]
        if self._matrix is None:
            numbers, others = self._numbers[one], self._numbers[other]
            _, ours, same = np.intersect1d(numbers, others, return_indices=True)
            mine = np.concatenate([mine[ours], np.delete(mine, ours)])
            theirs = np.concatenate([theirs[same], np.delete(theirs, same)])
        fewest = min(len(mine), len(theirs))
        return mine[:fewest] - theirs[:fewest]

    def capitals(self, pairs: NDArray[np.bool_], parts: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the logarithm of the capital won on each of some pairs; of others nothing, -∞.

        Args:
            pairs: By the better and the worse of two, as is claimed.
            parts: That are bet.
        """
        found = np.full(pairs.shape, -np.inf)
        for one in np.flatnonzero(pairs.any(axis=1)).tolist():
            others = np.flatnonzero(pairs[one])
            if self._matrix is None:
                won = [capital(self.differences(one, other), parts) for other in others.tolist()]
                found[one, others] = won
            else:
                found[one, others] = capital(self._matrix[one] - self._matrix[others], parts)
        return found


def _in_range(values: NDArray[np.float64], bounds: Bounds) -> NDArray[np.float64]:
    parts = (values - bounds.low) / bounds.span
    if len(parts) and not -ROUNDING <= parts.min() <= parts.max() <= 1 + ROUNDING:
        odd = values[np.argmax(np.abs(parts - 0.5))]
        raise PluginError(
            f"bounds of results: expected {bounds.low:g} to {bounds.high:g} at every table (more "
            f"is better), got {odd:g}; correct round_bounds of the game or table_bounds of the "
            "format"
        )
    return np.clip(parts, 0.0, 1.0)
