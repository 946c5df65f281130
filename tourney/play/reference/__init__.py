"""The reference engine: objects, readable, the source of truth."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.game.watcher import Watcher
    from tourney.play.reference.play import accounts_of, play_block
else:
    __getattr__ = exports(__name__)

__all__ = ["Recorded", "Table", "Watcher", "accounts_of", "play_block", "play_recorded"]
