"""Where batches run: in this process, in a pool or on a cluster."""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.play.workers.cluster import Cluster, check_cluster
    from tourney.play.workers.making import check_workers, make_workers
    from tourney.play.workers.pool import InlineWorkers, PoolWorkers, Workers
    from tourney.play.workers.task import EntrantSpec, PlayedBatch, lineup_for, play_task
    from tourney.play.workers.workload import LOADING, Tell, Workload, check_playable
else:
    __getattr__ = exports(__name__)
