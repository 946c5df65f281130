"""How sure an order is: adds to rows what they may be in truth.

Each row is compared with every other on the tables that both have played. What decides is a
profit a round in chips, without luck where that was followed, or points a round, or a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import isfinite

from tourney.arrays import np
from tourney.standings.adjusting import PARTS, adjusted_worths
from tourney.standings.looks import alpha_at, look_at
from tourney.standings.measures import BANKROLL
from tourney.standings.rank_sets import LEAST_TABLES, rank_sets, relation, tables_that_tell
from tourney.standings.sample import Played, Sample, sample_of
from tourney.standings.standing import Standing
from tourney.standings.tallies import Scoring, Tally


def with_rank_sets(
    rows: Sequence[Standing], tallies: Mapping[str, Tally], scoring: Scoring
) -> tuple[Standing, ...]:
    """Add what is known of the order to rows that have a place.

    Args:
        rows: Best first; who has no place stands behind.
        tallies: Their results, by name.
        scoring: How results count.
    """
    placed = [row for row in rows if row.place is not None]
    if not placed:
        return tuple(rows)
    fewest = min(row.tables for row in placed)
    look = look_at(fewest, scoring.looks)
    alpha = alpha_at(look, scoring.looks)
    least = tables_that_tell(len(placed), alpha) if len(placed) > 1 else 0
    placed = [replace(row, least_tables=least, looks=look) for row in placed]
    if fewest >= LEAST_TABLES:
        sample = sample_of([played(row, tallies[row.name], scoring) for row in placed])
        placed = _compared(placed, sample, scoring, alpha)
    return *placed, *rows[len(placed) :]


def is_told_apart(rows: Sequence[Standing]) -> bool:
    """Say whether more tables would tell nothing about the order of neighbours.

    Args:
        rows: Best first.
    """
    placed = [row for row in rows if row.place is not None]
    if any(row.rank_set is None for row in placed):
        return False
    return all(row.relation != "not separated yet" for row in placed)


def played(row: Standing, tally: Tally, scoring: Scoring) -> Played:
    """Give an entrant's tables as they are compared.

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
            joint_half_width=_finite(sets.own_half_widths[at]),
            above=sign * float(sample.means[at] - sample.means[at - 1]) if at else None,
            above_half_width=_finite(sets.half_widths[at - 1, at]) if at else None,
            relation=relation(sample, sets, at, scoring.margin) if at else "",
        )
        for at, row in enumerate(rows)
    ]


def _finite(width: np.float64) -> float | None:
    """Give half a width; None where too few tables leave none."""
    return float(width) if isfinite(width) else None
