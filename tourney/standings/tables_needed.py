"""How many tables tell how much of a field apart, as far as the tables of a pilot know.

Who stands next to each other is asked, because they are the last to be told apart. A pilot knows
the distance between two neighbours only so far. So there is a range: with fewer tables than its
lower end even the greatest distances that the pilot leaves possible are too small for the rules of
`rank_sets`, and with its upper end even the smallest are large enough. All distances hold at once,
with 95 % probability if results are normal.

Where entrants stand closer than the pilot can see, they could as well be equal, and there is no
upper end. They cannot be evenly far apart and together spread further than they do, so distances
of several in a row, twice as many each time, hold the lower end up.

Source: Hedges and Olkin, 1985, for how far a standardised distance is known; docs/sources.md.
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
"""That are asked about: no configuration has more."""

SURE = 0.95
"""That the ranges of a field hold, all at once."""

CLOSE = 100
"""Parts of a number within one of which it is found."""


@dataclass(frozen=True, slots=True)
class TablesNeeded:
    """With how many tables every second run tells so many pairs of neighbours apart, or more."""

    pairs: int
    """Pairs of neighbours."""

    least: int | None
    """Tables at least; None for more than MOST_TABLES."""

    most: int | None
    """Tables at most; None where the pilot leaves it open."""


def tables_needed(
    pilot: Sample, run: Sample, part: float, alpha: float = ALPHA
) -> TablesNeeded | None:
    """Estimate the number of tables that tell apart a part of all neighbours.

    Args:
        pilot: What is known of the field.
        run: The same tables as the run would count them: with luck in them, or not shared.
        part: Of the pairs of neighbours, more than 0 and up to 1.
        alpha: How often anything of what the run says may be wrong.
    Returns: None for a single entrant, who has no neighbour.
    """
    if pilot.entrants == 1:
        return None
    known = _Known(pilot, run, alpha)
    pairs = ceil(part * known.pairs - 1e-9)
    least = _first(lambda tables: known.most_told(tables) >= pairs)
    # Half of the runs tell more than the mean, nearly.
    most = _first(lambda tables: known.least_told(tables) >= pairs - 1 / 2) if least else None
    return TablesNeeded(pairs, least, most)


class _Known:
    """Neighbours of a pilot, best first, and how far apart they may be."""

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
        """Give how far places are apart, at least and at most."""
        from scipy.special import stdtrit  # noqa: PLC0415 - slow to import, and seldom needed

        pilot, upper, lower = self._pilot, self._order[above], self._order[below]
        distances, leans = pilot.means[upper] - pilot.means[lower], pilot.pair_leans[upper, lower]
        freedom = pilot.tables - 1
        far = float(stdtrit(freedom, 1 - (1 - SURE) / (2 * self.pairs)))
        # An error is not known exactly itself, which counts where distances are many errors.
        errors = np.sqrt(pilot.pair_errors[upper, lower] ** 2 + distances**2 / (2 * freedom))
        return (
            distances - against_lean(far, -leans) * errors,
            distances + against_lean(far, leans) * errors,
        )

    def most_told(self, tables: int) -> int:
        """Count the pairs that so many tables may tell apart, if distances favour it."""
        # Where most are told apart, one of two questions is left of each.
        needed = self._needed(tables, all_sides(self._pilot.entrants) / 2)
        told, wide = self.pairs, 1
        while wide <= self.pairs:
            told = min(told, self._told_within(wide, needed))
            wide *= 2
        return told

    def _told_within(self, wide: int, needed: NDArray[np.float64]) -> int:
        """Count the pairs told apart at most, if so many distances in a row have what they add."""
        first = np.arange(0, self.pairs, wide)
        _, farthest = self._between(first, np.minimum(first + wide, self.pairs))
        rows = np.full(len(first) * wide, np.inf)
        rows[: self.pairs] = needed
        taken = np.sort(rows.reshape(-1, wide), axis=1).cumsum(axis=1)
        return int((taken <= farthest[:, None]).sum())

    def least_told(self, tables: int) -> float:
        """Give how many pairs so many tables tell apart on average, if distances are against it."""
        from scipy.special import ndtr  # noqa: PLC0415 - slow to import, and seldom needed

        needed = self._needed(tables, all_sides(self._pilot.entrants))
        errors = self._errors * (self._pilot.tables / tables) ** 0.5
        beyond = np.where(self._smallest > needed, np.inf, -np.inf)
        np.divide(self._smallest - needed, errors, out=beyond, where=errors > 0)
        return float(ndtr(beyond).sum())

    def _needed(self, tables: int, sides: float) -> NDArray[np.float64]:
        """Give how far apart neighbours have to be found to be told apart."""
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
    """Find the first number that is enough, nearly; None if it is more than MOST_TABLES."""
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
