"""Plays batches on a cluster: a few tasks ahead for each thread, results as they come.

A task is a pure function of its batches, so whatever a lost worker had is played again
elsewhere, which Dask does by itself. When tasks are lost with their workers too often, Dask
gives them up, guilty or not: it only knows what stood in a worker's queue. Suspects are played
again by themselves, one after another, and only what then kills its workers is blamed.
"""

from asyncio import CancelledError
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from itertools import count, islice
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any
from uuid import uuid4

from distributed import Client, Future
from distributed.client import ClosedClientError
from distributed.scheduler import KilledWorker

from tourney.errors import TourneyError, WorkerError
from tourney.execution.workers.cluster.remote_task import Answer, own_versions, play_there
from tourney.execution.workers.cluster.scheduler_address import Cluster
from tourney.execution.workers.pool import make_task
from tourney.execution.workers.task import EntrantSpec, PlayedBatch, Task, failure
from tourney.execution.workers.task_sizes import TASK_SECONDS
from tourney.game.blocks import Batch

TASKS_A_THREAD = 3
"""Tasks to have outstanding for each thread, so that none waits and little is drawn early."""
WORKER_LOST = "a worker that had the batch was lost; the batch was played again"
"""What is remarked of such a batch."""
MOST_SUSPECTS = 8
"""Batches that may wait to be played by themselves before others are drawn."""
SECONDS_BETWEEN_LOOKS = 1.0
"""How often the scheduler is asked for its workers."""
SECONDS_WITHOUT_WORKERS = {"local": 60, "tls": 60, "tcp": 60, "slurm": 24 * 3600}
"""How long a run waits while there is no worker; jobs may queue for a day."""


class ClusterWorkers(AbstractContextManager["ClusterWorkers"]):
    """Plays batches on a cluster. Worker threads come and go; results do not change."""

    def __init__(
        self,
        connection: AbstractContextManager[Client],
        cluster: Cluster,
        entrants: Mapping[int, EntrantSpec],
        engine: str,
        batches_a_task: int | None = None,
    ) -> None:
        """Connect to the cluster.

        Args:
            connection: What gives a client of the scheduler.
            cluster: Where that is.
            entrants: Who plays, by number.
            engine: The engine to use.
            batches_a_task: How many batches travel together; measured if None.
        """
        self._entrants = entrants
        self._engine = engine
        self._fixed = batches_a_task
        self._batch_seconds = TASK_SECONDS
        self._place = cluster.place
        self._patience = SECONDS_WITHOUT_WORKERS[cluster.kind]
        self._outstanding: dict[Future, Task] = {}
        self._done: SimpleQueue[tuple[Future, Answer | BaseException]] = SimpleQueue()
        self._again: list[Task] = []  # single batches of tasks that were given up
        self._suspects: list[Task] = []  # single batches that were given up
        self._lost_keys: set[str] = set()  # of tasks that a lost worker had
        self._lost: set[int] = set()  # numbers of their batches
        name = f"batches-{uuid4().hex}"
        self._names = (f"{name}-{number}" for number in count())
        self._threads, self._seen, self._looked = 1, monotonic(), float("-inf")
        with ExitStack() as stack:
            self._client = stack.enter_context(connection)
            # The scheduler says so before it gives the tasks to others, on the line of results.
            self._client.subscribe_topic("all", self._note_lost)
            self._stack = stack.pop_all()

    def __exit__(self, *_: object) -> None:
        """Take back what is still asked for, and leave the cluster."""
        with self._stack:
            if self._outstanding and self._client.status == "running":
                self._client.cancel(list(self._outstanding), force=True)

    def play(self, batches: Iterable[Batch]) -> Iterator[PlayedBatch]:
        """Play batches and give the results as they come.

        Raises: WorkerError, if the scheduler is lost, if there is no worker for too long, or, when
            all else is played, if a batch kills its workers.
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
            if not (task := self._next_task(source)):
                return
            self._submit(task)

    def _submit(self, task: Task) -> None:
        with self._scheduler_in_sight():
            future = self._client.submit(
                play_there, task, own_versions(), key=next(self._names), pure=False
            )
        self._outstanding[future] = task
        self._client.loop.add_callback(self._fetch, future)

    def _next_task(self, source: Iterator[Batch]) -> Task | None:
        if self._again:
            return self._again.pop()
        size = self._fixed or max(1, int(TASK_SECONDS / self._batch_seconds))
        batches = tuple(islice(source, size))
        return make_task(batches, self._entrants, self._engine) if batches else None

    def _look(self) -> None:
        """Ask from time to time how many threads the workers have.

        Raises: WorkerError, if there has been no worker for too long.
        """
        now = monotonic()
        if now - self._looked < SECONDS_BETWEEN_LOOKS:
            return
        self._looked = now
        with self._scheduler_in_sight():
            self._threads = sum(self._client.nthreads().values())
        self._seen = now if self._threads else self._seen
        if now - self._seen > self._patience:
            raise WorkerError(
                f"{self._place}: expected workers, got none for {self._patience} seconds: "
                "start some"
            )

    async def _fetch(self, future: Future) -> None:
        """Wait for a result and fetch it, on Dask's own thread.

        A result that is lost with its worker before it is here is waited for again.
        """
        answer: Answer | BaseException
        try:
            answer = await future.result()
        except (Exception, CancelledError) as error:  # noqa: BLE001 - whoever waits judges it
            answer = error
        self._done.put((future, answer))

    def _finished(self) -> Iterator[PlayedBatch]:
        """Give the results of a task, or nothing if there are none within a moment.

        Raises: TourneyError, if the run cannot go on.
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
        for one in played:
            self._batch_seconds += (one.seconds - self._batch_seconds) / 8
        return tuple(
            one.noted_as_replay(WORKER_LOST) if one.number in self._lost else one for one in played
        )

    def _note_lost(self, event: tuple[float, Mapping[str, Any]]) -> None:
        """Note the tasks that a worker had which is lost; on Dask's own thread."""
        _, message = event
        if message.get("action") == "remove-worker":
            for which in ("processing-tasks", "lost-computed-tasks"):
                self._lost_keys.update(map(str, message.get(which, ())))

    def _give_up(self, task: Task) -> None:
        """Play a task again in parts, or by itself when the others are done."""
        singles = [make_task((batch,), self._entrants, self._engine) for batch in task.batches]
        (self._again if len(singles) > 1 else self._suspects).extend(singles)

    def _tried_alone(self) -> Iterator[PlayedBatch]:
        """Play suspects one after another, with nobody else at the workers.

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
            f"batch {task.batches[0].number}: expected a worker to play it, got several that died, "
            f"though it was played by itself; its entrants are {names}: "
            "start a new run without the one that ends its process"
        )

    @contextmanager
    def _scheduler_in_sight(self) -> Iterator[None]:
        try:
            yield
        # A client that has closed itself gives errors of all kinds.
        except (OSError, TimeoutError, CancelledError, ClosedClientError, RuntimeError) as error:
            raise self._scheduler_lost() from error

    def _scheduler_lost(self) -> WorkerError:
        return WorkerError(
            f"{self._place}: expected the scheduler to answer, got no connection to it any more; "
            "every finished batch is kept: start it again"
        )
