"""How often rank sets hold what they promise, and what looking early costs: 95 % is the promise.

    python benchmarks/rank_coverage.py                  the figures of docs/explanation/rankings.md
    python benchmarks/rank_coverage.py --fields 100     a quick look

Fields of entrants with known skill play tables with results that are drawn: what the cards give
to all, and what each does by itself. A field counts as covered if every rank set in it holds every
rank that its entrant has in truth; who are equally good have all ranks that they share. Sets are
compared with those that an exact step-down gives, which knows the true covariance and finds its
critical values among ten times as many draws.
"""

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tourney.standings.looks import alpha_at
from tourney.standings.rank_sets import ALPHA, rank_sets
from tourney.standings.sample import Played, Sample, sample_of

TABLES = 400
SHARED = 0.9
"""Part of a table's variance that the cards give to all, about as in `duplicate`."""

EXACT_DRAWS, EXACT_FIELDS = 100_000, 100
LOOKS = (400, 800, 1600, 3200)


@dataclass(frozen=True, slots=True)
class Case:
    """Skills, in standard deviations of one table's result; best first."""

    name: str
    skills: tuple[float, ...]
    is_skewed: bool = False  # whether results lean to one side, as bankrolls do

    def play(self, rng: np.random.Generator, tables: int) -> NDArray[np.float64]:
        """Draw results, a row for each table."""
        shape = (tables, len(self.skills))
        draw = _skewed if self.is_skewed else np.random.Generator.standard_normal
        shared, own = draw(rng, (tables, 1)), draw(rng, shape)
        return np.array(self.skills) + sqrt(SHARED) * shared + sqrt(1 - SHARED) * own

    @property
    def covariance(self) -> NDArray[np.float64]:
        """The true one, of a table's results."""
        entrants = len(self.skills)
        return SHARED * np.ones((entrants, entrants)) + (1 - SHARED) * np.eye(entrants)


CASES = (
    Case("8 tied", (0.0,) * 8),
    Case("20 tied", (0.0,) * 20),
    Case("8 spread", tuple(np.linspace(0.2, 0, 8))),
    Case("20 spread", tuple(np.linspace(0.4, 0, 20))),
    Case("20 in five groups", tuple(np.repeat(np.linspace(0.2, 0, 5), 4))),
    Case("8 tied, skewed", (0.0,) * 8, is_skewed=True),
    Case("20 spread, skewed", tuple(np.linspace(0.4, 0, 20)), is_skewed=True),
)


def _skewed(rng: np.random.Generator, shape: tuple[int, ...]) -> NDArray[np.float64]:
    return rng.exponential(size=shape) - 1


def in_order(results: NDArray[np.float64]) -> tuple[Sample, NDArray[np.int64]]:
    """Give a sample, best first, and which entrants those are."""
    order = np.argsort(-results.mean(axis=0))
    tables = [(0, 0, table) for table in range(len(results))]
    field = [Played(tables, (int(number),), results[:, number]) for number in order]
    return sample_of(field), order


def true_ranks(skills: Sequence[float]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Give the best and the worst rank that everybody has in truth."""
    all_skills = np.array(skills)
    better = (all_skills[None, :] > all_skills[:, None]).sum(axis=1)
    worse = (all_skills[None, :] < all_skills[:, None]).sum(axis=1)
    return 1 + better, len(all_skills) - worse


def is_covered(case: Case, sample: Sample, order: NDArray[np.int64], alpha: float = ALPHA) -> bool:
    """Say whether every set holds every rank that its entrant has in truth."""
    sets = rank_sets(sample, alpha)
    best, worst = true_ranks(case.skills)
    return bool((sets.best <= best[order]).all() and (sets.worst >= worst[order]).all())


def coverage(case: Case, fields: int, tables: int = TABLES) -> float:
    """Give the part of fields that are covered."""
    rng = np.random.default_rng(1)
    covered = sum(is_covered(case, *in_order(case.play(rng, tables))) for _ in range(fields))
    return covered / fields


def widths(case: Case, fields: int) -> tuple[float, float]:
    """Give the mean number of ranks in a set, and in one of the exact step-down."""
    rng = np.random.default_rng(2)
    factor = np.linalg.cholesky(case.covariance)
    strays = rng.standard_normal((EXACT_DRAWS, len(case.skills))) @ factor.T
    mine = exact = 0.0
    for _ in range(fields):
        sample, order = in_order(case.play(rng, TABLES))
        sets = rank_sets(sample)
        mine += float((sets.worst - sets.best + 1).mean())
        errors = sqrt(2 * (1 - SHARED))
        exact += _exact_width(sample.means * sqrt(TABLES) / errors, strays[:, order] / errors)
    return mine / fields, exact / fields


def _exact_width(means: NDArray[np.float64], strays: NDArray[np.float64]) -> float:
    """Give the mean number of ranks in a set, with everything known but the means."""
    entrants = len(means)
    decided = np.zeros((entrants, entrants), bool)
    while True:
        largest = np.zeros(len(strays))
        for better in range(entrants - 1):
            known = decided[better, better + 1 :]
            away = strays[:, better + 1 :] - strays[:, better, None]
            np.maximum(largest, np.where(known, away, np.abs(away)).max(axis=1), out=largest)
        beyond = np.triu(means[:, None] - means[None, :], 1) > np.quantile(largest, 1 - ALPHA)
        if not (beyond & ~decided).any():
            return float((entrants - decided.sum(axis=0) - decided.sum(axis=1)).mean())
        decided |= beyond


def false_stops(case: Case, fields: int, *, spends: bool) -> float:
    """Give the part of fields in which some look says something wrong.

    Args:
        case: The field.
        fields: How many to play.
        spends: Whether looks share what may be wrong; else each may be wrong as often as one.
    """
    rng = np.random.default_rng(3)
    wrong = 0
    for _ in range(fields):
        results = case.play(rng, LOOKS[-1])
        wrong += not all(
            is_covered(
                case, *in_order(results[:tables]), alpha_at(look, LOOKS) if spends else ALPHA
            )
            for look, tables in enumerate(LOOKS, start=1)
        )
    return wrong / fields


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description="Measure what rank sets promise.")
    parser.add_argument("--fields", type=int, default=2_000, help="fields of each kind")
    fields = parser.parse_args().fields
    print(f"{TABLES} tables, {fields:,} fields of each kind")
    for case in CASES:
        mine, exact = widths(case, min(fields, EXACT_FIELDS))
        print(
            f"{case.name}: covered {coverage(case, fields):.2%}; "
            f"{mine:.2f} ranks in a set, exactly {exact:.2f} ({mine / exact - 1:+.1%})",
            flush=True,
        )
    case = CASES[0]
    looks = ", ".join(f"{each:,}" for each in LOOKS)
    for spends, how in ((True, "5 % for all looks"), (False, "5 % for each look")):
        print(
            f"{case.name}, looks at {looks}: somebody wrongly better at some look in "
            f"{false_stops(case, fields, spends=spends):.2%} of fields ({how})",
            flush=True,
        )


if __name__ == "__main__":
    main()
