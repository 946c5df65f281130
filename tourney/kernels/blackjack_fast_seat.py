"""What lies before a seat that plays alone, as numbers, and the luck of the cards that come there.

For rounds that the automaton does not play; of all others, `blackjack_luck_rounds` works it out
when they are over. Leaves out who decides, and what the cards come to.
"""

import numpy as np

from tourney.games.blackjack.action import Action
from tourney.kernels.blackjack_fast_shoe import Shoe
from tourney.kernels.blackjack_luck import (
    GONE,
    NO_OWN,
    NO_SHOWN,
    acted,
    luck_of_shown,
    shown_next,
    take_out,
)
from tourney.kernels.blackjack_luck_rounds import (
    Following,
    luck_of_card,
    luck_of_opening,
    value_at,
)
from tourney.kernels.blackjack_shoe import Numbers, U
from tourney.kernels.jit import Number, Word, compiled

MOST_HANDS = 8
HAND, STAKE, RANK, IS_PAIR, CARDS, IS_CLOSED, IS_GIVEN_UP, POSITION = range(8)
"""Rows of `hands`: number of the hand, chips on it, rank of its first card, whether its two cards
are of one value (1) and may be split (2), its cards, whether it gets no more, whether it is
surrendered, and its position as `blackjack_luck` has it."""
PLACE, COUNT, SEEN, WHO, FOLLOWS, LUCK_SUM, DEALER_AT = range(7)
"""Places in `look`: the next card's, the running count, the cards seen, the declaration; whether
luck is followed, that of the round, and the dealer's position."""
SPLIT = int(Action.SPLIT)


def new_hands() -> Numbers:
    """Make room for the hands of a seat."""
    return np.zeros((POSITION + 1, MOST_HANDS), np.int64)


def new_look() -> Numbers:
    """Make room for what a seat has seen."""
    return np.zeros(DEALER_AT + 1, np.int64)


@compiled
def follow_opening(
    following: Following, shoe: Shoe, hands: Numbers, look: Numbers, start: Word
) -> None:
    """Note the opening cards of a round, the first of which lies at a place of the shoe."""
    own, shown, luck = luck_of_opening(following, shoe.deck, start, (NO_OWN, NO_SHOWN, 0))
    hands[POSITION, 0], look[DEALER_AT] = own, shown
    look[LUCK_SUM] = hands[STAKE, 0] * luck


@compiled
def follow_move(hands: Numbers, at: Number, action: Number, held: Number) -> None:
    """Note a move with a hand, while the seat holds so many."""
    position = acted(U(hands[POSITION, at]), U(action))
    hands[POSITION, at] = position
    if action == SPLIT:
        hands[POSITION, held] = position


@compiled
def follow_card(
    following: Following, shoe: Shoe, hands: Numbers, look: Numbers, at: Number, place: Word
) -> None:
    """Note a card for a hand, from a place of the shoe; none, if it has run out."""
    if place < shoe.size:
        own, shown = U(hands[POSITION, at]), U(look[DEALER_AT])
        own, luck = luck_of_card(following, shoe.deck, place, own, shown)
        look[LUCK_SUM] += hands[STAKE, at] * luck
        hands[POSITION, at] = own


@compiled
def follow_dealer(
    following: Following, shoe: Shoe, hands: Numbers, look: Numbers, held: Number, place: Word
) -> None:
    """Note a card that the dealer draws, while the seat holds so many hands."""
    if place < shoe.size:
        shown, value = U(look[DEALER_AT]), value_at(shoe.deck, place)
        for at in range(held):
            own = U(hands[POSITION, at])
            if own != GONE:
                luck = luck_of_shown(following.luck, following.left, own, shown, value)
                look[LUCK_SUM] += hands[STAKE, at] * luck
        look[DEALER_AT] = shown_next(shown, value)
        if following.decks:
            take_out(following.left, value)
