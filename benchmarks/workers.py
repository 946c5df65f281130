"""What a second worker is worth: the same batches by one process and by two.

Workers are started and have loaded all they need before the clock runs, as in any run that is
long enough for workers to matter. Needs a machine that does nothing else: where other programs
take the cores, that shows here.
"""

import argparse
import os
from collections.abc import Iterator
from statistics import median
from time import perf_counter, process_time

from harness import Figure, as_table

from tourney.competitors.sources import digest_of, sources_of
from tourney.execution.workers.cluster import Cluster
from tourney.execution.workers.pool import PoolWorkers
from tourney.execution.workers.task import EntrantSpec
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Workload
from tourney.formats.field import Field
from tourney.game.blocks import Batch
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey
from tourney.games.blackjack.rules import BlackjackRules
from tourney.strategies.simple import Simple

ROUNDS = 50_000
TARGET = 1.85


def batches(first: int, count: int) -> Iterator[Batch]:
    """Draw up batches of one block."""
    field = Field(1, BlackjackRules(), 10**10, 10, 10**9, Secret.from_seed(1))
    for number in range(first, first + count):
        block = field.block(BlockKey(0, 0, number, 0, 1), ((0, field.bankroll),), ROUNDS)
        yield Batch(0, number, (block,))


def rounds_a_second(workers: int, engine: str, count: int) -> float:
    """Give how fast a pool plays."""
    rules = BlackjackRules() if engine == "auto" else None
    is_long = engine == "auto"  # all parts of the machine code are loaded
    with PoolWorkers(
        {0: simple()}, engine, workers, rules=rules, is_long=is_long, left=2 * count
    ) as pool:
        for _ in pool.play(batches(0, min(count, 50 * workers))):
            pass
        started = perf_counter()
        for _ in pool.play(batches(count, count)):
            pass
        return count * ROUNDS / (perf_counter() - started)


def tournament_seconds(place: Cluster | None, workers: int, batches: int) -> tuple[float, float]:
    """Give seconds of start and of play of a tournament of blocks of 1,000 rounds.

    Args:
        place: A cluster; local processes without Dask if `None`.
        workers: Number of processes.
        batches: Batches of 100 blocks.
    """
    rules = BlackjackRules()
    field = Field(1, rules, 10**9, 10, 10**9, Secret.from_seed(1))
    begun = perf_counter()
    workload = Workload(rules, batches, batches * 100_000)
    with make_workers(workers, {0: simple()}, cluster=place, workload=workload) as crew:
        started = perf_counter()
        keys = ([BlockKey(0, 0, 100 * n + at, 0, 1) for at in range(100)] for n in range(batches))
        drawn = (
            Batch(0, n, tuple(field.block(key, ((0, field.bankroll),), 1_000) for key in some))
            for n, some in enumerate(keys)
        )
        for _ in crew.play(drawn):
            pass
        return started - begun, perf_counter() - started


def compare_cluster(workers: int, batches: int, times: int) -> None:
    """Print seconds of processes and of a local Dask cluster, measured alternately."""
    places = {"processes": None, "Dask": Cluster("local")}
    took = {name: [] for name in places}
    for _ in range(times):
        for name, place in places.items():
            took[name].append(tournament_seconds(place, workers, batches))
    for name, pairs in took.items():
        starts, plays = zip(*pairs, strict=True)
        print(f"{workers} {name}: start {median(starts):.1f} s, play {median(plays):.1f} s")
    ratios = [dask[1] / own[1] for own, dask in zip(took["processes"], took["Dask"], strict=True)]
    print(f"play, Dask to processes: {median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})")


def parent_cost(count: int = 1000) -> Figure:
    """Measure what a batch of compiled play costs the process that hands it out."""
    rules = BlackjackRules()
    with PoolWorkers({0: simple()}, "auto", 1, rules=rules, left=count) as pool:
        for _ in pool.play(batches(0, 50)):
            pass
        started = process_time()
        for _ in pool.play(batches(count, count)):
            pass
        cost = (process_time() - started) / count
    return Figure(f"parent, a batch of {ROUNDS:,} rounds", 1e6 * cost, "µs/batch")


def simple() -> EntrantSpec:
    """Give an entrant of one of the platform's strategies."""
    digest = digest_of(sources_of(Simple), ())
    return EntrantSpec("simple", "strategy", "simple", (), (), digest, promises=True)


def figures(seconds: float = 4.0, workers: int = 2) -> list[Figure]:
    """Measure one worker and several, by both engines."""
    found = [parent_cost()]
    for engine, guess in (("auto", 20e6), ("reference", 40e3)):
        count = max(2 * workers, int(seconds * guess / ROUNDS))
        speeds = {each: rounds_a_second(each, engine, count) for each in (1, workers)}
        name = "compiled" if engine == "auto" else engine
        found += [
            Figure(f"1 worker, {name}", speeds[1], "hands/s"),
            Figure(f"{workers} workers, {name}", speeds[workers], "hands/s"),
            Figure(
                f"{workers} workers to 1, {name}",
                speeds[workers] / speeds[1],
                "times",
                target=TARGET if workers == 2 else None,
            ),
        ]
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=4.0, help="of one measurement, about")
    parser.add_argument("--workers", type=int, default=2, help="how many to compare with one")
    parser.add_argument("--cluster", type=int, metavar="TIMES", help="compare with Dask's workers")
    parser.add_argument("--batches", type=int, default=1_000, help="of a tournament on a cluster")
    arguments = parser.parse_args()
    print(f"load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    if arguments.cluster:
        compare_cluster(arguments.workers, arguments.batches, arguments.cluster)
        return
    print(as_table(figures(arguments.seconds, arguments.workers)))


if __name__ == "__main__":
    main()
