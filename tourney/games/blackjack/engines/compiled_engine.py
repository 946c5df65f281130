"""Blackjack in machine code. Knows none itself: to load it takes many thousand rounds."""

from collections.abc import Callable, Collection, Sequence

from tourney.game.accelerators import Kernels, Usual
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.players import Undeclared
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.compiled_fit import why_not, why_not_here
from tourney.games.blackjack.kernels.code_units import LANES, PARTS, SINGLE_SEATS, TABLES
from tourney.games.blackjack.rules import BlackjackRules


class BlackjackKernels(Kernels):
    """Tables at which everybody plays by a chart, a count or a rule."""

    parts = PARTS

    def parts_for(self, block: Block) -> tuple[CodeUnit, ...]:
        """Have single seats played by their own code."""
        if len(block.seats) > 1:
            return (TABLES,)
        assert isinstance(block.rules, BlackjackRules)
        # What is made sooner comes first: lanes take a quarter of the time that tables do.
        suits_lanes = (block.rules.decks, block.rules.shuffle) == (1, "uniform")
        return (LANES, SINGLE_SEATS, TABLES) if suits_lanes else (SINGLE_SEATS, TABLES)

    def usual(self, part: CodeUnit) -> Usual:
        """Have all kinds of declarations played."""
        from tourney.games.blackjack.engines.warmup_players import USUAL

        return USUAL[part]

    def why_not(self, block: Block, declared: Sequence[Declaration | Undeclared]) -> str:
        """Look at the rules, the players and the sums that could come up."""
        return why_not_here(block) or why_not(block, declared)

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], Declaration],
        ways: Collection[CodeUnit] = PARTS,
    ) -> list[BlockResult]:
        """Play blocks."""
        from tourney.games.blackjack.engines.compiled_play import play_blocks

        return play_blocks(blocks, declared, ways)
