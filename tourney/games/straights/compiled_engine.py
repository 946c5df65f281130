"""Compiled play of Straights, for blocks in which all four players are declared.

The results are identical to those of the reference engine. Machine code is imported with the first
block, because loading it takes as long as many thousand rounds.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import TYPE_CHECKING

from tourney import lazy
from tourney.game.accelerators import Kernels, Usual
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.players import Undeclared
from tourney.games.straights.declaration import StraightsDeclaration
from tourney.games.straights.declared_players import PreferencePlayer
from tourney.games.straights.rules import StraightsRules

if TYPE_CHECKING:
    from tourney.games.straights.kernels import declared_blocks
else:
    declared_blocks = lazy.Module("tourney.games.straights.kernels.declared_blocks")

PART = CodeUnit("straights", "tourney.games.straights.kernels.declared_blocks")


class StraightsKernels(Kernels):
    """Compiled play for tables of declared players."""

    parts = (PART,)

    def usual(self, part: CodeUnit) -> Usual:
        """Return a common case: four players that take their first cards."""
        del part
        return Usual(StraightsRules(), (PreferencePlayer,))

    def why_not(self, block: Block, declared: Sequence[StraightsDeclaration | Undeclared]) -> str:
        """Return why a block cannot be compiled: a player declares nothing."""
        del block
        return next((each.reason for each in declared if isinstance(each, Undeclared)), "")

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], StraightsDeclaration],
        ways: Collection[CodeUnit] = parts,
    ) -> Sequence[BlockResult]:
        """Play blocks."""
        if PART not in ways:
            return ()
        entrants = sorted({seat.entrant for block in blocks for seat in block.seats})
        return declared_blocks.play_straights_blocks(
            blocks, {each: declared(each) for each in entrants}
        )
