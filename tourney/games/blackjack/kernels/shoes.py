"""The shoes of `tourney.game.cards.shoe` in machine code: the same cards from the same key.

Leaves out when to shuffle, which the rules say.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS, DECK_SIZE
from tourney.game.cards.deck import riffle
from tourney.game.cards.generator import GROUP_LIMIT, HALF, HALF_MASK
from tourney.game.cards.shoe import CUT_POSITIONS, CUTS_IN_A_SHUFFLE, FEWEST_IN_A_CUT
from tourney.game.ledger.mix import MERSENNE
from tourney.game.machine.jit import Number, Word, inlined, subroutine
from tourney.game.machine.philox import philox

U = np.uint64
Words = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Codes = NDArray[np.uint8]

HALF_BITS, LOW = U(HALF), U(HALF_MASK)
SPAN = U(1 << HALF)
HALVES = 8  # that one block of the generator gives
ENDLESS_ROOM = 1280
"""Cards that a round from an infinite shoe can have: seven seats with eight hands of 22."""
ENDLESS = 1 << 40
PRIME, PRIME_BITS, BYTE = U(MERSENNE), U(MERSENNE.bit_length()), U(8)

SIZE, DEALT, CHOSEN, NUMBER, TAKEN = range(5)
"""Places in `Shoe.state`: cards, cards dealt, cards in order, number, halves taken."""


class Shoe(NamedTuple):
    """A shoe, as arrays."""

    key: Words  # (2,) low word first
    deck: Codes  # codes: those dealt, those chosen, the others
    order: Codes  # (52,) in which riffles find the cards
    spare: Codes  # (52,) room for a riffle
    halves: Words  # (8,) the block of the generator in use
    state: Numbers  # (5,)
    cuts: Numbers  # (7,) the last drawn, from 0 to 26
    absent: Numbers  # (52,) room to count the cards on the table
    decks: int  # 0 for an infinite shoe
    is_riffled: bool


def new_shoes(tables: int, keys: Words, decks: int, *, is_riffled: bool) -> Shoe:
    """Make room for the shoes of many tables: the first axis of what differs between them.

    Args:
        tables: For how many there is room.
        keys: Of all shoes; shape (shoes, 2), low word first.
        decks: How many each; 0 for infinitely many.
        is_riffled: Whether they are riffled.
    """
    room = decks * DECK_SIZE if decks else ENDLESS_ROOM + HALVES
    return Shoe(
        key=keys,
        deck=np.zeros((tables, room), np.uint8),
        order=np.zeros((tables, DECK_SIZE), np.uint8),
        spare=np.zeros(DECK_SIZE, np.uint8),
        halves=np.zeros((tables, HALVES), np.uint64),
        state=np.zeros((tables, TAKEN + 1), np.int64),
        cuts=np.zeros(CUTS_IN_A_SHUFFLE, np.int64),
        absent=np.zeros(DECK_SIZE, np.int64),
        decks=decks,
        is_riffled=is_riffled,
    )


@inlined
def shoe_of(shoes: Shoe, table: Number, room: Number) -> Shoe:
    """Give the shoe of one of many tables, in the room for one of them."""
    return Shoe(
        shoes.key[table],
        shoes.deck[room],
        shoes.order[room],
        shoes.spare,
        shoes.halves[room],
        shoes.state[room],
        shoes.cuts,
        shoes.absent,
        shoes.decks,
        shoes.is_riffled,
    )


_RIFFLES = [riffle(range(DECK_SIZE), FEWEST_IN_A_CUT + cut) for cut in range(CUT_POSITIONS)]
RIFFLES = np.array(_RIFFLES, np.uint8)
"""By cut: which card of the order before comes to a place; shape (27, 52)."""
PAIRS = RIFFLES[:, RIFFLES].reshape(CUT_POSITIONS * CUT_POSITIONS, DECK_SIZE)
"""The same of two cuts, the first times 27 and the second; shape (729, 52)."""
for _table in (RIFFLES, PAIRS):
    _table.setflags(write=False)
assert [card.code for card in CARDS] == list(range(DECK_SIZE))


@inlined
def write_halves(halves: Words, block: Word, number: Word, key: Words) -> None:
    """Write down the halves of a block of the generator, in the stream of a shoe."""
    words = philox((block, number, U(0), U(0)), key[0], key[1])
    halves[0], halves[1] = words[0] & LOW, words[0] >> HALF_BITS
    halves[2], halves[3] = words[1] & LOW, words[1] >> HALF_BITS
    halves[4], halves[5] = words[2] & LOW, words[2] >> HALF_BITS
    halves[6], halves[7] = words[3] & LOW, words[3] >> HALF_BITS


@inlined
def next_half(shoe: Shoe) -> Word:
    """Take the next 32 bits of the shoe's stream."""
    state, halves = shoe.state, shoe.halves
    place = state[TAKEN] % HALVES
    if place == 0:
        block = U(state[TAKEN] // HALVES + 1)
        write_halves(halves, block, U(state[NUMBER]), shoe.key)
    state[TAKEN] += 1
    return halves[place]


@inlined
def fair_half(shoe: Shoe, product: Word) -> Word:
    """Take the next half that serves a group of draws without favour.

    Args:
        shoe: Whose stream is used.
        product: Of the bounds of the group.
    """
    rejected_below = SPAN % product
    while True:
        half = next_half(shoe)
        # What remains after all draws of the group, without making them.
        if (half * product) & LOW >= rejected_below:
            return half


@subroutine
def choose(shoe: Shoe) -> None:
    """Choose the next few cards, as many as one half serves."""
    state, deck = shoe.state, shoe.deck
    place = state[CHOSEN]
    if not shoe.decks:
        half = fair_half(shoe, U(DECK_SIZE**4))
        for _ in range(4):
            product = half * U(DECK_SIZE)
            deck[place] = product >> HALF_BITS
            half = product & LOW
            place += 1
        state[CHOSEN] = place
        return
    left = state[SIZE] - place
    together, draws = 1, 0
    while draws < left and together * (left - draws) <= GROUP_LIMIT:
        together *= left - draws
        draws += 1
    half = fair_half(shoe, U(together))
    for draw in range(draws):
        product = half * U(left - draw)
        half = product & LOW
        chosen = place + np.int64(product >> HALF_BITS)
        deck[place], deck[chosen] = deck[chosen], deck[place]
        place += 1
    state[CHOSEN] = place


@subroutine
def begin(shoe: Shoe) -> None:
    """Shuffle all cards and begin the next shoe."""
    state, deck = shoe.state, shoe.deck
    state[NUMBER] += 1
    state[DEALT] = state[CHOSEN] = state[TAKEN] = 0
    state[SIZE] = shoe.decks * DECK_SIZE if shoe.decks else ENDLESS
    if shoe.is_riffled:
        draw_cuts(shoe)
        cut = shoe.cuts
        order, spare = shoe.order, shoe.spare
        first, second = (
            PAIRS[cut[0] * CUT_POSITIONS + cut[1]],
            PAIRS[cut[2] * CUT_POSITIONS + cut[3]],
        )
        third, last = PAIRS[cut[4] * CUT_POSITIONS + cut[5]], RIFFLES[cut[6]]
        for place in range(DECK_SIZE):
            spare[place] = order[first[second[third[last[place]]]]]
        for place in range(DECK_SIZE):
            deck[place] = order[place] = spare[place]
        state[CHOSEN] = DECK_SIZE
        return
    for first_place in range(0, shoe.decks * DECK_SIZE, DECK_SIZE):
        for code in range(DECK_SIZE):
            deck[first_place + code] = code


@subroutine
def draw_cuts(shoe: Shoe) -> None:
    """Draw the seven cuts of a riffled shoe."""
    cuts = shoe.cuts
    place = 0
    for draws in (5, 2):  # as many as fit into one half
        half = fair_half(shoe, U(CUT_POSITIONS**draws))
        for _ in range(draws):
            product = half * U(CUT_POSITIONS)
            cuts[place] = product >> HALF_BITS
            half = product & LOW
            place += 1


@subroutine
def begin_from_discards(shoe: Shoe, table: Codes, on_table: int) -> None:
    """Begin the next shoe from the cards that are out of play.

    Args:
        shoe: Which ran out.
        table: Codes of the cards of the round in play, and room for more.
        on_table: How many those are.
    """
    state, deck, order = shoe.state, shoe.deck, shoe.order
    state[NUMBER] += 1
    state[DEALT] = state[CHOSEN] = state[TAKEN] = 0
    absent = shoe.absent
    absent[:] = 0
    for place in range(on_table):
        absent[table[place]] += 1
    size = kept = 0
    for place in range(shoe.decks * DECK_SIZE):
        code = order[place % DECK_SIZE] if shoe.is_riffled else place % DECK_SIZE
        if absent[code]:  # the first cards of a kind are the ones that lie on the table
            absent[code] -= 1
            shoe.spare[kept % DECK_SIZE] = code
            kept += 1
        else:
            deck[size] = code
            size += 1
    state[SIZE] = size
    if shoe.is_riffled:
        draw_cuts(shoe)
        for cut in shoe.cuts:
            riffle_once(deck, order, size, (FEWEST_IN_A_CUT + cut) * size // DECK_SIZE)
        for place in range(size):
            order[place] = deck[place]
        for place in range(kept):
            order[size + place] = shoe.spare[place]
        state[CHOSEN] = size


@subroutine
def riffle_once(deck: Codes, room: Codes, size: int, cut: int) -> None:
    """Cut and riffle: right, left, right, left, then the rest.

    Args:
        deck: Whose first cards are riffled.
        room: Is overwritten.
        size: How many cards.
        cut: How many of them form the left part.
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
def word_after(word: Word, code: Word) -> Word:
    """Give the word of some cards and one more, as `tourney.game.ledger.mix.cards_word` does."""
    # Modulo a Mersenne prime, to multiply by a power of 2 is to rotate.
    total = ((word << BYTE) & PRIME) + (word >> (PRIME_BITS - BYTE)) + code + U(1)
    return total - PRIME if total >= PRIME else total


@subroutine
def first_cards_word(shoe: Shoe, cards: Number) -> Word:
    """Give the word of the first cards of the shoe."""
    word = U(0)
    for place in range(cards):
        word = word_after(word, U(shoe.deck[place]))
    return word


@inlined
def cards_word(shoe: Shoe) -> Word:
    """Give the word of the cards dealt from the shoe."""
    return first_cards_word(shoe, shoe.state[DEALT])
