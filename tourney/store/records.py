"""What the store keeps of a run besides its results: the run, its entrants, its summary.

Knows no SQL. Pairs stand where a mapping might, so that a record stays frozen; their
values are what JSON holds in one piece: text, numbers, booleans and None.
"""

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

RunStatus = Literal["running", "finished", "failed"]
"""How far a run has come; a killed run stays "running" until it is resumed."""

RunState = RunStatus | Literal["interrupted"]
"""What people are told: a run that has not come to its end, and that nobody plays, is
"interrupted"."""


BLINDING = "blinding"
"""The setting of a run from which the openings of its commitments are blinded."""

ANCHORED = "anchored"
"""The setting of a run that began with an anchor, which others may have seen."""


def unchanging(value: Any) -> Any:
    """Give plain data with tuples for its lists, as the store gives it back.

    >>> unchanging([1, ["a"], None])
    (1, ('a',), None)
    """
    if isinstance(value, list | tuple):
        return tuple(map(unchanging, value))
    return value


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """One entrant of a run, with the source it played from."""

    number: int  # in the run, from 0
    name: str
    strategy: str
    options: tuple[tuple[str, Any], ...]  # of the strategy; values are plain, with no lists
    group: str | None
    kind: str  # the name of its language, such as "file"
    distribution: str  # "name version" of the package; empty for a file or chart
    digest: bytes  # of the sources; equal digests are archived once
    sources: tuple[tuple[str, str], ...]  # (file name, text)
    policy: tuple[tuple[str, Any], ...] = ()  # what it wants where it may choose, if not defaults
    author: str | None = None  # who wrote it; None if that is not known
    pseudonym: str | None = None  # where names are withheld; None if it has none


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
    digest: bytes | None = None  # of the whole run, once it has finished; see `checksums`

    @property
    def confines_all(self) -> bool:
        """Whether installed strategies are confined, too."""
        return dict(self.settings).get("confine") == "all"

    @property
    def game(self) -> str:
        """Which version of its game it is played by; empty for the platform's first version."""
        return str(dict(self.settings).get("game", ""))

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Tables and entrants at first and after each time it was extended; empty if it was not."""
        return tuple(tuple(step) for step in dict(self.settings).get("steps", ()))

    @property
    def blinding(self) -> bytes | None:
        """What blinds the openings of its commitments; None if only its secret is committed to."""
        found = dict(self.settings).get(BLINDING)
        return None if found is None else bytes.fromhex(found)

    @property
    def is_anchored(self) -> bool:
        """Whether it began with an anchor, so that its extensions belong into that, too."""
        return ANCHORED in dict(self.settings)

    @property
    def public_value(self) -> str:
        """What was told by others and mixed into its shoes; empty if nothing was, or not yet."""
        return str(dict(self.settings).get("public_value", ""))

    @property
    def follows_luck(self) -> bool:
        """Whether the luck of the cards is summed up."""
        return dict(self.settings).get("luck") == "adjust"


class EventRecord(NamedTuple):
    """Something that was decided between two waves, or seen on the floor."""

    seconds: float  # of the floor's clock
    event: str
    entrant: int | None
    table: int | None
    value: int


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line about a run, as a list of runs shows it."""

    number: int
    name: str
    created: str  # ISO time, UTC
    finished: str | None  # ISO time, UTC; None while it runs
    status: RunState
    entrants: int  # how many
    batches: int  # stored so far
    expected_batches: int | None  # to be played in all; None if not known
    confinement: str = ""  # as for the run
