"""How many tables a run needs, found out the slow way: by many runs of a field that is known.

Uses nothing of what estimates the number: runs are drawn, and their rank sets, which `naive_ranks`
holds to the page on rankings, say whom they tell apart.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from tourney.standings.bounded_differences import Bounds
from tourney.standings.rank_sets import rank_sets
from tourney.standings.sample import Played, Sample, sample_of

Results = NDArray[np.float64]
"""By table and entrant."""

Draw = Callable[[np.random.Generator, tuple[int, int]], Results]
"""What entrants of no skill make of tables."""

MOST = 1_000_000
DRAWN = 1_500
"""Tables up to which each is drawn; beyond it only means are, which are normal then."""


def sample(results: Results, bounds: Bounds | None = None) -> Sample:
    """Put results of shared tables side by side."""
    tables = [(0, 0, table) for table in range(len(results))]
    columns = np.ascontiguousarray(results.T)
    field = [Played(tables, (who,), values) for who, values in enumerate(columns)]
    return sample_of(field, bounds)


class Runs:
    """Plays a field of known skills again and again."""

    def __init__(self, skills: Results, draw: Draw, runs: int, seed: int) -> None:
        self._skills, self._draw, self._runs = skills, draw, runs
        self._rng = np.random.default_rng(seed)
        self._order = np.argsort(-skills, kind="stable")
        self._law: Sample | None = None

    def tables(self, pairs: int) -> float:
        """Give with how many tables half of the runs tell so many neighbours apart."""
        ordered = self._skills[self._order]
        if np.count_nonzero(ordered[:-1] - ordered[1:]) < pairs:
            return float("inf")
        enough = 2
        while not self._is_enough(enough, pairs):
            enough *= 2
            if enough > MOST:
                return float("inf")
        short = enough // 2
        while enough - short > max(1, enough // 30):
            middle = (short + enough) // 2
            if self._is_enough(middle, pairs):
                enough = middle
            else:
                short = middle
        return enough

    def _is_enough(self, tables: int, pairs: int) -> bool:
        return 2 * sum(self._told(tables) >= pairs for _ in range(self._runs)) >= self._runs

    def _told(self, tables: int) -> int:
        decided = rank_sets(self._run(tables)).decided
        return int(decided[self._order[:-1], self._order[1:]].sum())

    def _run(self, tables: int) -> Sample:
        entrants = len(self._skills)
        if tables <= DRAWN:
            return sample(self._skills + self._draw(self._rng, (tables, entrants)))
        if self._law is None:
            self._law = sample(self._draw(self._rng, (4 * DRAWN, entrants)))
        law, shrinks = self._law, (4 * DRAWN / tables) ** 0.5
        means = self._skills + self._rng.standard_normal(entrants) / tables**0.5
        return Sample(
            means,
            law.errors * shrinks,
            law.leans * shrinks,
            law.pair_errors * shrinks,
            law.pair_leans * shrinks,
            tables,
            law.firsts,
        )
