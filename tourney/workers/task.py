"""What a worker does: it makes the players of a batch and plays its blocks.

A worker keeps nothing between tasks but loaded strategies, so any worker may play any batch.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from os import getpid
from time import perf_counter
from types import MappingProxyType
from typing import Any

from tourney.confine.levels import Level, setup_for
from tourney.confine.referee import ConfinedDesk
from tourney.confine.seating import Submitted
from tourney.engine import Cast, declare, play_batch
from tourney.errors import PluginError
from tourney.games import Rules
from tourney.ledger import BlockResult
from tourney.players import AnyPlayer, Declared, Undeclared, chart_player
from tourney.plugins import (
    Registry,
    digest_of,
    load_anew,
    load_competitor,
    load_package,
    load_plugins,
    sources_of,
    unpack,
)
from tourney.schedule import Batch
from tourney.store import EntrantKind

LOADERS: Mapping[str, Callable[[str, str], type[AnyPlayer]]] = MappingProxyType(
    {"file": load_competitor, "chart": chart_player, "package": load_package}
)
"""What makes a competitor of a text and a name, by the kind of entrant."""


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """Everything a worker needs to make the players of an entrant."""

    name: str
    kind: EntrantKind
    strategy: str  # name of a registered strategy, or of the file
    text: str  # of the file, or of a packed package; empty for a registered strategy
    options: tuple[tuple[str, Any], ...]
    digest: bytes  # of sources and options, when the run began
    promises: bool = False  # whether machine code might play it, as far as its class tells
    confinement: Level | None = None  # of a process of its own; None if it is played here

    def __hash__(self) -> int:
        """Hash by the digest, as options need not be hashable."""
        return hash(self.digest)

    def desk(self) -> ConfinedDesk | None:
        """Give a desk for its players in a process of their own, which starts as they sit down.

        Returns: None, if its players are made here.
        Raises: PluginError, if its source has changed.
        """
        if self.confinement is None:
            return None
        _check_digest(self, digest_of(((self.strategy, self.text),), self.options))
        submitted = Submitted(self.strategy, self.text.encode())
        return ConfinedDesk(submitted, setup_for(self.confinement))

    def load(self) -> Callable[[], AnyPlayer]:
        """Load the competitor anew and give what makes its players.

        Players of one loading may share what their class keeps; a batch loads each once.

        Raises: PluginError, if it is not there or its source has changed.
        """
        assert self.confinement is None, "to load it would run its code here"
        made = competitor(self)
        if self.kind == "strategy":
            made = load_anew(made)
        elif self.kind == "file":
            made = load_competitor(self.text, self.strategy)
        elif self.kind == "package":
            made = load_package(self.text, self.strategy)
        return partial(made, **dict(self.options))


@dataclass(frozen=True, slots=True)
class Task:
    """Batches that travel together; how many never shows in a result."""

    batches: tuple[Batch, ...]
    entrants: tuple[tuple[int, EntrantSpec], ...]  # those who play in them, by number
    engine: str


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """A batch's results, and what it took."""

    wave: int
    number: int
    results: tuple[BlockResult, ...]
    engines: tuple[str, ...]
    seconds: float
    worker: str


@cache
def installed_plugins() -> Registry:
    """Load the plugins of this process once."""
    return load_plugins()


@cache
def competitor(spec: EntrantSpec) -> type[AnyPlayer]:
    """Find an entrant's competitor, and make sure that it is the one the run began with.

    Raises: PluginError, if it is not there or its source has changed.
    """
    if spec.kind == "strategy":
        made = installed_plugins().strategy(spec.strategy).make
        digest = digest_of(sources_of(made), spec.options)
    else:
        made = LOADERS[spec.kind](spec.text, spec.strategy)
        is_package = spec.kind == "package"
        sources = unpack(spec.text) if is_package else ((spec.strategy, spec.text),)
        digest = digest_of(sources, spec.options)
    _check_digest(spec, digest)
    return made


def _check_digest(spec: EntrantSpec, digest: bytes) -> None:
    if digest != spec.digest:
        raise PluginError(
            f"entrant {spec.name}: expected the source the run began with "
            f"({spec.digest.hex()[:12]}), got another ({digest.hex()[:12]}): "
            "install that version again, or start a new run"
        )


def play_task(task: Task) -> tuple[PlayedBatch, ...]:
    """Play every batch of a task."""
    entrants = dict(task.entrants)
    return tuple(_play(batch, entrants, task.engine) for batch in task.batches)


def _play(batch: Batch, entrants: Mapping[int, EntrantSpec], engine: str) -> PlayedBatch:
    started = perf_counter()
    played = play_batch(batch, cast_for(entrants), engine)
    return PlayedBatch(
        wave=batch.wave,
        number=batch.number,
        results=played.results,
        engines=played.engines,
        seconds=perf_counter() - started,
        worker=f"process {getpid()}",
    )


def cast_for(entrants: Mapping[int, EntrantSpec]) -> Cast:
    """Give a cast for one batch, whose competitors are loaded anew where Python plays them.

    Args:
        entrants: Those who play in it, by number, and maybe others. Loading one of them raises
            PluginError, if it is not there or its source has changed.
    """
    loaded: dict[int, Callable[[], AnyPlayer]] = {}

    def load(numbers: Iterable[int]) -> None:
        for number in sorted(numbers):
            loaded[number] = entrants[number].load()

    return Cast(
        make=lambda entrant: loaded[entrant](),
        declared=lambda entrant, rules: declared(entrants[entrant], rules),
        load=load,
        confined=lambda entrant: entrants[entrant].desk(),
    )


@lru_cache(maxsize=10_000)
def declared(spec: EntrantSpec, rules: Rules) -> Declared:
    """Give what an entrant declares; it is asked once, and its promise holds for every batch.

    Raises: PluginError, if it is not there or its source has changed.
    """
    if spec.confinement is not None:
        return Undeclared("it is confined, and to ask it would run its code here")
    return declare(spec.load(), rules)
