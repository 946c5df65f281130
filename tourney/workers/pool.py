"""Where batches run: in this process, or in a pool of others that survives their deaths."""

import multiprocessing
import signal
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, wait
from contextlib import AbstractContextManager
from itertools import islice
from types import TracebackType
from typing import Protocol, Self

from pebble import ProcessExpired, ProcessPool

from tourney.errors import WorkerError
from tourney.schedule import Batch
from tourney.workers.task import EntrantSpec, PlayedBatch, Task, play_task

MOST_DEATHS = 3
"""Workers that may die over one batch before the run stops."""
TASK_SECONDS = 0.5
"""Work that a task should hold, so that travelling costs little and a kill loses little."""
TASKS_A_WORKER = 2
"""Tasks in flight for each worker: one played, one waiting."""


class Workers(AbstractContextManager["Workers"], Protocol):
    """Plays batches, in any order and anywhere."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches, drawn lazily, and give the results as they come."""


class InlineWorkers(AbstractContextManager["InlineWorkers"]):
    """Plays batches here, one after another."""

    def __init__(self, entrants: Mapping[int, EntrantSpec], engine: str) -> None:
        self._entrants = entrants
        self._engine = engine

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches in order."""
        for batch in batches:
            yield from play_task(_task((batch,), self._entrants, self._engine))


class PoolWorkers(AbstractContextManager["PoolWorkers"]):
    """Plays batches in local processes. A worker that dies is replaced, its task repeated."""

    def __init__(
        self,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        workers: int,
        batches_a_task: int | None = None,
    ) -> None:
        """Start the workers.

        Args:
            entrants: Who plays, by number.
            engine: The engine to use.
            workers: Processes.
            batches_a_task: How many batches travel together; measured if None.
        """
        self._entrants = entrants
        self._engine = engine
        self._in_flight = workers * TASKS_A_WORKER
        self._fixed = batches_a_task
        self._batch_seconds = TASK_SECONDS
        self._deaths: Counter[int] = Counter()
        self._pool = ProcessPool(
            max_workers=workers, context=_context(), initializer=_ignore_interrupts
        )

    def __enter__(self) -> Self:
        """Give the pool."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers, at once if something went wrong."""
        if kind is None:
            self._pool.close()  # type: ignore[no-untyped-call]  # pebble leaves it bare
        else:
            self._pool.stop()  # type: ignore[no-untyped-call]  # pebble leaves it bare
        self._pool.join()

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches and give the results as they come."""
        source = iter(batches)
        flying: dict[Future[tuple[PlayedBatch, ...]], Task] = {}
        while True:
            while len(flying) < self._in_flight and (group := self._next_group(source)):
                self._send(_task(group, self._entrants, self._engine), flying)
            if not flying:
                return
            done, _ = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                yield from self._receive(future, flying.pop(future), flying)

    def _next_group(self, source: Iterator[Batch]) -> tuple[Batch, ...]:
        size = self._fixed or max(1, int(TASK_SECONDS / self._batch_seconds))
        return tuple(islice(source, size))

    def _send(self, task: Task, flying: dict[Future[tuple[PlayedBatch, ...]], Task]) -> None:
        flying[self._pool.schedule(play_task, args=(task,))] = task

    def _receive(
        self,
        future: Future[tuple[PlayedBatch, ...]],
        task: Task,
        flying: dict[Future[tuple[PlayedBatch, ...]], Task],
    ) -> Iterator[PlayedBatch]:
        try:
            played = future.result()
        except ProcessExpired as death:
            self._count_death(task, death)
            for batch in task.batches:  # one by one, so that a second death names its batch
                self._send(_task((batch,), self._entrants, self._engine), flying)
            return
        for one in played:
            self._batch_seconds += (one.seconds - self._batch_seconds) / 8
        yield from played

    def _count_death(self, task: Task, death: ProcessExpired) -> None:
        for batch in task.batches:
            self._deaths[batch.number] += 1
            if self._deaths[batch.number] >= MOST_DEATHS:
                names = ", ".join(spec.name for _, spec in task.entrants)
                raise WorkerError(
                    f"batch {batch.number}: expected a worker to play it, got {MOST_DEATHS} that "
                    f"died (exit status {death.exitcode}); its entrants are {names}: "
                    "remove the one that ends its process, and resume"
                ) from death


def make_workers(
    workers: int,
    entrants: Mapping[int, EntrantSpec],
    engine: str = "auto",
    batches_a_task: int | None = None,
) -> Workers:
    """Make workers: this process for one, a pool for more.

    Args:
        workers: How many, at least 1.
        entrants: Who plays, by number.
        engine: The engine to use.
        batches_a_task: How many batches travel together; measured if None.
    """
    if workers == 1 and batches_a_task is None:
        return InlineWorkers(entrants, engine)
    return PoolWorkers(entrants, engine, workers, batches_a_task)


def _task(batches: tuple[Batch, ...], entrants: Mapping[int, EntrantSpec], engine: str) -> Task:
    playing = sorted(
        {seat.entrant for batch in batches for block in batch.blocks for seat in block.seats}
    )
    return Task(batches, tuple((number, entrants[number]) for number in playing), engine)


def _context() -> multiprocessing.context.BaseContext:
    """Start workers from a clean process, which is safe beside threads, where that is cheap."""
    methods = multiprocessing.get_all_start_methods()
    return multiprocessing.get_context("forkserver" if "forkserver" in methods else "spawn")


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the parent, which ends its workers in order."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
