"""A running 64-bit mix of everything that happened to a seat.

It is part of every digest, so that two plays of one block that differ in a single
card, action or chip are told apart. It is a checksum against mistakes, cheap enough
for every engine; what guards against forgery is the BLAKE2b of the result.
"""

from collections.abc import Iterable

WORD = (1 << 64) - 1
"""The largest 64-bit word; masks a product back into 64 bits."""

GOLDEN = 0x9E3779B97F4A7C15
"""The golden ratio's first 64 bits, made odd: its multiples have no structure."""

# The golden ratio's first bits again, and those of the square roots of 2 and 3, made odd.
# Short, because whole numbers of one machine word are what Python is quick with.
WAGER, NET, ACTIONS = 0x1E3779B1, 0x2A09E667, 0x3B67AE85

MERSENNE = (1 << 61) - 1
"""A prime; multiplying by 256 modulo it is a rotation, so every engine does it cheaply."""


def mix(state: int, word: int) -> int:
    """Fold a word into a 64-bit state.

    Args:
        state: The mix so far, in [0, 2**64).
        word: What happened next, any integer.
    Returns: The mix that follows, in [0, 2**64).

    >>> mix(0, 0), mix(0, 1) == GOLDEN
    (0, True)
    """
    return (state + word) * GOLDEN & WORD


def mix_round(state: int, wager: int, net: int, actions: int, dealt: int) -> int:
    """Fold one round at one seat into a 64-bit state.

    Args:
        state: The mix so far, in [0, 2**64).
        wager: Chips wagered in the round.
        net: Chips won, negative if lost.
        actions: The seat's actions of the round, as its game packs them.
        dealt: Cards gone from the shoe when the round was settled.
    Returns: The mix that follows, in [0, 2**64).
    """
    word = wager * WAGER + net * NET + actions * ACTIONS + dealt
    return (state + word) * GOLDEN & WORD


def cards_word(codes: Iterable[int]) -> int:
    """Give the word of the cards dealt from one shoe, in dealing order.

    Args:
        codes: One code in [0, 52) a card.
    Returns: The cards as one number in base 256, modulo 2**61 - 1; an empty shoe gives 0.

    >>> cards_word([1, 0]), cards_word([0, 1])
    (513, 258)
    """
    # One more than the code, so that a leading two of spades counts.
    return int.from_bytes(bytes([code + 1 for code in codes]), "big") % MERSENNE
