"""How lucky rounds were that a seat played alone.

What the automaton says of a round, and its cards in order, tell all that has happened: one seat,
one hand, and the dealer after it; its luck is worked out when it is over. Other rounds are
followed as they are played, see `single_seat_hand`. The same numbers as
`tourney.games.blackjack.luck`.
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
"""Place among VALUES of a card, by the low bits of its face."""
VALUE_AT.setflags(write=False)
STAND, DOUBLE = U(Action.STAND), U(Action.DOUBLE)
HAS_STOOD, HAS_DOUBLED, OPENING_U = U(Ending.STOOD), U(Ending.DOUBLED), U(OPENING)
DRAWS_BIT, STOOD_BIT, DRAWS_MASK = U(DRAWS), U(STOOD), U(15)


class Following(NamedTuple):
    """What it takes to follow the luck of a seat."""

    luck: Luck
    left: Numbers  # (11,) cards that may come, as `luck` counts them
    decks: int  # 0 for infinitely many
    upcard: Word  # its place among the opening cards
    hole: Word


def new_following(house: CompiledRules) -> Following:
    """Make ready to follow, by what positions are worth in a house."""
    upcard, hole = house.places[1, UPCARD], house.places[1, HOLE]
    left = np.zeros(LEFT + 1, np.int64)
    return Following(house.luck, left, house.decks, U(upcard), U(hole))


@inlined
def value_at(deck: Codes, place: Word) -> Word:
    """Give the place among VALUES of a card."""
    return VALUE_AT[U(deck[place]) & RANK_MASK]


@inlined
def luck_of_card(
    following: Following, deck: Codes, place: Word, own: Word, shown: Word
) -> tuple[Word, Number]:
    """Follow a card for the hand; give its position after it, and the luck."""
    value = value_at(deck, place)
    luck = luck_of_own(following.luck, following.left, own, shown, value)
    if following.decks:
        take_out(following.left, value)
    return own_next(own, value), luck


@inlined
def luck_of_draw(
    following: Following, deck: Codes, place: Word, own: Word, shown: Word
) -> tuple[Word, Number]:
    """Follow a card that the dealer draws; give the dealer's position after it, and the luck."""
    value = value_at(deck, place)
    luck = luck_of_shown(following.luck, following.left, own, shown, value)
    if following.decks:
        take_out(following.left, value)
    return shown_next(shown, value), luck


@inlined
def luck_of_opening(
    following: Following, deck: Codes, start: Word, at: tuple[Word, Word, Number]
) -> tuple[Word, Word, Number]:
    """Follow the opening cards of a round.

    Args:
        following: What positions are worth, and what cards are left. Updated.
        deck: Cards, as in FACES.
        start: Place of the first card of the round.
        at: Positions of the hand and of the dealer, and luck so far.
    Returns: The same, after these cards.
    """
    own, shown, total = at
    luck, left = following.luck, following.left
    # Not by the functions above, which would be laid out twice here and take longer.
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
    """Give the luck of a round, by the chip.

    Args:
        following: What positions are worth, and what cards are left. Updated.
        deck: Cards, as in FACES.
        start: Place of the first card of the round.
        stop: The place behind its last.
        draws: Cards that the dealer drew.
        ending: What the seat did after all hits; see `automaton.Ending`.
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
    """Sum up the luck of the first rounds of eight shoes.

    Args:
        following: What positions are worth.
        lanes: Played and settled.
        rounds: How many were settled.
        wager: Of each of them, if it never changes.
        is_flat: Whether it never does; else the wagers are `lanes.placed`.
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
    """Give the dealer's position after the opening cards, and their luck by the chip."""
    _, shown, luck = luck_of_opening(following, deck, start, (NO_OWN, NO_SHOWN, 0))
    return shown, luck


@subroutine
def follow_dealer(
    following: Following, deck: Codes, place: Word, hands: Numbers, shown: Word
) -> tuple[Word, Number]:
    """Give the dealer's position after a card that it draws, and the luck of hands in that."""
    value = value_at(deck, place)
    luck = luck_of_hands(following.luck, following.left, hands, shown, value)
    if following.decks:
        take_out(following.left, value)
    return shown_next(shown, value), luck


assert HAS_STOOD == ONE
