"""Scores: results of matches, by pairs of entrants.

The sums are integers, so the order in which matches end has no effect. Points are counted in
halves, because a draw brings one half.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from tourney.formats.matches.table import DRAW, LOSS, WIN, Met
from tourney.game.arrays import np
from tourney.standings.meetings import Meetings


class Record(NamedTuple):
    """Wins, draws and losses of an entrant."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def halves(self) -> int:
        """Points, in halves."""
        return WIN * self.wins + self.draws

    @property
    def meetings(self) -> int:
        """Number of meetings."""
        return sum(self)

    def plus(self, halves: int, times: int = 1) -> Record:
        """Add equal results."""
        wins, draws, losses = self
        return Record(
            wins + times * (halves == WIN),
            draws + times * (halves == DRAW),
            losses + times * (halves == LOSS),
        )


class Scores:
    """Results between all pairs of entrants."""

    def __init__(self, entrants: int) -> None:
        """Start without results."""
        self._records: list[dict[int, Record]] = [{} for _ in range(entrants)]
        self._totals = [Record()] * entrants

    def add(self, met: Met) -> None:
        """Count a result between two."""
        for one, other, halves in (met, Met(met.other, met.one, WIN - met.halves)):
            mine = self._records[one]
            mine[other] = mine.get(other, Record()).plus(halves)
            self._totals[one] = self._totals[one].plus(halves)

    def meetings(self, one: int, other: int) -> int:
        """Return the number of times that two have met."""
        record = self._records[one].get(other)
        return record.meetings if record else 0

    def opponents(self, entrant: int) -> Iterator[tuple[int, Record]]:
        """Iterate over an entrant's opponents and the results against them, in the order of
        numbers.
        """
        return iter(sorted(self._records[entrant].items()))

    def meetings_of_all(self, without: Collection[int] = ()) -> Meetings:
        """Return the results between any two.

        Args:
            without: Entrants that do not count.
        """
        entrants = len(self._records)
        wins, draws = (np.zeros((entrants, entrants), np.int64) for _ in range(2))
        for one, records in enumerate(self._records):
            for other, record in records.items():
                if one not in without and other not in without:
                    wins[one, other], draws[one, other] = record.wins, record.draws
        return Meetings(wins, draws)

    def total(self, entrant: int, without: Collection[int] = ()) -> Record:
        """Return the sum of an entrant's results.

        Args:
            entrant: Its number.
            without: Opponents that do not count.
        """
        total = self._totals[entrant]
        for other in without:
            record = self._records[entrant].get(other, Record())
            total = Record(*(all_of - part for all_of, part in zip(total, record, strict=True)))
        return total


def points_words(halves: int) -> str:
    """Write half points as points.

    >>> points_words(15), points_words(14)
    ('7.5', '7')
    """
    return f"{halves / WIN:,g}" if halves < 10**5 else f"{halves / WIN:,.1f}"


def counts_of(record: Record) -> tuple[tuple[str, int], ...]:
    """Return the parts of a record as columns of the board."""
    return ("wins", record.wins), ("draws", record.draws), ("losses", record.losses)
