"""The luck of cards in machine code: their value minus the mean of all cards that could come.

The numbers are those of `tourney.games.blackjack.luck`, which explains them. Positions are numbered
as in `tourney.games.blackjack.position`, whose functions give all tables. `table_state` uses this
module, and `single_seat_luck` for seats that play alone.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, DECK_SIZE
from tourney.game.cards.shoe import MOST_DECKS
from tourney.game.machine.jit import Number, Word, high_word, inlined
from tourney.games.blackjack.kernels.positions import NO_MORE, OWNS, POSITION, STAKE
from tourney.games.blackjack.kernels.shoes import Numbers, U, Words
from tourney.games.blackjack.position import (
    AFTER_VALUE,
    COPIES,
    NOTHING_SHOWN,
    NUMBER_OF_SHOWN,
    SHOWN,
    SHOWN_AFTER,
    VALUES,
)

Worths = NDArray[np.int64]
"""Values of a wagered chip; shape (positions of the dealer, positions of a hand)."""

SHOWNS, CARD_VALUES = U(len(SHOWN)), U(len(VALUES))
NO_SHOWN = U(NUMBER_OF_SHOWN[NOTHING_SHOWN])
"""The dealer's position before its first card."""
IN_SUIT = sum(COPIES)
SUITS = DECK_SIZE // IN_SUIT
LEFT = len(VALUES)
"""Index in `left` of the number of cards; before it are the numbers of each value."""
LIFT_BITS = 40
"""Every value of a chip is below 2 to this power, in units of 2**-32."""
LIFT = 1 << LIFT_BITS

OWN_NEXT = np.array(AFTER_VALUE, np.uint64).reshape(-1)
SHOWN_NEXT = np.array(SHOWN_AFTER, np.uint64).reshape(-1)
"""Positions after a card, by the position before it and the value of the card."""
VALUE_OF = np.array([VALUES.index(card.value) for card in CARDS], np.uint64)
"""Index in VALUES of a card, by its code."""
OF_VALUE = np.array(COPIES, np.int64)
_MOST_LEFT = MOST_DECKS * DECK_SIZE
INVERSES = np.array([0, *((1 << 63) // left + 1 for left in range(1, _MOST_LEFT + 1))], np.uint64)
"""Multiplying by entry n and shifting by 63 bits divides by n; see `floored`."""
for _table in (OWN_NEXT, SHOWN_NEXT, VALUE_OF, OF_VALUE, INVERSES):
    _table.setflags(write=False)


class Luck(NamedTuple):
    """Values of positions, in two orders, so that values used together are adjacent."""

    by_dealer: Numbers  # (SHOWNS * OWNS,) for cards of a hand
    by_hand: Numbers  # (OWNS * SHOWNS,) for cards of the dealer


def luck_of(worths: Worths | None) -> Luck:
    """Convert the values of positions to arrays; tiny arrays if luck is not measured."""
    if worths is None:
        return Luck(np.zeros(1, np.int64), np.zeros(1, np.int64))
    assert np.abs(worths).max() < LIFT
    return Luck(worths.reshape(-1).copy(), worths.T.reshape(-1).copy())


@inlined
def fill(left: Numbers, decks: Number) -> None:
    """Reset the cards left to a full shoe.

    Args:
        left: Output: number of cards of each value, and of all cards; shape (11,).
        decks: Number of decks; 0 for infinitely many, counted as 13 ranks.
    """
    each = SUITS * decks if decks else 1
    for value in range(LEFT):
        left[value] = each * OF_VALUE[value]
    left[LEFT] = each * IN_SUIT


@inlined
def take_out(left: Numbers, value: Word) -> None:
    """Remove a card from the cards left."""
    left[value] -= 1
    left[LEFT] -= 1


@inlined
def floored(total: Number, left: Number) -> Number:
    """Divide a sum of values by the number of cards left, rounding down as Python does.

    The error of the product with an inverse, after shifting, is less than 2**-11, because the sum,
    lifted above zero, is less than 2**52. The next whole number is at least 1/1040 away.
    """
    lifted = U(total + left * LIFT) << U(1)
    return np.int64(high_word(lifted, INVERSES[U(left)])) - LIFT


@inlined
def above_mean(
    worths: Numbers, row: Word, afters: Words, at: Word, left: Numbers, value: Word
) -> Number:
    """Return the value after a card minus the mean over the cards left, rounded up.

    Args:
        worths: Values of positions.
        row: First index in `worths` of the positions after the card.
        afters: Positions after a card, by position and value.
        at: First index in `afters` for the position before the card.
        left: Cards left; see `fill`.
        value: Index in VALUES of the card.
    """
    total = np.int64(0)
    for each in range(U(0), CARD_VALUES):
        total += left[each] * worths[row + afters[at + each]]
    return worths[row + afters[at + value]] - floored(total, left[LEFT])


@inlined
def luck_of_own(luck: Luck, left: Numbers, own: Word, shown: Word, value: Word) -> Number:
    """Return the luck of a card for a hand, by the positions before it."""
    return above_mean(luck.by_dealer, shown * OWNS, OWN_NEXT, own * CARD_VALUES, left, value)


@inlined
def luck_of_shown(luck: Luck, left: Numbers, own: Word, shown: Word, value: Word) -> Number:
    """Return the luck of a dealer's card for a hand, by the positions before it."""
    return above_mean(luck.by_hand, own * SHOWNS, SHOWN_NEXT, shown * CARD_VALUES, left, value)


@inlined
def luck_of_hands(luck: Luck, left: Numbers, hands: Numbers, shown: Word, value: Word) -> Number:
    """Return the luck of a dealer's card for a seat's hands, by the positions before it.

    Args:
        luck: Values of positions.
        left: Cards left; see `fill`.
        hands: Rows of the hands.
        shown: The dealer's position before the card.
        value: Index in VALUES of the card.
    """
    total = np.int64(0)
    for number in range(len(hands)):
        own = U(hands[number, POSITION])
        if own != NO_MORE:
            total += hands[number, STAKE] * luck_of_shown(luck, left, own, shown, value)
    return total


@inlined
def own_next(own: Word, value: Word) -> Word:
    """Return a hand's position after a card."""
    return OWN_NEXT[own * CARD_VALUES + value]


@inlined
def shown_next(shown: Word, value: Word) -> Word:
    """Return the dealer's position after a card."""
    return SHOWN_NEXT[shown * CARD_VALUES + value]
