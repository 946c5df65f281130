"""What the store keeps of a run besides its results: the run, its entrants, its summary.

Knows no SQL. Pairs stand where a mapping might, so that a record stays frozen; their
values are what JSON holds in one piece: text, numbers, booleans and None.
"""

from dataclasses import dataclass
from typing import Any, Literal

RunStatus = Literal["running", "finished", "failed"]
"""How far a run has come; a killed run stays "running" until it is resumed."""


EntrantKind = Literal["strategy", "file", "chart", "package"]
"""Where an entrant's moves come from: a registered strategy, somebody's file or package, or a
chart."""


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """One entrant of a run, with the source it played from."""

    number: int  # in the run, from 0
    name: str
    strategy: str
    options: tuple[tuple[str, Any], ...]  # of the strategy; values are JSON scalars
    group: str | None
    kind: EntrantKind
    distribution: str  # "name version" of the package; empty for a file or chart
    digest: bytes  # of the sources; equal digests are archived once
    sources: tuple[tuple[str, str], ...]  # (file name, text)

    @property
    def runs_code(self) -> bool:
        """Whether it brings code that nobody has installed."""
        return self.kind in {"file", "package"}


@dataclass(frozen=True, slots=True)
class RunRecord:
    """Everything a run was started with, and what became of it."""

    number: int  # from 1, given by the store; 0 until it has one
    name: str
    created: str  # ISO time, UTC
    finished: str | None  # ISO time, UTC; None while it runs
    status: RunStatus
    config: str  # YAML text as played
    config_source: str  # the name of its file as the user gave it
    settings: tuple[tuple[str, Any], ...]  # what the command line changed, such as the seed
    versions: tuple[tuple[str, str], ...]  # of Python, tourney and what results rest on
    secret: bytes  # every shoe follows from it
    salt: bytes  # of the commitment
    commitment: str  # published before play
    rehearsal: bool  # the secret was known beforehand
    entrants: tuple[EntrantRecord, ...]  # in the order of their numbers
    confinement: str = ""  # how well their code was shut in; empty if nobody brought any


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line about a run, as a list of runs shows it."""

    number: int
    name: str
    created: str  # ISO time, UTC
    finished: str | None  # ISO time, UTC; None while it runs
    status: RunStatus
    entrants: int  # how many
    batches: int  # stored so far
    expected_batches: int | None  # to be played in all; None if not known
    confinement: str = ""  # as for the run
