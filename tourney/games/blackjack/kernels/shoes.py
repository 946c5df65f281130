"""The shoes of `tourney.game.cards.shoe` in machine code: the same cards from the same key.

Cards are chosen a few at a time, before they are needed, and written as `FACES`, so that the low
bits are the index of an arrow of the automaton. The caller decides when to shuffle.

All numbers are uint64, because numba checks other indices for negative values.
"""

from math import prod
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, DECK_SIZE, RANKS, Rank
from tourney.game.cards.deck import riffle
from tourney.game.cards.generator import groups
from tourney.game.cards.shoe import (
    CUT_POSITIONS,
    CUTS_IN_A_SHUFFLE,
    FEWEST_IN_A_CUT,
    MOST_DECKS,
)
from tourney.game.ledger.running_hash import MERSENNE
from tourney.game.machine.jit import Number, Word, first_byte_last, inlined, subroutine
from tourney.game.machine.philox import HALF_BITS, HALVES, LOW, write_halves

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Codes = NDArray[np.uint8]

ZERO, ONE, DECK = U(0), U(1), U(DECK_SIZE)
WORD, WORDS_BEHIND = 8, 9
"""Cards in a word of a deck, and extra words after the last whole one, as a round may read them."""
ENDLESS_ROOM = 1280
"""Most cards of a round from an infinite shoe: seven seats with eight hands of 22."""
ENDLESS = U(1 << 40)
PRIME, PRIME_BITS = U(MERSENNE), U(MERSENNE.bit_length())
RANK_MASK, SUIT_BITS = U(15), U(4)
FACES = np.array([card.suit << int(SUIT_BITS) | card.rank - Rank.TWO for card in CARDS], np.uint8)
"""The face of a card, by its code: the low bits are its rank, 0 for a two."""
ONES, SUITS = U(0x0101010101010101), U(0x0303030303030303)
"""In every byte: one, and the bits of a suit."""
RANKS_LEFT_OUT = U(16 - RANKS)
"""Number of unused faces among the sixteen of a suit."""

SIZE, DEALT, CHOSEN, SHOE, TAKEN = range(5)
"""Indices in `Shoe.state`: number of cards, of cards dealt and chosen, number of the shoe, and
number of halves taken from the generator."""

_MOST_FROM_A_HALF = 12
_FIRST_GROUPS = [
    groups(tuple(range(left, max(left - _MOST_FROM_A_HALF, 0), -1)))[0]
    for left in range(1, MOST_DECKS * DECK_SIZE + 1)
]
DRAWS_OF = np.array([0, *(len(group.bounds) for group in _FIRST_GROUPS)], np.uint64)
"""Number of cards that the next half chooses, by number of cards left to shuffle."""
PRODUCT_OF = np.array([0, *(prod(group.bounds) for group in _FIRST_GROUPS)], np.uint64)
"""The product of the bounds of those draws."""
REJECTED_OF = np.array([0, *(group.rejected_below for group in _FIRST_GROUPS)], np.uint64)
"""Remainders below this would bias the draws."""
FOUR_OF_ENDLESS, FIVE_CUTS, TWO_CUTS = (
    (U(len(group.bounds)), U(prod(group.bounds)), U(group.rejected_below))
    for bounds in ((DECK_SIZE,) * 4, (CUT_POSITIONS,) * CUTS_IN_A_SHUFFLE)
    for group in groups(bounds)
)
"""Number of draws of one half, the product of their bounds, and the limit for rejection."""

_RIFFLES = [riffle(range(DECK_SIZE), FEWEST_IN_A_CUT + cut) for cut in range(CUT_POSITIONS)]
RIFFLES = np.array(_RIFFLES, np.uint8)
"""By cut: the previous index of the card at each place; shape (27, 52)."""
PAIRS = RIFFLES[:, RIFFLES].reshape(CUT_POSITIONS * CUT_POSITIONS, DECK_SIZE)
"""The same for two cuts, by the first cut times 27 plus the second; shape (729, 52)."""
for _table in (FACES, DRAWS_OF, PRODUCT_OF, REJECTED_OF, RIFFLES, PAIRS):
    _table.setflags(write=False)
