"""Tallies: what an entrant's results come to, table by table, in the measure that counts.

Blocks come in any order. Where everybody's places are needed, a whole block is taken in at
once; otherwise seats will do.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import lcm

from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.packed_results import Final, Finals, Orders
from tourney.standings.standing import BANKROLL, FINISH, PLACE, POINTS, Measure

SHARES = lcm(1, 2, 3, 4)
"""Parts in which a won game is counted, so that up to four winners share it exactly."""


TableKey = tuple[int, int, int]
"""Stage, heat and table."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """What standings need to know about the tournament."""

    rules: Rules
    bankroll: int  # at the start, in the unit of the rules
    minimum: int  # in the unit of the rules
    scheduled_rounds: int  # at one table
    fault: str  # what a verdict costs: lost, out or stands
    measure: Measure = BANKROLL
    margin: float | None = None  # a round: who differ by no more count as practically equal
    looks: tuple[int, ...] = ()  # tables after which a run may stop; empty where it plays them all
    why_luck_stays: str = ""  # in the results; empty if it is taken out, or nothing has any
    shares_shoes: bool | None = None  # whether all played the same; None where that is no question
    bounds: Bounds | None = None  # of what a table brings, with its luck; None if none are declared

    @property
    def is_least_best(self) -> bool:
        """Whether less of what a table brings is better: of points, but not of chips."""
        return self.rules.most_points is not None


@dataclass(slots=True)
class Tally(ABC):
    """An entrant's results so far, however they come in."""

    rounds: int = 0
    handle: int = 0
    points: int = 0  # sum of the net results
    squares: int = 0  # sum of the squared results of all rounds
    games: int = 0  # that were played to places
    shares: int = 0  # of won games, in parts of SHARES
    verdicts: dict[BlockKey, Verdict] = field(default_factory=dict)

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Count a seat of a block."""
        self.rounds += result.rounds
        self.handle += result.handle
        self.points += result.net
        self.squares += result.squares
        if result.verdict:
            self.verdicts[key] = result.verdict

    @property
    @abstractmethod
    def has_played(self) -> bool:
        """Whether any table has been counted."""

    @abstractmethod
    def worths(self, scoring: Scoring) -> list[int] | list[Fraction]:
        """Give what counts for every table, in the unit of the rules, in order of tables."""

    @abstractmethod
    def tables(self) -> list[TableKey]:
        """Give the tables that count, in order; entrants that share one met the same cards."""

    def lucks(self) -> list[int] | None:
        """Give the luck at every table, in parts of 2**-32 of the unit; None if not followed."""
        return None

    def lost(self, scoring: Scoring) -> frozenset[TableKey]:
        """Give the tables that a fault has lost."""
        is_lost = scoring.fault == "lost"
        return frozenset(key[:3] for key in self.verdicts) if is_lost else frozenset()

    def ruined(self, scoring: Scoring) -> int:
        """Count the tables that ended because the minimum could not be met."""
        del scoring
        return 0


@dataclass(slots=True)
class BankrollTally(Tally):
    """Counts the bankrolls that tables end with."""

    finals: dict[tuple[int, int], Finals] = field(default_factory=dict)  # by stage and heat
    follows_luck: bool = True  # whether that of every block so far is known

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Count a block; a table's last block decides its final bankroll."""
        Tally.add(self, key, result)  # super() does not find its way in a slotted dataclass
        heat = key[:2]
        if heat not in self.finals:
            self.finals[heat] = Finals()
        # A seat that is at fault before the first round has had no luck either.
        self.follows_luck &= result.luck is not None or not result.rounds
        self.finals[heat].put(key.table, key.first_round, result.final, result.luck or 0)

    @property
    def has_played(self) -> bool:
        """Whether any table has been counted."""
        return bool(self.finals)

    def worths(self, scoring: Scoring) -> list[int]:
        """Give the final bankroll that counts for every table."""
        lost = self.lost(scoring)
        return [0 if table in lost else final.bankroll for table, final in self._finals()]

    def tables(self) -> list[TableKey]:
        """Give the tables that count."""
        return [table for table, _ in self._finals()]

    def lucks(self) -> list[int] | None:
        """Give the luck at every table."""
        return [final.luck for _, final in self._finals()] if self.follows_luck else None

    def ruined(self, scoring: Scoring) -> int:
        """Count the tables that ended because the minimum could not be met."""
        faulted = {key[:3] for key in self.verdicts}
        may_play, minimum = scoring.rules.may_play, scoring.minimum
        return sum(
            not may_play(final.bankroll, minimum)
            for table, final in self._finals()
            if table not in faulted
        )

    def _finals(self) -> Iterator[tuple[TableKey, Final]]:
        """Give all tables and how they ended, in order."""
        for heat, finals in sorted(self.finals.items(), key=lambda item: item[0]):
            for final in finals:
                yield (*heat, final.table), final


