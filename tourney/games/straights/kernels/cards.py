"""The cards of Straights, compiled: the published generator, the shuffle and the hands.

A deal gives the same cards as `tourney.game.cards.shoe.UniformShoe` of one deck.

All masks, codes and words are uint64: numba would convert a uint64 and an int64 to a float, and
checks each signed index for negative values.
"""

from math import prod
from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, DECK_SIZE, Rank, Suit
from tourney.game.cards.generator import groups_of_shuffle
from tourney.game.machine.jit import Word, compiled, subroutine
from tourney.game.machine.philox import HALF_BITS, HALVES, LOW, write_halves
from tourney.games.straights.records import SEATS
from tourney.games.straights.round import FIRST_PLAY, OPENED_BY
from tourney.games.straights.suits import points_of

Words = NDArray[np.uint64]
Codes = NDArray[np.uint8]

ABREAST = 4
"""Rounds of one table that are played side by side, to hide the latency of each."""

U = np.uint64
ZERO, ONE = U(0), U(1)
HANDS, HAND, DECK = U(SEATS), U(DECK_SIZE // SEATS), U(DECK_SIZE)
LANE = U(16)
"""Bits of a word per seat: 13 for its cards, or a number such as its points."""
FACE_DOWN = U(64)
"""Start of the half for discards in a table by slot or by code."""
FIRST = U(FIRST_PLAY)

ROOM = U(2) * HALVES
"""Halves that are drawn at a time."""


def _constant(values: list[int]) -> Words:
    array = np.array(values, np.uint64)
    array.setflags(write=False)
    return array


_GROUPS = groups_of_shuffle(DECK_SIZE)
GROUPS = U(len(_GROUPS))
GROUP_OF = _constant([number for number, group in enumerate(_GROUPS) for _ in group.bounds])
PRODUCTS = _constant([prod(group.bounds) for group in _GROUPS])
REJECTED_BELOW = _constant([group.rejected_below for group in _GROUPS])
BOUNDS_BEFORE = _constant(
    [prod(group.bounds[:place]) for group in _GROUPS for place in range(len(group.bounds))]
)
"""Product of the bounds before a draw in its group, so that draws do not depend on each other."""

_SEVENS = [card.code for card in CARDS if card.rank is Rank.SEVEN]
OTHER_SEVENS = _constant([code for code in _SEVENS if CARDS[code].suit is not Suit.SPADES])
_OPENED = [[code for code in opened if code not in _SEVENS] for opened in OPENED_BY]
OPENED = _constant([[*opened, DECK_SIZE][0] for opened in _OPENED])
ALSO_OPENED = _constant([[*opened, DECK_SIZE, DECK_SIZE][1] for opened in _OPENED])
"""Code of the second card that a card opens in its suit; the code after the last if there is
none."""

_NO_COST = [0] * int(FACE_DOWN)
COST = _constant(_NO_COST + [points_of(card) for card in CARDS])
"""Points of a card by its code: zero if it is played, its points in the half for discards."""


class Deals(NamedTuple):
    """Rounds that are played side by side, and work space, because compiled code allocates no
    arrays.

    A slot is 16 times the seat plus the position of the card in the hand, the first choice first.
    There is one order for plays, and another for discards.
    """

    deck: Codes  # (ABREAST, 56) codes in dealing order; four zeros
    cards: Codes  # (ABREAST, 128) code by slot, of plays and then of discards
    plays: Words  # (ABREAST, 53) by code: the bit of its slot of plays; the last is 0
    discards: Words  # (ABREAST, 53) by code: the bit of its slot of discards
    opens: Words  # (ABREAST, 116) by code: the slots of plays it opens; 0 face down
    moves: Codes  # (ABREAST, 64) code plus one, by 16 times the seat plus its turn
    points: Words  # (ABREAST,) of each seat, 16 bits apart
    legal: Words  # (ABREAST,) slots of the cards that may be played
    left: Words  # (ABREAST,) slots of plays that are not empty
    held: Words  # (ABREAST,) slots of discards that are not empty
    shifts: Words  # (ABREAST,) bits below the slots of the next seat
    own: Words  # (4,) by seat: the bits of its hand, by code
    lost: Words  # (4,) by seat: bits of the cards that its discards have blocked, by code
    halves: Words  # (16,) drawn from the generator
    accepted: Words  # (10,) the halves that serve a group of draws each
    sparse: Words  # (2, 13) bits of a hand's cards in the order of all 52, of plays and discards


def new_deals() -> Deals:
    """Allocate ABREAST rounds."""
    return Deals(
        deck=np.zeros((ABREAST, 56), np.uint8),
        cards=np.zeros((ABREAST, 128), np.uint8),
        plays=np.zeros((ABREAST, DECK_SIZE + 1), np.uint64),
        discards=np.zeros((ABREAST, DECK_SIZE + 1), np.uint64),
        opens=np.zeros((ABREAST, int(FACE_DOWN) + DECK_SIZE), np.uint64),
        moves=np.zeros((ABREAST, 64), np.uint8),
        points=np.zeros(ABREAST, np.uint64),
        legal=np.zeros(ABREAST, np.uint64),
        left=np.zeros(ABREAST, np.uint64),
        held=np.zeros(ABREAST, np.uint64),
        shifts=np.zeros(ABREAST, np.uint64),
        own=np.zeros(SEATS, np.uint64),
        lost=np.zeros(SEATS, np.uint64),
        halves=np.zeros(int(ROOM), np.uint64),
        accepted=np.zeros(len(_GROUPS), np.uint64),
        sparse=np.zeros((2, int(HAND)), np.uint64),
    )


def _bits_of(_typing: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


def _lowest_bit(_typing: Any, _word: Any) -> Any:
    def generate(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


# Machine instructions without a name in Python; numba's types describe the generated code, not
# the call.
bits_of: Any = intrinsic(_bits_of)
"""Count the bits of a word."""
lowest_bit: Any = intrinsic(_lowest_bit)
"""Return the position of the lowest bit of a word, which must not be 0."""


@compiled
def shuffle(deals: Deals, lane: Word, key: Words, stream: Word) -> None:
    """Shuffle a new deck for one round, from a separate random stream.

    Args:
        deals: Its `deck` is written.
        lane: Number of the round in `deals`.
        key: Of the table's shoes; shape (2,), low word first.
        stream: Number of the shoe.
    """
    halves, accepted, deck = deals.halves, deals.accepted, deals.deck
    of_table = key[0], key[1]
    write_halves(halves, ZERO, ONE, stream, of_table)
    write_halves(halves, HALVES, U(2), stream, of_table)
    block, taken = U(3), ZERO
    for group in range(ZERO, GROUPS):
        while True:
            if taken == ROOM:
                write_halves(halves, HALVES, block, stream, of_table)
                block, taken = block + ONE, HALVES
            half = halves[taken]
            taken += ONE
            # The remainder after all draws of a group does not depend on them.
            if (half * PRODUCTS[group]) & LOW >= REJECTED_BELOW[group]:
                break
        accepted[group] = half
    for code in range(ZERO, DECK):
        deck[lane, code] = code
    for place in range(ZERO, DECK):
        remainder = (accepted[GROUP_OF[place]] * BOUNDS_BEFORE[place]) & LOW
        chosen = place + ((remainder * (DECK - place)) >> HALF_BITS)
        card = deck[lane, place]
        deck[lane, place] = deck[lane, chosen]
        deck[lane, chosen] = card


@subroutine
def deal(deals: Deals, lane: Word, orders: Words, seats: Words) -> None:
    """Deal the hands, with each card at its slot in both orders of the seat.

    Args:
        deals: Its `deck` is dealt; its entries by slot or by code are written.
        lane: Number of the round in `deals`.
        orders: By declaration, for plays and for discards, by code: the bit whose position is the
            number of preferred cards; shape (declarations, 2, 52).
        seats: The declaration of each seat; shape (4,).
    """
    deck, cards, plays, discards = deals.deck, deals.cards, deals.plays, deals.discards
    sparse, opens = deals.sparse, deals.opens
    for seat in range(ZERO, HANDS):
        likes, losses = orders[seats[seat], 0], orders[seats[seat], 1]
        to_play = to_discard = ZERO
        for place in range(ZERO, HAND):
            code = U(deck[lane, seat * HAND + place])
            # Cards of equal worth share a run of bits as long as their number. The carry of the
            # sum finds the first free bit: the next in the order of the hand.
            carried = to_play + likes[code]
            sparse[0, place] = carried & ~to_play
            to_play |= carried
            carried = to_discard + losses[code]
            sparse[1, place] = carried & ~to_discard
            to_discard |= carried
        for place in range(ZERO, HAND):
            code = U(deck[lane, seat * HAND + place])
            slot = seat * LANE + bits_of(to_play & (sparse[0, place] - ONE))
            cards[lane, slot] = code
            plays[lane, code] = ONE << slot
            slot = seat * LANE + bits_of(to_discard & (sparse[1, place] - ONE))
            cards[lane, FACE_DOWN + slot] = code
            discards[lane, code] = ONE << slot
    for opener in range(ZERO, DECK):
        opens[lane, opener] = plays[lane, OPENED[opener]] | plays[lane, ALSO_OPENED[opener]]
    for seven in OTHER_SEVENS:
        opens[lane, FIRST] |= plays[lane, seven]
