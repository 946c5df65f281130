"""Start of the process that all workers are forked from: it loads the code that they will need.

The fork server imports this module for its effect, because it can only be given names of modules.
The environment names the rules to load, and the folder of the server's socket, which this process
removes at the end if its parent was killed.
"""

import atexit
import gc
import os
import pickle
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.util import get_temp_dir
from threading import Event, Thread
from types import TracebackType

from tourney.execution.warm_up import failures_printed, warm_up
from tourney.game.rules import Rules

RULES = "TOURNEY_WARM_UP"
"""The variable with the rules whose machine code is to be loaded, and whether the run is long;
pickled, in hex."""

PARENT, FOLDER = "TOURNEY_PARENT", "TOURNEY_FOLDER_OF_SOCKET"
"""The variables with the number of the parent process, and with the temporary folder that Python
makes for this process."""

SECONDS_BETWEEN_LOOKS = 0.2


@contextmanager
def asked_for(rules: Rules | None, *, is_long: bool = False) -> Iterator[None]:
    """Make a process that starts meanwhile load the machine code of a game."""
    os.environ[PARENT], os.environ[FOLDER] = str(os.getpid()), get_temp_dir()
    if rules:
        os.environ[RULES] = pickle.dumps((rules, is_long)).hex()
    try:
        yield
    finally:
        for name in (RULES, PARENT, FOLDER):
            os.environ.pop(name, None)


def load_what_is_asked_for(parent: int, folder: str) -> None:
    """Load the machine code of the game in the environment, if any.

    Args:
        parent: Number of the parent process.
        folder: Removed if the parent ends meanwhile.
    """
    if text := os.environ.pop(RULES, ""):
        with ended_with_parent(parent, folder), failures_printed():
            # Written by the parent.
            rules, is_long = pickle.loads(bytes.fromhex(text))  # noqa: S301 - see above
            warm_up(rules, is_long=is_long)


@contextmanager
def ended_with_parent(parent: int, folder: str) -> Iterator[None]:
    """End this process immediately if its parent ends meanwhile.

    Python itself checks for that only between two requests for workers. The thread ends before a
    worker is forked.

    Args:
        parent: Its number, given by the parent, which may have ended before this process checks.
        folder: Removed in that case.
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
    """Print the traceback of an error, unless the parent was interrupted during a request.

    The request then ends before it began, and the parent itself reports the interrupt.
    """
    if not issubclass(kind, EOFError):
        sys.__excepthook__(kind, error, trace)


if _parent := os.environ.pop(PARENT, ""):
    _folder = os.environ.pop(FOLDER)
    # The parent removes the folder itself, unless it was killed.
    atexit.register(_remove_if_left_by, int(_parent), _folder)
    sys.excepthook = end_silently_if_interrupted
    load_what_is_asked_for(int(_parent), _folder)
    # Loaded objects stay: garbage collection in a worker would copy all of their memory.
    gc.collect()
    gc.freeze()
