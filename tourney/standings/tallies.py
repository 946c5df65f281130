"""Tallies: an entrant's results, table by table, in the measure that counts.

Blocks may arrive in any order. Measures by place need whole blocks; the others also accept single
seats.

Quantiles need the results of all tables, and a run has millions of tables: each takes three numbers
of eight bytes in `Finals`, instead of three hundred bytes as Python objects. A game, which is a
block of several seats, takes four bytes for each seat.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import inf, lcm
from typing import NamedTuple

from tourney.game.arrays import NDArray, np
from tourney.game.ledger import BlockKey, BlockResult, SeatResult, Verdict
from tourney.game.rules import Rules, fewest_seats
from tourney.standings.bounded_differences import Bounds
from tourney.standings.standing import BANKROLL, FINISH, PLACE, POINTS, Measure

WORD = 1 << 64


class Final(NamedTuple):
    """Result of a table."""

    table: int
    bankroll: int  # in the unit of the rules
    luck: int  # of the cards of all blocks, in parts of 2**-32 of the unit


class Finals:
    """The bankroll after the last known block of each table, and the luck of all its blocks.

    >>> finals = Finals()
    >>> finals.put(3, first_round=11, final=90, luck=5)
    >>> finals.put(3, first_round=1, final=120, luck=-7)
    >>> list(finals)
    [Final(table=3, bankroll=90, luck=-2)]
    """

    __slots__ = ("_finals", "_firsts", "_lucks", "_wide")

    def __init__(self) -> None:
        self._finals = array("q")
        self._firsts = array("q")  # the first round of that block; 0 without a block
        self._lucks = array("q")
        self._wide: dict[int, int] = {}  # bankrolls that need more than eight bytes

    def put(self, table: int, first_round: int, final: int, luck: int = 0) -> None:
        """Add a block; the last block of a table decides, in whatever order blocks arrive."""
        if missing := max(0, table + 1 - len(self._firsts)):
            for each in (self._finals, self._firsts, self._lucks):
                each.frombytes(bytes(8 * missing))
        # Sums wrap at 64 bits, like the sums of rounds.
        self._lucks[table] = (self._lucks[table] + luck + WORD // 2) % WORD - WORD // 2
        if first_round <= self._firsts[table]:
            return
        self._firsts[table] = first_round
        self._wide.pop(table, None)
        try:
            self._finals[table] = final
        except OverflowError:
            self._wide[table] = final

    def __iter__(self) -> Iterator[Final]:
        """Yield tables with their bankrolls and luck, in order of tables."""
        found = zip(self._firsts, self._finals, self._lucks, strict=True)
        for table, (first_round, final, luck) in enumerate(found):
            if first_round:
                yield Final(table, self._wide.get(table, final), luck)


class Games(NamedTuple):
    """Games with equal numbers of seats and equal ties, each different order once."""

    ties: tuple[bool, ...]  # by finish: whether it ties with the previous one
    entrants: NDArray[np.int64]  # by order and finish; ties are sorted by number
    times: NDArray[np.int64]  # number of games with this order


class Orders:
    """The finishing orders of games.

    >>> orders = Orders()
    >>> orders.add([7, 3, 5], [20, 11, 20])
    >>> orders.add([3, 5, 7], [0, 9, 9])
    >>> for games in orders.games():
    ...     print(games.ties, games.entrants, games.times)
    (False, False, True) [[3 5 7]] [2]
    """

    __slots__ = ("_codes",)

    def __init__(self) -> None:
        self._codes: dict[int, array[int]] = {}  # by number of seats: finishes in sequence

    def add(self, entrants: Sequence[int], scores: Sequence[float]) -> None:
        """Add a game.

        Args:
            entrants: Numbers of its players.
            scores: Their scores; lower is better.
        """
        codes = self._codes.setdefault(len(entrants), array("i"))
        before: float | None = None
        for score, entrant in sorted(zip(scores, entrants, strict=True)):
            codes.append(2 * entrant + (score == before))
            before = score

    def games(self) -> list[Games]:
        """Return all games, in an order that does not depend on the order of additions."""
        return [
            games for seats in sorted(self._codes) for games in _games(self._codes[seats], seats)
        ]


def _games(codes: array[int], seats: int) -> list[Games]:
    rows = np.frombuffer(codes, np.int32).reshape(-1, seats)
    rows = rows[np.lexsort(rows.T)]
    is_new = np.ones(len(rows), bool)
    is_new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    starts = np.flatnonzero(is_new)
    times = np.diff(starts, append=len(rows))
    rows = rows[starts].astype(np.int64)
    kinds = (rows & 1) @ (1 << np.arange(seats))
    return [
        Games(
            tuple(bool(kind >> seat & 1) for seat in range(seats)),
            rows[kinds == kind] >> 1,
            times[kinds == kind],
        )
        for kind in np.unique(kinds).tolist()
    ]


SHARES = lcm(1, 2, 3, 4)
"""A won game counts this many parts, so that up to four winners share it exactly."""


TableKey = tuple[int, int, int]
"""Stage, heat and table."""


@dataclass(frozen=True, slots=True)
class Scoring:
    """The settings of a tournament that standings depend on."""

    rules: Rules
    bankroll: int  # at the start, in the unit of the rules
    minimum: int  # in the unit of the rules
    scheduled_rounds: int  # at one table
    fault: str  # effect of a verdict: lost, out or stands
    measure: Measure = BANKROLL
    margin: float | None = None  # greatest difference per round that counts as practically equal
    looks: tuple[int, ...] = ()  # tables after which a run may stop; empty if it plays them all
    why_luck_stays: str = ""  # why results are not adjusted for luck; empty if they are
    shares_shoes: bool | None = None  # whether all play the same shoes; None if not applicable
    bounds: Bounds | None = None  # bounds of a table's raw result, if declared

    @property
    def is_least_best(self) -> bool:
        """Whether lower results of a table are better: true for points, false for chips."""
        return self.rules.most_points is not None


@dataclass(slots=True)
class Tally:
    """An entrant's results so far, in any order.

    It has totals only. They suffice for formats that award places directly, where no table counts
    by itself.
    """

    rounds: int = 0
    handle: int = 0
    points: int = 0  # sum of the net results
    squares: int = 0  # sum of the squared results of all rounds
    games: int = 0  # games played to places
    shares: int = 0  # shares of won games, in parts of SHARES
    verdicts: dict[BlockKey, Verdict] = field(default_factory=dict)

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Add a seat of a block."""
        self.rounds += result.rounds
        self.handle += result.handle
        self.points += result.net
        self.squares += result.squares
        if result.verdict:
            self.verdicts[key] = result.verdict

    @property
    def has_played(self) -> bool:
        """Whether any table that counts has been added."""
        return False

    def worths(self, scoring: Scoring) -> list[int] | list[Fraction]:
        """Return the result of every table, in the unit of the rules, in order of tables."""
        del scoring
        return []

    def tables(self) -> list[TableKey]:
        """Return the tables that count, in order; entrants with a common table had equal cards."""
        return []

    def lucks(self) -> list[int] | None:
        """Return the luck at every table, in parts of 2**-32 of the unit; `None` if unknown."""
        return None

    def lost(self, scoring: Scoring) -> frozenset[TableKey]:
        """Return the tables that are lost by a fault."""
        is_lost = scoring.fault == "lost"
        return frozenset(key[:3] for key in self.verdicts) if is_lost else frozenset()

    def ruined(self, scoring: Scoring) -> int:
        """Return the number of tables that ended because the seat could not pay the minimum."""
        del scoring
        return 0


