"""Compiled play of Straights, for callers without arrays.

`blocks`, `moves` and `cards` play the rounds.
"""

from collections.abc import Mapping, Sequence

import numpy as np

from tourney.game.blocks import Block
from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.ledger.running_hash import WORD
from tourney.games.straights.declaration import StraightsDeclaration, Worths
from tourney.games.straights.kernels.blocks import FINAL, MIX, SQUARES, Work, play_blocks
from tourney.games.straights.kernels.cards import Words, new_deals
from tourney.games.straights.kernels.moves import Declared
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules

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
