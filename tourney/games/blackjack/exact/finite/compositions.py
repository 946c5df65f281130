"""All hands that a seat can hold, without the order of cards, and the hand after each card."""

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
    """Hands of two or more cards that are not bust, sorted by number of cards.

    Args:
        counts: Cards of each of VALUES; shape (hands, 10).
        cards: Number of cards of each hand; shape (hands,).
        numbers: The number of each hand, as in `position`.
        nexts: Index of the hand after a card of each value, or -1 if it busts; shape (hands, 10).
    """

    counts: Ints
    cards: Ints
    numbers: tuple[int, ...]
    nexts: Ints

    def only(self, wanted: NDArray[np.bool_]) -> "Hands":
        """Select some of the hands; a card that leads to another hand gets -1."""
        places = np.flatnonzero(wanted)
        moved = np.full(len(self.cards) + 1, -1)  # the last is for busts
        moved[places] = range(len(places))
        numbers = tuple(self.numbers[place] for place in places)
        return Hands(self.counts[places], self.cards[places], numbers, moved[self.nexts[places]])

    def positions(self, single: tuple[Position, ...]) -> list[Position]:
        """Return the position of each hand.

        Args:
            single: Positions of hands of one card, by the index of its value, or only that of a
                split card. Hands of two cards start with their lowest value, or the split card.
        """
        found = []
        for counts, cards, number in zip(self.counts, self.cards, self.numbers, strict=True):
            if cards > PAIR:
                found.append(Position(number, MORE))
                continue
            held = [place for place, copies in enumerate(counts) for _ in range(copies)]
            if len(single) == 1:  # after a split
                held.remove(VALUES.index(single[0].hand % (BEST_TOTAL + 1)))
                found.append(after(single[0], RANK_OF[held[0]]))
            else:
                found.append(after(single[held[0]], RANK_OF[held[1]]))
        return found


@cache
def all_hands() -> Hands:
    """Return all hands of two or more cards from an infinite shoe."""
    nothing = (0,) * len(VALUES)
    found: dict[tuple[int, ...], int] = {}
    numbers = {nothing: 0}
    waiting = [nothing]
    for counts in waiting:  # the loop appends to it
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
    """Return the positions of all first cards."""
    return tuple(after(EMPTY, rank) for rank in RANK_OF)


def held(counts: Ints) -> tuple[int, ...]:
    """Return the values of a hand's cards, ascending."""
    return tuple(value for value, copies in zip(VALUES, counts, strict=True) for _ in range(copies))


def _with_card(counts: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*counts[:place], counts[place] + 1, *counts[place + 1 :])
