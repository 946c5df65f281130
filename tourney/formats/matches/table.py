"""A table that plays a match: two head to head, or more of them, in one or all of their seatings.

Whoever ends with more has beaten whoever ends with less. Leaves out who meets whom. The rules
are numbered in docs/rules/matches.md.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple

from tourney.formats.base import FaultCost
from tourney.formats.field import Field
from tourney.game.blocks import Block, TableState
from tourney.game.ledger import BlockKey, BlockResult, SeatResult

WIN, DRAW, LOSS = 2, 1, 0
"""What it brings to have met somebody at a table, in halves of a point."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """How all matches of a tournament are played."""

    field: Field
    seats: int  # at a table
    rounds: int  # of each seating
    plays_all_seatings: bool
    fault: FaultCost

    def can_seat(self, players: int) -> bool:
        """Say whether so many can play a match."""
        return players > 1 and players in self.field.rules.seats


class Met(NamedTuple):
    """How it ended between two at a table."""

    one: int
    other: int
    halves: int  # for the one, in halves of a point; the other has the rest


class MatchTable:
    """A match on its way."""

    def __init__(
        self, plan: MatchPlan, heat: int, table: int, seats: Sequence[int], *, level: int
    ) -> None:
        """Seat players.

        Args:
            plan: How matches are played.
            heat: Number of the heat in the block's key.
            table: Number of the table in the block's key.
            seats: Who sits there, in the order of play of the first round.
            level: What those who play see as the level: the number of the wave, from 1.
        """
        self.place = heat, table
        self.seats = tuple(seats)
        self.seatings = len(self.seats) if plan.plays_all_seatings else 1
        self.finals = dict.fromkeys(self.seats, 0)  # sum of the seatings
        self.faulted: set[int] = set()
        self._plan = plan
        self._left = self.seatings
        # What one seating brings is added up, so only where there is no other it decides a place.
        is_decided_here = len(self.seats) == 2 and self.seatings == 1  # noqa: PLR2004 - head to head
        self._state = TableState(
            level=level, advance=int(is_decided_here), moves_button=plan.field.has_chips
        )

    @property
    def is_over(self) -> bool:
        """Whether every seating has been played."""
        return not self._left

    def block(self, seating: int) -> Block:
        """Draw up a seating: everybody sits one seat further on than in the one before."""
        field = self._plan.field
        order = (*self.seats[seating:], *self.seats[:seating])
        return field.block(
            BlockKey(0, *self.place, seating, 1),
            [(each, field.begins_with(each)) for each in order],
            self._plan.rounds,
            state=self._state,
        )

    def take(self, result: BlockResult) -> None:
        """Take in the result of a seating."""
        for seat in result.seats:
            self.finals[seat.entrant] += self._counted(seat)
            if seat.verdict:
                self.faulted.add(seat.entrant)
        self._left -= 1

    def met(self) -> Iterator[Met]:
        """Say how it ended between any two."""
        worths = {each: self._worth(each) for each in self.seats}
        for one, other in combinations(self.seats, 2):
            if worths[one] == worths[other]:
                yield Met(one, other, DRAW)
            else:
                yield Met(one, other, WIN if worths[one] > worths[other] else LOSS)

    def _counted(self, seat: SeatResult) -> int:
        """Give what somebody ends a seating with."""
        if seat.verdict and self._plan.fault != "stands":
            return (self._plan.field.rules.most_points or 0) * self._plan.rounds
        return seat.final

    def _worth(self, entrant: int) -> tuple[bool, int]:
        """Give what a match was worth; the greater the better."""
        stands = entrant not in self.faulted or self._plan.fault == "stands"
        final = self.finals[entrant] if stands else 0  # who lose by a verdict have lost alike
        return stands, final if self._plan.field.has_chips else -final
