"""Workers as jobs of Slurm, from a file of settings for dask-jobqueue.

The additional setting `jobs` is the number of jobs to keep running. A worker has one thread and
always uses TLS.
"""

import logging
import signal
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import Any

import dask
from dask.utils import parse_timedelta
from distributed import Security, Status
from tornado.ioloop import PeriodicCallback

from tourney.errors import TourneyError, WorkerError

# Importing it makes Ctrl-C end the program silently, which suits only its own workers.
_handler = signal.getsignal(signal.SIGINT)
from dask_jobqueue import SLURMCluster  # noqa: E402 - see above

signal.signal(signal.SIGINT, _handler)

OURS = ("security", "protocol", "silence_logs", "asynchronous", "n_workers")
"""Settings of dask-jobqueue that only the platform may set."""
SECONDS_BETWEEN_LOOKS = 1
"""Seconds between two counts of the jobs."""
PATIENCE = "distributed.deploy.lost-worker-timeout"
"""Setting of Dask: how long a job may be without workers before it counts as ended."""


@contextmanager
def slurm_cluster(file: Path, security: Security) -> Iterator[SLURMCluster]:
    """Start a scheduler here, and keep jobs with workers in Slurm's queue.

    Args:
        file: YAML with the keyword arguments of `dask_jobqueue.SLURMCluster`, and `jobs`.
        security: Credentials of this run.
    Raises: TourneyError, if the file cannot be used; WorkerError, if Slurm cannot.
    """
    settings = read_settings(file)
    jobs = settings.pop("jobs")
    # Workers read their keys from this private folder, which all nodes must be able to reach.
    shared = Path(settings.pop("shared_temp_directory", ".")).expanduser().resolve()
    with TemporaryDirectory(prefix=".tourney-cluster-", dir=shared) as folder:
        made = _started(file, settings | {"security": _in_files(security, Path(folder))})
        keeper = JobKeeper(made, jobs)
        with made:
            keeper.start()
            try:
                yield made
            finally:
                keeper.stop()


def _in_files(security: Security, folder: Path) -> Security:
    """Write credentials to files for the workers."""
    paths = {}
    for name in ("tls_ca_file", "tls_worker_cert", "tls_worker_key"):
        path = folder / f"{name}.pem"
        path.touch(mode=0o600)
        path.write_text(getattr(security, name), encoding="utf-8")
        paths[name] = str(path)
    ca, cert, key = paths.values()
    return Security(
        require_encryption=True,
        tls_ca_file=ca,
        **{f"tls_{role}_cert": cert for role in ("client", "scheduler", "worker")},
        **{f"tls_{role}_key": key for role in ("client", "scheduler", "worker")},
    )


def read_settings(file: Path) -> dict[str, Any]:
    """Read the settings of jobs.

    Raises: TourneyError, if the file is missing or its settings are not valid.
    """
    settings = _mapping(file)
    jobs, cores = settings.get("jobs"), settings.get("cores")
    for name, number in (("jobs", jobs), ("cores", cores)):
        if not isinstance(number, int) or isinstance(number, bool) or number < 1:
            raise TourneyError(f"{file}: {name}: expected a whole number from 1, got {number!r}")
    # Threads of one process would wait for each other.
    if settings.setdefault("processes", cores) != cores:
        raise TourneyError(
            f"{file}: processes is {settings['processes']!r}, but must be {cores}, one for each of "
            "the cores; leave it out"
        )
    if taken := [name for name in OURS if name in settings]:
        raise TourneyError(
            f"{file}: tourney sets {', '.join(taken)} itself; leave it out (connections are always "
            "encrypted)"
        )
    chosen = settings.get("scheduler_options") or {}
    settings["scheduler_options"] = {"dashboard": False, "dashboard_address": None} | chosen
    return settings


def _mapping(file: Path) -> dict[str, Any]:
    if not file.is_file():
        raise TourneyError(f"{file} is not a file; name a YAML file of dask-jobqueue's settings")
    try:
        found = list(dask.config.collect_yaml([str(file)]))
    except (OSError, ValueError) as error:
        raise TourneyError(f"{file} cannot be read as YAML: {error}") from error
    if not found or not isinstance(found[0], Mapping):
        raise TourneyError(f"{file} has no settings; write some, such as `cores: 4`")
    return {str(name).replace("-", "_"): value for name, value in found[0].items()}


class JobKeeper:
    """Keeps a number of jobs queued or running in Slurm.

    dask-jobqueue itself does not notice the end of a job with several processes.
    """

    def __init__(self, made: SLURMCluster, jobs: int) -> None:
        """Prepare to watch the jobs of a cluster.

        Args:
            made: The cluster, still without jobs.
            jobs: Number of jobs to keep.
        """
        self._made = made
        self._jobs = jobs
        self._patience = parse_timedelta(dask.config.get(PATIENCE))
        self._seen: dict[str, float] = {}  # when each job last had workers
        self._watch = PeriodicCallback(self._replace_ended, 1000 * SECONDS_BETWEEN_LOOKS)

    def start(self) -> None:
        """Submit the first jobs.

        Raises: WorkerError, if Slurm rejects them.
        """
        try:
            self._made.sync(self._hand_in)
        except (OSError, RuntimeError, ValueError) as error:
            words = " ".join(str(error).split())
            raise WorkerError(f"slurm: sbatch rejected the job: {words}") from error
        self._made.loop.add_callback(self._watch.start)

    def stop(self) -> None:
        """Stop replacing jobs."""
        self._made.loop.add_callback(self._watch.stop)

    async def _hand_in(self) -> None:
        while len(self._made.worker_spec) < self._jobs:
            self._made.worker_spec.update(self._made.new_worker_spec())
        await self._settle()

    async def _settle(self) -> None:
        """Submit wanted jobs, and cancel the others."""
        try:
            # `scale` does this too, but hides errors.
            await self._made._correct_state()  # noqa: SLF001 - see above
        finally:
            for job in self._made.workers.values():
                if not job.job_id:  # otherwise the cluster could not be closed
                    job.status = Status.failed

    async def _replace_ended(self) -> None:
        ended = list(self._ended())
        if not ended:
            return
        for job in ended:
            self._seen.pop(job, None)
            self._made.worker_spec.pop(job, None)
        with suppress(OSError, RuntimeError, ValueError):  # Slurm is asked again later
            await self._settle()  # first, because the next job may have the same name
            await self._hand_in()

    def _ended(self) -> Iterator[str]:
        """Yield the jobs whose workers have gone, and those that Slurm rejected."""
        now = monotonic()
        names = [worker["name"] for worker in self._made.scheduler_info["workers"].values()]
        for job, handed_in in self._made.workers.items():
            if any(name == job or name.startswith(f"{job}-") for name in names):
                self._seen[job] = now
            elif not handed_in.job_id:
                self._seen.setdefault(job, now)  # so that Slurm is not asked every second
            if now - self._seen.get(job, now) > self._patience:
                yield job


def _started(file: Path, settings: Mapping[str, Any]) -> SLURMCluster:
    try:
        return SLURMCluster(**settings, silence_logs=logging.CRITICAL)
    except (ValueError, TypeError, OSError, RuntimeError) as error:
        raise TourneyError(
            f"{file}: dask_jobqueue.SLURMCluster does not accept these settings: {error}"
        ) from error