@dataclass(slots=True)
class BankrollTally(Tally):
    """Final bankrolls of tables."""

    finals: dict[tuple[int, int], Finals] = field(default_factory=dict)  # by stage and heat
    follows_luck: bool = True  # whether the luck of every block so far is known

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Add a block; a table's last block decides its final bankroll."""
        Tally.add(self, key, result)  # super() without arguments fails in a slotted dataclass
        heat = key[:2]
        if heat not in self.finals:
            self.finals[heat] = Finals()
        # A seat that is at fault before the first round has no luck.
        self.follows_luck &= result.luck is not None or not result.rounds
        self.finals[heat].put(key.table, key.first_round, result.final, result.luck or 0)

    @property
    def has_played(self) -> bool:
        """Whether any table has been added."""
        return bool(self.finals)

    def worths(self, scoring: Scoring) -> list[int]:
        """Return the final bankroll of every table."""
        lost = self.lost(scoring)
        return [0 if table in lost else final.bankroll for table, final in self._finals()]

    def tables(self) -> list[TableKey]:
        """Return the tables that count."""
        return [table for table, _ in self._finals()]

    def lucks(self) -> list[int] | None:
        """Return the luck at every table."""
        return [final.luck for _, final in self._finals()] if self.follows_luck else None

    def ruined(self, scoring: Scoring) -> int:
        """Return the number of tables that ended because the seat could not pay the minimum."""
        faulted = {key[:3] for key in self.verdicts}
        may_play, minimum = scoring.rules.may_play, scoring.minimum
        return sum(
            not may_play(final.bankroll, minimum)
            for table, final in self._finals()
            if table not in faulted
        )

    def _finals(self) -> Iterator[tuple[TableKey, Final]]:
        """Yield all tables and their results, in order."""
        for heat, finals in sorted(self.finals.items(), key=lambda item: item[0]):
            for final in finals:
                yield (*heat, final.table), final


