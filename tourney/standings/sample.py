"""Results of all entrants as a sample: means, and standard errors of their differences.

The unit is the table. Entrants with the same cards at a table share their luck, so their difference
varies less than each result; a table that only one of them played adds its full variance. One
formula covers both: sums over tables of products of deviations, each divided by the number of
tables of its entrant, where a table that was not played contributes 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.standings.bounded_differences import Bounded, Bounds
from tourney.standings.tallies import TableKey

LEAST_PART = 1e-9
"""Least variance of a difference, as a fraction of the variances of both means."""


class Played(NamedTuple):
    """Results of an entrant's tables."""

    tables: Sequence[TableKey]  # in order
    worths: Sequence[object]  # exact results: equal only if two entrants did the same
    values: NDArray[np.float64]  # the results as floats, greater is better
    moved: float = 0.0  # standard deviation of a table by the chips that moved; or 0
    hidden: float = 0.0  # variance of a table by these chips beyond that of the values


@dataclass(frozen=True, slots=True)
class Sample:
    """Means over tables. Arrays are by entrant, or by two of them: the first minus the second."""

    means: NDArray[np.float64]
    errors: NDArray[np.float64]  # standard errors of means
    leans: NDArray[np.float64]  # skewness of means
    pair_errors: NDArray[np.float64]  # standard errors of differences between means
    pair_leans: NDArray[np.float64]  # skewness of these differences
    tables: int  # fewest tables of any entrant
    firsts: NDArray[np.int64]  # by entrant: the first entrant with identical results
    bounded: Bounded | None = None  # the results, if their bounds are declared

    @property
    def entrants(self) -> int:
        """Number of entrants."""
        return len(self.means)


def sample_of(field: Sequence[Played], bounds: Bounds | None = None) -> Sample:
    """Make a sample of the results of entrants.

    It needs 16 bytes for each table of each entrant and about ten times 8 bytes for every two
    entrants: 90 MB for a thousand entrants at 400 tables.

    Args:
        field: Results of each entrant, at least two tables each.
        bounds: Bounds of the values, if they are declared.
    """
    means = np.array([played.values.mean() for played in field])
    deviations = [
        (played.values - mean) / sqrt(len(played.values) * (len(played.values) - 1.0))
        for played, mean in zip(field, means, strict=True)
    ]
    rows = _by_table(field, deviations)
    squares, cubes = (_sums(rows, rows), _sums(rows * rows, rows))
    own, own_cubes = np.diag(squares), np.diag(cubes)
    both = own[:, None] + own[None, :]
    spread = both - 2 * squares
    spread[spread <= LEAST_PART * both] = 0.0
    # Two entrants differ at least by the difference of the chips that they move.
    moved = np.array([played.moved / sqrt(len(played.values)) for played in field])
    least = np.maximum((moved[:, None] - moved[None, :]) ** 2, LEAST_PART * both)
    # The sum of (a - b)³, as that of a³ - b³ - 3 a² b + 3 a b².
    third = own_cubes[:, None] - own_cubes[None, :] - 3 * (cubes - cubes.T)
    hidden = np.array([played.hidden / len(played.values) for played in field])
    return Sample(
        means=means,
        errors=np.sqrt(own + hidden),
        leans=_lean(own_cubes, own),
        pair_errors=np.sqrt(np.maximum(spread, least) + hidden[:, None] + hidden[None, :]),
        pair_leans=_lean(third, spread),
        tables=min(len(played.values) for played in field),
        firsts=_firsts(field),
        bounded=Bounded([each.tables for each in field], [each.values for each in field], bounds)
        if bounds
        else None,
    )


def _firsts(field: Sequence[Played]) -> NDArray[np.int64]:
    seen: dict[tuple[object, ...], int] = {}
    return np.array(
        [
            seen.setdefault((tuple(played.tables), tuple(played.worths)), number)
            for number, played in enumerate(field)
        ]
    )


def _lean(third: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return skewness from sums of cubes and of squares."""
    return np.divide(third, spread**1.5, out=np.zeros_like(third), where=spread > 0)


def _by_table(field: Sequence[Played], deviations: Sequence[NDArray[np.float64]]) -> Any:
    """Return deviations as a matrix, a row for each entrant and a column for each table."""
    first = field[0].tables
    if all(played.tables == first for played in field):
        return np.stack(deviations)
    # With different tables, a dense matrix would be mostly empty.
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import, and rarely needed

    columns: dict[TableKey, int] = {}
    places = [columns.setdefault(table, len(columns)) for each in field for table in each.tables]
    rows = np.repeat(np.arange(len(field)), [len(played.tables) for played in field])
    shape = len(field), len(columns)
    return csr_array((np.concatenate(deviations), (rows, np.array(places))), shape=shape)


def _sums(one: Any, other: Any) -> NDArray[np.float64]:
    """Return sums of products over tables, for every two entrants."""
    product = one @ other.T
    return np.asarray(product if isinstance(product, np.ndarray) else product.toarray())
