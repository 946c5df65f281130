"""Playing blocks of Straights without Python, where all four players are declared.

The results are those of the reference engine, to the digest. Machine code is imported with the
first block, as to load it takes many thousand rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.game.accelerators import Kernels, Usual
from tourney.game.blocks import Block, Seat
from tourney.game.cards.card import DECK_SIZE
from tourney.game.ledger import BlockResult, SeatResult
from tourney.game.machine.kept import Part
from tourney.game.players import Undeclared
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.declared import PreferencePlayer
from tourney.games.straights.rules import StraightsRules

if TYPE_CHECKING:
    from tourney.games.straights.kernels import declared_blocks
else:
    declared_blocks = lazy.Module("tourney.games.straights.kernels.declared_blocks")

PART = Part("straights", "tourney.games.straights.kernels.declared_blocks")


class StraightsKernels(Kernels):
    """Tables at which everybody says what cards are worth."""

    parts = (PART,)

    def usual(self, part: Part) -> Usual:
        """Have four players take their first cards."""
        del part
        return Usual(StraightsRules(), (PreferencePlayer,))

    def why_not(self, block: Block, declared: Sequence[StraightsDeclaration | Undeclared]) -> str:
        """Look for players that declare nothing."""
        del block
        return next((each.reason for each in declared if isinstance(each, Undeclared)), "")

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], StraightsDeclaration],
        ways: Collection[Part] = parts,
    ) -> Sequence[BlockResult]:
        """Play blocks."""
        if PART not in ways:
            return ()
        entrants = sorted({seat.entrant for block in blocks for seat in block.seats})
        return play_straights_blocks(blocks, {each: declared(each) for each in entrants})


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
    tallies = declared_blocks.play_tables(work, tuple(numbers))
    return tuple(_result(block, tally) for block, tally in zip(blocks, tallies, strict=True))


def _work(block: Block, numbers: Mapping[int, int]) -> declared_blocks.TableWork:
    rules = block.rules
    assert isinstance(rules, StraightsRules)
    return declared_blocks.TableWork(
        shoe_key=block.shoe_key,
        rounds=block.rounds,
        limit=rules.limit,
        bankrolls=tuple(seat.bankroll for seat in block.seats),
        declarations=tuple(numbers[seat.entrant] for seat in block.seats),
    )


def _result(block: Block, tally: declared_blocks.TableTally) -> BlockResult:
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


def _seat_result(
    number: int, seat: Seat, rounds: int, tally: declared_blocks.SeatTally
) -> SeatResult:
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
