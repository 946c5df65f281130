"""Number of tables needed to separate entrants, estimated from a pilot.

Only neighbours in the order are considered, because they are the last to be separated. The pilot
knows their distances only approximately, so the result is a range. With fewer tables than its lower
end, even the greatest plausible distances are too small for the rules of `rank_sets`; with its
upper end, even the smallest ones suffice. All distances hold together with 95 % probability if
results are normal.

If the pilot cannot separate two entrants, they could be equal, and there is no upper end. The
distances of a whole row of entrants are known better than the single ones, so sums over 1, 2, 4, …
neighbours improve the lower end.

Source: Hedges and Olkin, 1985, for the error of a standardised distance; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, log

from tourney.game.arrays import NDArray, np
from tourney.standings.bounded_differences import likely_difference
from tourney.standings.rank_sets import ALPHA, against_lean, all_sides, critical, student
from tourney.standings.sample import Sample

MOST_TABLES = 1_000_000
"""Greatest result: no configuration has more tables."""

SURE = 0.95
"""Probability that all ranges of a field hold."""

CLOSE = 100
"""Relative precision: 1 / CLOSE."""


@dataclass(frozen=True, slots=True)
class TablesNeeded:
    """Tables with which half of the runs separate at least some number of neighbours."""

    pairs: int
    """Pairs of neighbours."""

    least: int | None
    """Least number of tables; None for more than MOST_TABLES."""

    most: int | None
    """Greatest number of tables; None if the pilot cannot bound it."""


def tables_needed(
    pilot: Sample, run: Sample, part: float, alpha: float = ALPHA
) -> TablesNeeded | None:
    """Estimate the number of tables that separate a part of all neighbours.

    Args:
        pilot: Results of the pilot.
        run: The same tables as the run would count them, for example with luck or without shared
            cards.
        part: Fraction of the pairs of neighbours, more than 0 and up to 1.
        alpha: Probability that any answer of the run is wrong.
    Returns: `None` for a single entrant.
    """
    if pilot.entrants == 1:
        return None
    known = _Known(pilot, run, alpha)
    pairs = ceil(part * known.pairs - 1e-9)
    least = _first(lambda tables: known.most_told(tables) >= pairs)
    # About half of the runs separate more than the mean.
    most = _first(lambda tables: known.least_told(tables) >= pairs - 1 / 2) if least else None
    return TablesNeeded(pairs, least, most)


class _Known:
    """Neighbours of a pilot, best first, and their plausible distances."""

    def __init__(self, pilot: Sample, run: Sample, alpha: float) -> None:
        self._pilot, self._alpha = pilot, alpha
        self._order = np.argsort(-pilot.means, kind="stable")
        self.pairs = pilot.entrants - 1
        upper, lower = self._order[:-1], self._order[1:]
        self._leans = -run.pair_leans[upper, lower]
        self._errors = run.pair_errors[upper, lower]
        self._span = run.bounded.span if run.bounded else None
        places = np.arange(self.pairs)
        self._smallest = np.maximum(self._between(places, places + 1)[0], 0.0)

    def _between(
        self, above: NDArray[np.int64], below: NDArray[np.int64]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the least and the greatest plausible distances of places."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to import, and rarely needed

        pilot, upper, lower = self._pilot, self._order[above], self._order[below]
        distances, leans = pilot.means[upper] - pilot.means[lower], pilot.pair_leans[upper, lower]
        freedom = pilot.tables - 1
        far = float(stdtrit(freedom, 1 - (1 - SURE) / (2 * self.pairs)))
        # The standard error is uncertain, too, which matters if distances are many errors.
        errors = np.sqrt(pilot.pair_errors[upper, lower] ** 2 + distances**2 / (2 * freedom))
        return (
            distances - against_lean(far, -leans) * errors,
            distances + against_lean(far, leans) * errors,
        )

    def most_told(self, tables: int) -> int:
        """Return the number of pairs separated if distances are as large as plausible."""
        # If most pairs are separated, one of the two tests of each is left.
        needed = self._needed(tables, all_sides(self._pilot.entrants) / 2)
        told, wide = self.pairs, 1
        while wide <= self.pairs:
            told = min(told, self._told_within(wide, needed))
            wide *= 2
        return told

    def _told_within(self, wide: int, needed: NDArray[np.float64]) -> int:
        """Return the greatest number of separated pairs, from sums of `wide` distances in a row."""
        first = np.arange(0, self.pairs, wide)
        _, farthest = self._between(first, np.minimum(first + wide, self.pairs))
        rows = np.full(len(first) * wide, np.inf)
        rows[: self.pairs] = needed
        taken = np.sort(rows.reshape(-1, wide), axis=1).cumsum(axis=1)
        return int((taken <= farthest[:, None]).sum())

    def least_told(self, tables: int) -> float:
        """Return the mean number of separated pairs if distances are as small as plausible."""
        from scipy.special import ndtr  # noqa: PLC0415 - slow to import, and rarely needed

        needed = self._needed(tables, all_sides(self._pilot.entrants))
        errors = self._errors * (self._pilot.tables / tables) ** 0.5
        beyond = np.where(self._smallest > needed, np.inf, -np.inf)
        np.divide(self._smallest - needed, errors, out=beyond, where=errors > 0)
        return float(ndtr(beyond).sum())

    def _needed(self, tables: int, sides: float) -> NDArray[np.float64]:
        """Return the observed distances that separate neighbours."""
        limit = student(critical(self._alpha, sides), tables)
        if limit == np.inf:
            return np.full_like(self._errors, np.inf)
        fewer = (self._pilot.tables / tables) ** 0.5
        needed: NDArray[np.float64] = (
            against_lean(limit, self._leans * fewer) * self._errors * fewer
        )
        if self._span is None:
            return needed
        limit = critical(self._alpha, all_sides(self._pilot.entrants))
        spreads = self._errors * self._pilot.tables**0.5
        within = likely_difference(self._span, tables, limit, log(sides / self._alpha), spreads)
        return np.maximum(needed, within)


def _first(is_enough: Callable[[int], bool]) -> int | None:
    """Return the first sufficient number, approximately; `None` if it is more than MOST_TABLES."""
    enough = 2
    while not is_enough(enough):
        if enough >= MOST_TABLES:
            return None
        enough = min(2 * enough, MOST_TABLES)
    short = enough // 2
    while enough - short > max(1, enough // CLOSE):
        middle = (short + enough) // 2
        short, enough = (short, middle) if is_enough(middle) else (middle, enough)
    return enough
