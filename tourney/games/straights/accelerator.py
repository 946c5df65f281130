"""Straights in machine code. Knows none itself: to load it takes many thousand rounds."""

from collections.abc import Callable, Collection, Sequence

from tourney.game.accelerators import Kernels, Undeclared
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.machine.kept import Part
from tourney.game.machine.parts import EVERY, STRAIGHTS
from tourney.games.straights.declaration import StraightsDeclaration


class StraightsKernels(Kernels):
    """Tables at which everybody says what cards are worth."""

    def why_not(self, block: Block, declared: Sequence[StraightsDeclaration | Undeclared]) -> str:
        """Look for players that declare nothing."""
        del block
        return next((each.reason for each in declared if isinstance(each, Undeclared)), "")

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], StraightsDeclaration],
        ways: Collection[Part] = EVERY,
    ) -> Sequence[BlockResult]:
        """Play blocks."""
        if STRAIGHTS not in ways:
            return ()
        from tourney.games.straights.compiled import play_straights_blocks

        entrants = sorted({seat.entrant for block in blocks for seat in block.seats})
        return play_straights_blocks(blocks, {each: declared(each) for each in entrants})
