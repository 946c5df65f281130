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
