"""A local worker process, which plays tasks one at a time from its own pipe."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, redirect_stdout, suppress
from multiprocessing import forkserver, resource_tracker
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from threading import Thread
from types import ModuleType

from tourney.errors import TourneyError
from tourney.execution.engine_selection import compile_nothing
from tourney.execution.workers import worker_start
from tourney.execution.workers.task import PlayedBatch, Task, failure, play_task
from tourney.lazy import safe_path


def forked_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of processes that ignore Ctrl-C, and end when this process does.

    Args:
        processes: Their number; they start with the first piece of work.
    Raises: ValueError, if processes cannot be forked here.
    """
    context = multiprocessing.get_context("fork")
    with safe_path():  # the pool's resource tracker is started, not forked
        return ProcessPoolExecutor(processes, context, initializer=_follow_parent)


def _follow_parent() -> None:
    """Leave Ctrl-C to the parent, and end when it does."""
    # Ctrl-C reaches the parent, which ends its workers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End immediately when the parent does, even in the middle of work."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)


@contextmanager
def interrupts_kept_from_children() -> Iterator[None]:
    """Make Ctrl-C interrupt only the main thread of this process.

    A terminal interrupts all processes of its group. Child processes and threads inherit the
    blocked signals of the thread that starts them. Other signals may end them, because the parent
    receives those, too.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        # Starting the tracker later would unblock interrupts in that thread. It blocks SIGINT and
        # SIGTERM itself, but not SIGHUP, and ends by itself when it is not needed any more.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_SETMASK, {*before, signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


SECONDS_TO_END = 5.0
"""Seconds within which a worker must end by itself."""


class Worker:
    """A process, the pipe to it and its current task."""

    def __init__(self, processor: int | None = None, *, compiles: bool = True) -> None:
        """Start the process.

        Args:
            processor: The processor for it and its children; any if `None`.
            compiles: Whether it may wait until machine code is compiled.
        """
        context = _context()
        self.pipe, other_end = context.Pipe()
        self.task: Task | None = None
        self.processor = processor
        self._process: BaseProcess = context.Process(  # type: ignore[attr-defined]  # every context has one
            target=_serve, args=(other_end, processor, compiles), daemon=True
        )
        with _without_script():
            self._process.start()
        other_end.close()

    def begin(self, task: Task) -> None:
        """Send it a task; if it has died, that is noticed when its pipe is read."""
        self.task = task
        try:
            self.pipe.send(task)
        except OSError:
            return  # `finish` notices it, too

    def finish(self) -> tuple[PlayedBatch, ...]:
        """Receive the results of its task.

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
        """Let it end after its task, or immediately."""
        if at_once:
            self._process.terminate()
        self.pipe.close()

    def join(self) -> int | None:
        """Wait for its end and return its exit status."""
        self._process.join(SECONDS_TO_END)
        if self._process.is_alive():
            self._process.kill()
            self._process.join()
        return self._process.exitcode


@contextmanager
def _without_script() -> Iterator[None]:
    """Keep processes that start meanwhile from running the main script again.

    Python runs it so that functions of the script can be unpickled, which no worker needs. Without
    this, scripts would need a guard around their start.
    """
    script = sys.modules["__main__"]
    sys.modules["__main__"] = ModuleType("__main__")
    try:
        yield
    finally:
        sys.modules["__main__"] = script


def _context() -> multiprocessing.context.BaseContext:
    """Fork workers from a clean process with preloaded modules, where that is possible."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, worker_start.__name__])
    return context


def start_fork_server() -> None:
    """Start the fork server of workers, if it does not run; they inherit ignored signals."""
    if "forkserver" in multiprocessing.get_all_start_methods():
        _context()
        forkserver.ensure_running()


def _serve(pipe: Connection, processor: int | None, compiles: bool) -> None:  # noqa: FBT001 - passed by position
    """Play tasks until the parent closes its end of the pipe or dies."""
    if not compiles:
        compile_nothing()
    if processor is not None:
        with suppress(OSError):  # this affects only speed
            os.sched_setaffinity(0, {processor})
    _follow_parent()
    # What competitors print must not mix with the results of a command.
    with redirect_stdout(sys.stderr):
        while True:
            try:
                task = pipe.recv()
                pipe.send(_answer(task))
            except (EOFError, OSError):
                return


def _answer(task: Task) -> tuple[PlayedBatch, ...] | TourneyError:
    """Play a task, or return the error that prevents it."""
    try:
        return play_task(task)
    except TourneyError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the parent raises it again
        return failure(task, error)
