"""Blackjack in machine code. Knows none itself: to load it takes many thousand rounds."""

from collections.abc import Callable, Collection, Sequence

from tourney.game.accelerators import Kernels, Undeclared
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.machine.kept import Part
from tourney.game.machine.parts import EVERY
from tourney.games.blackjack.compiled.fits import why_not, why_not_here
from tourney.games.blackjack.declaration import Declaration


class BlackjackKernels(Kernels):
    """Tables at which everybody plays by a chart, a count or a rule."""

    def why_not(self, block: Block, declared: Sequence[Declaration | Undeclared]) -> str:
        """Look at the rules, the players and the sums that could come up."""
        return why_not_here(block) or why_not(block, declared)

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], Declaration],
        ways: Collection[Part] = EVERY,
    ) -> list[BlockResult]:
        """Play blocks."""
        from tourney.games.blackjack.compiled.play import play_blocks

        return play_blocks(blocks, declared, ways)