assert [card.code for card in CARDS] == list(range(DECK_SIZE))


class Shoe(NamedTuple):
    """A shoe, as arrays."""

    key: Words  # (2,) low word first
    deck: Codes  # cards: dealt, then chosen, then others; and extra places that a round may read
    words: Words  # the bytes of `deck`, eight at a time
    new: Words  # `words` before a shuffle
    order: Codes  # (52,) order of the cards before a riffle
    spare: Codes  # (52,) memory for a riffle
    halves: Words  # (8,) the block of the generator in use
    state: Words  # (5,)
    cuts: Words  # (7,) the last cuts drawn, from 0 to 26
    absent: Numbers  # (52,) memory to count the cards on the table
    size: Word  # number of cards of a whole shoe
    decks: int  # 0 for an infinite shoe
    is_riffled: bool


OF_A_SHOE = ("key", "deck", "words", "order", "halves", "state")


def new_shoes(tables: int, keys: Words, decks: int, *, is_riffled: bool) -> Shoe:
    """Allocate the shoes of many tables, along the first axis of the arrays.

    Args:
        tables: Number of tables in memory.
        keys: Keys of all shoes; shape (shoes, 2), low word first.
        decks: Decks per shoe; 0 for infinitely many.
        is_riffled: Whether shoes are riffled.
    """
    cards = decks * DECK_SIZE
    words = (cards or ENDLESS_ROOM) // WORD + WORDS_BEHIND
    deck = np.zeros((tables, words * WORD), np.uint8)
    new = np.zeros(deck.shape[1], np.uint8)
    new[:cards] = np.tile(FACES, decks)
    return Shoe(
        key=keys,
        deck=deck,
        words=deck.view("<u8"),
        new=new.view("<u8"),
        order=np.zeros((tables, DECK_SIZE), np.uint8),
        spare=np.zeros(DECK_SIZE, np.uint8),
        halves=np.zeros((tables, int(HALVES)), np.uint64),
        state=np.zeros((tables, TAKEN + 1), np.uint64),
        cuts=np.zeros(CUTS_IN_A_SHUFFLE, np.uint64),
        absent=np.zeros(DECK_SIZE, np.int64),
        size=U(cards) if decks else ENDLESS,
        decks=decks,
        is_riffled=is_riffled,
    )


def new_shoe(decks: int, *, is_riffled: bool) -> Shoe:
    """Allocate the shoe of one table, and its key.

    Args:
        decks: Decks per shoe; 0 for infinitely many.
        is_riffled: Whether shoes are riffled.
    """
    shoes = new_shoes(1, np.zeros((1, 2), np.uint64), decks, is_riffled=is_riffled)
    first = {each: getattr(shoes, each)[0] for each in OF_A_SHOE}
    return shoes._replace(**first)


@inlined
def shoe_of(shoes: Shoe, table: Number, room: Number) -> Shoe:
    """Return a view of the shoe of one of many tables, in the memory `room`."""
    return Shoe(
        shoes.key[table],
        shoes.deck[room],
        shoes.words[room],
        shoes.new,
        shoes.order[room],
        shoes.spare,
        shoes.halves[room],
        shoes.state[room],
        shoes.cuts,
        shoes.absent,
        shoes.size,
        shoes.decks,
        shoes.is_riffled,
    )


@inlined
def code_of(face: Word) -> Word:
    """Return the code of a card."""
    return face - (face >> SUIT_BITS) * RANKS_LEFT_OUT


@inlined
def fair_half(shoe: Shoe, product: Word, rejected: Word) -> Word:
    """Take the next half that gives unbiased draws for a group.

    Args:
        shoe: The shoe; its stream is used.
        product: The product of the bounds of the group.
        rejected: Least remainder after all draws of the group.
    """
    while True:
        taken = shoe.state[TAKEN]
        if taken % HALVES == ZERO:
            block, key = taken // HALVES + ONE, (shoe.key[0], shoe.key[1])
            write_halves(shoe.halves, ZERO, block, shoe.state[SHOE], key)
        half = shoe.halves[taken % HALVES]
        shoe.state[TAKEN] = taken + ONE
        # The remainder after all draws of the group, without making the draws.
        if (half * product) & LOW >= rejected:
            return half


