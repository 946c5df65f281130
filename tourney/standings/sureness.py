"""How sure an order is: adds to rows what they may be in truth.

Each row is compared with every other on the tables that both have played. What decides is a
profit a round in chips, without luck where that was followed, or points a round, or a place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from tourney.standings.adjusting import PARTS, adjusted_worths
from tourney.standings.looks import alpha_at, look_at
from tourney.standings.measures import BANKROLL
from tourney.standings.rank_sets import LEAST_TABLES, rank_sets, relation
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
    others = rows[len(placed) :]
    if not placed or min(row.tables for row in placed) < LEAST_TABLES:
        return tuple(rows)
    is_adjusted = placed[0].adjusted is not None
    sample = sample_of(
        [played(tallies[row.name], scoring, is_adjusted=is_adjusted) for row in placed]
    )
    return *_compared(placed, sample, scoring), *others


def is_told_apart(rows: Sequence[Standing]) -> bool:
    """Say whether more tables would tell nothing about the order of neighbours.

    Args:
        rows: Best first.
    """
    placed = [row for row in rows if row.place is not None]
    if any(row.rank_set is None for row in placed):
        return False
    return all(row.relation != "not separated yet" for row in placed)


def played(tally: Tally, scoring: Scoring, *, is_adjusted: bool) -> Played:
    """Give an entrant's tables as they are compared.

    Args:
        tally: Its results.
        scoring: How results count.
        is_adjusted: Whether luck is taken out.
    """
    worths = adjusted_worths(tally, scoring) if is_adjusted else tally.worths(scoring)
    assert worths is not None
    unit = scoring.rules.unit * (PARTS if is_adjusted else 1)
    values = np.array([float(worth / unit) for worth in worths])
    if scoring.measure is BANKROLL:
        values = (values - scoring.bankroll / scoring.rules.unit) / scoring.scheduled_rounds
    elif scoring.measure.is_low_best:
        values = -values
    return Played(tally.tables(), worths, values)


def _compared(rows: Sequence[Standing], sample: Sample, scoring: Scoring) -> tuple[Standing, ...]:
    look = look_at(sample.tables, scoring.looks)
    sets = rank_sets(sample, alpha_at(look, scoring.looks))
    sign = -1 if scoring.measure.is_low_best else 1
    return tuple(
        replace(
            row,
            rank_set=(int(sets.best[at]), int(sets.worst[at])),
            joint_half_width=float(sets.own_half_widths[at]),
            above=sign * float(sample.means[at] - sample.means[at - 1]) if at else None,
            above_half_width=float(sets.half_widths[at - 1, at]) if at else None,
            relation=relation(sample, sets, at, scoring.margin) if at else "",
            looks=look,
        )
        for at, row in enumerate(rows)
    )
