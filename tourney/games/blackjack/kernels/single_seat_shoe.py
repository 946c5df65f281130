"""Shoes for the fast ways: cards are chosen a few ahead of the round that may need them.

The same cards as those of `tourney.game.cards.shoe`. Cards are written as `FACES`, so that the low
bits find an arrow of the automaton. Leaves out shoes that run out within a round; whoever meets
one plays the block some other way.

All numbers are uint64: numba asks of every other index whether it is negative.
"""

from math import prod
from typing import NamedTuple

import numpy as np

from tourney.game.cards.card import DECK_SIZE, RANKS
from tourney.game.cards.generator import groups, groups_of_shuffle
from tourney.game.cards.shoe import CUT_POSITIONS, CUTS_IN_A_SHUFFLE, MOST_DECKS
from tourney.game.machine.jit import Word, first_byte_last, inlined, subroutine
from tourney.games.blackjack.kernels.lanes import (
    DECK,
    EIGHT,
    FACES,
    HALF_BITS,
    LOW,
    ONE,
    SUIT_BITS,
    ZERO,
    Codes,
    U,
    Words,
)
from tourney.games.blackjack.kernels.shoes import (
    HALVES,
    PAIRS,
    PRIME,
    PRIME_BITS,
    RIFFLES,
    write_halves,
)

WORD = 8
"""Cards in a word."""
ROOM = MOST_DECKS * DECK_SIZE + 8 * WORD
"""Places in a deck; behind the last card there is room for what a round may need."""
ENDLESS = U(1 << 40)
CHOSEN, TAKEN, GROUP, NUMBER = range(4)
"""Places in `Shoe.state`: cards chosen, halves taken, groups of draws made, number of the shoe."""
ONES, SUITS = U(0x0101010101010101), U(0x0303030303030303)
"""The same in every byte: one, and the bits of a suit."""
RANKS_LEFT_OUT = U(16 - RANKS)
"""Sixteen faces a suit, of which so many are no cards."""
UNIFORM, RIFFLED, INFINITE = range(3)
POSITIONS, TWICE, THRICE, FOUR_TIMES = (U(CUT_POSITIONS**power) for power in range(1, 5))


class Shoe(NamedTuple):
    """A shoe, as arrays."""

    kind: int  # UNIFORM, RIFFLED or INFINITE
    size: Word  # cards
    is_long: bool  # whether many rounds are dealt from it
    key: Words  # (2,) low word first
    deck: Codes  # (ROOM,) cards: those dealt, those chosen, the others
    words: Words  # (ROOM / 8,) the bytes of `deck` again, eight at a time
    new: Words  # (ROOM / 8,) what `words` are before a shuffle
    order: Codes  # (52,) in which a riffle finds the cards
    halves: Words  # (8,) the block of the generator in use
    state: Words  # (4,)
    sizes: Words  # (groups,) draws that one half serves
    products: Words  # (groups,) of their bounds
    rejected: Words  # (groups,) remainders below it would favour some cards


def new_shoe(decks: int, kind: int, *, is_long: bool) -> Shoe:
    """Make room for the shoes of a table.

    Args:
        decks: How many; 0 for infinitely many.
        kind: UNIFORM, RIFFLED or INFINITE.
        is_long: Whether many rounds are dealt from one.
    """
    deck, new = np.zeros(ROOM, np.uint8), np.zeros(ROOM, np.uint8)
    new[: decks * DECK_SIZE] = np.tile(FACES, decks)
    of_kind = {
        UNIFORM: groups_of_shuffle(decks * DECK_SIZE),
        RIFFLED: groups((CUT_POSITIONS,) * CUTS_IN_A_SHUFFLE),
        INFINITE: groups((DECK_SIZE,) * 4),
    }[kind]
    return Shoe(
        kind=kind,
        size=U(decks * DECK_SIZE) if decks else ENDLESS,
        is_long=is_long,
        key=np.zeros(2, np.uint64),
        deck=deck,
        words=deck.view("<u8"),
        new=new.view("<u8"),
        order=FACES.copy(),
        halves=np.zeros(HALVES, np.uint64),
        state=np.zeros(4, np.uint64),
        sizes=np.array([len(group.bounds) for group in of_kind], np.uint64),
        products=np.array([prod(group.bounds) for group in of_kind], np.uint64),
        rejected=np.array([group.rejected_below for group in of_kind], np.uint64),
    )