@inlined
def serve(deck: Codes, place: Word, left: Word, draws: Word, half: Word) -> None:
    """Choose cards with one half.

    Args:
        deck: The cards.
        place: Place of the first card to choose.
        left: Number of cards from there on, to choose from.
        draws: Number of cards to choose.
        half: 32 random bits.
    """
    for draw in range(ZERO, draws):
        here = place + draw
        product = half * (left - draw)
        half = product & LOW
        chosen = here + (product >> HALF_BITS)
        face = deck[here]
        deck[here] = deck[chosen]
        deck[chosen] = face


@inlined
def choose_shuffled(shoe: Shoe) -> None:
    """Choose the cards of one half."""
    state, place = shoe.state, shoe.state[CHOSEN]
    left = state[SIZE] - place
    draws, half = DRAWS_OF[left], fair_half(shoe, PRODUCT_OF[left], REJECTED_OF[left])
    serve(shoe.deck, place, left, draws, half)
    state[CHOSEN] = place + draws


@inlined
def choose_endless(shoe: Shoe) -> None:
    """Choose four cards from infinitely many."""
    draws, product_of_bounds, rejected = FOUR_OF_ENDLESS
    half = fair_half(shoe, product_of_bounds, rejected)
    place = shoe.state[CHOSEN]
    for draw in range(ZERO, draws):
        product = half * DECK
        shoe.deck[place + draw] = FACES[product >> HALF_BITS]
        half = product & LOW
    shoe.state[CHOSEN] = place + draws


@inlined
def choose_until(shoe: Shoe, place: Word) -> None:
    """Choose all existing cards before a place, and perhaps a few more."""
    while shoe.state[CHOSEN] < min(place, shoe.state[SIZE]):
        if shoe.decks:
            choose_shuffled(shoe)
        else:
            choose_endless(shoe)


@subroutine
def choose_more(shoe: Shoe, place: Word) -> None:
    """Choose all cards before a place, for callers that rarely need this."""
    choose_until(shoe, place)


@inlined
def open_shoe(shoe: Shoe) -> None:
    """Put the cards of a block in the order before the first riffle."""
    for code in range(ZERO, DECK):
        shoe.order[code] = FACES[code]


