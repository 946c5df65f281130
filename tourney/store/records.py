"""Records of runs, entrants and events, and the summary of a run.

Records use pairs instead of mappings, so that they stay frozen; the values are plain JSON values:
text, numbers, booleans and `None`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from tourney.config.words import joined

RunStatus = Literal["running", "finished", "failed"]
"""The stored status of a run; a killed run stays "running" until it is resumed."""

RunState = RunStatus | Literal["interrupted"]
"""The displayed status of a run: an unfinished run that no process plays is "interrupted"."""


BLINDING = "blinding"
"""Setting of a run: the key that blinds the openings of its commitments."""

PLUGINS = "plugins"
"""Setting of a run: the things of installed packages that it uses."""

RULES = "rules"
"""Setting of a run: facts of a plugin's game, to read the board where it is not installed."""

ANCHORED = "anchored"
"""Setting of a run that began with an anchor, which others may have seen."""


def unchanging(value: Any) -> Any:
    """Return plain data with tuples instead of lists, as the store returns it.

    >>> unchanging([1, ["a"], None])
    (1, ('a',), None)
    """
    if isinstance(value, list | tuple):
        return tuple(map(unchanging, value))
    return value


KINDS = {
    "games": "game",
    "formats": "format",
    "strategies": "strategy",
    "columns": "column",
    "languages": "language",
}
"""Kinds of things that a run may need, and the noun of one."""


class Need(NamedTuple):
    """A thing of a plugin that a run uses."""

    distribution: str
    version: str
    kind: str  # a key of KINDS
    name: str

    @property
    def package(self) -> str:
        """The package with its version."""
        return f"{self.distribution} {self.version}".strip()

    @property
    def words(self) -> str:
        """The thing, such as `game leduc`."""
        return f"{KINDS[self.kind]} {self.name}"


def need_words(needs: Sequence[Need]) -> str:
    """Name packages, each with the things that are used of it."""
    things: dict[str, list[str]] = {}
    for each in needs:
        things.setdefault(each.package, []).append(each.words)
    return "; ".join(f"{name} ({joined(words, 'and')})" for name, words in things.items())


@dataclass(frozen=True, slots=True)
class EntrantRecord:
    """An entrant of a run, with its source code."""

    number: int  # in the run, from 0
    name: str
    strategy: str
    options: tuple[tuple[str, Any], ...]  # of the strategy; values are plain, with no lists
    group: str | None
    kind: str  # the name of its language, such as "file"
    distribution: str  # "name version" of the package; empty for a file or chart
    digest: bytes  # of the sources; equal digests are archived once
    sources: tuple[tuple[str, str], ...]  # (file name, text)
    policy: tuple[tuple[str, Any], ...] = ()  # its choices that differ from the defaults
    author: str | None = None  # None if not known
    pseudonym: str | None = None  # shown where names are hidden; None if it has no pseudonym
    excluded: str | None = None  # why it was taken off the board after the run; None if it is on it


@dataclass(frozen=True, slots=True)
class RunRecord:
    """All inputs of a run, and its status."""

    number: int  # from 1, given by the store; 0 until it has one
    name: str
    created: str  # ISO time, UTC
    finished: str | None  # ISO time, UTC; None while it runs
    status: RunStatus
    config: str  # YAML text as played
    config_source: str  # the name of its file as the user gave it
    settings: tuple[tuple[str, Any], ...]  # changes by the command line, such as the seed
    versions: tuple[tuple[str, str], ...]  # of Python, tourney and the packages results depend on
    secret: bytes  # determines every shoe
    salt: bytes  # of the commitment
    commitment: str  # published before play
    rehearsal: bool  # the secret was known beforehand
    entrants: tuple[EntrantRecord, ...]  # in the order of their numbers
    confinement: str = ""  # the sandbox level; empty if no entrant brought code
    digest: bytes | None = None  # of the whole run, after it has finished; see `checksums`

    @property
    def confines_all(self) -> bool:
        """Whether installed strategies run in a sandbox, too."""
        return dict(self.settings).get("confine") == "all"

    @property
    def game(self) -> str:
        """The version of its game; empty for the platform's first version."""
        return str(dict(self.settings).get("game", ""))

    @property
    def steps(self) -> tuple[tuple[int, int], ...]:
        """Tables and entrants at the start and after each extension; empty if never extended."""
        return tuple(tuple(step) for step in dict(self.settings).get("steps", ()))

    @property
    def blinding(self) -> bytes | None:
        """The key that blinds its commitments; `None` if it commits only to its secret."""
        found = dict(self.settings).get(BLINDING)
        return None if found is None else bytes.fromhex(found)

    @property
    def is_anchored(self) -> bool:
        """Whether it began with an anchor, which must then include its extensions."""
        return ANCHORED in dict(self.settings)

    @property
    def public_value(self) -> str:
        """The public value mixed into its shoes; empty if unused or not yet published."""
        return str(dict(self.settings).get("public_value", ""))

    @property
    def needs(self) -> tuple[Need, ...]:
        """The things of installed packages that it uses; empty if it needs only the platform."""
        return tuple(Need(*each) for each in dict(self.settings).get(PLUGINS, ()))

    @property
    def follows_luck(self) -> bool:
        """Whether the luck of the cards is recorded."""
        return dict(self.settings).get("luck") == "adjust"


class EventRecord(NamedTuple):
    """An event between two waves, such as a move to another table."""

    seconds: float  # of the floor's clock
    event: str
    entrant: int | None
    table: int | None
    value: int


@dataclass(frozen=True, slots=True)
class RunSummary:
    """One line of the list of runs."""

    number: int
    name: str
    created: str  # ISO time, UTC
    finished: str | None  # ISO time, UTC; None while it runs
    status: RunState
    entrants: int  # number of entrants
    batches: int  # stored so far
    expected_batches: int | None  # in total; None if not known
    confinement: str = ""  # the sandbox level, as in the run
    rehearsal: bool = False  # as in the run
