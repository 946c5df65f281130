"""What 1,000 cores would do with 10^12 hands, on paper: `python benchmarks/thousand_cores.py`.

One process makes all blocks and keeps all results; workers play tasks of about a second, with
three tasks ahead for each worker. The costs of a block are measured figures of
docs/explanation/speed.md. The estimate is the larger of two times: what the one process needs for
its part, and what the workers need for theirs. A simulation of the same rules, task by task, checks
it. Neither knows the network, so a real cluster is slower.
"""

import argparse
from collections.abc import Generator
from typing import NamedTuple

import simpy
from tabulate import tabulate

AHEAD = 3  # tasks for each worker
TASK_SECONDS = 1.0
MOST_TASKS = 50_000  # of a simulation
GIB = 2**30


class Play(NamedTuple):
    """A kind of play, and the costs of one of its blocks."""

    name: str
    hands: int
    play: float  # seconds of a worker
    make: float  # seconds of the one process before play
    keep: float  # seconds of the one process after play
    stored: int  # bytes in the store
    held: int  # bytes in the memory of the one process


KINDS = (
    Play("`ev`, machine code", 50_000, 35e-9 * 50_000, 35e-6, 35e-6, 0, 0),
    Play("tournament, machine code, 1,000 rounds", 1_000, 40e-6, 25e-6, 50e-6, 140, 16),
    Play("tournament, machine code, 50,000 rounds", 50_000, 2e-3, 25e-6, 50e-6, 140, 16),
    Play("tournament, sandboxed Python, 1,000 rounds", 1_000, 23e-3, 25e-6, 50e-6, 140, 16),
)


class Estimate(NamedTuple):
    """The times of one kind of play, in seconds."""

    alone: float  # of the one process
    workers: float
    simulated: float

    @property
    def on_paper(self) -> float:
        """The larger part."""
        return max(self.alone, self.workers)


def estimate(kind: Play, hands: float, cores: int) -> Estimate:
    """Estimate the time for a number of hands, and simulate it."""
    blocks = hands / kind.hands
    alone = blocks * (kind.make + kind.keep)
    return Estimate(alone, blocks * kind.play / cores, simulated(kind, blocks, cores))


def simulated(kind: Play, blocks: float, cores: int) -> float:
    """Simulate the tasks of a run; return when the last result is kept, in seconds."""
    size = max(1.0, TASK_SECONDS / kind.play)
    if blocks > size * MOST_TASKS:
        return simulated(kind, size * MOST_TASKS, cores) * blocks / (size * MOST_TASKS)
    floor = simpy.Environment()
    ready, done = simpy.Store(floor), simpy.Store(floor)

    def work() -> Generator[simpy.Event, float, None]:
        while True:
            count = yield ready.get()
            yield floor.timeout(count * kind.play)
            yield done.put(count)

    def manage() -> Generator[simpy.Event, float, None]:
        left, out = blocks, 0
        while left or out:
            if left and out < AHEAD * cores and not done.items:
                count = min(size, left)
                left, out = left - count, out + 1
                yield floor.timeout(count * kind.make)
                yield ready.put(count)
            else:
                count = yield done.get()
                out -= 1
                yield floor.timeout(count * kind.keep)

    for _ in range(cores):
        floor.process(work())
    floor.run(until=floor.process(manage()))
    return float(floor.now)


def as_time(seconds: float) -> str:
    """Write a time in the unit that a person would choose."""
    for unit, size in (("h", 3600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.0f} s"


def main() -> None:
    """Print a row for each kind of play."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--hands", type=float, default=1e12)
    parser.add_argument("--cores", type=int, default=1_000)
    arguments = parser.parse_args()
    rows = []
    for kind in KINDS:
        found = estimate(kind, arguments.hands, arguments.cores)
        blocks = arguments.hands / kind.hands
        rows.append(
            (
                kind.name,
                as_time(found.alone),
                as_time(found.workers),
                as_time(found.simulated),
                f"{found.simulated / found.on_paper:.3f}",
                round(kind.play / (kind.make + kind.keep)),
                f"{blocks * kind.stored / GIB:,.0f} GiB",
                f"{blocks * kind.held / GIB:,.1f} GiB",
            )
        )
    headers = ("Play", "one process", "workers", "simulated", "ratio", "cores fed")
    print(tabulate(rows, (*headers, "store", "memory"), tablefmt="github"))


if __name__ == "__main__":
    main()
