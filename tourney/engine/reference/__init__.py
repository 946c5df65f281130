"""The reference engine: objects, readable, the source of truth."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.engine.reference.blackjack import play_recorded
    from tourney.engine.reference.play import accounts_of, play_block
    from tourney.engine.reference.recorded import Recorded
    from tourney.engine.reference.table import Table
    from tourney.game.watcher import Watcher
else:
    __getattr__ = exports(__name__)

__all__ = ["Recorded", "Table", "Watcher", "accounts_of", "play_block", "play_recorded"]
