"""What every entrant's tables came to, in the columns in which they are published."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tourney.leaderboard.site.model import ResultsTold
from tourney.ledger import BlockKey, SeatResult
from tourney.standings import BANKROLL, FINISH, Scoring

TableKey = tuple[int, int, int]
"""Stage, heat and table, from 0."""

LUCK_PARTS = 2**32


@dataclass(slots=True)
class TableResult:
    """What an entrant's seats at a table came to, in parts of a chip."""

    rounds: int = 0
    net: int = 0
    final: int = 0
    luck: int | None = None
    is_lost: bool = False  # to a verdict
    _last: int = 0  # first round of the last block so far

    def add(self, key: BlockKey, seat: SeatResult) -> None:
        """Count a seat of a block."""
        self.rounds += seat.rounds
        self.net += seat.net
        if key.first_round >= self._last:
            self._last, self.final = key.first_round, seat.final
        if seat.luck is not None:
            self.luck = (self.luck or 0) + seat.luck
        self.is_lost = self.is_lost or seat.verdict is not None


@dataclass(slots=True)
class Results:
    """An entrant's tables, and what counts of them."""

    scoring: Scoring
    tables: dict[TableKey, TableResult] = field(default_factory=dict)

    def shown(self, key: TableKey) -> float:
        """Give what people are told of a table: chips in the end, or points a round."""
        table, unit = self.tables[key], self.scoring.rules.unit
        if self.scoring.measure is BANKROLL:
            return table.final / unit
        if self.scoring.measure is FINISH:
            return table.net / unit
        return table.net / max(table.rounds, 1)

    def a_round(self, key: TableKey) -> float:
        """Give what a table adds to a comparison: chips or points a round, without luck."""
        table, scoring = self.tables[key], self.scoring
        if scoring.measure is not BANKROLL:
            return table.net / max(table.rounds, 1)
        if table.is_lost and scoring.fault == "lost":
            return -scoring.bankroll / scoring.rules.unit / scoring.scheduled_rounds
        profit = table.final - scoring.bankroll - (table.luck or 0) / LUCK_PARTS
        return profit / scoring.rules.unit / scoring.scheduled_rounds

    def told(self) -> ResultsTold:
        """Give the columns."""
        keys = sorted(self.tables)
        tables = [self.tables[key] for key in keys]
        lucks = [table.luck for table in tables if table.luck is not None]
        return ResultsTold(
            stage=[stage + 1 for stage, _, _ in keys],
            heat=[heat + 1 for _, heat, _ in keys],
            table=[table + 1 for _, _, table in keys],
            rounds=[table.rounds for table in tables],
            net=[table.net for table in tables],
            final=[table.final for table in tables],
            luck=lucks if tables and len(lucks) == len(tables) else None,
        )


def read_results(
    seats: Iterable[tuple[BlockKey, SeatResult]], entrants: int, scoring: Scoring
) -> list[Results]:
    """Sum up seats, in any order, by entrant and table."""
    results = [Results(scoring) for _ in range(entrants)]
    for key, seat in seats:
        tables = results[seat.entrant].tables
        place = (key.stage, key.heat, key.table)
        if place not in tables:
            tables[place] = TableResult()
        tables[place].add(key, seat)
    return results
