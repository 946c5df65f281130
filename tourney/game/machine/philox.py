"""Philox4x64-10 in machine code, equal to NumPy's word for word.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.generator import HALF, HALF_MASK
from tourney.game.machine.jit import Word, compiled, high_word, inlined

U = np.uint64
Block = tuple[U, U, U, U]
"""Four words of 64 bits."""

MULTIPLIER, OTHER_MULTIPLIER = U(0xD2E7470EE14C6C93), U(0xCA5A826395121157)
WEYL, OTHER_WEYL = U(0x9E3779B97F4A7C15), U(0xBB67AE8584CAA73B)
ROUNDS = 10
LOW, HALF_BITS = U(HALF_MASK), U(HALF)
HALVES = U(8)
"""Halves in a block."""


@inlined
def philox(counter: Block, low: U, high: U) -> Block:
    """Return one block of words.

    Args:
        counter: Four words; in our streams the number of the block from 1, the stream, 0, 0.
        low: Low word of the key.
        high: High word of the key.
    """
    first, second, third, fourth = counter
    for _ in range(ROUNDS):
        product, other = MULTIPLIER * first, OTHER_MULTIPLIER * third
        first, third = (
            high_word(OTHER_MULTIPLIER, third) ^ second ^ low,
            high_word(MULTIPLIER, first) ^ fourth ^ high,
        )
        second, fourth = other, product
        low, high = low + WEYL, high + OTHER_WEYL
    return first, second, third, fourth


@compiled
def write_halves(
    halves: NDArray[np.uint64], at: Word, block: Word, stream: Word, key: tuple[Word, Word]
) -> None:
    """Write the eight halves of a block of a stream, the low one of each word first.

    Args:
        halves: Output.
        at: Index of the first half in `halves`.
        block: Number of the block in the stream, from 1.
        stream: Number of the stream.
        key: Key of the generator, low word first.
    """
    for word in philox((block, stream, U(0), U(0)), key[0], key[1]):
        halves[at], halves[at + U(1)] = word & LOW, word >> HALF_BITS
        at += U(2)
