"""Choosing the workers of a run."""

from collections.abc import Mapping

from tourney.config.arguments import check_whole
from tourney.execution.background_compile import is_there
from tourney.execution.engine_names import MOST_WORKERS
from tourney.execution.workers.cluster import Cluster, join_cluster
from tourney.execution.workers.pool import InlineWorkers, PoolWorkers, Tasks, Workers
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.workload import TaskSize, Tell, Workload, told_if_long


def check_workers(workers: object) -> None:
    """Check the number of worker processes.

    Raises: TourneyError, if it is not a whole number from 1 to MOST_WORKERS.
    """
    check_whole(1, MOST_WORKERS, is_needed=True, workers=workers)


def make_workers(
    workers: int,
    entrants: Mapping[int, EntrantSpec],
    engine: str = "auto",
    batches_a_task: int | None = None,
    cluster: Cluster | None = None,
    *,
    workload: Workload | None = None,
    tell: Tell | None = None,
) -> Workers:
    """Make workers: this process for one, a pool for more, or those of a cluster.

    Args:
        workers: Their number, at least 1.
        entrants: The entrants, by number.
        engine: The engine to use.
        batches_a_task: Batches sent to a worker together; measured if `None`.
        cluster: The cluster to play on, if any.
        workload: The expected amount of play, for which workers prepare.
        tell: Called with a message about long waits and lost processes.
    Raises: TourneyError, if the cluster cannot be used.
    """
    left = workload.batches if workload else None
    if cluster:
        warm = None
        if workload and workload.is_worth_warming(entrants.values(), engine, workers):
            warm = workload.rules, workload.is_long(len(entrants))
        tasks = Tasks(entrants, engine, TaskSize(1, left), batches_a_task)
        return join_cluster(cluster, workers, tasks, warm)
    rules, is_long = None, False
    compiles = not (workload and workload.is_over_sooner_uncompiled(entrants.values(), engine))
    if workload and compiles and workload.is_worth_warming(entrants.values(), engine, workers):
        waits = engine != "auto" or any(spec.confinement for spec in entrants.values())
        is_ready = waits or workload.waits or is_there(workload.rules.game)
        rules = workload.rules if is_ready else None
        is_long = workload.is_long(len(entrants))
        is_long &= waits or is_there(workload.rules.game, all_of_it=True)
    with told_if_long(tell if rules else None):  # without rules, nothing is loaded before play
        if workers == 1 and batches_a_task is None and compiles:
            return InlineWorkers(entrants, engine, rules, is_long=is_long)
        return PoolWorkers(
            entrants,
            engine,
            workers,
            batches_a_task,
            rules=rules,
            is_long=is_long,
            left=left,
            tell=tell,
            compiles=compiles,
        )
