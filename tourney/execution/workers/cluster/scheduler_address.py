"""Which cluster a run is played on, as a user names it. Knows no Dask."""

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
    is_insecure: bool = False  # whether shoes and sources may travel in the clear

    def __post_init__(self) -> None:
        """Refuse what is no cluster, and what would travel in the clear unasked.

        Raises: TourneyError, if the name is none or the connection would not be encrypted.
        """
        head, _, rest = self.place.partition(":")
        if self.place != "local" and not (head == "slurm" and rest) and not self._has_address():
            raise TourneyError(f"--cluster: expected {PLACES}, got {self.place!r}")
        if head == "tcp" and not self.is_insecure and not self._is_loopback():
            raise TourneyError(
                f"--cluster: expected tls:// for a scheduler on another machine, "
                f"got {self.place}: whoever can listen to it learns the shoes, and whoever can "
                "reach it runs programs on its workers; start the scheduler with TLS, or say "
                "--insecure-cluster if the network is yours alone"
            )

    @property
    def kind(self) -> Kind:
        """How the cluster is reached."""
        kinds: dict[str, Kind] = {"local": "local", "slurm": "slurm", "tls": "tls", "tcp": "tcp"}
        return kinds[self.place.partition(":")[0]]

    @property
    def file(self) -> Path:
        """The file with the settings of Slurm's jobs."""
        return Path(self.place.partition(":")[2])

    @property
    def options(self) -> tuple[str, ...]:
        """What names this cluster on a command line."""
        return ("--cluster", self.place, *(("--insecure-cluster",) if self.is_insecure else ()))

    def check_installed(self) -> None:
        """Make sure that the extra is installed.

        Raises: TourneyError, if something of it is missing.
        """
        missing = [name for name in NEEDED[self.kind] if find_spec(name) is None]
        if missing:
            raise TourneyError(
                f"--cluster: expected {', '.join(NEEDED[self.kind])} to be installed, "
                f"got no {', '.join(missing)}: pip install 'tourney-cards[cluster]'"
            )

    def _has_address(self) -> bool:
        try:
            parts = urlsplit(self.place)
            return parts.scheme in {"tls", "tcp"} and bool(parts.hostname and parts.port)
        except ValueError:  # a port that is no number
            return False

    def _is_loopback(self) -> bool:
        host = urlsplit(self.place).hostname or ""
        try:
            return host == "localhost" or ip_address(host).is_loopback
        except ValueError:  # a name
            return False
