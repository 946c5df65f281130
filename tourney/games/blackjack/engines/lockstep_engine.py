"""The lockstep engine of blackjack. It loads the machine code only to play, as loading is slow."""

from collections.abc import Collection, Mapping, Sequence

from tourney.game.accelerators import Confined, Lockstep
from tourney.game.blocks import Block, RecordedFault
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Lineup
from tourney.game.watcher import Watcher
from tourney.games.blackjack.engines.fit import why_not_in_lockstep


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
