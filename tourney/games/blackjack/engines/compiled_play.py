"""Playing blocks of declared players in machine code, with the reference engine's results.

Also the usual players, with which all code of a unit is compiled.
"""

from collections.abc import Callable, Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.game.accelerators import LONG_ROUNDS, Usual
from tourney.game.blocks import Block
from tourney.game.cards.card import Card, Rank
from tourney.game.ledger import BlockResult, SeatResult, Verdict
from tourney.game.machine.compile_cache import CodeUnit
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.exact.baseline import baseline_values
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.kernels import LANES, PARTS, SINGLE_SEATS, TABLES
from tourney.games.blackjack.kernels.declared_blocks import (
    SeatStart,
    TableEnd,
    TableStart,
    log_table,
    play_tables,
)
from tourney.games.blackjack.players import (
    BetRamp,
    CountingPlayer,
    CountSystem,
    Player,
    deviates,
    pure,
)
from tourney.games.blackjack.rules import BlackjackRules


def play_blocks(
    blocks: Sequence[Block],
    declared: Callable[[int], Declaration],
    ways: Collection[CodeUnit] = PARTS,
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: Blocks that the engine can play; see `fit`. Those of the same rules share a call.
        declared: Returns the declaration of an entrant.
        ways: The code units to use; they do not affect the results.
    Returns: Results in any order; a block that these code units cannot play has no result.
    """
    return [
        result
        for rules, alike in by_rules(blocks).items()
        for result in _play(alike, rules, declared, ways)
    ]


def by_rules(blocks: Sequence[Block]) -> dict[BlackjackRules, list[Block]]:
    """Group blocks by their rules; a group can be played in one call."""
    found: dict[BlackjackRules, list[Block]] = {}
    for block in blocks:
        assert isinstance(block.rules, BlackjackRules)
        found.setdefault(block.rules, []).append(block)
    return found


def _play(
    blocks: Sequence[Block],
    rules: BlackjackRules,
    declared: Callable[[int], Declaration],
    ways: Collection[CodeUnit],
) -> list[BlockResult]:
    # Entrants with the same declaration share their tables.
    numbers: dict[Declaration, int] = {}
    entrants = dict.fromkeys(seat.entrant for block in blocks for seat in block.seats)
    number_of = {
        entrant: numbers.setdefault(declared(entrant), len(numbers)) for entrant in entrants
    }
    tables = [
        table_of(block, [SeatStart(number_of[seat.entrant], seat.bankroll) for seat in block.seats])
        for block in blocks
    ]
    ends = play_tables(rules, tables, tuple(numbers), worths_of(rules, blocks), ways)
    return [result_of(block, end) for block, end in zip(blocks, ends, strict=True) if end]


def log_block(block: Block, declared: Declaration, tags: Sequence[int]) -> NDArray[np.int64]:
    """Play a block with a single seat, and return its rounds; see `log_table`."""
    (seat,), rules = block.seats, block.rules
    assert isinstance(rules, BlackjackRules)
    table = table_of(block, [SeatStart(0, seat.bankroll)])
    return log_table(rules, table, declared, tags, worths_of(rules, (block,)))


def table_of(block: Block, seats: Sequence[SeatStart]) -> TableStart:
    """Convert a block and its seats to the input of the kernels."""
    return TableStart(
        first_round=block.key.first_round,
        rounds=block.rounds,
        minimum=block.minimum,
        maximum=block.maximum,
        shoe_key=block.shoe_key,
        seats=tuple(seats),
        state=block.state,
        follows_luck=block.follows_luck,
    )


def worths_of(rules: BlackjackRules, blocks: Sequence[Block]) -> NDArray[np.int64] | None:
    """Return the values of positions, if any block measures luck."""
    return baseline_values(rules) if any(block.follows_luck for block in blocks) else None


def result_of(block: Block, end: TableEnd, verdicts: Sequence[Verdict | None] = ()) -> BlockResult:
    """Convert the end of a table to the result of its block, with the verdicts on its seats."""
    no_verdicts = (None,) * len(block.seats)
    seats = [
        # Positional arguments, as keyword arguments take 1.5 times as long; the order is the same.
        SeatResult(number, seat.entrant, seat.bankroll, *after[:-1], verdict, after.luck)
        for number, (seat, after, verdict) in enumerate(
            zip(block.seats, end.seats, verdicts or no_verdicts, strict=True)
        )
    ]
    return BlockResult(block.key, end.rounds, end.shuffles, end.cards, tuple(seats))


class _Sitter(Player):
    """Draws by its total alone."""

    @pure
    def bet(self, bankroll: int, minimum: int) -> int:
        del bankroll
        return minimum

    @pure
    def draw(self, dealer: Card, player: Hand) -> bool:
        del dealer
        return player.total < 12  # noqa: PLR2004 - it cannot bust


class _Counter(CountingPlayer, _Sitter):
    """Wagers by a count."""

    system = CountSystem({Rank.FIVE: 1})
    ramp = BetRamp({1: 2}, short="minimum")


class _Deviator(_Counter):
    """Plays its hands by the count, too."""

    @deviates({12: {2: 0}})
    def draw(self, dealer: Card, player: Hand) -> bool:
        return super().draw(dealer, player)


USUAL = {
    TABLES: Usual(BlackjackRules(), (_Sitter, _Counter, _Deviator)),
    # `LONG_ROUNDS` are enough to compute arrows; see `WORTH_ARROWS` in `kernels.single_seat`.
    LANES: Usual(BlackjackRules(), (_Sitter, _Counter), LONG_ROUNDS),
    SINGLE_SEATS: Usual(BlackjackRules(), (_Deviator,), LONG_ROUNDS),
}
