"""Where batches run: in this process, in a pool or on a cluster."""

from tourney.workers.cluster import Cluster
from tourney.workers.making import make_workers
from tourney.workers.pool import InlineWorkers, PoolWorkers, Workers
from tourney.workers.task import (
    EntrantSpec,
    PlayedBatch,
    competitor,
    installed_plugins,
    makers,
    play_task,
)

__all__ = [
    "Cluster",
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
