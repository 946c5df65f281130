"""Playing blocks of Straights without Python, where all four players are declared.

The results are those of the reference engine, to the digest. Leaves out who may be played so;
see `weighed`.
"""

from collections.abc import Mapping, Sequence

from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger import BlockResult, SeatResult
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.kernels.declared_blocks import (
    SeatTally,
    TableTally,
    TableWork,
    play_tables,
)
from tourney.games.straights.rules import StraightsRules


def play_straights_blocks(
    blocks: Sequence[Block], declarations: Mapping[int, StraightsDeclaration]
) -> tuple[BlockResult, ...]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: What to play, by any rules of Straights.
        declarations: What each entrant of the blocks declares.
    """
    if not blocks:
        return ()
    # Entrants that declare the same, such as one strategy in four seats, share their tables.
    numbers: dict[StraightsDeclaration, int] = {}
    of_entrant = {
        entrant: numbers.setdefault(declaration, len(numbers))
        for entrant, declaration in declarations.items()
    }
    work = [_work(block, of_entrant) for block in blocks]
    tallies = play_tables(work, tuple(numbers))
    return tuple(_result(block, tally) for block, tally in zip(blocks, tallies, strict=True))


def _work(block: Block, numbers: Mapping[int, int]) -> TableWork:
    rules = block.rules
    assert isinstance(rules, StraightsRules)
    return TableWork(
        shoe_key=block.shoe_key,
        rounds=block.rounds,
        limit=rules.limit,
        bankrolls=tuple(seat.bankroll for seat in block.seats),
        declarations=tuple(numbers[seat.entrant] for seat in block.seats),
    )


def _result(block: Block, tally: TableTally) -> BlockResult:
    return BlockResult(
        key=block.key,
        rounds=tally.rounds,
        shuffles=tally.rounds,
        cards=tally.rounds * DECK_SIZE,
        seats=tuple(
            _seat_result(number, seat, tally.rounds, tally.seats[number])
            for number, seat in enumerate(block.seats)
        ),
    )


def _seat_result(number: int, seat: Seat, rounds: int, tally: SeatTally) -> SeatResult:
    return SeatResult(
        seat=number,
        entrant=seat.entrant,
        initial=seat.bankroll,
        final=tally.final,
        lowest=seat.bankroll,  # points are never taken away
        highest=tally.final,
        rounds=rounds,
        left_round=None,  # a declared player cannot be at fault
        handle=0,
        squares=tally.squares,
        mix=tally.mix,
    )
