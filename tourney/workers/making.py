"""Which workers a run gets."""

from collections.abc import Mapping

from tourney.workers.cluster import Cluster, join_cluster
from tourney.workers.pool import InlineWorkers, PoolWorkers, Workers
from tourney.workers.task import EntrantSpec


def make_workers(
    workers: int,
    entrants: Mapping[int, EntrantSpec],
    engine: str = "auto",
    batches_a_task: int | None = None,
    cluster: Cluster | None = None,
) -> Workers:
    """Make workers: this process for one, a pool for more, or those of a cluster.

    Args:
        workers: How many, at least 1.
        entrants: Who plays, by number.
        engine: The engine to use.
        batches_a_task: How many batches travel together; measured if None.
        cluster: The cluster to play on, if any.
    Raises: TourneyError, if the cluster cannot be used.
    """
    if cluster:
        return join_cluster(cluster, workers, entrants, engine, batches_a_task)
    if workers == 1 and batches_a_task is None:
        return InlineWorkers(entrants, engine)
    return PoolWorkers(entrants, engine, workers, batches_a_task)
