"""Processes that are forked from this one, and which of them Ctrl-C reaches."""

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
    """Give a pool of processes that leave Ctrl-C to this one, and end when it does.

    Args:
        processes: How many; they start with the first piece of work.
    Raises: ValueError, where processes cannot be forked.
    """
    context = multiprocessing.get_context("fork")
    with safe_path():  # what looks after its locks is started, not forked
        return ProcessPoolExecutor(processes, context, initializer=_serve)


def _serve() -> None:
    # Ctrl-C is the parent's, which ends its workers in order.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """End at once when the parent does, however long the work still takes."""
    parent = multiprocessing.parent_process()
    assert parent
    parent.join()
    os._exit(1)


@contextmanager
def interrupts_kept_from_children() -> Iterator[None]:
    """Keep Ctrl-C for the main thread.

    A terminal interrupts everybody of its group. Processes inherit what the thread that starts
    them blocks, and so do threads. Other signals may end them: their parent hears those, too.
    """
    if sys.platform == "win32":
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGHUP})
    try:
        # Starting it later would let interrupts in again, in the thread that does. It keeps SIGINT
        # and SIGTERM from itself, not SIGHUP, and ends by itself when nobody needs it any more.
        resource_tracker.ensure_running()
        signal.pthread_sigmask(signal.SIG_SETMASK, {*before, signal.SIGINT})
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
