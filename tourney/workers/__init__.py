"""Where batches run: in this process or in a pool."""

from tourney.workers.pool import InlineWorkers, PoolWorkers, Workers, make_workers
from tourney.workers.task import (
    EntrantSpec,
    PlayedBatch,
    competitor,
    installed_plugins,
    makers,
    play_task,
)

__all__ = [
    "EntrantSpec",
    "InlineWorkers",
    "PlayedBatch",
    "PoolWorkers",
    "Workers",
    "competitor",
    "installed_plugins",
    "make_workers",
    "makers",
    "play_task",
]
