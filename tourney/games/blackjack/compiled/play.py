"""Playing blocks of declared players in machine code: the results of the reference engine."""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.machine.kept import Part
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.exact.baseline import baseline_values
from tourney.games.blackjack.kernels.declared_blocks import (
    SeatStart,
    TableEnd,
    TableStart,
    play_tables,
)
from tourney.games.blackjack.kernels.parts import PARTS
from tourney.games.blackjack.rules import BlackjackRules


def play_blocks(
    blocks: Sequence[Block],
    declared: Callable[[int], Declaration],
    ways: Collection[Part] = PARTS,
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: Those that fit; see `fits`. Blocks of the same rules are played in one call.
        declared: Gives the declaration of an entrant.
        ways: Those to play by, which is the same to the results.
    Returns: Their results, in any order, but for those that none of these ways can play.
    """
    by_rules: dict[BlackjackRules, list[Block]] = {}
    for block in blocks:
        assert isinstance(block.rules, BlackjackRules)
        by_rules.setdefault(block.rules, []).append(block)
    return [
        result
        for rules, alike in by_rules.items()
        for result in _play(alike, rules, declared, ways)
    ]


def _play(
    blocks: Sequence[Block],
    rules: BlackjackRules,
    declared: Callable[[int], Declaration],
    ways: Collection[Part],
) -> list[BlockResult]:
    # Entrants that declare the same share their tables.
    numbers: dict[Declaration, int] = {}
    entrants = dict.fromkeys(seat.entrant for block in blocks for seat in block.seats)
    number_of = {
        entrant: numbers.setdefault(declared(entrant), len(numbers)) for entrant in entrants
    }
    tables = [
        TableStart(
            first_round=block.key.first_round,
            rounds=block.rounds,
            minimum=block.minimum,
            maximum=block.maximum,
            shoe_key=block.shoe_key,
            seats=tuple(SeatStart(number_of[seat.entrant], seat.bankroll) for seat in block.seats),
            moves_button=block.state.moves_button,
            follows_luck=block.follows_luck,
        )
        for block in blocks
    ]
    ends = play_tables(rules, tables, tuple(numbers), worths_of(rules, blocks), ways)
    return [_result(block, end) for block, end in zip(blocks, ends, strict=True) if end]


def worths_of(rules: BlackjackRules, blocks: Sequence[Block]) -> NDArray[np.int64] | None:
    """Give what positions are worth, if the luck of any block is followed."""
    return baseline_values(rules) if any(block.follows_luck for block in blocks) else None


def _result(block: Block, end: TableEnd) -> BlockResult:
    return BlockResult(
        key=block.key,
        rounds=end.rounds,
        shuffles=end.shuffles,
        cards=end.cards,
        seats=tuple(
            SeatResult(seat=number, entrant=seat.entrant, initial=seat.bankroll, **after._asdict())
            for number, (seat, after) in enumerate(zip(block.seats, end.seats, strict=True))
        ),
    )
