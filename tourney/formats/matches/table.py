"""A table that plays a match: two or more entrants, in one or all of their seatings.

An entrant beats another if it ends with more. docs/rules/matches.md numbers the rules.
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
            if worths[one] == worths[other]:
                yield Met(one, other, DRAW)
            else:
                yield Met(one, other, WIN if worths[one] > worths[other] else LOSS)

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
