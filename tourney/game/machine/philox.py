"""Philox4x64-10, word for word as NumPy has it, in machine code.

Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as 1, 2, 3", 2011.
"""

import numpy as np

from tourney.game.machine.jit import high_word, inlined

U = np.uint64
Block = tuple[U, U, U, U]
"""Four words of 64 bits."""

MULTIPLIER, OTHER_MULTIPLIER = U(0xD2E7470EE14C6C93), U(0xCA5A826395121157)
WEYL, OTHER_WEYL = U(0x9E3779B97F4A7C15), U(0xBB67AE8584CAA73B)
ROUNDS = 10


@inlined
def philox(counter: Block, low: U, high: U) -> Block:
    """Give one block of words.

    Args:
        counter: Four words; in our streams the number of the block from 1, the stream, 0, 0.
        low: The low word of the key.
        high: The high word of the key.
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
