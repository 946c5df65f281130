"""Chips: stacks of the entrants, their purchases, and their stacks at exit.

Chips are counted in the unit of the rules. Purchases come from the house, and wins and losses at
tables go to and from it; nothing else changes a stack.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from tourney.formats.field import Field
from tourney.formats.multi_table.options import Options
from tourney.game.ledger import SeatResult
from tourney.standings.places import Finish, by_score


class Exit(NamedTuple):
    """The moment of an exit; later exits compare greater."""

    block: int  # from 0
    round: int  # of the tournament, after which it left; 0 if it could not begin the block
    stack: int  # at the beginning of the block


@dataclass(slots=True)
class Stack:
    """The chips of one entrant."""

    chips: int
    rebuys: int = 0
    addons: int = 0


class Stacks:
    """The chips of all entrants that have sat down, and the places of those that are out."""

    def __init__(self, options: Options, field: Field) -> None:
        """Start without entrants."""
        self._options = options
        self._field = field
        self._stacks: dict[int, Stack] = {}  # of entrants still in
        self._left: dict[int, Exit] = {}  # entrants that left in the last block
        self._faulted: set[int] = set()  # those of them with a verdict
        self._finishes: list[Finish] = []  # of entrants that are out, earlier ones first

    def __len__(self) -> int:
        """Count the entrants still in."""
        return len(self._stacks)

    def chips(self, entrant: int) -> int:
        """Return the bankroll of an entrant that is still in."""
        return self._stacks[entrant].chips

    def admit(self, entrant: int) -> None:
        """Add an entrant, with the starting bankroll."""
        self._stacks[entrant] = Stack(self._field.begins_with(entrant))

    def take(self, block: int, seat: SeatResult) -> None:
        """Receive the result of a block for a seat."""
        self._stacks[seat.entrant].chips = seat.final
        if seat.left_round is not None:
            self._left[seat.entrant] = Exit(block, seat.left_round, seat.initial)
        if seat.verdict:
            self._faulted.add(seat.entrant)

    def is_broke(self, entrant: int, minimum: int) -> bool:
        """Return whether an entrant has too few chips to continue."""
        is_out = entrant in self._left or entrant in self._faulted
        return is_out or not self._field.rules.may_play(self.chips(entrant), minimum)

    def add_on(self) -> list[tuple[int, int]]:
        """Sell the add-on to all entrants that want it and have not left in the last block.

        Returns: Buyers, by number, and the chips of each.
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
        """Sell the starting bankroll again, if the entrant may buy, wants to and can then play.

        Returns: The chips bought; 0 if there was no purchase.
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
        """Remove players, with the places they take.

        Args:
            entrants: Players that go out at the same moment.
            block: The next block, from 0.
            levels: Of the last block and of the next one.
            better: Number of entrants with better places, now or later.
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
        """Forget the exits of the last block, when all decisions are made."""
        self._left.clear()
        self._faulted.clear()

    def finishes(self, words: str, waiting: Iterable[int]) -> tuple[Finish, ...]:
        """Return the places: entrants still in by bankroll, then those that are out.

        Args:
            words: Note for entrants still in.
            waiting: Entrants that have not sat down yet.
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
