"""Playing one block of any game by its table, which is the source of truth."""

from tourney.game import MakePlayer
from tourney.game.blocks import Block
from tourney.game.ledger import BlockResult
from tourney.game.seats import accounts_of
from tourney.game.watcher import Watcher


def play_block(
    block: Block, make_player: MakePlayer, watcher: Watcher | None = None
) -> BlockResult:
    """Play a block: a pure function of the block and its players.

    Args:
        block: What to play.
        make_player: Makes a new player for an entrant.
        watcher: Told everything that happens.
    """
    return block.rules.game.table(block, accounts_of(block), watcher).play(make_player)


__all__ = ["accounts_of", "play_block"]
