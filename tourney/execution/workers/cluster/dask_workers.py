"""Playing batches on a cluster, with a few tasks in advance for each thread.

A task is a pure function of its batches, so Dask plays the tasks of a lost worker again elsewhere.
If tasks are lost with their workers too often, Dask gives them up, even innocent ones, because it
only knows the queue of the worker. These suspects are then played alone, one after another, and
only those that kill their workers again are blamed.
"""

from asyncio import CancelledError
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from tourney.errors import TourneyError, WorkerError
from tourney.execution.workers.cluster.remote_task import (
    Answer,
    Preparation,
    own_versions,
    play_there,
)
from tourney.execution.workers.cluster.scheduler_address import Cluster
from tourney.execution.workers.pool import Tasks
from tourney.execution.workers.task import PlayedBatch, Task, failure
from tourney.game.blocks import Batch

TASKS_A_THREAD = 3
"""Outstanding tasks for each thread: enough that it never waits, few enough to draw lazily."""
WORKER_LOST = "a worker that had the batch was lost; the batch was played again"
"""The remark on such a batch."""
MOST_SUSPECTS = 8
"""Batches that may wait to be played alone before new ones are drawn."""
SECONDS_BETWEEN_LOOKS = 1.0
"""Seconds between two requests for the scheduler's workers."""
SECONDS_WITHOUT_WORKERS = {"local": 60, "tls": 60, "tcp": 60, "slurm": 24 * 3600}
"""Seconds that a run waits without any worker; jobs may queue for a day."""


