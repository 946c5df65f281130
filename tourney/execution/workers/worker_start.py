"""What the process does first that all workers are forked from: it loads what they will need.

It is imported there for its effect, by name, which is the only thing that such a process can be
told to do. What to load stands in its environment; so does the folder with its socket, which it
removes in the end if whoever made it was killed.
"""

import atexit
import gc
import os
import pickle
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from multiprocessing.util import get_temp_dir
from threading import Event, Thread
from types import TracebackType

from tourney.execution.warm_up import warm_up
from tourney.game.rules import Rules

RULES = "TOURNEY_WARM_UP"
"""The variable that holds the rules whose machine code is to be loaded, and whether a long
run follows; pickled, in hex."""

PARENT, FOLDER = "TOURNEY_PARENT", "TOURNEY_FOLDER_OF_SOCKET"
"""The variables that hold the number of the process that asks, and name the temporary folder that
Python makes for this one."""

SECONDS_BETWEEN_LOOKS = 0.2


@contextmanager
def asked_for(rules: Rules | None, *, is_long: bool = False) -> Iterator[None]:
    """Ask a process that starts meanwhile to load the machine code of a game."""
    os.environ[PARENT], os.environ[FOLDER] = str(os.getpid()), get_temp_dir()
    if rules:
        os.environ[RULES] = pickle.dumps((rules, is_long)).hex()
    try:
        yield
    finally:
        for name in (RULES, PARENT, FOLDER):
            os.environ.pop(name, None)


def load_what_is_asked_for(parent: int, folder: str) -> None:
    """Load the machine code of the game that the environment names, if any.

    Args:
        parent: Number of the process that asked.
        folder: To be removed if that ends meanwhile.
    """
    if text := os.environ.pop(RULES, ""):
        # What goes wrong here goes wrong again in a worker, which can say so.
        with ended_with_parent(parent, folder), suppress(Exception):
            # The parent's own words.
            rules, is_long = pickle.loads(bytes.fromhex(text))  # noqa: S301 - see above
            warm_up(rules, is_long=is_long)


@contextmanager
def ended_with_parent(parent: int, folder: str) -> Iterator[None]:
    """End this process at once if its parent ends meanwhile: nobody else waits for machine code.

    Python itself looks for that only between two requests for workers. No thread is left when a
    worker is forked.

    Args:
        parent: Its number, from itself: it may have ended before this process looks.
        folder: To be removed then.
    """
    is_over = Event()

    def watch() -> None:
        while not is_over.wait(SECONDS_BETWEEN_LOOKS):
            if os.getppid() != parent:
                _remove_if_left_by(parent, folder)
                os._exit(1)

    watching = Thread(target=watch, daemon=True)
    watching.start()
    try:
        yield
    finally:
        is_over.set()
        watching.join()


def _remove_if_left_by(parent: int, folder: str) -> None:
    if os.getppid() != parent:
        shutil.rmtree(folder, ignore_errors=True)


def end_silently_if_interrupted(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Say what went wrong here, unless the parent was interrupted while it asked for a worker.

    Its request ends then before it began. The parent says itself that it was interrupted.
    """
    if not issubclass(kind, EOFError):
        sys.__excepthook__(kind, error, trace)


if _parent := os.environ.pop(PARENT, ""):
    _folder = os.environ.pop(FOLDER)
    # The parent removes it itself, if it can.
    atexit.register(_remove_if_left_by, int(_parent), _folder)
    sys.excepthook = end_silently_if_interrupted
    load_what_is_asked_for(int(_parent), _folder)
    # What is loaded stays: a worker that looks for garbage would copy all of it.
    gc.collect()
    gc.freeze()