@inlined
def begin(shoe: Shoe, number: Word) -> None:
    """Shuffle all cards and begin a shoe."""
    state = shoe.state
    state[SHOE], state[SIZE] = number, shoe.size
    state[DEALT] = state[CHOSEN] = state[TAKEN] = ZERO
    if shoe.is_riffled:
        riffle_all(shoe)
    elif shoe.decks:
        for word in range(ZERO, (shoe.size + U(WORD - 1)) // U(WORD)):
            shoe.words[word] = shoe.new[word]


@subroutine
def draw_cuts(shoe: Shoe) -> None:
    """Draw the seven cuts of a riffled shoe, several with each half."""
    place = ZERO
    for draws, product_of_bounds, rejected in (FIVE_CUTS, TWO_CUTS):
        half = fair_half(shoe, product_of_bounds, rejected)
        for _ in range(ZERO, draws):
            product = half * U(CUT_POSITIONS)
            shoe.cuts[place] = product >> HALF_BITS
            half = product & LOW
            place += ONE


@subroutine
def riffle_all(shoe: Shoe) -> None:
    """Riffle all cards seven times."""
    draw_cuts(shoe)
    deck, order, cut, cuts = shoe.deck, shoe.order, shoe.cuts, U(CUT_POSITIONS)
    first, second = cut[0] * cuts + cut[1], cut[2] * cuts + cut[3]
    third, last = cut[4] * cuts + cut[5], cut[6]
    for place in range(ZERO, DECK):
        deck[place] = order[PAIRS[first, PAIRS[second, PAIRS[third, RIFFLES[last, place]]]]]
    for place in range(ZERO, DECK):
        order[place] = deck[place]
    shoe.state[CHOSEN] = DECK


@subroutine
def begin_from_discards(shoe: Shoe, table: Codes, on_table: int) -> None:
    """Begin the next shoe from the cards that are out of play.

    Args:
        shoe: The shoe that ran out.
        table: Codes of the cards of the round in play, at the start of a longer array.
        on_table: Number of these cards.
    """
    state, deck, order, absent = shoe.state, shoe.deck, shoe.order, shoe.absent
    state[SHOE] += ONE
    state[DEALT] = state[CHOSEN] = state[TAKEN] = ZERO
    absent[:] = 0
    for place in range(on_table):
        absent[table[place]] += 1
    size = kept = 0
    for place in range(shoe.decks * DECK_SIZE):
        face = order[place % DECK_SIZE]
        code = code_of(U(face))
        if absent[code]:  # the first cards of a kind count as the cards on the table
            absent[code] -= 1
            shoe.spare[kept % DECK_SIZE] = face
            kept += 1
        else:
            deck[size] = face
            size += 1
    state[SIZE] = U(size)
    if shoe.is_riffled:
        draw_cuts(shoe)
        for cut in shoe.cuts:
            riffle_once(deck, order, size, (FEWEST_IN_A_CUT + int(cut)) * size // DECK_SIZE)
        for place in range(size):
            order[place] = deck[place]
        for place in range(kept):
            order[size + place] = shoe.spare[place]
        state[CHOSEN] = U(size)


@subroutine
def riffle_once(deck: Codes, room: Codes, size: int, cut: int) -> None:
    """Cut and riffle: right, left, right, left, then the rest.

    Args:
        deck: The cards, of which the first are riffled.
        room: Memory for the result.
        size: Number of cards to riffle.
        cut: Number of cards in the left part.
    """
    both = min(cut, size - cut)
    for pair in range(both):
        room[2 * pair] = deck[cut + pair]
        room[2 * pair + 1] = deck[pair]
    place = 2 * both
    for rest in range(cut + both, size):
        room[place] = deck[rest]
        place += 1
    for rest in range(both, cut):
        room[place] = deck[rest]
        place += 1
    for each in range(size):
        deck[each] = room[each]


@inlined
def codes_of(faces: Word) -> Word:
    """Return the codes of eight cards, counted from one, with the first card first."""
    suits = (faces >> SUIT_BITS) & SUITS
    return first_byte_last(faces - suits * RANKS_LEFT_OUT + ONES)


@inlined
def cards_word(words: Words, row: Word, dealt: Word) -> Word:
    """Return the hash word of cards, like `tourney.game.ledger.running_hash.cards_word`.

    Args:
        words: Cards, eight at a time.
        row: Index of the first word.
        dealt: Number of cards.
    """
    word = ZERO
    # Modulo a Mersenne prime, multiplying by a power of 2 is a rotation.
    for eight in range(ZERO, dealt >> U(3)):
        part = codes_of(words[row + eight])
        word = ((word << U(3)) & PRIME) + (word >> (PRIME_BITS - U(3)))
        word += (part & PRIME) + (part >> PRIME_BITS)
        word = (word & PRIME) + (word >> PRIME_BITS)
    bits = (dealt & U(7)) << U(3)
    if bits:
        part = codes_of(words[row + (dealt >> U(3))]) >> (U(64) - bits)
        word = ((word << bits) & PRIME) + (word >> (PRIME_BITS - bits)) + part
        word = (word & PRIME) + (word >> PRIME_BITS)
    return word - PRIME if word >= PRIME else word


@subroutine
def dealt_word(shoe: Shoe, dealt: Word) -> Word:
    """Return the hash word of the first cards of a shoe, for callers that rarely need it."""
    return cards_word(shoe.words, ZERO, dealt)
