"""Workers as jobs of Slurm, from a file of dask-jobqueue's settings.

Adds to them `jobs`, how many jobs to keep running. A worker has one thread, and always TLS.
"""

import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask
from distributed import Security

from tourney.errors import TourneyError, WorkerError

# Importing it makes Ctrl-C end the program without a word, which is for its runners.
_handler = signal.getsignal(signal.SIGINT)
from dask_jobqueue import SLURMCluster  # noqa: E402 - see above

signal.signal(signal.SIGINT, _handler)

OURS = ("security", "protocol", "silence_logs", "asynchronous", "n_workers")
"""Settings of dask-jobqueue that no file may have, as the platform sets them."""


@contextmanager
def slurm_cluster(file: Path, security: Security) -> Iterator[SLURMCluster]:
    """Start a scheduler here and keep jobs of workers in Slurm's queue.

    Args:
        file: YAML with the keyword arguments of `dask_jobqueue.SLURMCluster`, and `jobs`.
        security: Credentials of this run.
    Raises: TourneyError, if the file cannot be used; WorkerError, if Slurm cannot.
    """
    settings = read_settings(file)
    jobs = settings.pop("jobs")
    # Workers read their keys here, so it is a folder that the nodes share, and ours alone.
    shared = Path(settings.pop("shared_temp_directory", ".")).expanduser().resolve()
    with TemporaryDirectory(prefix=".tourney-cluster-", dir=shared) as folder:
        made = _started(file, settings | {"shared_temp_directory": folder, "security": security})
        with made:
            _ask_for_jobs(made, jobs)
            yield made


def read_settings(file: Path) -> dict[str, Any]:
    """Read the settings of jobs.

    Raises: TourneyError, if the file is not there or its settings cannot be used.
    """
    settings = _mapping(file)
    jobs, cores = settings.get("jobs"), settings.get("cores")
    for name, number in (("jobs", jobs), ("cores", cores)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise TourneyError(f"{file}: {name}: expected a whole number from 1, got {number!r}")
    # Threads of a process would wait for each other.
    if settings.setdefault("processes", cores) != cores:
        raise TourneyError(
            f"{file}: processes: expected {cores}, one for each of the cores, "
            f"got {settings['processes']!r}: leave it out"
        )
    if taken := [name for name in OURS if name in settings]:
        raise TourneyError(
            f"{file}: expected only settings that are yours to choose, got {', '.join(taken)}: "
            "leave them out; connections are always encrypted"
        )
    chosen = settings.get("scheduler_options") or {}
    settings["scheduler_options"] = {"dashboard": False, "dashboard_address": None} | chosen
    return settings


def _mapping(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise TourneyError(f"{file}: expected a YAML file of dask-jobqueue's settings, got none")
    try:
        found = list(dask.config.collect_yaml([str(file)]))
    except (OSError, ValueError) as error:
        raise TourneyError(f"{file}: expected YAML that can be read, got {error}") from error
    if not found or not isinstance(found[0], Mapping):
        raise TourneyError(f"{file}: expected settings such as `cores: 4`, got none")
    return {str(name).replace("-", "_"): value for name, value in found[0].items()}


def _started(file: Path, settings: Mapping[str, Any]) -> SLURMCluster:
    try:
        return SLURMCluster(**settings, silence_logs=logging.CRITICAL)
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        raise TourneyError(
            f"{file}: expected settings of dask_jobqueue.SLURMCluster, got {error}"
        ) from error


def _ask_for_jobs(made: SLURMCluster, jobs: int) -> None:
    """Hand the jobs in, and new ones in place of those that have ended.

    Raises: WorkerError, if Slurm takes none.
    """
    try:
        made.scale(jobs=jobs)
        made.sync(made._correct_state)  # noqa: SLF001 - else a refusal would never be heard of
    except (OSError, RuntimeError, ValueError) as error:
        raise WorkerError(f"slurm: expected sbatch to take a job, got {error}") from error
    made.adapt(minimum_jobs=jobs, maximum_jobs=jobs)
