"""Blackjack in machine code. Knows none itself: to load it takes many thousand rounds."""

from collections.abc import Callable, Collection, Sequence

from tourney.engine.compiled.fits import why_not, why_not_here
from tourney.game.accelerators import Kernels, Undeclared
from tourney.games.blackjack.declaration import Declaration
from tourney.kernels.kept import Part
from tourney.kernels.parts import EVERY
from tourney.ledger import BlockResult
from tourney.schedule import Block


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
        from tourney.engine.compiled.play import play_blocks  # noqa: PLC0415 - see above

        return play_blocks(blocks, declared, ways)
