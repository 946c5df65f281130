"""Confidence of a ranking: possible true ranks, and the error probability of interim analyses.

Each row is compared with every other one on the tables that both have played, by profit per round
in chips (adjusted for luck if it was followed), points per round, or place.

Repeated analyses eventually find a difference between equal entrants. So the 5 % error probability
is divided among all planned looks, the numbers of tables after which a run may stop; each look gets
a share proportional to the tables that it adds. However the looks depend on each other, all of them
are correct with 95 % probability, and stopping at any look for any reason keeps this guarantee.

Source: Lan and DeMets, 1983, for spending by a function; docs/sources.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite, log
from typing import Any

from tourney.game.arrays import np
from tourney.standings.bounded_differences import Bounds, least_difference
from tourney.standings.luck_adjustment import PARTS, adjusted_worths
from tourney.standings.rank_sets import (
    ALPHA,
    LEAST_TABLES,
    all_sides,
    rank_sets,
    rarest_seen,
    relation,
    tables_that_tell,
)
from tourney.standings.sample import Played, Sample, sample_of
from tourney.standings.standing import BANKROLL, Standing
from tourney.standings.tallies import Scoring, Tally

FIRST_LOOK = 400


def doubling(most: int, step: int = 1, first: int = FIRST_LOOK) -> tuple[int, ...]:
    """Return looks that double up to the greatest number of tables.

    Args:
        most: Number of tables of the last look.
        step: All other looks are multiples of this.
        first: The first look.

    >>> doubling(3200), doubling(1000), doubling(300)
    ((400, 800, 1600, 3200), (400, 800, 1000), (300,))
    """
    looks: list[int] = []
    tables = -(-first // step) * step
    while tables < most:
        looks.append(tables)
        tables *= 2
    return *looks, most


def look_at(tables: int, looks: Sequence[int]) -> int:
    """Return the number of looks after some tables; at least one if there are any looks.

    >>> look_at(400, (400, 800)), look_at(700, (400, 800)), look_at(700, ())
    (1, 1, 0)
    """
    return max(1, sum(look <= tables for look in looks)) if looks else 0


def alpha_at(look: int, looks: Sequence[int]) -> float:
    """Return the error probability of a look.

    >>> [alpha_at(look, (400, 800, 1600)) for look in (1, 2, 3)]
    [0.0125, 0.0125, 0.025]
    """
    if not looks:
        return ALPHA
    before = looks[look - 2] if look > 1 else 0
    return ALPHA * (looks[look - 1] - before) / looks[-1]


def with_rank_sets(
    rows: Sequence[Standing], tallies: Mapping[str, Tally], scoring: Scoring
) -> tuple[Standing, ...]:
    """Add rank sets and intervals to the rows that have a place.

    Args:
        rows: Best first; rows without a place come last.
        tallies: Their results, by name.
        scoring: How results count.
    """
    placed = [row for row in rows if row.place is not None]
    if not placed:
        return tuple(rows)
    fewest = min(row.tables for row in placed)
    look = look_at(fewest, scoring.looks)
    alpha = alpha_at(look, scoring.looks)
    bounds = bounds_of(placed, scoring)
    limits = _limits(len(placed), fewest, alpha, bounds)
    placed = [replace(row, looks=look, **limits) for row in placed]
    if fewest >= LEAST_TABLES:
        field = [played(row, tallies[row.name], scoring) for row in placed]
        sample = sample_of(field, bounds)
        placed = _compared(placed, sample, scoring, alpha)
    return *placed, *rows[len(placed) :]


def bounds_of(rows: Sequence[Standing], scoring: Scoring) -> Bounds | None:
    """Return the bounds of results in comparisons; `None` for results adjusted for luck.

    An adjusted result is not a sum of the results of rounds, so their bounds do not apply.
    """
    if scoring.bounds is None or any(row.adjusted is not None for row in rows):
        return None
    return scoring.bounds.negated if scoring.measure.is_low_best else scoring.bounds


def _limits(entrants: int, tables: int, alpha: float, bounds: Bounds | None) -> dict[str, Any]:
    """Return the limits of a number of tables for any results; empty for a single entrant."""
    if entrants == 1:
        return {}
    least = tables_that_tell(entrants, alpha)
    if tables < least:
        return {"least_tables": least}
    if bounds is None:
        return {"least_tables": least, "rarest_loss": rarest_seen(tables)}
    difference = least_difference(bounds.span, tables, log(all_sides(entrants) / alpha))
    return {"least_tables": least, "least_difference": difference}


def is_told_apart(rows: Sequence[Standing]) -> bool:
    """Return whether all neighbours are separated, so that more tables add nothing.

    Args:
        rows: Best first.
    """
    placed = [row for row in rows if row.place is not None]
    if any(row.rank_set is None for row in placed):
        return False
    return all(row.relation != "not separated yet" for row in placed)


def played(row: Standing, tally: Tally, scoring: Scoring) -> Played:
    """Return an entrant's tables for comparisons.

    Args:
        row: Its row.
        tally: Its results.
        scoring: How results count.
    """
    is_adjusted = row.adjusted is not None
    worths = adjusted_worths(tally, scoring) if is_adjusted else tally.worths(scoring)
    assert worths is not None
    unit = scoring.rules.unit * (PARTS if is_adjusted else 1)
    values = np.array([float(worth / unit) for worth in worths])
    if scoring.measure is BANKROLL:
        values = (values - scoring.bankroll / scoring.rules.unit) / scoring.scheduled_rounds
    elif scoring.measure.is_low_best:
        values = -values
    moved = 0.0 if is_adjusted else row.moved_sd or 0.0
    return Played(tally.tables(), worths, values, moved, row.hidden_variance)


def _compared(
    rows: Sequence[Standing], sample: Sample, scoring: Scoring, alpha: float
) -> list[Standing]:
    sets = rank_sets(sample, alpha)
    sign = -1 if scoring.measure.is_low_best else 1
    return [
        replace(
            row,
            rank_set=(int(sets.best[at]), int(sets.worst[at])),
            joint_half_width=if_finite(sets.own_half_widths[at]),
            above=sign * float(sample.means[at] - sample.means[at - 1]) if at else None,
            above_half_width=if_finite(sets.half_widths[at]) if at else None,
            relation=relation(sample, sets, at, scoring.margin) if at else "",
        )
        for at, row in enumerate(rows)
    ]


def if_finite(value: float) -> float | None:
    """Return a number; `None` if it is infinite because of too few tables."""
    return float(value) if isfinite(value) else None
