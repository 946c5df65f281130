"""Standings as a fold over stored results: who is ahead, and how sure that is.

The table is the unit of statistics, never the hand: hands of one table share a bankroll
and a shoe, and the rotations of one table share their deals. Source of the interval:
Student, 1908; docs/sources.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from tourney.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.standings.measures import BANKROLL, Measure
from tourney.standings.tallies import SHARES, Count, Scoring, Tally

CONFIDENCE = 0.95
QUANTILES = (0.05, 0.5, 0.95)


@dataclass(frozen=True, slots=True)
class EntrantLabel:
    """How an entrant is called on the board."""

    name: str
    strategy: str
    group: str | None = None


@dataclass(frozen=True, slots=True)
class Standing:
    """One entrant's row: everything that columns can show. Chips are whole chips."""

    place: int | None  # from 1; entrants with equal results share it; None if out
    name: str
    strategy: str
    group: str | None
    tables: int  # tables counted
    rounds: int  # rounds played at all of them
    mean: Fraction  # of the measure, over tables: final bankroll, points a round or place
    half_width: float | None  # of the 95 % interval of the mean; None for a single table
    quantiles: tuple[float, float, float]  # of the measure at 5, 50 and 95 %
    ruin: float  # fraction of tables that ended below the minimum
    profit_per_round: float  # (final - initial) / scheduled rounds, mean over tables
    handle: int  # chips wagered
    faults: int  # tables that ended in a verdict
    verdict: Verdict | None  # the first one
    measure: Measure = BANKROLL
    points_per_round: float = 0.0  # over all rounds, in games without chips
    games: int = 0  # played to places
    wins: float = 0.0  # fraction of the games that were won; winners share


def fold(
    results: Iterable[tuple[BlockKey, SeatResult]],
    labels: Sequence[EntrantLabel],
    scoring: Scoring,
) -> tuple[Standing, ...]:
    """Fold results, in any order, into standings, best first.

    Args:
        results: Every seat of every block.
        labels: The entrants, by number.
        scoring: How results count; any measure but places, which need whole blocks.
    """
    count = Count(len(labels), scoring.measure)
    for key, result in results:
        count.tallies[result.entrant].add(key, result)
    return rank(count.tallies, labels, scoring)


def fold_blocks(
    results: Iterable[BlockResult], labels: Sequence[EntrantLabel], scoring: Scoring
) -> tuple[Standing, ...]:
    """Fold blocks, in any order, into standings, best first.

    Args:
        results: Every block.
        labels: The entrants, by number.
        scoring: How results count.
    """
    count = Count(len(labels), scoring.measure)
    for result in results:
        count.take(result)
    return rank(count.tallies, labels, scoring)


def rank(
    tallies: Sequence[Tally], labels: Sequence[EntrantLabel], scoring: Scoring
) -> tuple[Standing, ...]:
    """Order the entrants that have played a table; equal means share a place."""
    rows = [
        _standing(tally, label, scoring)
        for tally, label in zip(tallies, labels, strict=True)
        if tally.has_played
    ]
    sign = 1 if scoring.measure.is_low_best else -1
    rows.sort(key=lambda row: (sign * row.mean, row.name))
    ranked = [row for row in rows if not _is_out(row, scoring)]
    places: dict[Fraction, int] = {}
    for place, row in enumerate(ranked, start=1):
        places.setdefault(row.mean, place)
    return (
        *(replace(row, place=places[row.mean]) for row in ranked),
        *sorted((row for row in rows if _is_out(row, scoring)), key=lambda row: row.name),
    )


def _is_out(row: Standing, scoring: Scoring) -> bool:
    return scoring.fault == "out" and row.faults > 0


def _standing(tally: Tally, label: EntrantLabel, scoring: Scoring) -> Standing:
    unit = scoring.rules.unit
    worths = tally.worths(scoring)
    tables = len(worths)
    mean = Fraction(sum(worths), tables * unit)
    values = np.array([float(worth / unit) for worth in worths])
    low, median, high = (float(value) for value in np.quantile(values, QUANTILES))
    is_chips = scoring.measure is BANKROLL
    profit = mean - Fraction(scoring.bankroll, unit) if is_chips else Fraction(0)
    verdicts = tally.verdicts
    return Standing(
        place=None,
        name=label.name,
        strategy=label.strategy,
        group=label.group,
        tables=tables,
        rounds=tally.rounds,
        mean=mean,
        half_width=_half_width(values),
        quantiles=(low, median, high),
        ruin=tally.ruined(scoring) / tables,
        profit_per_round=float(profit / scoring.scheduled_rounds),
        handle=tally.handle // unit,
        faults=len({(key.stage, key.table) for key in verdicts}),
        verdict=verdicts[min(verdicts)] if verdicts else None,
        measure=scoring.measure,
        points_per_round=0.0 if is_chips else tally.points / max(tally.rounds, 1),
        games=tally.games,
        wins=tally.shares / SHARES / max(tally.games, 1),
    )


def _half_width(values: NDArray[np.float64]) -> float | None:
    """Give half the width of Student's interval for the mean; None for a single table."""
    tables = len(values)
    if tables == 1:
        return None
    # A quarter of a second to import, which whoever only plays does not need.
    from scipy.special import stdtrit  # noqa: PLC0415 - see above

    quantile = float(stdtrit(tables - 1, (1 + CONFIDENCE) / 2))
    return quantile * float(values.std(ddof=1)) / sqrt(tables)
