"""A table that plays a match in one or all seatings, and the results of pairs.

An entrant beats another if it ends with more. docs/rules/matches.md numbers the rules.

The sums of `Scores` are integers, so the order in which matches end has no effect. Points are
counted in halves, because a draw brings one half.

A place is a result, and does not show by itself that one entrant is better than another. A schedule
that awards places keeps `PairwiseResults`, and returns `better()` from its method of that name. So
the board shows the ranks that are possible with 95 % probability.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tourney.formats.base import FaultCost
from tourney.formats.field import Field
from tourney.game.arrays import np
from tourney.game.blocks import Block, TableState
from tourney.game.ledger import BlockKey, BlockResult, SeatResult
from tourney.standings.places import (
    Better,
    Finish,
    Meetings,
    are_separated,
    by_all,
    face_to_face,
)

WIN, DRAW, LOSS = 2, 1, 0
"""Value of a meeting at a table, in half points."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """Settings that all matches of a tournament share."""

    field: Field
    seats: int  # at a table
    rounds: int  # of each seating
    plays_all_seatings: bool
    fault: FaultCost

    def can_seat(self, players: int) -> bool:
        """Return whether this number of players can play a match."""
        return players > 1 and players in self.field.rules.seats


class Met(NamedTuple):
    """The result between two entrants at a table."""

    one: int
    other: int
    halves: int  # of `one`, in half points; `other` gets the rest


class MatchTable:
    """A match in progress."""

    def __init__(
        self, plan: MatchPlan, heat: int, table: int, seats: Sequence[int], *, level: int
    ) -> None:
        """Seat players.

        Args:
            plan: Settings of all matches.
            heat: Heat in the key of the block.
            table: Table in the key of the block.
            seats: Entrants, in the order of play of the first round.
            level: Level that players see: the number of the wave, from 1.
        """
        self.place = heat, table
        self.seats = tuple(seats)
        self.seatings = len(self.seats) if plan.plays_all_seatings else 1
        self.finals = dict.fromkeys(self.seats, 0)  # sum over the seatings
        self.faulted: set[int] = set()
        self._plan = plan
        self._left = self.seatings
        # Seatings are summed, so a single one decides places only if there are no others.
        is_decided_here = len(self.seats) == 2 and self.seatings == 1  # noqa: PLR2004 - head to head
        self._state = TableState(
            level=level, advance=int(is_decided_here), moves_button=plan.field.has_chips
        )

    @property
    def is_over(self) -> bool:
        """Whether all seatings have been played."""
        return not self._left

    def block(self, seating: int) -> Block:
        """Create a seating: each player sits one seat further than in the one before."""
        field = self._plan.field
        order = (*self.seats[seating:], *self.seats[:seating])
        return field.block(
            BlockKey(0, *self.place, seating, 1),
            [(each, field.begins_with(each)) for each in order],
            self._plan.rounds,
            state=self._state,
        )

    def take(self, result: BlockResult) -> None:
        """Receive the result of a seating."""
        for seat in result.seats:
            self.finals[seat.entrant] += self._counted(seat)
            if seat.verdict:
                self.faulted.add(seat.entrant)
        self._left -= 1

    def met(self) -> Iterator[Met]:
        """Iterate over the results between any two."""
        worths = {each: self._worth(each) for each in self.seats}
        for one, other in combinations(self.seats, 2):
            yield Met(one, other, _halves(worths[one], worths[other]))

    def _counted(self, seat: SeatResult) -> int:
        """Return the value of a seating for a seat."""
        if seat.verdict and self._plan.fault != "stands":
            return (self._plan.field.rules.most_points or 0) * self._plan.rounds
        return seat.final

    def _worth(self, entrant: int) -> tuple[bool, int]:
        """Return the worth of the match for an entrant; greater is better."""
        stands = entrant not in self.faulted or self._plan.fault == "stands"
        final = self.finals[entrant] if stands else 0  # all verdicts lose equally
        return stands, final if self._plan.field.has_chips else -final


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

    def plus(self, halves: int) -> Record:
        """Add a result."""
        wins, draws, losses = self
        return Record(wins + (halves == WIN), draws + (halves == DRAW), losses + (halves == LOSS))


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


class PairwiseResults:
    """Counts which entrant ends a table with more chips, or with fewer points.

    Balance the seats: draw the order of play by lot, or play every table in all seatings.
    Otherwise an advantage of a seat looks like an advantage of an entrant.
    """

    def __init__(self, field: Field, seatings: int = 1) -> None:
        """Start without results.

        Args:
            field: The field of the schedule.
            seatings: Blocks of a table (equal `heat` and `table` of the key) that are added up
                before they count.
        """
        self._field, self._seatings = field, seatings
        self._scores = Scores(field.entrants)
        self._open: dict[tuple[int, int], list[BlockResult]] = {}
        self._most_seats = 2

    def take(self, result: BlockResult) -> None:
        """Count a block; a seat with a verdict has lost to all others at its table."""
        place = result.key.heat, result.key.table
        blocks = self._open.setdefault(place, [])
        blocks.append(result)
        if len(blocks) < self._seatings:
            return
        del self._open[place]
        worths: dict[int, tuple[bool, int]] = {}
        for seat in (seat for block in blocks for seat in block.seats):
            is_able, sum_so_far = worths.get(seat.entrant, (True, 0))
            net = seat.net if self._field.has_chips else -seat.net
            worths[seat.entrant] = is_able and seat.verdict is None, sum_so_far + net
        self._most_seats = max(self._most_seats, len(worths))
        for one, other in combinations(sorted(worths), 2):
            self._scores.add(Met(one, other, _halves(worths[one], worths[other])))

    def record(self, one: int, other: int) -> Record:
        """Return the wins, draws and losses of an entrant against another."""
        return dict(self._scores.opponents(one)).get(other, Record())

    def better(self, *, is_planned: bool = False) -> Better:
        """Return which entrants are known to be better than which others, with 95 % probability.

        Args:
            is_planned: Whether a plan fixes all tables before play, so that results against common
                opponents count, too. By default only tables at which two have met count; then the
                answer is right at any time, whatever decides who meets and when play stops.
        """
        met = self._scores.meetings_of_all()
        return by_all(met, self._most_seats) if is_planned else face_to_face(met)

    def are_separated(self, finishes: tuple[Finish, ...]) -> bool:
        """Return whether all neighbours on the board are known to differ, so that play may stop.

        Args:
            finishes: Current places of the entrants that still play.
        """
        return are_separated([(each.place, each.entrant) for each in finishes], self.better())


def _halves(one: tuple[bool, int], other: tuple[bool, int]) -> int:
    """Return the value of a meeting; two seats with verdicts draw."""
    if one == other or not (one[0] or other[0]):
        return DRAW
    return WIN if one > other else LOSS
