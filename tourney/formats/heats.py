"""Heats: tables that decide which of their players advance.

A heat is played in parts; each part is a block. If the format has it so, the player with the lowest
stack goes out after each part. docs/rules/knockout.md and docs/rules/elimination_blackjack.md
number the rules.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from tourney.formats.base import FaultCost
from tourney.formats.field import Field
from tourney.game.blocks import Block, TableState
from tourney.game.ledger import BlockKey, BlockResult, SeatResult


class Worth(NamedTuple):
    """The value of a heat for a player; greater is better."""

    part: int  # in which it left the heat, from 0
    chips: int  # at that moment; points, of which fewer are better, count as negative


@dataclass(frozen=True, slots=True)
class KnockoutPlan:
    """Settings that all heats and brackets of a tournament share."""

    field: Field
    seats: int  # at a table, at most
    advance: int  # places of a heat that advance
    ends: tuple[int, ...]  # rounds after which a part ends; the last one ends the heat
    secret_rounds: tuple[int, ...]
    fault: FaultCost
    wildcards: int  # most losers of a tier that may advance, to fill empty seats
    reentries: int  # times that losers of the first tier may try again

    @property
    def final_sizes(self) -> frozenset[int]:
        """Numbers of players that can play a final."""
        return frozenset(size for size in self.field.rules.seats if 1 < size <= self.seats)

    @property
    def sizes(self) -> frozenset[int]:
        """Numbers of players that can play a heat with at least one loser."""
        seats = self.field.rules.seats
        return frozenset(size for size in seats if self.advance < size <= self.seats)


def divided(players: int, plan: KnockoutPlan) -> tuple[int, ...]:
    """Divide players into heats: as many players, as few heats and as even sizes as possible.

    Returns: Number of players of each heat; some may be left over.
    """
    for playing in range(players, 0, -1):
        tables = -(-playing // plan.seats)
        least, larger = divmod(playing, tables)
        sizes = (least + 1,) * larger + (least,) * (tables - larger)
        if plan.sizes.issuperset(sizes):
            return sizes
    return ()


class Heat:
    """A table of a knockout in progress."""

    def __init__(
        self,
        plan: KnockoutPlan,
        heat: int,
        table: int,
        seats: Sequence[int],
        *,
        tier: int,
        advance: int,
    ) -> None:
        """Seat players.

        Args:
            plan: Settings of the tournament.
            heat: Heat in the key of the block.
            table: Table in the key of the block.
            seats: Entrants, in the order of play of the first round.
            tier: Of the bracket, from 1; players see it.
            advance: Places that advance, or win.
        """
        self.seats = tuple(seats)
        self.table = table
        self.is_over = False
        self.bankrolls = {entrant: plan.field.begins_with(entrant) for entrant in seats}
        self.faulted: set[int] = set()  # players whose tournament a verdict ended
        self._plan = plan
        self._heat = heat
        self._tier = tier
        self._advance = advance
        self._part = 0
        self._playing = set(seats)
        self._worths: dict[int, Worth] = {}  # of players that have left

    def block(self) -> Block:
        """Create the next part, for the players still in."""
        plan, part = self._plan, self._part
        first, end = (plan.ends[part - 1] + 1 if part else 1), plan.ends[part]
        begins = (first - 1) % len(self.seats)  # the first bet rotates each round
        order = (*self.seats[begins:], *self.seats[:begins])
        return plan.field.block(
            BlockKey(0, self._heat, self.table, 0, first),
            [(each, self.bankrolls[each]) for each in order if each in self._playing],
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
        """Receive the result of a part, and decide which players stay."""
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
        """Current worth of the heat for each player."""
        return {
            each: self._worths.get(each) or Worth(self._part, self._chips(each))
            for each in self.seats
        }

    def going(self, lots: Mapping[int, int]) -> list[int]:
        """Return the players that advance, best first.

        Args:
            lots: A distinct number of each entrant, to break ties.
        """
        able = [each for each in self.seats if each not in self.faulted]
        able.sort(key=lambda each: (self._worths[each], lots[each]), reverse=True)
        return able[: self._advance]

    def _settle(self, seat: SeatResult) -> None:
        plan, entrant = self._plan, seat.entrant
        self.bankrolls[entrant] = seat.final
        if seat.verdict:
            self.faulted.add(entrant)
            if plan.fault != "stands":
                rules = plan.field.rules
                self.bankrolls[entrant] = (rules.most_points or 0) * plan.ends[-1]
            self._leave(entrant)
        elif not plan.field.rules.may_play(seat.final, plan.field.minimum):
            self._leave(entrant)

    def _leave(self, entrant: int) -> None:
        self._playing.remove(entrant)
        self._worths[entrant] = Worth(self._part, self._chips(entrant))

    def _put_out_the_lowest(self) -> None:
        if len(self._playing) <= self._advance:
            return
        least = min(self.bankrolls[each] for each in self._playing)
        lowest = [each for each in self._playing if self.bankrolls[each] == least]
        if len(lowest) == 1:  # players who tie stay, because luck must not decide
            self._playing.remove(lowest[0])
            self._worths[lowest[0]] = Worth(self._part - 1, least)

    def _chips(self, entrant: int) -> int:
        bankroll = self.bankrolls[entrant]
        return bankroll if self._plan.field.has_chips else -bankroll


def lots_of(order: Collection[int]) -> dict[int, int]:
    """Map each entrant to its position in a drawn order."""
    return {entrant: lot for lot, entrant in enumerate(order)}
