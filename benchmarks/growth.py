"""What one more table, one more entrant or one more worker costs: `python benchmarks/growth.py`.

Plays tournaments that differ in one thing and prints the processor's time for each step. A cost
that is constant stays the same from step to step.
"""

import argparse
import tempfile
from itertools import pairwise
from pathlib import Path
from time import perf_counter, process_time

from harness import Figure, as_table
from scale import config

from tourney import play_tournament
from tourney.execution.workers.pool import PoolWorkers

ENTRANTS, TABLES, ROUNDS = 12, 100, 1000
STEPS = (1, 2, 4, 8)


def seconds(entrants: int, tables: int) -> float:
    """Give the processor's time that a tournament takes in one process, and its leaderboard."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "growth.yaml")
        path.write_text(config(entrants, tables, ROUNDS), encoding="utf-8")
        started = process_time()
        play_tournament(path, store=Path(folder, "growth.db"))
        return process_time() - started


def steps(name: str, unit: str, sizes: list[int], costs: list[float]) -> list[Figure]:
    """Give what each step from one size to the next costs, for one of what it adds."""
    pairs = list(zip(sizes, costs, strict=True))
    return [
        Figure(f"{name}, from {before} to {after}", 1e3 * (late - early) / (after - before), unit)
        for (before, early), (after, late) in pairwise(pairs)
    ]


def worker_seconds(workers: int) -> float:
    """Give the time on the clock in which workers start and end, without any work."""
    started = perf_counter()
    with PoolWorkers({}, "auto", workers) as pool:
        assert not list(pool.play(()))
    return perf_counter() - started


def figures(largest: int) -> list[Figure]:
    """Measure all three."""
    factors = [step for step in STEPS if step <= largest]
    seconds(ENTRANTS, TABLES)  # loads what all need, and what these entrants declare
    tables = [TABLES * step for step in factors]
    found = steps("table", "ms/table", tables, [seconds(ENTRANTS, each) for each in tables])
    entrants = [ENTRANTS * step for step in factors]
    found += steps("entrant", "ms/entrant", entrants, [seconds(each, TABLES) for each in entrants])
    worker_seconds(1)  # starts the process that the others are forked from
    found += steps("worker", "ms/worker", factors, [worker_seconds(each) for each in factors])
    return found


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=8, help="times the smallest")
    found = figures(parser.parse_args().largest)
    print(f"{ENTRANTS} entrants, {TABLES} tables of {ROUNDS} rounds to begin with")
    print(as_table(found))


if __name__ == "__main__":
    main()
