"""Chips: what everybody has, has bought, and had when it went out.

Chips are counted in the unit of the rules. What is bought comes from the house, and what
tables win or lose goes to it: nothing else changes a stack.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tourney.formats.field import Field
from tourney.formats.multi_table.options import Options
from tourney.game.ledger import SeatResult
from tourney.standings.places import Finish, by_score


class Exit(NamedTuple):
    """When somebody went out; who goes out later has the greater one."""

    block: int  # from 0
    round: int  # of the tournament, after which it left; 0 if it could not begin the block
    stack: int  # with which it began the block, or could not begin it


@dataclass(slots=True)
class Stack:
    """The chips of one entrant."""

    chips: int
    rebuys: int = 0
    addons: int = 0


class Stacks:
    """The chips of all who have sat down, and the places of all who are out."""

    def __init__(self, options: Options, field: Field) -> None:
        """Begin with nobody."""
        self._options = options
        self._field = field
        self._stacks: dict[int, Stack] = {}  # of those who are in
        self._left: dict[int, Exit] = {}  # those who left in the last block
        self._faulted: set[int] = set()  # those of them with a verdict
        self._finishes: list[Finish] = []  # of those who are out, earlier ones first

    def __contains__(self, entrant: int) -> bool:
        """Say whether somebody is in."""
        return entrant in self._stacks

    def __len__(self) -> int:
        """Count who is in."""
        return len(self._stacks)

    def chips(self, entrant: int) -> int:
        """Give the bankroll of somebody who is in."""
        return self._stacks[entrant].chips

    def admit(self, entrant: int) -> None:
        """Let somebody in, with the chips that everybody begins with."""
        self._stacks[entrant] = Stack(self._field.begins_with(entrant))

    def take(self, block: int, seat: SeatResult) -> None:
        """Take in what a block did to a seat."""
        self._stacks[seat.entrant].chips = seat.final
        if seat.left_round is not None:
            self._left[seat.entrant] = Exit(block, seat.left_round, seat.initial)
        if seat.verdict:
            self._faulted.add(seat.entrant)

    def is_broke(self, entrant: int, minimum: int) -> bool:
        """Say whether somebody cannot go on with its chips."""
        is_out = entrant in self._left or entrant in self._faulted
        return is_out or not self._field.rules.may_play(self.chips(entrant), minimum)

    def add_on(self) -> list[tuple[int, int]]:
        """Sell chips on top to all who want them and have not left in the last block.

        Returns: Buyers, by number, and what each has bought.
        """
        chips = self._options.addon * self._field.rules.unit
        bought: list[tuple[int, int]] = []
        for entrant, stack in sorted(self._stacks.items()):
            gone = entrant in self._left or entrant in self._faulted
            if not gone and self._field.policy(entrant).addon:
                stack.chips += chips
                stack.addons += 1
                bought.append((entrant, chips))
        return bought

    def rebuy(self, entrant: int, minimum: int) -> int:
        """Sell somebody the starting bankroll again, if it may, wants to and can then play.

        Returns: What it has bought; 0 if it has not.
        """
        stack, chips = self._stacks[entrant], self._field.bankroll
        most = min(self._options.rebuys, self._field.policy(entrant).rebuys)
        can_play = self._field.rules.may_play(stack.chips + chips, minimum)
        if entrant in self._faulted or stack.rebuys >= most or not can_play:
            return 0
        stack.chips += chips
        stack.rebuys += 1
        self._left.pop(entrant, None)
        return chips

    def send_out(
        self, entrants: Iterable[int], block: int, levels: tuple[int, int], better: int
    ) -> list[Finish]:
        """Let players go out, with the places they take.

        Args:
            entrants: Who, all of the same moment.
            block: The next one, from 0.
            levels: Of the last block and of the next one.
            better: How many have or will have better places.
        Returns: Their places, the last one first.
        """
        exits = [(entrant, self._exit(entrant, block)) for entrant in entrants]
        out = [
            self._finish(entrant, place, f"out in level {levels[exit_.block == block]}")
            for entrant, place, exit_ in by_score(exits, first_place=better + 1)
        ][::-1]
        for finish in out:
            del self._stacks[finish.entrant]
        self._finishes += out
        return out

    def close(self) -> None:
        """Forget who left in the last block, when everybody has decided."""
        self._left.clear()
        self._faulted.clear()

    def finishes(self, words: str, waiting: Iterable[int]) -> tuple[Finish, ...]:
        """Give everybody's place: who is in by bankroll, then who is out.

        Args:
            words: How it is told of those who are in.
            waiting: Who has not sat down yet.
        """
        scores = [(entrant, stack.chips) for entrant, stack in self._stacks.items()]
        scores += [(entrant, self._field.begins_with(entrant)) for entrant in waiting]
        placed = [
            self._finish(entrant, place, "last one left" if len(scores) == 1 else words)
            for entrant, place, _ in by_score(scores)
        ]
        return (*placed, *reversed(self._finishes))

    def _exit(self, entrant: int, block: int) -> Exit:
        keeps_chips = entrant in self._faulted and self._options.fault == "stands"
        if keeps_chips or entrant not in self._left:
            return Exit(block, 0, self.chips(entrant))
        return self._left[entrant]

    def _finish(self, entrant: int, place: int, words: str) -> Finish:
        stack = self._stacks.get(entrant) or Stack(self._field.begins_with(entrant))
        is_lost = entrant in self._faulted and self._options.fault != "stands"
        counts = (("re-buys", stack.rebuys), ("add-ons", stack.addons))
        offered = (self._options.rebuys, self._options.addon)
        return Finish(
            entrant,
            place,
            0 if is_lost else stack.chips,
            words,
            counts=tuple(each for each, some in zip(counts, offered, strict=True) if some),
        )
