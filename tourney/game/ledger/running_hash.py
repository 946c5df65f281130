"""A running 64-bit hash of everything that happens to a seat.

It is part of every digest, so that the digests of two plays of one block differ if a single card,
action or chip differs. It detects mistakes and is cheap enough for every engine; the BLAKE2b of
the result protects against forgery.
"""

from collections.abc import Iterable

WORD = (1 << 64) - 1
"""The largest 64-bit word; masks a product back into 64 bits."""

GOLDEN = 0x9E3779B97F4A7C15
"""The golden ratio's first 64 bits, made odd: its multiples have no structure."""

# The first bits of the golden ratio and of the square roots of 2 and 3, made odd.
# Python is faster with numbers that fit into one machine word, so they are short.
WAGER, NET, ACTIONS = 0x1E3779B1, 0x2A09E667, 0x3B67AE85

MERSENNE = (1 << 61) - 1
"""A prime; multiplication by 256 modulo it is a rotation, which is cheap in every engine."""


def mix(state: int, word: int) -> int:
    """Fold a word into a 64-bit state.

    Args:
        state: The hash so far, in [0, 2**64).
        word: The next event, any integer.
    Returns: The next hash, in [0, 2**64).

    >>> mix(0, 0), mix(0, 1) == GOLDEN
    (0, True)
    """
    return (state + word) * GOLDEN & WORD


def mix_round(state: int, wager: int, net: int, actions: int, dealt: int) -> int:
    """Fold one round at one seat into a 64-bit state.

    Args:
        state: The hash so far, in [0, 2**64).
        wager: Chips wagered in the round.
        net: Chips won, negative if lost.
        actions: The seat's actions of the round, as its game packs them.
        dealt: Cards dealt from the shoe when the round was settled.
    Returns: The next hash, in [0, 2**64).
    """
    word = wager * WAGER + net * NET + actions * ACTIONS + dealt
    return (state + word) * GOLDEN & WORD


def cards_word(codes: Iterable[int]) -> int:
    """Return the word of the cards dealt from one shoe, in dealing order.

    Args:
        codes: One code in [0, 52) for each card.
    Returns: The cards as one number in base 256, modulo 2**61 - 1; 0 for an empty shoe.

    >>> cards_word([1, 0]), cards_word([0, 1])
    (513, 258)
    """
    # Add 1 to each code, so that a leading two of spades counts.
    return int.from_bytes(bytes([code + 1 for code in codes]), "big") % MERSENNE
