"""How often `tourney compare` decides falsely, and how many tables it takes.

    python benchmarks/sequential_test.py            the figures of docs/explanation/rankings.md
    python benchmarks/sequential_test.py --quick    the same with a tenth of the comparisons

The differences of tables are drawn. Two equal strategies are compared up to MOST tables, and any
decision on the way is false. Two that differ are compared until the test decides. The fixed test
knows the difference and the spread, and plays the number of tables that finds the difference with
95 % probability at a significance of 5 %.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray
from tabulate import tabulate

from tourney.research.paired_comparison import FIRST_LOOK_TOGETHER
from tourney.standings.rank_sets import ALPHA
from tourney.standings.sequential_test import (
    NEEDED,
    capital_of,
    gains,
    looks_up_to,
    parts_of,
    scale_of,
)

MOST = 4_000
"""Tables at most, for equal strategies; those that differ get ten times the fixed test's."""

COMPARISONS = 2_000
FIXED = (200, 800)
"""Tables of the fixed test, which set the difference."""

POWER = 0.95
PAIR = 2  # games at a table, in both orders
Results = NDArray[np.float64]
"""Shape (comparisons, tables)."""


@dataclass(frozen=True, slots=True)
class Law:
    """Differences of tables between two strategies."""

    name: str
    draw: Callable[[np.random.Generator, tuple[int, int], float], Results]
    """Of a mean difference."""

    sd: float
    is_bounded: bool  # by -1 and 1


def games(
    ties: float, generator: np.random.Generator, shape: tuple[int, int], mean: float
) -> Results:
    """Draw the mean of two games that are won (1), drawn (0) or lost (-1)."""
    drawn = generator.random((PAIR, *shape))
    losses = (1 - ties - mean) / 2
    each = np.where(drawn < losses, -1.0, np.where(drawn < losses + ties, 0.0, 1.0))
    found: Results = each.mean(axis=0)
    return found


def points(generator: np.random.Generator, shape: tuple[int, int], mean: float) -> Results:
    """Draw points between bounds: seven standard deviations to either side."""
    return np.clip(generator.normal(mean, 1 / 7, shape), -1, 1)


def heavy(generator: np.random.Generator, shape: tuple[int, int], mean: float) -> Results:
    """Draw chips with heavy tails on both sides: Student's t with 3 degrees of freedom."""
    return generator.standard_t(3, shape) / sqrt(3) + mean


def rare(
    sign: float, generator: np.random.Generator, shape: tuple[int, int], mean: float
) -> Results:
    """Draw chips with rare, large wins of the second (1) or the first strategy (-1)."""
    return sign * (generator.exponential(1.0, shape) - 1) + mean


def laws() -> tuple[Law, ...]:
    """Return all laws."""
    return (
        *(
            Law(
                f"games, {ties:.0%} ties",
                partial(games, ties),
                sqrt((1 - ties) / PAIR),
                is_bounded=True,
            )
            for ties in (0.0, 0.3, 0.6, 0.9)
        ),
        Law("points", points, 1 / 7, is_bounded=True),
        Law("chips, heavy tails", heavy, 1.0, is_bounded=False),
        Law("chips, rare large wins", partial(rare, 1.0), 1.0, is_bounded=False),
        Law("chips, rare large losses", partial(rare, -1.0), 1.0, is_bounded=False),
    )


def compared(
    law: Law, mean: float, most: int, comparisons: int, generator: np.random.Generator
) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.bool_]]:
    """Compare, as `SequentialTest` does; give the tables, and whether each is better."""
    parts = parts_of(most, is_bounded=law.is_bounded)
    won = np.zeros((2, len(parts), comparisons))
    is_open = np.ones(comparisons, np.bool_)
    is_better = np.zeros((2, comparisons), np.bool_)
    tables = np.full(comparisons, most)
    scale, before = np.ones((comparisons, 1)), 0
    for look in looks_up_to(most, FIRST_LOOK_TOGETHER):
        numbers = np.flatnonzero(is_open)
        if not len(numbers):
            break
        rows = law.draw(generator, (len(numbers), look - before), mean)
        if not law.is_bounded and not before:
            scale[numbers, 0] = [scale_of(row) for row in rows]
        rows /= scale[numbers]
        for side, sign in enumerate((1.0, -1.0)):
            won[side][:, numbers] += gains(sign * rows, parts, is_bounded=law.is_bounded)
            is_better[side, numbers] = capital_of(won[side][:, numbers]) >= NEEDED
        decided = numbers[is_better[:, numbers].any(axis=0)]
        tables[decided], is_open[decided] = look, False
        before = look
    return tables, is_better[0], is_better[1]


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    comparisons = COMPARISONS // (10 if parser.parse_args().quick else 1)
    errors = NormalDist().inv_cdf(1 - ALPHA / 2) + NormalDist().inv_cdf(POWER)
    rows = []
    for law in laws():
        generator = np.random.default_rng(1)
        _, better, worse = compared(law, 0.0, MOST, comparisons, generator)
        row = [law.name, f"{(better | worse).mean():.1%}"]
        for fixed in FIXED:
            mean = errors * law.sd / sqrt(fixed)
            tables, better, worse = compared(law, mean, 10 * fixed, comparisons // 2, generator)
            row += [f"{ceil(tables.mean()):,}", f"{tables.mean() / fixed:.2f}"]
            row += [f"{better.mean():.1%}", f"{worse.mean():.1%}"]
        rows.append(row)
    columns = [(f"tables, fixed {fixed}", "ratio", "right", "wrong") for fixed in FIXED]
    heads = ["differences", "false", *(name for each in columns for name in each)]
    print(f"{comparisons:,} comparisons of equals up to {MOST:,} tables")
    print(tabulate(rows, headers=heads, disable_numparse=True))


if __name__ == "__main__":
    main()
