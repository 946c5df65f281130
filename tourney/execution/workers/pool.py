"""Playing batches in this process, or in a pool of processes that survives their deaths.

Every worker has its own pipe and one task at a time. So a worker that dies, at any moment and with
any exit status, is noticed immediately, keeps no lock, and its task is known.
docs/decisions/0007-workers.md explains why no library is used.
"""

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from itertools import islice
from multiprocessing.connection import Connection, wait
from time import sleep
from types import TracebackType
from typing import Protocol

from tourney.errors import WorkerError
from tourney.execution.warm_up import warm_up
from tourney.execution.workers.task import EntrantSpec, PlayedBatch, Task, play_task
from tourney.execution.workers.worker import (
    Worker,
    interrupts_kept_from_children,
    start_fork_server,
)
from tourney.execution.workers.worker_start import asked_for
from tourney.execution.workers.workload import TaskSize
from tourney.game.blocks import Batch
from tourney.game.rules import Rules
from tourney.lazy import safe_path

MOST_DEATHS = 3
"""Workers that may die during one batch before the run stops."""
SECONDS_TO_BE_GONE = 0.1
"""Seconds until a process that has ended is reported as dead."""


class Workers(AbstractContextManager["Workers"], Protocol):
    """Plays batches, in any order and anywhere."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches, drawn lazily, and yield the results as they arrive."""


class Tasks:
    """Makes tasks of batches, with the entrants that play in them."""

    def __init__(
        self,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        size: TaskSize,
        batches_a_task: int | None = None,
    ) -> None:
        """Prepare to make tasks.

        Args:
            entrants: The entrants, by number.
            engine: The engine to use.
            size: Measures how many batches make a good task.
            batches_a_task: Batches of every task, if they are not to be measured.
        """
        self.size = size
        self._entrants, self._engine, self._fixed = entrants, engine, batches_a_task
        self._again: list[Task] = []  # single batches of tasks that were lost

    def next(self, source: Iterator[Batch]) -> Task | None:
        """Return a task to play again, or the next one; `None` at the end of the source."""
        if self._again:
            return self._again.pop()
        batches = tuple(islice(source, self._fixed or self.size.next()))
        self.size.drawn(len(batches))
        return self.of(batches) if batches else None

    def of(self, batches: tuple[Batch, ...]) -> Task:
        """Make a task of batches."""
        playing = sorted({entrant for batch in batches for entrant in batch.entrants})
        entrants = tuple((number, self._entrants[number]) for number in playing)
        return Task(batches, entrants, self._engine)

    def play_again(self, task: Task) -> None:
        """Return the batches of a lost task one by one, so that a second loss identifies one."""
        self._again += [self.of((batch,)) for batch in task.batches]


class InlineWorkers(AbstractContextManager["InlineWorkers"]):
    """Plays batches in this process, one after another."""

    def __init__(
        self,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        rules: Rules | None = None,
        *,
        is_long: bool = False,
    ) -> None:
        """Prepare to play.

        Args:
            entrants: The entrants, by number.
            engine: The engine to use.
            rules: Rules of the game whose machine code should be loaded now, if any.
            is_long: Whether the run is long.
        """
        # Only sandboxed players are faster if batches are played together; see `play_task`.
        are_measured = any(spec.confinement is not None for spec in entrants.values())
        self._tasks = Tasks(entrants, engine, TaskSize(1, None), None if are_measured else 1)
        if rules:
            warm_up(rules, is_long=is_long)

    def __exit__(self, *_: object) -> None:
        """Nothing needs to be closed."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches in order."""
        source = iter(batches)
        while task := self._tasks.next(source):
            played = play_task(task)
            self._tasks.size.learn(len(played), sum(one.seconds for one in played))
            yield from played


