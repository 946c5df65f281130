"""Everybody's results, table by table, as a sample: means, and how they differ from each other.

The unit is the table. Entrants that met the same cards at a table are lucky together, so the
difference between them varies less than either; a table that only one of them played adds what
it varies by itself. One formula holds for both: sums over tables of products of deviations, each
divided by the number of tables of its entrant, where one that was not played there has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Any, NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.standings.bounded_differences import Bounded, Bounds
from tourney.standings.tallies import TableKey

LEAST_PART = (
    1e-9  # of the variances of two means: what the variance of their difference is at least
)


class Played(NamedTuple):
    """What an entrant's tables came to."""

    tables: Sequence[TableKey]  # in order
    worths: Sequence[object]  # exactly: two are equal only if nothing differs
    values: NDArray[np.float64]  # the same, the greater the better
    moved: float = 0.0  # standard deviation of a table by the chips that moved; 0 if none did
    hidden: float = 0.0  # variance of a table by these chips that the values do not show


@dataclass(frozen=True, slots=True)
class Sample:
    """Means over tables. Arrays are by entrant, or by two of them: the first less the second."""

    means: NDArray[np.float64]
    errors: NDArray[np.float64]  # standard errors of means
    leans: NDArray[np.float64]  # skewness of means
    pair_errors: NDArray[np.float64]  # standard errors of differences between means
    pair_leans: NDArray[np.float64]  # skewness of these differences
    tables: int  # the fewest that anybody played
    firsts: NDArray[np.int64]  # by entrant: the first that did the same at the same tables
    bounded: Bounded | None = None  # the results, where bounds for them are declared

    @property
    def entrants(self) -> int:
        """How many there are."""
        return len(self.means)


def sample_of(field: Sequence[Played], bounds: Bounds | None = None) -> Sample:
    """Put results of entrants side by side.

    Needs 16 bytes for each table of each entrant and some ten times 8 bytes for each two entrants:
    a thousand of them at 400 tables take 90 MB.

    Args:
        field: Everybody's tables, at least two of each.
        bounds: Of the values, if they are declared.
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
    # Whoever moves more chips than another differs from it by as much at least, whatever is seen.
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
        bounded=_bounded(field, bounds) if bounds else None,
    )


def _bounded(field: Sequence[Played], bounds: Bounds) -> Bounded:
    return Bounded([played.tables for played in field], [played.values for played in field], bounds)


def _firsts(field: Sequence[Played]) -> NDArray[np.int64]:
    seen: dict[tuple[object, ...], int] = {}
    return np.array(
        [
            seen.setdefault((tuple(played.tables), tuple(played.worths)), number)
            for number, played in enumerate(field)
        ]
    )


def _lean(third: NDArray[np.float64], spread: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give skewness from sums of cubes and of squares."""
    return np.divide(third, spread**1.5, out=np.zeros_like(third), where=spread > 0)


def _by_table(field: Sequence[Played], deviations: Sequence[NDArray[np.float64]]) -> Any:
    """Give deviations as a matrix, a row for each entrant and a column for each table."""
    first = field[0].tables
    if all(played.tables == first for played in field):
        return np.stack(deviations)
    # Tables of their own: a matrix with room for every table would be empty for the most part.
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import, and seldom needed

    columns: dict[TableKey, int] = {}
    places = [columns.setdefault(table, len(columns)) for each in field for table in each.tables]
    rows = np.repeat(np.arange(len(field)), [len(played.tables) for played in field])
    shape = len(field), len(columns)
    return csr_array((np.concatenate(deviations), (rows, np.array(places))), shape=shape)


def _sums(one: Any, other: Any) -> NDArray[np.float64]:
    """Sum up products over tables, for every two entrants."""
    product = one @ other.T
    return np.asarray(product if isinstance(product, np.ndarray) else product.toarray())
