"""Workers of a cluster: batches are played wherever a Dask scheduler has workers.

The only home of Dask, which is an extra (`pip install 'tourney-cards[cluster]'`): nothing but
what is here imports it, and that only when a run asks for a cluster. What a cluster is to a
run stands in docs/decisions/0008-cluster-workers.md.
"""

from collections.abc import Mapping

from tourney.execution.workers.cluster.scheduler_address import Cluster
from tourney.execution.workers.pool import Workers
from tourney.execution.workers.task import EntrantSpec

__all__ = ["Cluster", "check_cluster", "join_cluster"]


def check_cluster(cluster: Cluster) -> None:
    """Make sure that a cluster can be asked for work, as far as that is known before it is asked.

    Raises: TourneyError, if something is not installed, or its settings are wrong.
    """
    cluster.check_installed()
    if cluster.kind == "slurm":
        from tourney.execution.workers.cluster.slurm import read_settings  # noqa: PLC0415 - Dask is an extra

        read_settings(cluster.file)
    elif cluster.kind == "tls":
        from tourney.execution.workers.cluster.connection import certificates  # noqa: PLC0415 - Dask is an extra

        certificates(cluster)


def join_cluster(
    cluster: Cluster,
    workers: int,
    entrants: Mapping[int, EntrantSpec],
    engine: str = "auto",
    batches_a_task: int | None = None,
) -> Workers:
    """Connect to a cluster, or start one, and give its workers.

    Args:
        cluster: Which one.
        workers: Processes to start if the cluster is local; the others have their own number.
        entrants: Who plays, by number.
        engine: The engine to use.
        batches_a_task: How many batches travel together; measured if None.
    Raises: TourneyError, if Dask is not installed or the cluster's settings are wrong;
        WorkerError, if the cluster cannot be reached or runs other versions.
    """
    cluster.check_installed()
    from tourney.execution.workers.cluster.connection import connected  # noqa: PLC0415 - Dask is an extra
    from tourney.execution.workers.cluster.dask_workers import ClusterWorkers  # noqa: PLC0415 - Dask is an extra

    connection = connected(cluster, workers)
    return ClusterWorkers(connection, cluster, entrants, engine, batches_a_task)
