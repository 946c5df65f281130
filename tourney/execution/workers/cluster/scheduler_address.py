"""The address of a cluster, as a user names it. Does not need Dask."""

from dataclasses import dataclass
from importlib.util import find_spec
from ipaddress import ip_address
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from tourney.errors import TourneyError

PLACES = "local, slurm:FILE, tls://HOST:PORT or tcp://HOST:PORT"
NEEDED = {
    "local": ("distributed", "cryptography"),
    "slurm": ("distributed", "cryptography", "dask_jobqueue"),
    "tls": ("distributed",),
    "tcp": ("distributed",),
}

Kind = Literal["local", "slurm", "tls", "tcp"]


@dataclass(frozen=True, slots=True)
class Cluster:
    """A cluster by its name: `local`, `slurm:FILE`, `tls://HOST:PORT` or `tcp://HOST:PORT`."""

    place: str
    is_insecure: bool = False  # whether shoes and sources may be sent unencrypted

    def __post_init__(self) -> None:
        """Check the name of the cluster.

        Raises: TourneyError, if it is not valid, or the connection would not be encrypted.
        """
        head, _, rest = self.place.partition(":")
        if self.place != "local" and not (head == "slurm" and rest) and not self._has_address():
            raise TourneyError(f"--cluster: expected {PLACES}, got {self.place!r}")
        if head == "tcp" and not self.is_insecure and not self._is_loopback():
            raise TourneyError(
                f"--cluster: the connection to {self.place} is not encrypted: a listener would "
                "learn the shoes, and any machine that reaches the scheduler can run programs on "
                "its workers. Use tls://, or add --insecure-cluster if the network is private"
            )

    @property
    def kind(self) -> Kind:
        """The kind of connection."""
        kinds: dict[str, Kind] = {"local": "local", "slurm": "slurm", "tls": "tls", "tcp": "tcp"}
        return kinds[self.place.partition(":")[0]]

    @property
    def file(self) -> Path:
        """The file with the settings of Slurm's jobs."""
        return Path(self.place.partition(":")[2])

    @property
    def options(self) -> tuple[str, ...]:
        """The options of the command line for this cluster."""
        return ("--cluster", self.place, *(("--insecure-cluster",) if self.is_insecure else ()))

    def check_installed(self) -> None:
        """Make sure that the extra is installed.

        Raises: TourneyError, if a package is missing.
        """
        missing = [name for name in NEEDED[self.kind] if find_spec(name) is None]
        if missing:
            raise TourneyError(
                f"--cluster: {', '.join(missing)} not installed; "
                "run: pip install 'tourney-cards[cluster]'"
            )

    def _has_address(self) -> bool:
        try:
            parts = urlsplit(self.place)
            return parts.scheme in {"tls", "tcp"} and bool(parts.hostname and parts.port)
        except ValueError:  # an invalid port
            return False

    def _is_loopback(self) -> bool:
        host = urlsplit(self.place).hostname or ""
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:  # a name
            return False
