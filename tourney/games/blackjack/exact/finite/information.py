"""The information that a player uses of its hand, and the possible orders of moves."""

from enum import Enum

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.declaration import ROWS, TOTALS, Cell, pair_row, total_row
from tourney.games.blackjack.exact.finite.hand_set import (
    CHOICES,
    DOUBLES,
    HITS,
    MOVES,
    NO_CHOICE,
    STANDS,
    SURRENDERS,
    Kind,
    all_hands,
)
from tourney.games.blackjack.position import PAIR

ORDERS = (
    (STANDS,),
    (HITS,),
    (DOUBLES, STANDS),
    (DOUBLES, HITS),
    (SURRENDERS, STANDS),
    (SURRENDERS, HITS),
    (SURRENDERS, DOUBLES, STANDS),
    (SURRENDERS, DOUBLES, HITS),
)
"""Moves of a cell without splits, up to one that is always legal; the first of equals wins."""

FIRST_OPEN = np.array(
    [[next(move for move in order if move in open_) for open_ in CHOICES[1:]] for order in ORDERS]
)
"""The first legal move, by order and by CHOICES. (The first of CHOICES is no choice.)"""
FIRST_OPEN = np.hstack([np.zeros((len(ORDERS), 1), dtype=np.int64), FIRST_OPEN])


class Information(Enum):
    """The part of a hand on which its moves depend."""

    TOTALS = "totals"
    """The total, whether it is soft, and whether the hand is a pair: the rows of a chart."""
    TWO_CARDS = "two-cards"
    """The first two cards; with more of them, the total."""
    CARDS = "cards"
    """All cards, in any order."""


def keys_of(kind: Kind, attention: Information) -> NDArray[np.int64]:
    """Return the key of each hand; hands with equal keys are played alike."""
    hands, everything = kind.hands, all_hands()
    if attention is Information.CARDS or attention is Information.TWO_CARDS:
        place_of = {tuple(counts): place for place, counts in enumerate(everything.counts)}
        own = [len(ROWS) + place_of[tuple(counts)] for counts in hands.counts]
    found = []
    for place, (position, cards) in enumerate(zip(kind.positions, hands.cards, strict=True)):
        is_two = cards == PAIR
        if attention is Information.CARDS or (attention is Information.TWO_CARDS and is_two):
            found.append(own[place])
        elif kind.choices[place] == NO_CHOICE:
            found.append(0)
        else:
            soft, total = divmod(position.hand, TOTALS)
            found.append((pair_row if position.is_pair else total_row)(total, soft > 0))
    return np.array(found)


def keys_in_all(attention: Information) -> int:
    """Return the number of keys."""
    return len(ROWS) + (0 if attention is Information.TOTALS else len(all_hands().cards))


def cell_of(order: int) -> Cell:
    """Convert an order to a chart's cell.

    >>> cell_of(3)
    (<Action.DOUBLE: 3>, <Action.HIT: 1>)
    """
    return tuple(MOVES[move] for move in ORDERS[order])
