"""Where batches run: in this process, in a pool or on a cluster."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.play.workers.cluster import Cluster
    from tourney.play.workers.making import make_workers
    from tourney.play.workers.outlook import LOADING, Outlook, Tell, check_playable
    from tourney.play.workers.pool import InlineWorkers, PoolWorkers, Workers
    from tourney.play.workers.task import EntrantSpec, PlayedBatch, cast_for, play_task
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
