"""Heats: tables that decide by themselves who of them goes on.

A heat is played in parts, each of them a block. Between two parts whoever has least goes out,
where the format has it so. Leaves out who meets in which heat, and what becomes of the losers
(`bracket`). The rules are numbered in docs/rules/knockout.md and elimination_blackjack.md.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tourney.formats.base import FaultCost
from tourney.formats.field import Field
from tourney.game.blocks import Block, TableState
from tourney.game.ledger import BlockKey, BlockResult, SeatResult


class Worth(NamedTuple):
    """What a heat was worth to somebody; the greater the better."""

    part: int  # it left the heat in, from 0
    chips: int  # it had at that moment; points, which are bad, count below 0


@dataclass(frozen=True, slots=True)
class HeatPlan:
    """How all heats of a tournament are played."""

    field: Field
    seats: int  # at a table, at most
    advance: int  # places of a heat that go on
    ends: tuple[int, ...]  # rounds after which a part is over; the last one ends the heat
    secret_rounds: tuple[int, ...]
    fault: FaultCost

    @property
    def sizes(self) -> frozenset[int]:
        """Give how many can play a heat in which somebody loses."""
        seats = self.field.rules.seats
        return frozenset(size for size in seats if self.advance < size <= self.seats)


def divided(players: int, plan: HeatPlan) -> tuple[int, ...]:
    """Divide players into heats, as few and as even as can be, and as many of them as can be.

    Args:
        players: How many there are.
        plan: How heats are played.
    Returns: How many play in each heat; fewer than there are players, if it does not come out.
    """
    for playing in range(players, 0, -1):
        tables = -(-playing // plan.seats)
        least, larger = divmod(playing, tables)
        sizes = (least + 1,) * larger + (least,) * (tables - larger)
        if plan.sizes.issuperset(sizes):
            return sizes
    return ()


class Heat:
    """A table of a knockout on its way."""

    def __init__(
        self,
        plan: HeatPlan,
        heat: int,
        table: int,
        seats: Sequence[int],
        *,
        tier: int,
        advance: int,
    ) -> None:
        """Seat players.

        Args:
            plan: How heats are played.
            heat: Number of the heat in the block's key.
            table: Number of the table in the block's key.
            seats: Who sits there, in the order of play of the first round.
            tier: Of the bracket, from 1; those who play see it.
            advance: Places that go on, or that win.
        """
        self.seats = tuple(seats)
        self.table = table
        self.is_over = False
        self._plan = plan
        self._heat = heat
        self._tier = tier
        self._advance = advance
        self._part = 0
        self._bankrolls = {entrant: plan.field.begins_with(entrant) for entrant in seats}
        self._playing = set(seats)
        self._worths: dict[int, Worth] = {}  # of those who play no more
        self._faulted: set[int] = set()

    def block(self) -> Block:
        """Draw up the next part, for those who still play."""
        plan, part = self._plan, self._part
        first, end = (plan.ends[part - 1] + 1 if part else 1), plan.ends[part]
        begins = (first - 1) % len(self.seats)  # the first bet has gone round with the rounds
        order = (*self.seats[begins:], *self.seats[:begins])
        return plan.field.block(
            BlockKey(0, self._heat, self.table, 0, first),
            [(each, self._bankrolls[each]) for each in order if each in self._playing],
            end - first + 1,
            state=TableState(
                level=self._tier,
                rounds_after=plan.ends[-1] - end,
                advance=self._advance,
                moves_button=plan.field.has_chips,
                secret_rounds=plan.secret_rounds,
            ),
        )

    def take(self, result: BlockResult) -> None:
        """Take in the result of a part, and say who plays on."""
        for seat in result.seats:
            self._settle(seat)
        self._part += 1
        is_last = self._part == len(self._plan.ends)
        if not is_last:
            self._put_out_the_lowest()
        self.is_over = is_last or len(self._playing) <= self._advance
        if self.is_over:
            part = self._part - is_last
            self._worths |= {each: Worth(part, self._chips(each)) for each in self._playing}

    @property
    def worths(self) -> Mapping[int, Worth]:
        """What the heat is worth to everybody who sat down, as it stands or in the end."""
        return {
            each: self._worths.get(each) or Worth(self._part, self._chips(each))
            for each in self.seats
        }

    def bankroll(self, entrant: int) -> int:
        """Give the bankroll that counts for somebody."""
        return self._bankrolls[entrant]

    def is_faulted(self, entrant: int) -> bool:
        """Say whether somebody's part in the tournament ended in a verdict."""
        return entrant in self._faulted

    def going(self, lots: Mapping[int, int]) -> list[int]:
        """Give who goes on, best first.

        Args:
            lots: A number of each entrant, no two alike, which settles ties.
        """
        able = [each for each in self.seats if each not in self._faulted]
        able.sort(key=lambda each: (self._worths[each], lots[each]), reverse=True)
        return able[: self._advance]

    def _settle(self, seat: SeatResult) -> None:
        plan, entrant = self._plan, seat.entrant
        self._bankrolls[entrant] = seat.final
        if seat.verdict:
            self._faulted.add(entrant)
            if plan.fault != "stands":
                self._bankrolls[entrant] = self._worst()
            self._leave(entrant)
        elif not plan.field.rules.may_play(seat.final, plan.field.minimum):
            self._leave(entrant)

    def _worst(self) -> int:
        """Give what a seat that has lost the heat counts for."""
        return (self._plan.field.rules.most_points or 0) * self._plan.ends[-1]

    def _leave(self, entrant: int) -> None:
        self._playing.remove(entrant)
        self._worths[entrant] = Worth(self._part, self._chips(entrant))

    def _put_out_the_lowest(self) -> None:
        if len(self._playing) <= self._advance:
            return
        least = min(self._bankrolls[each] for each in self._playing)
        lowest = [each for each in self._playing if self._bankrolls[each] == least]
        if len(lowest) == 1:  # who tie stay: a place is no matter of luck
            self._playing.remove(lowest[0])
            self._worths[lowest[0]] = Worth(self._part - 1, least)

    def _chips(self, entrant: int) -> int:
        bankroll = self._bankrolls[entrant]
        return bankroll if self._plan.field.has_chips else -bankroll


def lots_of(order: Collection[int]) -> dict[int, int]:
    """Give everybody its place in an order that was drawn."""
    return {entrant: lot for lot, entrant in enumerate(order)}
