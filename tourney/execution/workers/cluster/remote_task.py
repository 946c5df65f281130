"""Playing a task on a worker of a cluster, without importing Dask."""

import platform
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from socket import gethostname
from threading import Lock
from time import monotonic, sleep
from typing import NamedTuple

from tourney.errors import DISTRIBUTION, TourneyError, WorkerError
from tourney.execution.background_compile import is_there
from tourney.execution.warm_up import failures_printed, warm_up
from tourney.execution.workers.task import PlayedBatch, Task, failure, play_task
from tourney.game.rules import Rules
from tourney.sandbox.levels import probe

PACKAGES = (DISTRIBUTION, "numpy", "distributed")

Versions = tuple[tuple[str, str], ...]
Answer = tuple[PlayedBatch, ...] | TourneyError

SECONDS_TO_SETTLE = 0.5
"""Seconds from the first request to a worker until its first task.

A nanny restarts a dead worker only if the worker died some time after it joined.
"""

# Loading competitors changes the state of the whole process, so its threads wait for each other.
_TURN = Lock()


@cache
def own_versions() -> Versions:
    """Return the versions on which results or communication depend, by name.

    Patch versions of Python are left out: they change no result.
    """
    python = ".".join(platform.python_version_tuple()[:2])
    return (("python", python), *((name, _version(name)) for name in PACKAGES))


def differences(ours: Versions, theirs: Versions) -> list[str]:
    """Describe the differences between versions.

    >>> differences((("python", "3.11"), ("numpy", "2.1")), (("python", "3.11"),))
    ['numpy: none instead of 2.1']
    """
    found = dict(theirs)
    return [
        f"{name}: {found.get(name, 'none')} instead of {wanted}"
        for name, wanted in ours
        if found.get(name, "none") != wanted
    ]


class Preparation(NamedTuple):
    """The machine code that a worker loads before its first task."""

    rules: Rules
    is_long: bool  # whether the run is long enough for the parts that start slowly


def play_there(task: Task, expected: Versions, preparation: Preparation | None = None) -> Answer:
    """Play a task, or return the error that prevents it.

    Errors are returned, because Dask would repeat a task that raises, or hide the cause in a
    traceback.

    Args:
        task: The task.
        expected: The versions of the run, because a worker may join after they were compared.
        preparation: Machine code to load first, if it is compiled on the worker's machine.
    """
    with _TURN:
        _settle(preparation)
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
        except Exception as error:  # noqa: BLE001 - raised again where the run is
            return failure(task, error)


def _why_not_confined(task: Task) -> str:
    """Explain why this machine's sandbox is not good enough for a task; empty if it is.

    A run has one level, which was tested where the run began.
    """
    wanted = {spec.confinement for _, spec in task.entrants if spec.confinement}
    for level in wanted:
        if probe().is_below(level):
            return (
                f"{gethostname()}: this worker has sandbox level {probe()}, but the run began at "
                f"level {level}; remove the worker from the cluster, then resume the run"
            )
    return ""


def versions_words(differing: list[str]) -> str:
    """Report differing versions, and the fix."""
    return (
        "cluster: some versions are not those of this machine:\n  "
        + "\n  ".join(differing)
        + "\ninstall the same versions on all nodes, and restart the scheduler and its workers"
    )


@cache
def _settle(preparation: Preparation | None) -> None:
    """Load machine code once; without it, each part is loaded late and slows the first tasks."""
    end = monotonic() + SECONDS_TO_SETTLE
    if preparation and is_there(game := preparation.rules.game):
        is_long = preparation.is_long and is_there(game, all_of_it=True)
        with failures_printed():
            warm_up(preparation.rules, is_long=is_long)
    sleep(max(0.0, end - monotonic()))


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "none"
