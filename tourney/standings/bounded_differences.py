"""Confidence in differences between bounded results, valid for any distribution.

A gambler bets a fixed part of a capital at every table on the claim that one entrant is better.
Each table multiplies the capital by 1 + part * difference / range, which is never negative because
of the bounds. If the claim is false, the expected capital never exceeds the stake. So it reaches
N times the stake with probability 1/N at most (Markov). This holds for any distribution of results,
even if a large loss has not occurred yet, for any number of tables, and for tables that differ, as
long as they are independent. The stake is divided among gamblers with different parts.

Source: Waudby-Smith and Ramdas, 2024; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, log2, sqrt
from typing import NamedTuple

from tourney.errors import PluginError
from tourney.game.arrays import NDArray, np

ROUNDING = 1e-9
"""Fraction of the range by which a result may exceed it, because floats are rounded."""

CHUNK = 256
"""Tables whose factors are multiplied before the logarithm is taken: 2**256 is a finite float."""

STEPS = 30
"""Bisections; they find an end of an interval to within a billionth of the range."""


class Bounds(NamedTuple):
    """The least and the greatest result of an entrant at a table, in the unit of the measure."""

    low: float
    high: float

    @property
    def span(self) -> float:
        """The greatest difference between two results."""
        return self.high - self.low

    @property
    def negated(self) -> Bounds:
        """The bounds of the negated results, where the least is the best."""
        return Bounds(-self.high, -self.low)


def bets(tables: int, limit: float) -> NDArray[np.float64]:
    """Return the parts of the capital that gamblers bet, each about twice the previous one.

    A gambler that bets limit * range / (spread * √tables) gains most at a difference that just
    passes the limit. The spread is at most the range, so smaller parts are not needed.

    Args:
        tables: Number of tables.
        limit: Standard errors that a difference needs if the results are symmetric.

    >>> [[round(float(part), 2) for part in bets(tables, 3.449)] for tables in (12, 400)]
    [[1.0], [0.17, 0.31, 0.56, 1.0]]
    """
    least = min(1.0, limit / sqrt(tables))
    halvings = round(-log2(least))
    return np.array([least ** (step / halvings) for step in range(halvings, 0, -1)] + [1.0])


def capital(differences: NDArray[np.float64], parts: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of the capital that a stake of 1 has become.

    Args:
        differences: Results of one entrant minus another's, in ranges, shape (..., tables).
        parts: Parts of the capital that are bet, from 0 to 1.

    >>> float(capital(np.array([1.0, 1.0, -1.0]), np.array([0.5])).round(6)) == round(log(1.125), 6)
    True
    """
    with np.errstate(divide="ignore"):  # a gambler that bets everything may lose everything
        each = np.array([log_product(1 + part * differences) for part in parts])
    found: NDArray[np.float64] = np.logaddexp.reduce(each, axis=0) - log(len(parts))
    return found


def log_product(factors: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithm of a product over tables; a product that underflows counts as 0."""
    starts = np.arange(0, factors.shape[-1], CHUNK)
    products: NDArray[np.float64] = np.multiply.reduceat(factors, starts, axis=-1)
    logarithms: NDArray[np.float64] = np.log(products).sum(axis=-1)
    return logarithms


def least_difference(span: float, tables: int, needed: float) -> float:
    """Return the least mean difference at which the capital can grow as large as needed.

    Args:
        span: Range of a result.
        tables: Number of tables.
        needed: Logarithm of the capital.

    >>> round(least_difference(154, 400, log(56 / 0.05)), 1)
    2.7
    """
    return span * (exp(needed / tables) - 1)


def likely_difference(
    span: float, tables: int, limit: float, needed: float, spreads: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the approximate mean differences at which the capital grows as large as needed.

    Args:
        span: Range of a result.
        tables: Number of tables.
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
    """Return the greatest distances of the true means from the observed means.

    Args:
        rows: Differences in ranges, from -1 to 1, shape (rows, tables).
        parts: Parts of the capital that are bet.
        needed: Logarithm of the capital that refutes a mean.
    """
    means = rows.mean(axis=1)
    below = means - _lower_ends(rows, parts, needed)
    above = -means - _lower_ends(-rows, parts, needed)
    widths: NDArray[np.float64] = np.maximum(below, above)
    return widths


def _lower_ends(
    rows: NDArray[np.float64], parts: NDArray[np.float64], needed: float
) -> NDArray[np.float64]:
    """Return the greatest means that are refuted as too small."""
    high = rows.mean(axis=1)
    low: NDArray[np.float64] = np.full_like(high, -1.0)
    for _ in range(STEPS):
        middle = (low + high) / 2
        # The worst result of a bet on more than the mean is a difference of -1. If all results are
        # that bad, there is no lower mean to bet against.
        room = np.where(middle > low, 1 + middle, np.inf)
        is_refuted = capital((rows - middle[:, None]) / room[:, None], parts) >= needed
        low, high = np.where(is_refuted, middle, low), np.where(is_refuted, high, middle)
    return low


class Bounded:
    """Results of all entrants as fractions of their range, and differences between any two."""

    def __init__(
        self,
        tables: Sequence[Sequence[object]],
        values: Sequence[NDArray[np.float64]],
        bounds: Bounds,
    ) -> None:
        """Scale the results.

        Args:
            tables: Tables of each entrant, in order; results at the same table are compared.
            values: Results of each entrant.
            bounds: Bounds of all results.
        Raises: PluginError, if a result is outside of the bounds.
        """
        if not bounds.low < bounds.high:
            raise PluginError(
                f"bounds of results: the least, {bounds.low:g}, must be less than the greatest, "
                f"{bounds.high:g}"
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
            # Tables that no two entrants share are compared in their order.
            is_matrix = {len(each) * len(tables) for each in tables} == {len(known)}
        self._matrix = np.stack(self._rows) if is_matrix else None

    def own(self) -> list[NDArray[np.float64]]:
        """Return the results as twice the distance from the middle of the range.

        Returns: Arrays of rows of equal length, in the order of entrants.
        """
        if self._matrix is not None:
            return [2 * self._matrix - 1]
        return [2 * row[None, :] - 1 for row in self._rows]

    def to_the_one_before(self) -> list[NDArray[np.float64]]:
        """Return each entrant's differences to the previous one, in the arrays of `own`."""
        if self._matrix is not None:
            return [self._matrix[1:] - self._matrix[:-1]]
        return [self.differences(each, each - 1)[None, :] for each in range(1, len(self._rows))]

    def differences(self, one: int, other: int) -> NDArray[np.float64]:
        """Return the results of one entrant minus another's, in ranges, table by table.

        Tables that only one of them played are compared in their order, which does not depend on
        results.
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
        """Return the logarithm of the capital won on each of some pairs; -∞ for the others.

        Args:
            pairs: Claims, by the better and the worse entrant.
            parts: Parts of the capital that are bet.
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
            f"bounds of results: the result {odd:g} of a table is outside of {bounds.low:g} to "
            f"{bounds.high:g} (higher is better); correct round_bounds of the game or "
            "table_bounds of the format"
        )
    return np.clip(parts, 0.0, 1.0)
