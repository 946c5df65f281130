"""Workers of a cluster: a Dask scheduler distributes batches to its workers.

Only this package imports Dask, which is an extra (`pip install 'tourney-cards[cluster]'`), and only
if a run asks for a cluster. See docs/decisions/0008-cluster-workers.md.
"""

from tourney.execution.workers.cluster.scheduler_address import Cluster
from tourney.execution.workers.pool import Tasks, Workers
from tourney.game.rules import Rules

__all__ = ["Cluster", "check_cluster", "join_cluster"]


def check_cluster(cluster: Cluster) -> None:
    """Check the settings of a cluster without connecting to it.

    Raises: TourneyError, if a package is not installed, or the settings are wrong.
    """
    cluster.check_installed()
    if cluster.kind == "slurm":
        from tourney.execution.workers.cluster.slurm import read_settings  # noqa: PLC0415 - Dask is an extra

        read_settings(cluster.file)
    elif cluster.kind == "tls":
        from tourney.execution.workers.cluster.connection import certificates  # noqa: PLC0415 - Dask is an extra

        certificates(cluster)


def join_cluster(
    cluster: Cluster, workers: int, tasks: Tasks, warm: tuple[Rules, bool] | None
) -> Workers:
    """Connect to a cluster, or start one, and return its workers.

    Args:
        cluster: The cluster.
        workers: Number of processes of a local cluster; other clusters have their own number.
        tasks: Makes the tasks of the run.
        warm: Rules whose machine code workers load first, and whether the run is long.
    Raises: TourneyError, if Dask is not installed or the cluster's settings are wrong;
        WorkerError, if the cluster cannot be reached or runs other versions.
    """
    cluster.check_installed()
    from tourney.execution.workers.cluster.connection import connected  # noqa: PLC0415 - Dask is an extra
    from tourney.execution.workers.cluster.dask_workers import ClusterWorkers  # noqa: PLC0415 - Dask is an extra
    from tourney.execution.workers.cluster.remote_task import Preparation  # noqa: PLC0415 - loads the sandbox

    connection = connected(cluster, workers)
    preparation = Preparation(*warm) if warm else None
    return ClusterWorkers(connection, cluster, tasks, preparation)
