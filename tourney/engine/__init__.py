"""How a block is played. Whatever the engine, the result is the same."""

from tourney.engine.choice import ENGINES, check_engine, play_batch
from tourney.engine.reference import Table, Watcher, play_block

__all__ = ["ENGINES", "Table", "Watcher", "check_engine", "play_batch", "play_block"]
