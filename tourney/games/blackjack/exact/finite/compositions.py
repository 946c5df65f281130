"""Every hand that a seat can hold, by its cards and not their order, and where a card leads it."""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.position import (
    BUST,
    EMPTY,
    MORE,
    PAIR,
    RANK_OF,
    VALUES,
    Position,
    after,
    hand_after,
)

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Hands:
    """Hands of two cards and more that are not bust, the short ones first.

    Args:
        counts: Cards of each of VALUES; shape (hands, 10).
        cards: Cards of each hand; shape (hands,).
        numbers: Of each hand, as `position` numbers them.
        nexts: Place of the hand after each value, or -1 if it is bust; shape (hands, 10).
    """

    counts: Ints
    cards: Ints
    numbers: tuple[int, ...]
    nexts: Ints

    def only(self, wanted: NDArray[np.bool_]) -> "Hands":
        """Give some of the hands; where a card leads to others, it leads nowhere."""
        places = np.flatnonzero(wanted)
        moved = np.full(len(self.cards) + 1, -1)  # the last is for what is bust
        moved[places] = range(len(places))
        numbers = tuple(self.numbers[place] for place in places)
        return Hands(self.counts[places], self.cards[places], numbers, moved[self.nexts[places]])

    def positions(self, single: tuple[Position, ...]) -> list[Position]:
        """Give the position of each hand.

        Args:
            single: Of a hand of one card, by the place of its value; hands of two cards come
                from that of their lowest value, or from the only one that there is.
        """
        found = []
        for counts, cards, number in zip(self.counts, self.cards, self.numbers, strict=True):
            if cards > PAIR:
                found.append(Position(number, MORE))
                continue
            held = [place for place, copies in enumerate(counts) for _ in range(copies)]
            if len(single) == 1:  # of a split
                held.remove(VALUES.index(_value_of(single[0])))
                found.append(after(single[0], RANK_OF[held[0]]))
            else:
                found.append(after(single[held[0]], RANK_OF[held[1]]))
        return found


@cache
def all_hands() -> Hands:
    """Give all hands of two cards or more, as if the shoe had no end."""
    nothing = (0,) * len(VALUES)
    found: dict[tuple[int, ...], int] = {}
    numbers = {nothing: 0}
    waiting = [nothing]
    for counts in waiting:  # it grows as hands are found
        if sum(counts) >= PAIR:
            found[counts] = len(found)
        for place, value in enumerate(VALUES):
            more = _with_card(counts, place)
            number = hand_after(numbers[counts], value)
            if more not in numbers and number != BUST:
                numbers[more] = number
                waiting.append(more)
    nexts = [
        [found.get(_with_card(each, place), -1) for place in range(len(VALUES))] for each in found
    ]
    counts_of = np.array(list(found))
    return Hands(
        counts_of, counts_of.sum(axis=1), tuple(numbers[each] for each in found), np.array(nexts)
    )


@cache
def dealt_positions() -> tuple[Position, ...]:
    """Give the positions of all first cards."""
    return tuple(after(EMPTY, rank) for rank in RANK_OF)


def held(counts: Ints) -> tuple[int, ...]:
    """Give the values of a hand's cards, ascending."""
    return tuple(value for value, copies in zip(VALUES, counts, strict=True) for _ in range(copies))


def _value_of(single: Position) -> int:
    return single.hand % (BEST_TOTAL + 1)


def _with_card(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])
