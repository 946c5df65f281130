"""Who is told of Ctrl-C."""

import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def interrupts_kept_from_children() -> Iterator[None]:
    """Keep Ctrl-C for the main thread.

    A terminal interrupts everybody of its group. Processes inherit what the thread that starts
    them blocks, and so do threads.
    """
    if sys.platform == "win32":
        yield
        return
    # Starting it later would let interrupts in again, in the thread that does.
    resource_tracker.ensure_running()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
