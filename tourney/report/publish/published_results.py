"""The results of every entrant's tables, in their published columns and compared by pairs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from tourney.game.ledger import BlockKey, BlockResult, SeatResult
from tourney.report.site.model import ResultsData
from tourney.standings.standing import BANKROLL, FINISH
from tourney.standings.tallies import Scoring, place_of, scores_of

TableKey = tuple[int, int, int]
"""Stage, heat and table, from 0."""

LUCK_PARTS = 2**32

OF_GAMES = ("games", "places", "shares")
SUMS = ("rounds", "net", "final", "luck", "handle", "squares", *OF_GAMES)
"""Numbers of a table that are published under the same names."""


@dataclass(slots=True)
class TableResult:
    """The result of an entrant's seats at a table, in parts of a chip."""

    rounds: int = 0
    net: int = 0
    final: int = 0
    luck: int = 0
    follows_luck: bool = True  # whether the luck of every block so far is known
    handle: int = 0
    squares: int = 0  # sum of the squared results of all rounds
    has_fault: bool = False
    games: int = 0  # games with places
    places: int = 0  # twice the sum of their places
    shares: int = 0  # of won games; see `standings.place_of`
    _last: int = 0  # first round of the last block so far

    def add(self, key: BlockKey, seat: SeatResult) -> None:
        """Add a seat of a block."""
        self.rounds += seat.rounds
        self.net += seat.net
        if key.first_round >= self._last:
            self._last, self.final = key.first_round, seat.final
        self.luck += seat.luck or 0
        # A seat with a fault before the first round had no luck.
        self.follows_luck &= seat.luck is not None or not seat.rounds
        self.handle += seat.handle
        self.squares += seat.squares
        self.has_fault = self.has_fault or seat.verdict is not None


@dataclass(slots=True)
class Results:
    """An entrant's tables, and how they count."""

    scoring: Scoring
    tables: dict[TableKey, TableResult] = field(default_factory=dict)

    def shown(self, key: TableKey) -> float:
        """Return the shown value of a table: final chips, or chips or points a round.

        A table that a fault has lost has the worst value, as on the board.
        """
        table, unit = self.tables[key], self.scoring.rules.unit
        if self.scoring.measure is BANKROLL:
            return 0.0 if self.is_lost(key) else table.final / unit
        if self.scoring.measure is FINISH:
            return table.net / unit
        return (
            self._lost_a_round() if self.is_lost(key) else table.net / unit / max(table.rounds, 1)
        )

    def is_lost(self, key: TableKey) -> bool:
        """Check whether a fault has lost a table; never true if the format gives places."""
        scoring = self.scoring
        return (
            self.tables[key].has_fault and scoring.fault == "lost" and scoring.measure is not FINISH
        )

    def a_round(self, key: TableKey) -> float:
        """Return the value of a table in comparisons: chips or points a round, without luck."""
        table, scoring = self.tables[key], self.scoring
        if scoring.measure is not BANKROLL:
            return self.shown(key)
        if self.is_lost(key):
            return self._lost_a_round()
        profit = table.final - scoring.bankroll - table.luck / LUCK_PARTS
        return profit / scoring.rules.unit / scoring.scheduled_rounds

    def _lost_a_round(self) -> float:
        """Return the worst value: all points, or the bankroll over all rounds of a table."""
        scoring = self.scoring
        most = scoring.rules.most_points
        if most is not None:
            return float(most)
        return -scoring.bankroll / scoring.rules.unit / scoring.scheduled_rounds

    def told(self) -> ResultsData:
        """Return the published columns."""
        keys = sorted(self.tables)
        tables = [self.tables[key] for key in keys]
        columns: dict[str, Any] = {
            name: [getattr(table, name) for table in tables] for name in SUMS
        }
        if not tables or not all(table.follows_luck for table in tables):
            columns["luck"] = None
        if self.scoring.measure is not BANKROLL:
            columns["squares"] = None
        if not any(columns["games"]):
            columns |= dict.fromkeys(OF_GAMES)
        return ResultsData(
            stage=[stage + 1 for stage, _, _ in keys],
            heat=[heat + 1 for _, heat, _ in keys],
            table=[table + 1 for _, _, table in keys],
            faults=[int(table.has_fault) for table in tables],
            **columns,
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


def add_games(results: Sequence[Results], blocks: Iterable[BlockResult]) -> None:
    """Add the places of games to results; every block is one game.

    Args:
        results: By entrant.
        blocks: All blocks.
    """
    for block in blocks:
        for number, seat in enumerate(block.seats):
            own = results[seat.entrant]
            scores = scores_of(block, own.scoring.rules)
            table = own.tables[block.key[:3]]
            places, shares = place_of(scores[number], scores)
            table.games += 1
            table.places += places
            table.shares += shares


def results_again(told: ResultsData, scoring: Scoring) -> Results:
    """Read published results.

    Args:
        told: The columns, equally long.
        scoring: How results count.
    """
    columns = {name: column for name in SUMS if (column := getattr(told, name)) is not None}
    results = Results(scoring)
    places = zip(told.stage, told.heat, told.table, told.faults, strict=True)
    for at, (stage, heat, table, fault) in enumerate(places):
        found = TableResult(follows_luck=told.luck is not None, has_fault=bool(fault))
        for name, column in columns.items():
            setattr(found, name, column[at])
        results.tables[stage - 1, heat - 1, table - 1] = found
    return results


@dataclass(slots=True)
class SiteReport:
    """The results of verifying a site."""

    verified: list[str] = field(default_factory=list)  # a line each
    differing: list[str] = field(default_factory=list)
    open: list[str] = field(default_factory=list)  # unverified parts, with reasons
