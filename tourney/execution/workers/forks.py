"""Processes that are forked from this one for small pieces of work, such as checks of a class.

They know all that this one has loaded. Batches are played elsewhere, in `pool`.
"""

import multiprocessing
import os
import signal
from concurrent.futures import ProcessPoolExecutor
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
