"""What a worker does: it makes the players of a batch and plays its blocks.

A worker keeps nothing between tasks but loaded strategies, so any worker may play any batch.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, partial
from os import getpid
from time import perf_counter
from typing import Any

from tourney.engine import play_batch
from tourney.errors import PluginError
from tourney.ledger import BlockResult
from tourney.players import AnyPlayer, chart_player
from tourney.plugins import (
    Registry,
    digest_of,
    load_anew,
    load_competitor,
    load_plugins,
    sources_of,
)
from tourney.schedule import Batch
from tourney.store import EntrantKind


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """Everything a worker needs to make the players of an entrant."""

    name: str
    kind: EntrantKind
    strategy: str  # name of a registered strategy, or of the file
    text: str  # of the file; empty for a registered strategy
    options: tuple[tuple[str, Any], ...]
    digest: bytes  # of sources and options, when the run began

    def __hash__(self) -> int:
        """Hash by the digest, as options need not be hashable."""
        return hash(self.digest)

    def load(self) -> Callable[[], AnyPlayer]:
        """Load the competitor anew and give what makes its players.

        Players of one loading may share what their class keeps; a batch loads each once.

        Raises: PluginError, if it is not there or its source has changed.
        """
        made = competitor(self)
        if self.kind == "strategy":
            made = load_anew(made)
        elif self.kind == "file":
            made = load_competitor(self.text, self.strategy)
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
        load = chart_player if spec.kind == "chart" else load_competitor
        made = load(spec.text, spec.strategy)
        digest = digest_of(((spec.strategy, spec.text),), spec.options)
    if digest != spec.digest:
        raise PluginError(
            f"entrant {spec.name}: expected the source the run began with "
            f"({spec.digest.hex()[:12]}), got another ({digest.hex()[:12]}): "
            "install that version again, or start a new run"
        )
    return made


def play_task(task: Task) -> tuple[PlayedBatch, ...]:
    """Play every batch of a task."""
    entrants = dict(task.entrants)
    return tuple(_play(batch, entrants, task.engine) for batch in task.batches)


def _play(batch: Batch, entrants: Mapping[int, EntrantSpec], engine: str) -> PlayedBatch:
    started = perf_counter()
    results = play_batch(batch, makers(batch, entrants), engine)
    return PlayedBatch(
        batch.wave, batch.number, results, perf_counter() - started, f"process {getpid()}"
    )


def makers(batch: Batch, entrants: Mapping[int, EntrantSpec]) -> Callable[[int], AnyPlayer]:
    """Load the competitors of a batch anew and give what makes its players.

    Args:
        batch: What is to be played.
        entrants: Those who play in it, by number, and maybe others.
    Raises: PluginError, if one of them is not there or its source has changed.
    """
    # Before the first block: what fails in here is not a fault of a player at a table.
    loaded = {number: entrants[number].load() for number in batch.entrants}
    return lambda entrant: loaded[entrant]()
