"""Compiled blocks of Straights: rounds until they are used up or a game is over.

`moves` and `cards` play the rounds.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.blocks import Block
from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.ledger.running_hash import ACTIONS, GOLDEN, MERSENNE, NET, WORD
from tourney.game.machine.jit import Word, compiled, subroutine
from tourney.games.straights.declaration import StraightsDeclaration, Worths
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
    new_deals,
    shuffle,
)
from tourney.games.straights.kernels.moves import SEAT, Declared, move_abreast, move_weighing
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules

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


NEVER = int(np.iinfo(np.int64).max)
"""More points than possible: the limit of a game without a limit."""
NOTHING = (0.0,) * DECK_SIZE


def play_straights_blocks(
    blocks: Sequence[Block], declarations: Mapping[int, StraightsDeclaration]
) -> tuple[BlockResult, ...]:
    """Play blocks: a pure function of the blocks and the declarations.

    Cards, points and mixes are identical to those of the reference engine.

    Args:
        blocks: Blocks with any rules of Straights.
        declarations: Declaration of each entrant of the blocks.

    >>> play_straights_blocks([], {})
    ()
    """
    if not blocks:
        return ()
    # Equal declarations, such as one strategy in four seats, share their tables.
    numbers: dict[StraightsDeclaration, int] = {}
    of_entrant = {
        entrant: numbers.setdefault(declaration, len(numbers))
        for entrant, declaration in declarations.items()
    }
    keys = np.frombuffer(b"".join(block.shoe_key for block in blocks), "<u8").reshape(-1, 2)
    seated = [[of_entrant[seat.entrant] for seat in block.seats] for block in blocks]
    work = Work(
        keys=keys.astype(np.uint64),
        rounds=np.array([block.rounds for block in blocks], np.int64),
        limits=np.array([_limit(block) for block in blocks], np.int64),
        seats=np.array(seated, np.uint64),
    )
    tallies = np.zeros((len(blocks), SEATS, MIX + 1), np.int64)
    tallies[:, :, FINAL] = [[seat.bankroll for seat in block.seats] for block in blocks]
    played = np.zeros(len(blocks), np.int64)
    play_blocks(new_deals(), work, _declared(tuple(numbers)), tallies, played)
    return tuple(map(_result, blocks, played.tolist(), tallies.tolist()))


def _limit(block: Block) -> int:
    """Return the points that end a game after the round."""
    assert isinstance(block.rules, StraightsRules)
    return NEVER if block.rules.limit is None else block.rules.limit


def _result(block: Block, rounds: int, rows: Sequence[Sequence[int]]) -> BlockResult:
    """Create the result of a block, from a row for each seat."""
    seats = tuple(
        SeatResult(
            seat=number,
            entrant=seat.entrant,
            initial=seat.bankroll,
            final=row[FINAL],
            lowest=seat.bankroll,  # points never decrease
            highest=row[FINAL],
            rounds=rounds,
            left_round=None,  # a declared player cannot fail
            handle=0,
            squares=row[SQUARES],
            mix=row[MIX] & WORD,
        )
        for number, (seat, row) in enumerate(zip(block.seats, rows, strict=True))
    )
    return BlockResult(block.key, rounds, rounds, rounds * DECK_SIZE, seats)


def _orders(declaration: StraightsDeclaration) -> Words:
    """Return the orders of both kinds; players that weigh hold their cards as dealt."""
    play = NOTHING if declaration.play_weights else declaration.play
    discard = NOTHING if declaration.discard_weights else declaration.discard
    return np.array([_order(play), _order(discard)], np.uint64)


def _order(worths: Worths) -> list[int]:
    return [1 << sum(other > worth for other in worths) for worth in worths]


def _declared(declarations: Sequence[StraightsDeclaration]) -> Declared:
    plays = [declaration.play_weights for declaration in declarations]
    discards = [declaration.discard_weights for declaration in declarations]
    return Declared(
        orders=np.stack([_orders(declaration) for declaration in declarations]),
        play=np.array([declaration.play for declaration in declarations]),
        own=np.array([each.own if each else NOTHING for each in plays]),
        strangers=np.array([each.strangers if each else NOTHING for each in plays]),
        reach=np.array([each.reach if each else NOTHING for each in plays]),
        discard=np.array([declaration.discard for declaration in declarations]),
        waiting=np.array([each.waiting if each else NOTHING for each in discards]),
        chance=np.array([each.chance if each else NOTHING for each in discards]),
        weighs_plays=np.array([each is not None for each in plays]),
        weighs_discards=np.array([each is not None for each in discards]),
    )