class ClusterWorkers(AbstractContextManager["ClusterWorkers"]):
    """Plays batches on a cluster. Workers may join and leave; results do not change."""

    def __init__(
        self,
        connection: AbstractContextManager[Client],
        cluster: Cluster,
        tasks: Tasks,
        preparation: Preparation | None,
    ) -> None:
        """Connect to the cluster.

        Args:
            connection: Yields a client of the scheduler.
            cluster: The cluster.
            tasks: Makes the tasks of the run.
            preparation: Machine code that workers load before they play, if any.
        """
        self._tasks = tasks
        self._preparation = preparation
        self._place = cluster.place
        self._patience = SECONDS_WITHOUT_WORKERS[cluster.kind]
        self._outstanding: dict[Future, Task] = {}
        self._done: SimpleQueue[tuple[Future, Answer | BaseException]] = SimpleQueue()
        self._suspects: list[Task] = []  # single batches that were given up
        self._lost_keys: set[str] = set()  # of tasks of a lost worker
        self._lost: set[int] = set()  # numbers of their batches
        name = f"batches-{uuid4().hex}"
        self._names = (f"{name}-{number}" for number in count())
        self._threads, self._seen, self._looked = 1, monotonic(), float("-inf")
        with ExitStack() as stack:
            self._client = stack.enter_context(connection)
            # The scheduler reports this before it reassigns the tasks, in order with results.
            self._client.subscribe_topic("all", self._note_lost)
            self._stack = stack.pop_all()

    def __exit__(self, *_: object) -> None:
        """Cancel outstanding tasks and leave the cluster."""
        with self._stack:
            if self._outstanding and self._client.status == "running":
                self._client.cancel(list(self._outstanding), force=True)

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches and yield the results as they arrive.

        Raises: WorkerError, if the scheduler is lost, if there is no worker for too long, or, after
            all other batches, if a batch kills its workers.
        """
        source = iter(batches)
        while True:
            self._look()
            if len(self._suspects) < MOST_SUSPECTS:
                self._submit_more(source)
            if self._outstanding:
                yield from self._finished()
            elif self._suspects:
                yield from self._tried_alone()
            else:
                return

    def _submit_more(self, source: Iterator[Batch]) -> None:
        while len(self._outstanding) < TASKS_A_THREAD * max(self._threads, 1):
            if not (task := self._tasks.next(source)):
                return
            self._submit(task)

    def _submit(self, task: Task) -> None:
        with self._scheduler_in_sight():
            future = self._client.submit(
                play_there,
                task,
                own_versions(),
                self._preparation,
                key=next(self._names),
                pure=False,
            )
        self._outstanding[future] = task
        self._client.loop.add_callback(self._fetch, future)

    def _look(self) -> None:
        """Update the number of threads of the workers once a second.

        Raises: WorkerError, if there has been no worker for too long.
        """
        now = monotonic()
        if now - self._looked < SECONDS_BETWEEN_LOOKS:
            return
        self._looked = now
        with self._scheduler_in_sight():
            self._threads = sum(self._client.nthreads().values())
        self._tasks.size.share_among(self._threads)
        self._seen = now if self._threads else self._seen
        if now - self._seen > self._patience:
            raise WorkerError(f"{self._place}: no workers for {self._patience} seconds; start some")

    async def _fetch(self, future: Future) -> None:
        """Wait for a result and fetch it, on Dask's thread.

        If the result is lost with its worker, this waits until it is computed again.
        """
        answer: Answer | BaseException
        try:
            answer = await future.result()
        except (Exception, CancelledError) as error:  # noqa: BLE001 - `_finished` handles it
            answer = error
        self._done.put((future, answer))

    def _finished(self) -> Iterator[PlayedBatch]:
        """Yield the results of a task, or nothing if no task finishes within a second.

        Raises: TourneyError, if the run cannot continue.
        """
        try:
            future, answer = self._done.get(timeout=SECONDS_BETWEEN_LOOKS)
        except Empty:
            return
        task = self._outstanding.pop(future)
        if future.key in self._lost_keys or isinstance(answer, KilledWorker):
            self._lost |= {batch.number for batch in task.batches}
        if isinstance(answer, KilledWorker):
            self._give_up(task)
        elif isinstance(answer, TourneyError):
            raise answer
        elif future.status == "cancelled" or isinstance(answer, (CancelledError, OSError)):
            raise self._scheduler_lost()
        elif isinstance(answer, BaseException):
            raise failure(task, answer) from answer
        else:
            yield from self._kept(answer)

    def _kept(self, played: tuple[PlayedBatch, ...]) -> tuple[PlayedBatch, ...]:
        self._tasks.size.learn(len(played), sum(one.seconds for one in played))
        return tuple(
            one.noted_as_replay(WORKER_LOST) if one.number in self._lost else one for one in played
        )

    def _note_lost(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Record the tasks of a lost worker; on Dask's thread."""
        _, message = event
        if message.get("action") == "remove-worker":
            for which in ("processing-tasks", "lost-computed-tasks"):
                self._lost_keys.update(map(str, message.get(which, ())))

    def _give_up(self, task: Task) -> None:
        """Play the batches of a task again, or a single batch alone after all others."""
        if len(task.batches) > 1:
            self._tasks.play_again(task)
        else:
            self._suspects.append(task)

    def _tried_alone(self) -> Iterator[PlayedBatch]:
        """Play suspects one after another, with no other task on the workers.

        Raises: WorkerError, if some of them kill their workers again.
        """
        guilty = []
        for task in self._taken_suspects():
            self._submit(task)
            while self._outstanding:
                self._look()
                yield from self._finished()
            guilty += self._taken_suspects()
        if guilty:
            raise WorkerError("\n".join(self._blame(task) for task in guilty))

    def _taken_suspects(self) -> list[Task]:
        taken, self._suspects = self._suspects, []
        return taken

    def _blame(self, task: Task) -> str:
        names = ", ".join(spec.name for _, spec in task.entrants)
        return (
            f"batch {task.batches[0].number}: several workers died while they played it alone; its "
            f"entrants are {names}: start a new run without the one that ends its process"
        )

    @contextmanager
    def _scheduler_in_sight(self) -> Iterator[None]:
        try:
            yield
        # A closed client raises errors of all kinds.
        except (OSError, TimeoutError, CancelledError, ClosedClientError, RuntimeError) as error:
            raise self._scheduler_lost() from error

    def _scheduler_lost(self) -> WorkerError:
        return WorkerError(
            f"{self._place}: the connection to the scheduler was lost; all finished batches are "
            "stored. Start the scheduler again and resume the run"
        )
