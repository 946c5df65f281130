"""What a worker of a cluster does with a task; it runs over there.

Nothing here imports Dask, so a worker reads it like any other part of the platform.
"""

import platform
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from socket import gethostname
from threading import Lock
from time import sleep

from tourney.errors import DISTRIBUTION, TourneyError, WorkerError
from tourney.execution.workers.task import PlayedBatch, Task, failure, play_task
from tourney.sandbox.levels import probe

PACKAGES = (DISTRIBUTION, "numpy", "distributed")

Versions = tuple[tuple[str, str], ...]
Answer = tuple[PlayedBatch, ...] | TourneyError

SECONDS_TO_SETTLE = 0.5
"""What a worker waits before its first task.

The nanny that starts a worker again when it dies only does so from a moment after it has joined.
"""

# Loading competitors changes what a whole process has, so its threads take turns.
_TURN = Lock()


@cache
def own_versions() -> Versions:
    """Give the versions on which results or the way to them depend, by name.

    Patches of Python do not count: they change no result.
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return (("python", python), *((name, _version(name)) for name in PACKAGES))


def differences(ours: Versions, theirs: Versions) -> list[str]:
    """Say where versions differ.

    >>> differences((("python", "3.11"), ("numpy", "2.1")), (("python", "3.11"),))
    ['numpy: expected 2.1, got none']
    """
    found = dict(theirs)
    return [
        f"{name}: expected {wanted}, got {found.get(name, 'none')}"
        for name, wanted in ours
        if found.get(name, "none") != wanted
    ]


def play_there(task: Task, expected: Versions) -> Answer:
    """Play a task, or say why it cannot be played.

    Errors are values here: Dask would play again, or hide in a traceback, what it sees raised.

    Args:
        task: What is to be played.
        expected: The versions of whoever asks, since a worker may join after they were compared.
    """
    _settle()
    if differing := differences(expected, own_versions()):
        return WorkerError(versions_words([f"{gethostname()}: {each}" for each in differing]))
    if refusal := _why_not_confined(task):
        return WorkerError(refusal)
    # What competitors print must not mix with the results of a command.
    with _TURN, redirect_stdout(sys.stderr):
        try:
            return play_task(task)
        except TourneyError as error:
            return error
        except Exception as error:  # noqa: BLE001 - whoever asked raises it again
            return failure(task, error)


def _why_not_confined(task: Task) -> str:
    """Say why a task is not for this machine, if it confines less well than the run's; else "".

    The level was tried where the run began, and a run has one level.
    """
    wanted = {spec.confinement for _, spec in task.entrants if spec.confinement}
    for level in wanted:
        if probe().is_below(level):
            return (
                f"{gethostname()}: expected a worker that confines players at level {level}, as "
                f"where the run began; got one at level {probe()}: take it out of the cluster, "
                "and go on"
            )
    return ""


def versions_words(differing: list[str]) -> str:
    """Say where versions differ, and what to do."""
    return (
        "cluster: expected the versions of this machine everywhere, got others:\n  "
        + "\n  ".join(differing)
        + "\ninstall the same versions on all nodes, and restart the scheduler and its workers"
    )


@cache
def _settle() -> None:
    sleep(SECONDS_TO_SETTLE)


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