@dataclass(slots=True)
class _MeanTally(Tally, ABC):
    """Means at every table, as a sum and its divisor."""

    sums: dict[int, tuple[int, int]] = field(default_factory=dict)

    @property
    def has_played(self) -> bool:
        """Whether any table has been added."""
        return bool(self.sums)

    def worths(self, scoring: Scoring) -> list[Fraction]:
        """Return the mean at every table; a lost table has the worst possible mean."""
        lost = {key.table for key in self.verdicts} if scoring.fault == "lost" else set()
        worst = self.worst(scoring)
        return [
            worst if table in lost else Fraction(total, parts)
            for table, (total, parts) in sorted(self.sums.items())
        ]

    def tables(self) -> list[TableKey]:
        """Return the tables that count."""
        return [(0, 0, table) for table in sorted(self.sums)]

    @abstractmethod
    def worst(self, scoring: Scoring) -> Fraction:
        """Return the worst possible mean."""

    def _count(self, table: int, amount: int, parts: int) -> None:
        total, before = self.sums.get(table, (0, 0))
        self.sums[table] = total + amount, before + parts


@dataclass(slots=True)
class PointsTally(_MeanTally):
    """Points per round, over all blocks of a table."""

    def add(self, key: BlockKey, result: SeatResult) -> None:
        """Add a block."""
        Tally.add(self, key, result)
        if result.rounds:
            self._count(key.table, result.net, result.rounds)

    def worst(self, scoring: Scoring) -> Fraction:
        """Return the most points that a round can bring."""
        return Fraction(scoring.rules.most_points or 0)


def scores_of(result: BlockResult, rules: Rules) -> list[int]:
    """Return the scores of the seats of a game, lower is better: points, or negated net chips."""
    sign = -1 if rules.most_points is None else 1
    return [sign * seat.net for seat in result.seats]


def place_of(score: int, scores: Sequence[int]) -> tuple[int, int]:
    """Return twice the place of a player in a game, and its share of the win in parts of SHARES.

    Args:
        score: The player's score; see `scores_of`.
        scores: The scores of all players, including this one.

    >>> place_of(3, [3, 8, 3, 9]), place_of(9, [3, 8, 3, 9])
    ((3, 6), (8, 0))
    """
    better, equal = (sum(other < score for other in scores), scores.count(score))
    # Ties share the mean of their places, so twice the place is whole.
    return 2 * better + equal + 1, 0 if better else SHARES // equal


@dataclass(slots=True)
class PlaceTally(_MeanTally):
    """Places in games; every block is one game."""

    def add_games(self, table: int, games: int, places: int, shares: int) -> None:
        """Add games of a table whose places are known.

        Args:
            table: Number of the table.
            games: Number of games.
            places: Twice the sum of the entrant's places.
            shares: Its shares of the wins, in parts of SHARES.
        """
        self._count(table, places, 2 * games)
        self.games += games
        self.shares += shares

    def worst(self, scoring: Scoring) -> Fraction:
        """Return the last place."""
        return Fraction(fewest_seats(scoring.rules))


TALLIES: dict[str, type[Tally]] = {
    BANKROLL.name: BankrollTally,
    POINTS.name: PointsTally,
    PLACE.name: PlaceTally,
    FINISH.name: Tally,
}
"""The class of tally for each measure."""


ORDERED = (POINTS, PLACE)
"""Measures of games whose finishing orders are rated."""


class Count:
    """Tallies of all entrants, and the finishing orders of rated games."""

    def __init__(self, entrants: int, scoring: Scoring) -> None:
        """Create empty tallies.

        Args:
            entrants: Number of entrants.
            scoring: How results count; a verdict that loses the table loses the game.
        """
        self.tallies = [TALLIES[scoring.measure.name]() for _ in range(entrants)]
        self.orders = Orders() if scoring.measure in ORDERED else None
        self._scoring = scoring

    def take(self, result: BlockResult) -> None:
        """Add a whole block."""
        scoring, seats = self._scoring, result.seats
        scores = scores_of(result, scoring.rules) if self.orders else []
        if self.orders and len(scores) > 1:
            loses = scoring.fault == "lost"
            ranked = zip(seats, scores, strict=True)
            own = [inf if loses and seat.verdict else score for seat, score in ranked]
            self.orders.add([seat.entrant for seat in seats], own)
        for number, seat in enumerate(seats):
            tally = self.tallies[seat.entrant]
            tally.add(result.key, seat)
            if isinstance(tally, PlaceTally):
                tally.add_games(result.key.table, 1, *place_of(scores[number], scores))