@subroutine
def refill(shoe: Shoe) -> None:
    """Take the next block of the generator."""
    state = shoe.state
    write_halves(shoe.halves, (state[TAKEN] >> U(3)) + ONE, state[NUMBER], shoe.key)


@inlined
def fair_half(shoe: Shoe, group: Word) -> Word:
    """Take the next half that serves a group of draws without favour."""
    while True:
        taken = shoe.state[TAKEN]
        if taken & U(7) == ZERO:
            refill(shoe)
        half = shoe.halves[taken & U(7)]
        shoe.state[TAKEN] = taken + ONE
        if (half * shoe.products[group]) & LOW >= shoe.rejected[group]:
            return half


@inlined
def choose_uniform(shoe: Shoe) -> None:
    """Choose as many cards as one half serves."""
    state, deck = shoe.state, shoe.deck
    group, place = state[GROUP], state[CHOSEN]
    half = fair_half(shoe, group)
    for _ in range(shoe.sizes[group]):
        product = half * (shoe.size - place)
        half = product & LOW
        chosen = place + (product >> HALF_BITS)
        face = deck[place]
        deck[place] = deck[chosen]
        deck[chosen] = face
        place += ONE
    state[GROUP], state[CHOSEN] = group + ONE, place


@inlined
def choose_endless(shoe: Shoe) -> None:
    """Choose four cards from infinitely many."""
    half = fair_half(shoe, ZERO)
    place = shoe.state[CHOSEN]
    for draw in range(ZERO, U(4)):
        product = half * DECK
        shoe.deck[place + draw] = FACES[product >> HALF_BITS]
        half = product & LOW
    shoe.state[CHOSEN] = place + U(4)


@inlined
def choose_until(shoe: Shoe, place: Word) -> None:
    """Choose all cards before a place, if there are so many, and perhaps a few more."""
    while shoe.state[CHOSEN] < min(place, shoe.size):
        if shoe.kind == INFINITE:
            choose_endless(shoe)
        else:
            choose_uniform(shoe)


@subroutine
def choose_more(shoe: Shoe, place: Word) -> None:
    """Choose all cards before a place, where that is seldom needed."""
    choose_until(shoe, place)


@subroutine
def riffle_shoe(shoe: Shoe) -> None:
    """Riffle all cards seven times."""
    deck, order = shoe.deck, shoe.order
    half = fair_half(shoe, ZERO)
    five = half * (FOUR_TIMES * POSITIONS)
    # Five draws at once: their number in base 27, the first draw in front.
    five >>= HALF_BITS
    last = (fair_half(shoe, ONE) * TWICE) >> HALF_BITS
    first, second = five // THRICE, five // POSITIONS % TWICE
    third, fourth = five % POSITIONS * POSITIONS + last // POSITIONS, last % POSITIONS
    for place in range(ZERO, DECK):
        here = PAIRS[third, RIFFLES[fourth, place]]
        deck[place] = order[PAIRS[first, PAIRS[second, here]]]
    for place in range(ZERO, DECK):
        order[place] = deck[place]
    shoe.state[CHOSEN] = DECK


@inlined
def begin(shoe: Shoe, number: Word) -> None:
    """Shuffle all cards and begin a shoe."""
    state = shoe.state
    state[NUMBER] = number
    state[CHOSEN] = state[TAKEN] = state[GROUP] = ZERO
    if shoe.kind == RIFFLED:
        riffle_shoe(shoe)
    elif shoe.kind == UNIFORM:
        for word in range(ZERO, (shoe.size + U(7)) >> U(3)):
            shoe.words[word] = shoe.new[word]


@inlined
def codes_of(faces: Word) -> Word:
    """Give the codes of eight cards, counted from one, the first card first."""
    suits = (faces >> SUIT_BITS) & SUITS
    return first_byte_last(faces - suits * RANKS_LEFT_OUT + ONES)


@inlined
def shoe_word(words: Words, row: Word, dealt: Word) -> Word:
    """Give the word of cards, as `tourney.game.ledger.mix.cards_word` does.

    Args:
        words: Cards, eight at a time.
        row: The first of them.
        dealt: How many cards.
    """
    word = ZERO
    # Modulo a Mersenne prime, to multiply by a power of 2 is to rotate.
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


assert EIGHT == WORD
