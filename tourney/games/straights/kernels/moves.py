"""The moves of dealt rounds of Straights, compiled.

A seat's choice is the lowest bit of its choices, because hands are held in the order of the seat's
preferences. There is one order for plays and one for discards. Seats that weigh waiting cards check
each card they may choose.
"""

from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, DECK_SIZE
from tourney.game.machine.jit import Word, subroutine
from tourney.games.straights.kernels.cards import (
    ABREAST,
    COST,
    DECK,
    FACE_DOWN,
    FIRST,
    HANDS,
    LANE,
    ONE,
    ZERO,
    Deals,
    U,
    Words,
    lowest_bit,
)
from tourney.games.straights.suits import BEFORE, BEHIND, LOST_WITH, POINTS, SEVEN

Numbers: TypeAlias = Any
"""An array of float64; its numpy type does not state that an item is a float."""
Seen: TypeAlias = tuple[Word, Word, Word]
"""Bits by code: cards of the hand, cards that cannot be played any more, cards on the table."""

FULL = U(0x1FFF_1FFF_1FFF_1FFF)
"""All slots of four hands."""
LAST_LANE, SEAT = U(48), U(0xFFFF)
TURNS = U(2)
"""Each seat makes every fourth move, so a shift by this number of bits gives its turn."""


def _neighbour(code: int, *, below: bool) -> int:
    """Return the code of the next card that waits on one side, or the one after the last."""
    for line in BEHIND[code]:
        if (POINTS[line[0].code] < SEVEN) == below:
            return line[0].code
    return DECK_SIZE


BELOW = np.array([_neighbour(code, below=True) for code in range(DECK_SIZE)], np.uint64)
ABOVE = np.array([_neighbour(code, below=False) for code in range(DECK_SIZE)], np.uint64)
TOWARDS = np.array([(*(card.code for card in line), DECK_SIZE)[0] for line in BEFORE], np.uint64)
LOST = np.array([sum(1 << code for code in LOST_WITH[card.code]) for card in CARDS], np.uint64)
for _table in (BELOW, ABOVE, TOWARDS, LOST):
    _table.setflags(write=False)


class Declared(NamedTuple):
    """The declarations of players; zeros without weights."""

    orders: Words  # (declarations, 2, 52); see `deal`
    play: Numbers  # (declarations, 52) by code, as are all numbers
    own: Numbers
    strangers: Numbers
    reach: Numbers
    discard: Numbers
    waiting: Numbers
    chance: Numbers
    weighs_plays: NDArray[np.bool_]  # (declarations,)
    weighs_discards: NDArray[np.bool_]


@subroutine
def move_abreast(deals: Deals) -> None:
    """Play all rounds side by side, by the order of the slots alone, without a branch.

    Args:
        deals: Dealt; `moves` and `points` are written.
    """
    cards, plays, discards, opens = deals.cards, deals.plays, deals.discards, deals.opens
    legal, left, held, shifts = deals.legal, deals.left, deals.held, deals.shifts
    for lane in range(ABREAST):
        legal[lane] = plays[lane, FIRST]
        left[lane] = held[lane] = FULL
        shifts[lane] = lowest_bit(legal[lane]) & LAST_LANE
        deals.points[lane] = ZERO
    for move in range(ZERO, DECK):
        for lane in range(ABREAST):
            shift = shifts[lane]
            may_play = legal[lane] & (SEAT << shift)
            half = FACE_DOWN if may_play == ZERO else ZERO
            choices = held[lane] & (SEAT << shift) if may_play == ZERO else may_play
            code = U(cards[lane, half + lowest_bit(choices)])
            left[lane] &= ~plays[lane, code]
            held[lane] &= ~discards[lane, code]
            # A card that was played stays out, even if a later card opens it.
            legal[lane] = (legal[lane] | opens[lane, half + code]) & left[lane]
            deals.points[lane] += COST[half + code] << shift
            deals.moves[lane, shift + (move >> TURNS)] = code + ONE
            shifts[lane] = (shift + LANE) & LAST_LANE


