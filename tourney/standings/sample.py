"""Everybody's results, table by table, as a sample: means, and how they vary together.

The unit is the table. Entrants that met the same cards at a table are lucky together, so the
difference between them varies less than either; a table that only one of them played adds what
it varies by itself. One formula holds for both: the covariance of two means is the sum over the
tables that both played of the products of their deviations.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.standings.tallies import TableKey


class Played(NamedTuple):
    """What an entrant's tables came to."""

    tables: Sequence[TableKey]  # in order
    worths: Sequence[object]  # exactly: two are equal only if nothing differs
    values: NDArray[np.float64]  # the same, the greater the better


@dataclass(frozen=True, slots=True)
class Sample:
    """Means over tables. Arrays are by entrant, or by pairs of them."""

    means: NDArray[np.float64]
    covariance: NDArray[np.float64]  # of the means
    tables: int  # the fewest that anybody played
    firsts: tuple[int, ...]  # by entrant: the first that did the same at the same tables

    @property
    def entrants(self) -> int:
        """How many there are."""
        return len(self.means)


def sample_of(field: Sequence[Played]) -> Sample:
    """Put results of entrants side by side.

    Needs 8 bytes for each table of each entrant and three times 8 bytes for each two entrants:
    a thousand of them at 400 tables take 30 MB.

    Args:
        field: Everybody's tables, at least two of each.
    """
    means = np.array([played.values.mean() for played in field])
    seen: dict[tuple[object, ...], int] = {}
    firsts = tuple(
        seen.setdefault((tuple(played.tables), tuple(played.worths)), number)
        for number, played in enumerate(field)
    )
    fewest = min(len(played.values) for played in field)
    return Sample(means, _covariance(field, means), fewest, firsts)


def _covariance(field: Sequence[Played], means: NDArray[np.float64]) -> NDArray[np.float64]:
    deviations = [
        (played.values - mean) / sqrt(len(played.values) * (len(played.values) - 1.0))
        for played, mean in zip(field, means, strict=True)
    ]
    first = field[0].tables
    if all(played.tables == first for played in field):
        matrix = np.stack(deviations)
        return np.asarray(matrix @ matrix.T)
    # Tables of their own: a matrix with room for every table would be empty for the most part.
    from scipy.sparse import csr_array  # noqa: PLC0415 - slow to import, and seldom needed

    columns: dict[TableKey, int] = {}
    places = [columns.setdefault(table, len(columns)) for each in field for table in each.tables]
    rows = np.repeat(np.arange(len(field)), [len(played.tables) for played in field])
    shape = len(field), len(columns)
    sparse = csr_array((np.concatenate(deviations), (rows, np.array(places))), shape=shape)
    covariance: NDArray[np.float64] = (sparse @ sparse.T).toarray()
    return covariance
