"""Compiled blocks of Straights: rounds until they are used up or a game is over."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger.running_hash import ACTIONS, GOLDEN, MERSENNE, NET
from tourney.game.machine.jit import Word, compiled, subroutine
from tourney.games.straights.kernels.cards import (
    ABREAST,
    HAND,
    HANDS,
    LANE,
    ONE,
    ZERO,
    Codes,
    Deals,
    U,
    Words,
    deal,
    shuffle,
)
from tourney.games.straights.kernels.moves import SEAT, Declared, move_abreast, move_weighing

PRIME, PRIME_BITS, BYTE = U(MERSENNE), U(MERSENNE.bit_length()), U(8)
BYTES_AT_ONCE = U(7)
"""Bytes that fit into the bits of the prime."""
GOLDEN_U, NET_U, ACTIONS_U, DEALT = U(GOLDEN), U(NET), U(ACTIONS), U(DECK_SIZE)
FINAL, SQUARES, MIX = range(3)
LANES = U(ABREAST)


class Work(NamedTuple):
    """Blocks to play."""

    keys: Words  # (blocks, 2) of the shoes, low word first
    rounds: NDArray[np.int64]  # (blocks,) at most
    limits: NDArray[np.int64]  # (blocks,) points of a seat that end the game after the round
    seats: Words  # (blocks, 4) numbers of declarations


@compiled
def word_after(word: Word, codes: Codes, start: Word, more: Word) -> Word:
    """Return the hash word of some cards and thirteen more.

    As `tourney.game.ledger.running_hash.cards_word`.

    Args:
        word: Of the cards before, modulo the prime.
        codes: One byte per card; at least `start + 13` long.
        start: Index of the first of the thirteen cards.
        more: Added to each byte; codes count from 1 in a word.
    """
    for first, last in ((ZERO, BYTES_AT_ONCE), (BYTES_AT_ONCE, HAND)):
        part = ZERO
        for place in range(first, last):
            part = (part << BYTE) | (U(codes[start + place]) + more)
        # Modulo a Mersenne prime, multiplication by a power of 2 is a rotation.
        turn = (BYTE * (last - first)) % PRIME_BITS
        total = ((word << turn) & PRIME) + (word >> (PRIME_BITS - turn)) + part
        total = (total & PRIME) + (total >> PRIME_BITS)
        word = total - PRIME if total >= PRIME else total
    return word


@subroutine
def settle(deals: Deals, lane: Word, tally: NDArray[np.int64]) -> None:
    """Add a round to the totals of the seats, as `tourney.game.ledger.Account` does.

    Args:
        deals: Finished rounds.
        lane: Number of the round in `deals`.
        tally: Final, squares and mix of each seat; shape (4, 3), points, points squared, word.
    """
    dealt = ZERO
    for seat in range(ZERO, HANDS):
        dealt = word_after(dealt, deals.deck[lane], seat * HAND, ONE)
    for seat in range(ZERO, HANDS):
        points = (deals.points[lane] >> (seat * LANE)) & SEAT
        moves = word_after(ZERO, deals.moves[lane], seat * LANE, ZERO)
        mixed = (U(tally[seat, MIX]) + dealt) * GOLDEN_U
        mixed = (mixed + points * NET_U + moves * ACTIONS_U + DEALT) * GOLDEN_U
        tally[seat, MIX] = np.int64(mixed)
        tally[seat, FINAL] += np.int64(points)
        tally[seat, SQUARES] += np.int64(points * points)


@subroutine
def most_points(tally: NDArray[np.int64]) -> int:
    """Return the greatest points of a seat.

    Args:
        tally: Final, squares and mix of each seat; shape (4, 3).
    """
    most: int = tally[0, FINAL]
    for seat in range(ONE, HANDS):
        most = max(most, tally[seat, FINAL])
    return most


@compiled
def play_block(
    deals: Deals, work: Work, number: int, declared: Declared, tally: NDArray[np.int64]
) -> int:
    """Play one block, and return the rounds played.

    Args:
        deals: Work space for parallel rounds.
        work: All blocks.
        number: Number of the block.
        declared: By all players.
        tally: Final, squares and mix of each seat before the block; shape (4, 3). Updated.
    """
    key, seats = work.keys[number], work.seats[number]
    weighing = False
    for who in seats:
        weighing |= declared.weighs_plays[who] or declared.weighs_discards[who]
    done = 0
    while done < work.rounds[number]:
        # Rounds are independent; those after the end of a game are discarded.
        for lane in range(ZERO, LANES):
            shuffle(deals, lane, key, U(done) + lane)
            deal(deals, lane, declared.orders, seats)
            if weighing:
                move_weighing(deals, lane, declared, seats)
        if not weighing:
            move_abreast(deals)
        for lane in range(ZERO, LANES):
            if done == work.rounds[number] or most_points(tally) >= work.limits[number]:
                return done
            settle(deals, lane, tally)
            done += 1
    return done


@compiled
def play_blocks(
    deals: Deals,
    work: Work,
    declared: Declared,
    tallies: NDArray[np.int64],
    played: NDArray[np.int64],
) -> None:
    """Play many blocks.

    Args:
        deals: Work space for parallel rounds.
        work: The blocks.
        declared: By all players.
        tallies: Final, squares and mix by seat before the blocks; shape (blocks, 4, 3). Updated.
        played: Rounds played; shape (blocks,). Written.
    """
    for number in range(len(played)):
        played[number] = play_block(deals, work, number, declared, tallies[number])
