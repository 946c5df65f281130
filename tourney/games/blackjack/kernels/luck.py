"""What cards were worth in machine code: better or worse than the cards that could have come.

The same numbers as `tourney.games.blackjack.luck`, which says what they are for. Positions are
numbered as in `tourney.games.blackjack.position`, and no rule is written here a second time.
Leaves out whose cards they are; see `seat_turns`, and `single_seat_luck` for seats
that play alone.
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
"""Of a wagered chip; shape (positions of the dealer, positions of a hand)."""

SHOWNS, CARD_VALUES = U(len(SHOWN)), U(len(VALUES))
NO_SHOWN = U(NUMBER_OF_SHOWN[NOTHING_SHOWN])
"""Where the dealer begins."""
IN_SUIT = sum(COPIES)
SUITS = DECK_SIZE // IN_SUIT
LEFT = len(VALUES)
"""Place in `left` of how many cards there are; before it stands how many of each value."""
LIFT_BITS = 40
"""No chip is worth as much as 2 to this power, in parts of 2**-32."""
LIFT = 1 << LIFT_BITS


OWN_NEXT = np.array(AFTER_VALUE, np.uint64).reshape(-1)
SHOWN_NEXT = np.array(SHOWN_AFTER, np.uint64).reshape(-1)
"""Positions after a card, by the position before it and the value of the card."""
VALUE_OF = np.array([VALUES.index(card.value) for card in CARDS], np.uint64)
"""Place among VALUES of a card, by its code."""
OF_VALUE = np.array(COPIES, np.int64)
_MOST_LEFT = MOST_DECKS * DECK_SIZE
INVERSES = np.array([0, *((1 << 63) // left + 1 for left in range(1, _MOST_LEFT + 1))], np.uint64)
"""To multiply by one of them and halve 63 times is to divide by its place; see `floored`."""
for _table in (OWN_NEXT, SHOWN_NEXT, VALUE_OF, OF_VALUE, INVERSES):
    _table.setflags(write=False)


class Luck(NamedTuple):
    """What positions are worth, twice, so that what is looked up together lies together."""

    by_dealer: Numbers  # (SHOWNS * OWNS,) for cards of a hand
    by_hand: Numbers  # (OWNS * SHOWNS,) for cards of the dealer


def luck_of(worths: Worths | None) -> Luck:
    """Write down what positions are worth; nothing, where nobody wants to know."""
    if worths is None:
        return Luck(np.zeros(1, np.int64), np.zeros(1, np.int64))
    assert np.abs(worths).max() < LIFT
    return Luck(worths.reshape(-1).copy(), worths.T.reshape(-1).copy())


@inlined
def fill(left: Numbers, decks: Number) -> None:
    """Begin a shoe.

    Args:
        left: Cards that may come, by value, and how many there are; shape (11,). Overwritten.
        decks: How many; 0 for infinitely many, whose ranks stand for cards.
    """
    each = SUITS * decks if decks else 1
    for value in range(LEFT):
        left[value] = each * OF_VALUE[value]
    left[LEFT] = each * IN_SUIT


@inlined
def take_out(left: Numbers, value: Word) -> None:
    """Note that a card has gone from the shoe."""
    left[value] -= 1
    left[LEFT] -= 1


@inlined
def floored(total: Number, left: Number) -> Number:
    """Divide a sum of worths by the cards left, rounding down as Python does.

    What the product with an inverse has too much is, after it was halved, less than 1 in 2**11:
    the sum, lifted above zero, is less than 2**52. The next whole number is 1 in 1,040 away.
    """
    lifted = U(total + left * LIFT) << U(1)
    return np.int64(high_word(lifted, INVERSES[U(left)])) - LIFT


@inlined
def above_mean(
    worths: Numbers, row: Word, afters: Words, at: Word, left: Numbers, value: Word
) -> Number:
    """Give how much better a card was than cards were on average, rounded up.

    Args:
        worths: Of positions.
        row: Where in them those begin that the card leads to.
        afters: Positions by position and value.
        at: Where in them those begin that the card leads to.
        left: Cards that could have come.
        value: Of the card, as its place among VALUES.
    """
    total = np.int64(0)
    for each in range(U(0), CARD_VALUES):
        total += left[each] * worths[row + afters[at + each]]
    return worths[row + afters[at + value]] - floored(total, left[LEFT])


@inlined
def luck_of_own(luck: Luck, left: Numbers, own: Word, shown: Word, value: Word) -> Number:
    """Give the luck of a card for a hand, by the positions before it."""
    return above_mean(luck.by_dealer, shown * OWNS, OWN_NEXT, own * CARD_VALUES, left, value)


@inlined
def luck_of_shown(luck: Luck, left: Numbers, own: Word, shown: Word, value: Word) -> Number:
    """Give the luck of a hand in a card for the dealer, by the positions before it."""
    return above_mean(luck.by_hand, own * SHOWNS, SHOWN_NEXT, shown * CARD_VALUES, left, value)


@inlined
def luck_of_hands(luck: Luck, left: Numbers, hands: Numbers, shown: Word, value: Word) -> Number:
    """Give the luck of a seat's hands in a card for the dealer, by their positions before it.

    Args:
        luck: What positions are worth.
        left: Cards that could have come.
        hands: Rows of the hands.
        shown: The dealer's position before the card.
        value: Of the card.
    """
    total = np.int64(0)
    for number in range(len(hands)):
        own = U(hands[number, POSITION])
        if own != NO_MORE:
            total += hands[number, STAKE] * luck_of_shown(luck, left, own, shown, value)
    return total


@inlined
def own_next(own: Word, value: Word) -> Word:
    """Give a hand's position after a card."""
    return OWN_NEXT[own * CARD_VALUES + value]


@inlined
def shown_next(shown: Word, value: Word) -> Word:
    """Give the dealer's position after a card."""
    return SHOWN_NEXT[shown * CARD_VALUES + value]
