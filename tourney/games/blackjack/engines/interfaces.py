"""The fast engines as the platform sees them; they load the machine code only to play."""

from collections.abc import Callable, Collection, Mapping, Sequence

from tourney.game.accelerators import Confined, Kernels, Lockstep, Usual
from tourney.game.blocks import Block, RecordedFault
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.players import Undeclared
from tourney.game.turns import Watcher
from tourney.games.blackjack.declaration import Declaration
from tourney.games.blackjack.engines.fit import why_not, why_not_here, why_not_in_lockstep
from tourney.games.blackjack.kernels import LANES, PARTS, SINGLE_SEATS, TABLES
from tourney.games.blackjack.rules import BlackjackRules


class BlackjackKernels(Kernels):
    """Plays tables at which every player declares a chart, a count or a rule."""

    parts = PARTS

    def parts_for(self, block: Block) -> tuple[CodeUnit, ...]:
        """Choose the parts for a block; single seats have special parts."""
        if len(block.seats) > 1:
            return (TABLES,)
        assert isinstance(block.rules, BlackjackRules)
        # Lanes come first, as they compile in a quarter of the time of tables.
        suits_lanes = (block.rules.decks, block.rules.shuffle) == (1, "uniform")
        return (LANES, SINGLE_SEATS, TABLES) if suits_lanes else (SINGLE_SEATS, TABLES)

    def usual(self, part: CodeUnit) -> Usual:
        """Return players that use all code of a part."""
        from tourney.games.blackjack.engines.compiled_play import USUAL

        return USUAL[part]

    def why_not(self, block: Block, declared: Sequence[Declaration | Undeclared]) -> str:
        """Check the rules, the players and the possible sums."""
        return why_not_here(block) or why_not(block, declared)

    def play(
        self,
        blocks: Sequence[Block],
        declared: Callable[[int], Declaration],
        ways: Collection[CodeUnit] = PARTS,
    ) -> list[BlockResult]:
        """Play blocks of declared players."""
        from tourney.games.blackjack.engines.compiled_play import play_blocks

        return play_blocks(blocks, declared, ways)


class BlackjackLockstep(Lockstep):
    """Plays tables with any players: seats that are asked, and seats with a declaration."""

    def why_not(self, block: Block) -> str:
        """Check the possible sums."""
        return why_not_in_lockstep(block)

    def play(self, blocks: Sequence[Block], lineup: Lineup) -> list[BlockResult]:
        """Play blocks without sandboxed players."""
        return self.play_confined(blocks, lineup, {}).results

    def play_confined(
        self,
        blocks: Sequence[Block],
        lineup: Lineup,
        watchers: Mapping[BlockKey, Watcher],
        recorded: Sequence[RecordedFault] = (),
        *,
        asks_again: Collection[int] = (),
    ) -> Confined:
        """Play blocks with sandboxed players."""
        from tourney.games.blackjack.engines.lockstep_play import play_lockstep

        return play_lockstep(blocks, lineup, watchers, recorded, asks_again=asks_again)
