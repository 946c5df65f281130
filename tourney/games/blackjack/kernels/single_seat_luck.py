"""The luck of rounds that a seat played alone; the same numbers as `tourney.games.blackjack.luck`.

For a round of the automaton, the last arrow and the cards in order determine all events: one seat,
one hand, and then the dealer. So the luck is computed after the round. In other rounds it is
computed during play, see `single_seat_hand`.
"""

from typing import NamedTuple

import numpy as np

from tourney.game.cards.card import CARDS, RANKS
from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.automaton import OPENING, Ending
from tourney.games.blackjack.kernels.compiled_rules import HOLE, UPCARD, CompiledRules
from tourney.games.blackjack.kernels.lanes import (
    DRAWS,
    LANES_U,
    MOST_ROUNDS,
    PLACES,
    ROW,
    STOOD,
    Lanes,
)
from tourney.games.blackjack.kernels.luck import (
    LEFT,
    NO_SHOWN,
    Luck,
    fill,
    luck_of_hands,
    luck_of_own,
    luck_of_shown,
    own_next,
    shown_next,
    take_out,
)
from tourney.games.blackjack.kernels.positions import NO_OWN, after_move
from tourney.games.blackjack.kernels.shoes import ONE, RANK_MASK, ZERO, Codes, Numbers, U
from tourney.games.blackjack.position import VALUES

VALUE_AT = np.array(
    [VALUES.index(card.value) for card in CARDS[:RANKS]] + [0] * (16 - RANKS), np.uint64
)
"""Index in VALUES of a card, by the low bits of its face."""
VALUE_AT.setflags(write=False)
STAND, DOUBLE = U(Action.STAND), U(Action.DOUBLE)
HAS_STOOD, HAS_DOUBLED, OPENING_U = U(Ending.STOOD), U(Ending.DOUBLED), U(OPENING)
DRAWS_BIT, STOOD_BIT, DRAWS_MASK = U(DRAWS), U(STOOD), U(15)


class Following(NamedTuple):
    """The data to compute the luck of a seat."""

    luck: Luck
    left: Numbers  # (11,) cards left; see `luck.fill`
    decks: int  # 0 for infinitely many
    upcard: Word  # its index among the opening cards
    hole: Word


def new_following(house: CompiledRules) -> Following:
    """Prepare to compute luck by the values of positions in a house."""
    upcard, hole = house.places[1, UPCARD], house.places[1, HOLE]
    left = np.zeros(LEFT + 1, np.int64)
    return Following(house.luck, left, house.decks, U(upcard), U(hole))


@inlined
def value_at(deck: Codes, place: Word) -> Word:
    """Return the index in VALUES of a card."""
    return VALUE_AT[U(deck[place]) & RANK_MASK]


@inlined
def luck_of_card(
    following: Following, deck: Codes, place: Word, own: Word, shown: Word
) -> tuple[Word, Number]:
    """Return the position of the hand after a card, and the luck of the card."""
    value = value_at(deck, place)
    luck = luck_of_own(following.luck, following.left, own, shown, value)
    if following.decks:
        take_out(following.left, value)
    return own_next(own, value), luck


@inlined
def luck_of_draw(
    following: Following, deck: Codes, place: Word, own: Word, shown: Word
) -> tuple[Word, Number]:
    """Return the dealer's position after a drawn card, and the luck of the card."""
    value = value_at(deck, place)
    luck = luck_of_shown(following.luck, following.left, own, shown, value)
    if following.decks:
        take_out(following.left, value)
    return shown_next(shown, value), luck


@inlined
def luck_of_opening(
    following: Following, deck: Codes, start: Word, at: tuple[Word, Word, Number]
) -> tuple[Word, Word, Number]:
    """Add the luck of the opening cards of a round.

    Args:
        following: Values of positions, and the cards left. Updated.
        deck: Cards, as in FACES.
        start: Place of the first card of the round.
        at: Positions of the hand and of the dealer, and luck so far.
    Returns: The same after these cards.
    """
    own, shown, total = at
    luck, left = following.luck, following.left
    # The functions above would be inlined twice here, which is slower.
    for place in range(ZERO, OPENING_U):
        value = value_at(deck, start + place)
        if place == following.upcard or place == following.hole:  # noqa: PLR1714 - no tuples
            total += luck_of_shown(luck, left, own, shown, value)
            shown = shown_next(shown, value)
        else:
            total += luck_of_own(luck, left, own, shown, value)
            own = own_next(own, value)
        if following.decks:
            take_out(left, value)
    return own, shown, total


@inlined
def luck_of_round(
    following: Following, deck: Codes, start: Word, stop: Word, draws: Word, ending: Word
) -> Number:
    """Return the luck of a round per chip wagered.

    Args:
        following: Values of positions, and the cards left. Updated.
        deck: Cards, as in FACES.
        start: Place of the first card of the round.
        stop: Place after its last card.
        draws: Number of cards that the dealer drew.
        ending: The action of the seat after all hits; see `automaton.Ending`.
    """
    own, shown, total = luck_of_opening(following, deck, start, (NO_OWN, NO_SHOWN, 0))
    first, dealers = start + OPENING_U, stop - draws
    stake = 1
    if ending == HAS_DOUBLED:
        stake = 2
        own, luck = luck_of_card(following, deck, first, after_move(own, DOUBLE), shown)
        total += stake * luck
    else:
        for place in range(first, dealers):
            own, luck = luck_of_card(following, deck, place, own, shown)
            total += luck
        if ending == HAS_STOOD:
            own = after_move(own, STAND)
    for place in range(dealers, stop):
        shown, luck = luck_of_draw(following, deck, place, own, shown)
        total += stake * luck
    return total


@subroutine
def luck_of_lanes(
    following: Following, lanes: Lanes, rounds: Number, wager: Number, is_flat: Number
) -> Number:
    """Sum the luck of the first rounds of eight shoes.

    Args:
        following: Values of positions.
        lanes: The lanes, played and settled.
        rounds: Number of settled rounds.
        wager: The wager of each round, if it is constant.
        is_flat: Whether it is constant; otherwise the wagers are in `lanes.placed`.
    """
    total = np.int64(0)
    for lane in range(ZERO, LANES_U):
        row, cards = lane * U(MOST_ROUNDS) + ONE, lane * U(ROW)
        notes = min(np.int64(lanes.notes[lane] - row), rounds)
        rounds -= notes
        fill(following.left, 1)
        start = ZERO
        for number in range(ZERO, U(notes)):
            end = U(lanes.ends[row + number])
            stop, draws = end & PLACES, (end >> DRAWS_BIT) & DRAWS_MASK
            ending = (end >> STOOD_BIT) & ONE
            luck = luck_of_round(following, lanes.deck, cards + start, cards + stop, draws, ending)
            total += luck * (wager if is_flat else lanes.placed[row + number])
            start = stop
    return total


@subroutine
def follow_opening(following: Following, deck: Codes, start: Word) -> tuple[Word, Number]:
    """Return the dealer's position after the opening cards, and their luck per chip."""
    _, shown, luck = luck_of_opening(following, deck, start, (NO_OWN, NO_SHOWN, 0))
    return shown, luck


@subroutine
def follow_dealer(
    following: Following, deck: Codes, place: Word, hands: Numbers, shown: Word
) -> tuple[Word, Number]:
    """Return the dealer's position after a drawn card, and its luck for all hands."""
    value = value_at(deck, place)
    luck = luck_of_hands(following.luck, following.left, hands, shown, value)
    if following.decks:
        take_out(following.left, value)
    return shown_next(shown, value), luck


assert HAS_STOOD == ONE
