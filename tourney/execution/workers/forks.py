"""Forking processes that end with this one, and keeping Ctrl-C from them."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import resource_tracker
from threading import Thread

from tourney.lazy import safe_path


def forked_pool(processes: int) -> ProcessPoolExecutor:
    """Return a pool of processes that ignore Ctrl-C, and end when this process does.

    Args:
        processes: Their number; they start with the first piece of work.
    Raises: ValueError, if processes cannot be forked here.
    """
    context = multiprocessing.get_context("fork")
    with safe_path():  # the pool's resource tracker is started, not forked
        return ProcessPoolExecutor(processes, context, initializer=_serve)


def _serve() -> None:
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
