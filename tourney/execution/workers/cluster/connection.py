"""Connecting to a cluster, and starting its scheduler and workers if necessary."""

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dask
from distributed import Client, LocalCluster, Security

from tourney.errors import TourneyError, WorkerError
from tourney.execution.workers.cluster.remote_task import (
    PACKAGES,
    differences,
    own_versions,
    versions_words,
)
from tourney.execution.workers.cluster.scheduler_address import Cluster
from tourney.execution.workers.pool import MOST_DEATHS
from tourney.execution.workers.worker import interrupts_kept_from_children
from tourney.lazy import safe_path

SECONDS_TO_CONNECT = 20
SECONDS_TO_CLOSE = 5
OWN_SETTINGS = {
    # As many deaths as in a local pool.
    "distributed.scheduler.allowed-failures": MOST_DEATHS - 1,
    # Web pages that are not needed, and that would not ask for a certificate.
    "distributed.scheduler.http.routes": [],
    "distributed.worker.http.routes": [],
}
"""Settings of schedulers and workers that a run starts."""
# Otherwise a nanny whose worker keeps dying is dismissed.
LOCAL_SETTINGS = {"distributed.deploy.lost-worker-timeout": "1000 days"}
LOGGERS = ("distributed", "dask_jobqueue", "tornado", "asyncio")
CERTIFICATES = {"ca_file": "ca-file", "client_cert": "client.cert", "client_key": "client.key"}
"""Fields of `Security`, without their prefix, and the names of their settings."""


@contextmanager
def connected(cluster: Cluster, workers: int) -> Iterator[Client]:
    """Connect to a cluster, start it if it is local or Slurm's, and clean up afterwards.

    Args:
        cluster: The cluster.
        workers: Number of processes of a local cluster.
    Raises: TourneyError, if its settings are wrong; WorkerError, if it cannot be reached or
        runs other versions.
    """
    with ExitStack() as stack:
        stack.enter_context(_quiet())
        stack.enter_context(dask.config.set(OWN_SETTINGS))
        if cluster.kind in {"tls", "tcp"}:
            where, security = cluster.place, certificates(cluster)
        else:
            made = stack.enter_context(_started(cluster, workers))
            where, security = made, made.security
        client = _client(cluster, where, security)
        stack.callback(client.close, timeout=SECONDS_TO_CLOSE)
        _compare_versions(client)
        yield client


@contextmanager
def _started(cluster: Cluster, workers: int) -> Iterator[Any]:
    """Start a scheduler here, and workers on this machine or as jobs of Slurm."""
    with ExitStack() as stack:
        # The folder may be needed until the last worker has closed.
        security = Security.temporary()
        with safe_path(), interrupts_kept_from_children():
            if cluster.kind == "slurm":
                # Only Slurm needs dask-jobqueue.
                from tourney.execution.workers.cluster.slurm import slurm_cluster  # noqa: PLC0415 - optional

                made = stack.enter_context(slurm_cluster(cluster.file, security))
            else:
                folder = stack.enter_context(TemporaryDirectory(prefix="tourney-cluster-"))
                stack.enter_context(dask.config.set(LOCAL_SETTINGS))
                made = stack.enter_context(_local_cluster(workers, Path(folder), security))
        yield made


def _local_cluster(workers: int, folder: Path, security: Security) -> Any:
    """Start workers on this machine, with TLS, because other users can reach the port."""
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
        security=security,
        silence_logs=logging.CRITICAL,
        local_directory=str(folder),
    )


def certificates(cluster: Cluster) -> Security | None:
    """Take the certificates from Dask's configuration.

    Raises: TourneyError, if they are missing.
    """
    if cluster.kind == "tcp":
        return None
    security = Security(require_encryption=True)
    missing = [name for name in CERTIFICATES if not getattr(security, f"tls_{name}")]
    if "ca_file" in missing or "client_cert" in missing:
        keys = ", ".join(f"distributed.comm.tls.{key}" for key in CERTIFICATES.values())
        raise TourneyError(
            f"--cluster: Dask's configuration has no {' and no '.join(missing)} for "
            f"{cluster.place} ({keys}); set DASK_DISTRIBUTED__COMM__TLS__CA_FILE, …__CLIENT__CERT "
            "and …__CLIENT__KEY, or write them to ~/.config/dask/distributed.yaml"
        )
    return security


def _client(cluster: Cluster, where: Any, security: Security | None) -> Client:
    try:
        return Client(where, security=security, timeout=SECONDS_TO_CONNECT, set_as_default=False)
    # An invalid certificate file and a refused handshake are OSErrors, too.
    except (OSError, TimeoutError, RuntimeError, ValueError) as error:
        raise WorkerError(
            f"{cluster.place}: no Dask scheduler answers ({error}); start one, or check its "
            "address and certificates"
        ) from error


def _compare_versions(client: Client) -> None:
    """Compare versions with those of the scheduler, which unpickles tasks, and of its workers."""
    found = client.get_versions(packages=list(PACKAGES))
    others = {"scheduler": found["scheduler"], **found["workers"]}
    differing = [
        f"{who}: {each}"
        for who, has in others.items()
        for each in differences(own_versions(), _versions_of(has["packages"]))
    ]
    if differing:
        raise WorkerError(versions_words(differing))


def _versions_of(packages: dict[str, str | None]) -> tuple[tuple[str, str], ...]:
    python = ".".join((packages["python"] or "").split(".")[:2])
    return (("python", python), *((name, packages.get(name) or "none") for name in PACKAGES))


@contextmanager
def _quiet() -> Iterator[None]:
    """Silence Dask's own log messages; important ones become errors."""
    loggers = [logging.getLogger(name) for name in LOGGERS]
    known = logging.root.manager.loggerDict
    loggers += [logging.getLogger(name) for name in known if name.startswith("distributed.")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        for logger, level in zip(loggers, levels, strict=True):
            logger.setLevel(level)
