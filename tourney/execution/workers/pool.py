"""Where batches run: in this process, or in a pool of others that survives their deaths.

Every worker has a pipe of its own and one task at a time, so a worker that dies, at any
instant and with any exit status, is noticed at once, takes no lock with it, and leaves no
doubt about which task it had. docs/decisions/0007-workers.md says why no library does this.
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
from tourney.execution.workers.forks import interrupts_kept_from_children
from tourney.execution.workers.task import EntrantSpec, PlayedBatch, Task, play_task
from tourney.execution.workers.task_sizes import TaskSize
from tourney.execution.workers.worker import Worker, start_fork_server
from tourney.execution.workers.worker_start import asked_for
from tourney.game.blocks import Batch
from tourney.game.rules import Rules
from tourney.lazy import safe_path

MOST_DEATHS = 3
"""Workers that may die over one batch before the run stops."""
SECONDS_TO_BE_GONE = 0.1
"""After the end of a process until it is counted among the dead."""


class Workers(AbstractContextManager["Workers"], Protocol):
    """Plays batches, in any order and anywhere."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches, drawn lazily, and give the results as they come."""


class InlineWorkers(AbstractContextManager["InlineWorkers"]):
    """Plays batches here, one after another."""

    def __init__(
        self,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        rules: Rules | None = None,
        *,
        is_long: bool = False,
    ) -> None:
        """Get ready.

        Args:
            entrants: Who plays, by number.
            engine: The engine to use.
            rules: Of the game whose machine code is worth loading at once, if any.
            is_long: Whether much of it is going to be played.
        """
        self._entrants = entrants
        self._engine = engine
        if rules:
            warm_up(rules, is_long=is_long)

    def __exit__(self, *_: object) -> None:
        """Leave nothing behind."""

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches in order."""
        # Only the confined gain by batches that travel together; see `play_task`.
        size = TaskSize(1, None) if any(map(_is_confined, self._entrants.values())) else None
        source = iter(batches)
        while some := tuple(islice(source, size.next() if size else 1)):
            played = play_task(make_task(some, self._entrants, self._engine))
            if size:
                size.learn(len(played), sum(one.seconds for one in played))
            yield from played


def _is_confined(spec: EntrantSpec) -> bool:
    return spec.confinement is not None


class PoolWorkers(AbstractContextManager["PoolWorkers"]):
    """Plays batches in local processes. A worker that dies is replaced, its task repeated."""

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
            entrants: Who plays, by number.
            engine: The engine to use.
            workers: Processes.
            batches_a_task: How many batches travel together; measured if None.
            rules: Of the game whose machine code is worth loading at once, if any.
            is_long: Whether much of it is going to be played.
            left: Batches that there are to play, if that is known.
            tell: Told what had to be started again.
            compiles: Whether they may wait for machine code where there is none.
        Raises: WorkerError, if they cannot be started.
        """
        self._entrants = entrants
        self._engine = engine
        self._fixed = batches_a_task
        self._size = TaskSize(workers, left)
        self._deaths: Counter[int] = Counter()
        self._again: list[Task] = []  # tasks whose worker died
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
        """End the workers, at once if something went wrong."""
        for worker in self._workers:
            worker.dismiss(at_once=kind is not None)
        for worker in self._workers:
            worker.join()

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches and give the results as they come."""
        source = iter(batches)
        while True:
            for worker in self._workers:
                if worker.task is None and (task := self._next_task(source)):
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
        """Start a worker, and what it is forked from as well if that has ended.

        Raises: WorkerError, if that ends again and again.
        """
        for _ in range(MOST_DEATHS):
            try:
                # Whoever is still loading what workers need would tell of an interrupt in many
                # lines.
                with safe_path():
                    with self._asked(), interrupts_kept_from_children():
                        start_fork_server()
                    # Which waits until that has loaded everything.
                    return Worker(processor, compiles=self._compiles)
            except (EOFError, OSError) as error:
                why = str(error) or type(error).__name__
                self._tell(
                    "a worker could not be started: the process that it is forked from ended "
                    f"({why}); both are started again"
                )
                sleep(SECONDS_TO_BE_GONE)
        raise WorkerError(
            f"workers: expected to start one, got {MOST_DEATHS} times the end of the process that "
            f"it is forked from ({why}): see what ends processes here, such as a lack of memory"
        )

    def _next_task(self, source: Iterator[Batch]) -> Task | None:
        if self._again:
            return self._again.pop()
        batches = tuple(islice(source, self._fixed or self._size.next()))
        self._size.drawn(len(batches))
        return make_task(batches, self._entrants, self._engine) if batches else None

    def _receive(self, worker: Worker, source: Iterator[Batch]) -> tuple[PlayedBatch, ...]:
        """Take what a worker has for us, and keep it busy before anything is done with it."""
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
            # One by one, so that a second death names its batch.
            self._again += [
                make_task((batch,), self._entrants, self._engine) for batch in task.batches
            ]
            return ()
        if following := self._next_task(source):
            worker.begin(following)
        self._size.learn(len(played), sum(one.seconds for one in played))
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
                    f"batch {batch.number}: expected a worker to play it, got {MOST_DEATHS} that "
                    f"died (exit status {status}); its entrants are {names}: "
                    "start a new run without the one that ends its process"
                )


def _processors(workers: int) -> Sequence[int | None]:
    """Give each worker a processor of its own, if there is just one for each.

    Referees and the players that they ask take turns, hundreds of times in a block, and whoever
    is woken elsewhere wakes late and finds nothing in its cache. With fewer workers, or more, the
    system knows better who should run where.
    """
    here = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    return here if len(here) == workers else [None] * workers


def make_task(batches: tuple[Batch, ...], entrants: Mapping[int, EntrantSpec], engine: str) -> Task:
    """Make a task of batches, with those of the entrants who play in them."""
    playing = sorted({entrant for batch in batches for entrant in batch.entrants})
    return Task(batches, tuple((number, entrants[number]) for number in playing), engine)