@subroutine
def worth_of_play(declared: Declared, who: Word, code: Word, seen: Seen) -> float:
    """Return the worth of playing a card, including all cards that wait for it.

    The sums are added in the order of `WeighsPlays.weigh_plays`, so that all bits agree.

    Args:
        declared: By all players.
        who: Number of the declaration.
        code: The card.
        seen: Information of the seat.
    """
    own, lost, _ = seen
    total: float = declared.play[who, code]
    for step in (BELOW, ABOVE):
        reached = 1.0
        waiting = step[code]
        while waiting != DECK and (lost >> waiting) & ONE == ZERO:
            if (own >> waiting) & ONE:
                total += reached * declared.own[who, waiting]
            else:
                total += reached * declared.strangers[who, waiting]
                reached *= declared.reach[who, waiting]
            waiting = step[waiting]
    return total


@subroutine
def worth_of_discard(declared: Declared, who: Word, code: Word, seen: Seen) -> float:
    """Return the worth of a discard, added in the order of `WeighsDiscards.weigh_discards`.

    Args:
        declared: By all players.
        who: Number of the declaration.
        code: The card.
        seen: Information of the seat.
    """
    own, lost, table = seen
    if (lost >> code) & ONE:
        return 0.0
    total: float = declared.discard[who, code]
    for step in (BELOW, ABOVE):
        waiting = step[code]
        while waiting != DECK and (lost >> waiting) & ONE == ZERO:
            if (own >> waiting) & ONE:
                total += declared.waiting[who, waiting]
            waiting = step[waiting]
    other = TOWARDS[code]
    while other != DECK and (table >> other) & ONE == ZERO:
        if (own >> other) & ONE == ZERO:
            total *= declared.chance[who, other]
        other = TOWARDS[other]
    return total


@subroutine
def move_weighing(deals: Deals, lane: Word, declared: Declared, seats: Words) -> None:
    """Play one round in which a seat weighs waiting cards.

    Args:
        deals: Dealt; `moves` and `points` are written.
        lane: Number of the round in `deals`.
        declared: By all players.
        seats: The declaration of each seat; shape (4,).
    """
    cards, plays, discards, opens = deals.cards, deals.plays, deals.discards, deals.opens
    own, lost, table = deals.own, deals.lost, ZERO
    own[:], lost[:] = ZERO, ZERO
    for place in range(ZERO, DECK):
        own[place // (DECK // HANDS)] |= ONE << U(deals.deck[lane, place])
    legal = plays[lane, FIRST]
    left = held = FULL
    seat = lowest_bit(legal) // LANE
    deals.points[lane] = ZERO
    for move in range(ZERO, DECK):
        who, hand = seats[seat], SEAT << (seat * LANE)
        may_play = legal & hand
        half = FACE_DOWN if may_play == ZERO else ZERO
        choices = held & hand if may_play == ZERO else may_play
        code = U(cards[lane, half + lowest_bit(choices)])
        weighs = declared.weighs_plays[who] if may_play else declared.weighs_discards[who]
        others = choices & (choices - ONE)
        if weighs and others:
            seen = own[seat], lost[seat], table
            best, is_first = 0.0, True
            while choices:
                card = U(cards[lane, half + lowest_bit(choices)])
                choices &= choices - ONE
                if may_play:
                    worth = worth_of_play(declared, who, card, seen)
                else:
                    worth = worth_of_discard(declared, who, card, seen)
                # As `max`, also if the sum of huge worths is not a number.
                if is_first or worth > best:
                    best, code, is_first = worth, card, False
        left &= ~plays[lane, code]
        held &= ~discards[lane, code]
        own[seat] &= ~(ONE << code)
        legal = (legal | opens[lane, half + code]) & left
        if may_play:
            table |= ONE << code
        else:
            lost[seat] |= LOST[code]
        deals.points[lane] += COST[half + code] << (seat * LANE)
        deals.moves[lane, seat * LANE + (move >> TURNS)] = code + ONE
        seat = (seat + ONE) % HANDS