@dataclass(slots=True)
class _MeanTally(Tally):
    """Counts a mean at every table: a sum, and what it is divided by."""

    sums: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def has_played(self) -> bool:
        """Whether any table has been counted."""
        return bool(self.sums)

    def worths(self, scoring: Scoring) -> list[Fraction]:
        """Give the mean that counts for every table; a lost one has the worst there is."""
        lost = {key.table for key in self.verdicts} if scoring.fault == "lost" else set()
        worst = self.worst(scoring)
        return [
            worst if table in lost else Fraction(total, parts)
            for table, (total, parts) in sorted(self.sums.items())
        ]

    def tables(self) -> list[TableKey]:
        """Give the tables that count."""
        return [(0, 0, table) for table in sorted(self.sums)]

    @abstractmethod
    def worst(self, scoring: Scoring) -> Fraction:
        """Give the worst mean there can be."""

    def _count(self, table: int, amount: int, parts: int) -> None:
        total, before = self.sums.get(table, (0, 0))
        self.sums[table] = total + amount, before + parts


@dataclass(slots=True)
class PointsTally(_MeanTally):
    """Counts points a round, over all blocks of a table."""

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Count a block."""
        Tally.add(self, key, result)
        if result.rounds:
            self._count(key.table, result.net, result.rounds)

    def worst(self, scoring: Scoring) -> Fraction:
        """Give the most points that a round can bring."""
        return Fraction(scoring.rules.most_points or 0)


def scores_of(result: BlockResult, rules: Rules) -> list[int]:
    """Give what orders the seats of a game, the least the best: points, or chips below 0."""
    sign = -1 if rules.most_points is None else 1
    return [sign * seat.net for seat in result.seats]


def place_of(score: int, scores: Sequence[int]) -> tuple[int, int]:
    """Give twice the place of somebody in a game, and its share of the win in parts of SHARES.

    Args:
        score: Its own; see `scores_of`.
        scores: Everybody's, its own among them.

    >>> place_of(3, [3, 8, 3, 9]), place_of(9, [3, 8, 3, 9])
    ((3, 6), (8, 0))
    """
    better, equal = (sum(other < score for other in scores), scores.count(score))
    # Who tie share the places they take, so twice the place is whole.
    return 2 * better + equal + 1, 0 if better else SHARES // equal


@dataclass(slots=True)
class PlaceTally(_MeanTally):
    """Counts the places of games; every block is one game."""

    def place(self, key: BlockKey, score: int, scores: Sequence[int]) -> None:
        """Count the place of a game.

        Args:
            key: The game.
            score: The entrant's own; see `scores_of`.
            scores: Everybody's, its own among them.
        """
        self.add_games(key.table, 1, *place_of(score, scores))

    def add_games(self, table: int, games: int, places: int, shares: int) -> None:
        """Count games of a table that were placed already.

        Args:
            table: Where they were played.
            games: How many.
            places: Twice the sum of the entrant's places.
            shares: What it won of them, in parts of SHARES.
        """
        self._count(table, places, 2 * games)
        self.games += games
        self.shares += shares

    def worst(self, scoring: Scoring) -> Fraction:
        """Give the last place."""
        return Fraction(fewest_seats(scoring.rules))


@dataclass(slots=True)
class FinishTally(Tally):
    """Counts nothing by table, as the format gives the places."""

    blocks: int = 0

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Count a block."""
        Tally.add(self, key, result)
        self.blocks += 1

    @property
    def has_played(self) -> bool:
        """Whether any block has been counted."""
        return self.blocks > 0

    def worths(self, scoring: Scoring) -> list[int]:
        """Give nothing: no table counts by itself."""
        del scoring
        return []

    def tables(self) -> list[TableKey]:
        """Give nothing."""
        return []


TALLIES: dict[str, type[BankrollTally | PointsTally | PlaceTally | FinishTally]] = {
    BANKROLL.name: BankrollTally,
    POINTS.name: PointsTally,
    PLACE.name: PlaceTally,
    FINISH.name: FinishTally,
}
"""What counts each measure."""


ORDERED = (POINTS, PLACE)
"""Measures of games whose finishing orders are rated."""


class Count:
    """Everybody's tallies, and the finishing orders of games where they are rated."""

    def __init__(self, entrants: int, scoring: Scoring) -> None:
        """Begin at nothing.

        Args:
            entrants: How many.
            scoring: How results count; a verdict that loses the table loses the game.
        """
        self.tallies = [TALLIES[scoring.measure.name]() for _ in range(entrants)]
        self.orders = Orders() if scoring.measure in ORDERED else None
        self._scoring = scoring

    def take(self, result: BlockResult) -> None:
        """Take in a whole block."""
        scoring = self._scoring
        scores = scores_of(result, scoring.rules) if self.orders else []
        if self.orders:
            self.orders.take(result, scores, loses_faults=scoring.fault == "lost")
        for number, seat in enumerate(result.seats):
            tally = self.tallies[seat.entrant]
            tally.add(result.key, seat)
            if isinstance(tally, PlaceTally):
                tally.place(result.key, scores[number], scores)
