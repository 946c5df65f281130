"""Standings as a fold over stored results: who is ahead, and how sure that is.

The table is the unit of statistics, never the hand: hands of one table share a bankroll
and a shoe. Source of the interval: Student, 1908; docs/sources.md.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit  # scipy.stats takes a second to import

from tourney.games import Rules
from tourney.ledger import BlockKey, SeatResult, Verdict

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
    mean: Fraction  # final bankroll, mean over tables
    half_width: float | None  # of the 95 % interval of the mean; None for a single table
    quantiles: tuple[float, float, float]  # final bankroll at 5, 50 and 95 %
    ruin: float  # fraction of tables that ended below the minimum
    profit_per_round: float  # (final - initial) / scheduled rounds, mean over tables
    handle: int  # chips wagered
    faults: int  # tables that ended in a verdict
    verdict: Verdict | None  # the first one


@dataclass(frozen=True, slots=True)
class Scoring:
    """What standings need to know about the tournament."""

    rules: Rules
    bankroll: int  # at the start, in the unit of the rules
    minimum: int  # in the unit of the rules
    scheduled_rounds: int  # at one table
    fault: str  # what a verdict costs: lost, out or stands


@dataclass(slots=True)
class Tally:
    """An entrant's results so far, table by table, however they come in."""

    finals: dict[tuple[int, int, int], tuple[int, int]] = field(default_factory=dict)
    rounds: int = 0
    handle: int = 0
    verdicts: dict[BlockKey, Verdict] = field(default_factory=dict)

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Count a block; a table's last block decides its final bankroll."""
        table = key[:3]
        first_round, _ = self.finals.get(table, (0, 0))
        if key.first_round > first_round:
            self.finals[table] = key.first_round, result.final
        self.rounds += result.rounds
        self.handle += result.handle
        if result.verdict:
            self.verdicts[key] = result.verdict

    def counted(self, scoring: Scoring) -> list[int]:
        """Give the final bankroll that counts for every table, in the unit of the rules."""
        lost = {key[:3] for key in self.verdicts} if scoring.fault == "lost" else set()
        return [0 if table in lost else final for table, (_, final) in sorted(self.finals.items())]

    def ruined(self, scoring: Scoring) -> int:
        """Count the tables that ended because the minimum could not be met."""
        faulted = {key[:3] for key in self.verdicts}
        may_play, minimum = scoring.rules.may_play, scoring.minimum
        return sum(
            not may_play(final, minimum)
            for table, (_, final) in self.finals.items()
            if table not in faulted
        )


def fold(
    results: Iterable[tuple[BlockKey, SeatResult]],
    labels: Sequence[EntrantLabel],
    scoring: Scoring,
) -> tuple[Standing, ...]:
    """Fold results, in any order, into standings, best first.

    Args:
        results: Every seat of every block.
        labels: The entrants, by number.
        scoring: How results count.
    """
    tallies = [Tally() for _ in labels]
    for key, result in results:
        tallies[result.entrant].add(key, result)
    return rank(tallies, labels, scoring)


def rank(
    tallies: Sequence[Tally], labels: Sequence[EntrantLabel], scoring: Scoring
) -> tuple[Standing, ...]:
    """Order the entrants that have played a table; equal means share a place."""
    rows = [
        _standing(tally, label, scoring)
        for tally, label in zip(tallies, labels, strict=True)
        if tally.finals
    ]
    rows.sort(key=lambda row: (-row.mean, row.name))
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
    finals = tally.counted(scoring)
    tables = len(finals)
    mean = Fraction(sum(finals), tables * unit)
    chips = np.array([final / unit for final in finals])
    low, median, high = (float(value) for value in np.quantile(chips, QUANTILES))
    profit = mean - Fraction(scoring.bankroll, unit)
    verdicts = tally.verdicts
    return Standing(
        place=None,
        name=label.name,
        strategy=label.strategy,
        group=label.group,
        tables=tables,
        rounds=tally.rounds,
        mean=mean,
        half_width=_half_width(chips),
        quantiles=(low, median, high),
        ruin=tally.ruined(scoring) / tables,
        profit_per_round=float(profit / scoring.scheduled_rounds),
        handle=tally.handle // unit,
        faults=len(verdicts),
        verdict=verdicts[min(verdicts)] if verdicts else None,
    )


def _half_width(chips: NDArray[np.float64]) -> float | None:
    """Give half the width of Student's interval for the mean; None for a single table."""
    tables = len(chips)
    if tables == 1:
        return None
    quantile = float(stdtrit(tables - 1, (1 + CONFIDENCE) / 2))
    return quantile * float(chips.std(ddof=1)) / sqrt(tables)
