"""Where batches run: in this process, in a pool or on a cluster."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.workers.cluster import Cluster
    from tourney.workers.making import make_workers
    from tourney.workers.outlook import LOADING, Outlook, Tell, check_playable
    from tourney.workers.pool import InlineWorkers, PoolWorkers, Workers
    from tourney.workers.task import (
        EntrantSpec,
        PlayedBatch,
        cast_for,
        play_task,
    )
else:
    __getattr__ = exports(__name__)

__all__ = [
    "LOADING",
    "Cluster",
    "EntrantSpec",
    "InlineWorkers",
    "Outlook",
    "PlayedBatch",
    "PoolWorkers",
    "Tell",
    "Workers",
    "cast_for",
    "check_playable",
    "make_workers",
    "play_task",
]
