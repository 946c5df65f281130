"""Where batches run: in this process, or in a pool of others that survives their deaths.

Every worker has a pipe of its own and one task at a time, so a worker that dies, at any
instant and with any exit status, is noticed at once, takes no lock with it, and leaves no
doubt about which task it had. docs/decisions/0007-workers.md says why no library does this.
"""

import multiprocessing
import os
import signal
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, redirect_stdout
from itertools import islice
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from threading import Thread
from traceback import format_exception
from types import TracebackType
from typing import Protocol

from tourney.engine import warm_up
from tourney.errors import TourneyError, WorkerError
from tourney.games import Rules
from tourney.schedule import Batch
from tourney.workers import mother
from tourney.workers.interrupts import interrupts_kept_from_children
from tourney.workers.mother import asked_for
from tourney.workers.sizes import TaskSize
from tourney.workers.task import EntrantSpec, PlayedBatch, Task, play_task

MOST_DEATHS = 3
"""Workers that may die over one batch before the run stops."""
SECONDS_TO_END = 5.0
"""What a worker is given to end by itself."""


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
        for batch in batches:
            yield from play_task(make_task((batch,), self._entrants, self._engine))


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
        """
        self._entrants = entrants
        self._engine = engine
        self._fixed = batches_a_task
        self._size = TaskSize(workers, left)
        self._deaths: Counter[int] = Counter()
        self._again: list[Task] = []  # tasks whose worker died
        # Whoever is still loading what workers need would tell of an interrupt in many lines.
        with asked_for(rules, is_long=is_long), interrupts_kept_from_children():
            self._workers = [Worker() for _ in range(workers)]

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

    def _next_task(self, source: Iterator[Batch]) -> Task | None:
        if self._again:
            return self._again.pop()
        batches = tuple(islice(source, self._fixed or self._size.next()))
        self._size.drawn(len(batches))
        return make_task(batches, self._entrants, self._engine) if batches else None

    def _receive(self, worker: "Worker", source: Iterator[Batch]) -> tuple[PlayedBatch, ...]:
        """Take what a worker has for us, and keep it busy before anything is done with it."""
        task = worker.task
        assert task is not None
        try:
            played = worker.finish()
        except EOFError:
            status = worker.join()
            self._workers[self._workers.index(worker)] = Worker()
            self._count_death(task, status)
            # One by one, so that a second death names its batch.
            self._again += [
                make_task((batch,), self._entrants, self._engine) for batch in task.batches
            ]
            return ()
        if following := self._next_task(source):
            worker.begin(following)
        self._size.learn(len(played), sum(one.seconds for one in played))
        return played

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


class Worker:
    """One process, the pipe to it and the task it has."""

    def __init__(self) -> None:
        """Start the process."""
        context = _context()
        self.pipe, other_end = context.Pipe()
        self.task: Task | None = None
        self._process: BaseProcess = context.Process(  # type: ignore[attr-defined]  # every context has one
            target=_serve, args=(other_end,), daemon=True
        )
        self._process.start()
        other_end.close()

    def begin(self, task: Task) -> None:
        """Give it a task; if it has died, that shows when its pipe is read."""
        self.task = task
        try:
            self.pipe.send(task)
        except OSError:
            return  # what `finish` will find too

    def finish(self) -> tuple[PlayedBatch, ...]:
        """Take the results of its task.

        Raises: EOFError, if it has died; TourneyError, if the task could not be played.
        """
        try:
            answer = self.pipe.recv()
        except OSError as error:  # it died in the middle of its answer
            raise EOFError from error
        self.task = None
        if isinstance(answer, TourneyError):
            raise answer
        played: tuple[PlayedBatch, ...] = answer
        return played

    def dismiss(self, *, at_once: bool) -> None:
        """Let it go when it has finished its task, or at once."""
        if at_once:
            self._process.terminate()
        self.pipe.close()

    def join(self) -> int | None:
        """Wait for its end and give its exit status."""
        self._process.join(SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        return self._process.exitcode


def make_task(batches: tuple[Batch, ...], entrants: Mapping[int, EntrantSpec], engine: str) -> Task:
    """Make a task of batches, with those of the entrants who play in them."""
    playing = sorted({entrant for batch in batches for entrant in batch.entrants})
    return Task(batches, tuple((number, entrants[number]) for number in playing), engine)


def _context() -> multiprocessing.context.BaseContext:
    """Fork workers from a clean process that knows its modules, where that can be done."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, mother.__name__])
    return context


def _serve(pipe: Connection) -> None:
    """Play tasks until the parent closes its end, be it by dying."""
    # Ctrl-C is the parent's, which ends its workers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    # What competitors print must not mix with the results of a command.
    with redirect_stdout(sys.stderr):
        while True:
            try:
                task = pipe.recv()
                pipe.send(_answer(task))
            except (EOFError, OSError):
                return


def _answer(task: Task) -> tuple[PlayedBatch, ...] | TourneyError:
    """Play a task, or say why it could not be played."""
    try:
        return play_task(task)
    except TourneyError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the parent raises it again
        return WorkerError(
            f"batch {task.batches[0].number}: expected results, got an error of the platform:\n"
            + "".join(format_exception(error))
        )


def _end_with_parent() -> None:
    """End at once when the parent does, however long the task still takes."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)