class PoolWorkers(AbstractContextManager["PoolWorkers"]):
    """Plays batches in local processes. A dead worker is replaced and its task repeated."""

    def __init__(
        self,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        workers: int,
        batches_a_task: int | None = None,
        *,
        rules: Rules | None = None,
        is_long: bool = False,
        left: int | None = None,
        tell: Callable[[str], object] | None = None,
        compiles: bool = True,
    ) -> None:
        """Start the workers.

        Args:
            entrants: The entrants, by number.
            engine: The engine to use.
            workers: Number of processes.
            batches_a_task: Batches sent to a worker together; measured if `None`.
            rules: Rules of the game whose machine code should be loaded now, if any.
            is_long: Whether the run is long.
            left: Number of batches to play, if known.
            tell: Called with a message when a process had to be started again.
            compiles: Whether workers may wait until missing machine code is compiled.
        Raises: WorkerError, if they cannot be started.
        """
        self._tasks = Tasks(entrants, engine, TaskSize(workers, left), batches_a_task)
        self._deaths: Counter[int] = Counter()
        self._lost: dict[int, str] = {}  # why their batches are played again, by number
        self._asked = partial(asked_for, rules, is_long=is_long)
        self._tell = tell or (lambda _: None)
        self._compiles = compiles
        self._workers = [self._started(each) for each in _processors(workers)]

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the workers, immediately after an error."""
        for worker in self._workers:
            worker.dismiss(at_once=kind is not None)
        for worker in self._workers:
            worker.join()

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches and yield the results as they arrive."""
        source = iter(batches)
        while True:
            for worker in self._workers:
                if worker.task is None and (task := self._tasks.next(source)):
                    worker.begin(task)
            busy = {worker.pipe: worker for worker in self._workers if worker.task}
            if not busy:
                return
            played: list[PlayedBatch] = []
            for pipe in wait(list(busy)):
                assert isinstance(pipe, Connection)
                played += self._receive(busy[pipe], source)
            yield from played

    def _started(self, processor: int | None) -> Worker:
        """Start a worker, and the fork server as well if it has ended.

        Raises: WorkerError, if the fork server keeps ending.
        """
        for _ in range(MOST_DEATHS):
            try:
                # A fork server that is still loading would print a traceback at an interrupt.
                with safe_path():
                    with self._asked(), interrupts_kept_from_children():
                        start_fork_server()
                    # This waits until the fork server has loaded everything.
                    return Worker(processor, compiles=self._compiles)
            except (EOFError, OSError) as error:
                why = str(error) or type(error).__name__
                self._tell(
                    "a worker could not be started: the process that it is forked from ended "
                    f"({why}); both are started again"
                )
                sleep(SECONDS_TO_BE_GONE)
        raise WorkerError(
            f"no worker could be started: the process that workers are forked from ended "
            f"{MOST_DEATHS} times ({why}); find the cause, such as a lack of memory"
        )

    def _receive(self, worker: Worker, source: Iterator[Batch]) -> tuple[PlayedBatch, ...]:
        """Receive the results of a worker; give it the next task before they are processed."""
        task = worker.task
        assert task is not None
        try:
            played = worker.finish()
        except EOFError:
            status = worker.join()
            self._workers[self._workers.index(worker)] = self._started(worker.processor)
            self._count_death(task, status)
            reason = f"a worker that had the batch died (exit status {status})"
            for batch in task.batches:
                self._lost[batch.number] = f"{reason}; the batch was played again"
                self._tell(f"batch {batch.number}: {reason}; it is played again")
            self._tasks.play_again(task)
            return ()
        if following := self._tasks.next(source):
            worker.begin(following)
        self._tasks.size.learn(len(played), sum(one.seconds for one in played))
        lost = self._lost
        return tuple(
            one.noted_as_replay(lost.pop(one.number)) if one.number in lost else one
            for one in played
        )

    def _count_death(self, task: Task, status: int | None) -> None:
        for batch in task.batches:
            self._deaths[batch.number] += 1
            if self._deaths[batch.number] >= MOST_DEATHS:
                names = ", ".join(spec.name for _, spec in task.entrants)
                raise WorkerError(
                    f"batch {batch.number}: {MOST_DEATHS} workers that played it died (exit status "
                    f"{status}); its entrants are {names}: start a new run without the one that "
                    "ends its process"
                )


def _processors(workers: int) -> Sequence[int | None]:
    """Assign a processor to each worker, if there is exactly one for each.

    A worker and its players alternate hundreds of times in a block. A process that moves to
    another processor wakes up late and with a cold cache. With fewer or more workers, the
    operating system distributes them better.
    """
    here = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return here if len(here) == workers else [None] * workers
