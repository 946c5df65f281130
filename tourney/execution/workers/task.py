"""What a worker does: it makes the players of a batch and plays its blocks.

A worker keeps nothing between tasks but loaded strategies, so any worker may play any batch.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache, partial
from os import getpid
from time import perf_counter
from traceback import format_exception
from typing import Any

from tourney.competitors.sources import digest_of
from tourney.errors import (
    ConfinementError,
    PluginError,
    PluginFailedError,
    SandboxLostError,
    TourneyError,
    WorkerError,
)
from tourney.execution.background_compile import own_making
from tourney.execution.engine_selection import MOST_TOGETHER, Played, play_batch, play_joined
from tourney.execution.workers.confirmation import play_confirmed
from tourney.game import Game
from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import Batch, RecordedFault
from tourney.game.contracts import AnyPlayer
from tourney.game.declaration_result import Declared
from tourney.game.determinism_check import unrepeatable_faults
from tourney.game.exchange_logs import ExchangeLogs
from tourney.game.hand_history import story_of
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockKey, BlockResult, Remark, replay_remarks
from tourney.game.lineup import Lineup, declare
from tourney.game.players import Undeclared
from tourney.game.rules import Rules
from tourney.plugins.language import Language
from tourney.plugins.loading import language_of, plugin_words
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.levels import Level, setup_for
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.referee import SandboxedPool

USUAL, USUAL_MEMORY = Budget(), Limits().memory

MOST_LOSSES = 3
"""Times that players' processes may be lost in one batch before the run stops."""

HOSTS_LOST = (
    "players' processes ended with the one that they are forked from; it was started again, and "
    "the batch played again"
)
"""Why a batch is played again, for the organiser and for the store."""


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """Everything a worker needs to make the players of an entrant."""

    name: str = field(compare=False)  # thousands may be alike but for it, and count as one
    kind: str  # the name of its language
    strategy: str  # name of a registered strategy, or of the file
    sources: tuple[tuple[str, str], ...]  # (file name, text); none where they are installed
    options: tuple[tuple[str, Any], ...]
    digest: bytes  # of sources and options, when the run began
    promises: bool = False  # whether machine code might play it, as far as its class tells
    confinement: Level | None = None  # of a process of its own; None if it is played here
    budget: Budget = USUAL  # of that process
    memory: int = USUAL_MEMORY  # bytes that it may have
    game: Game[Any, Any, Any] | None = None  # said of whoever is confined
    place: str = ""  # "module:name" of its class; empty where the sources say which is meant

    def __hash__(self) -> int:
        """Hash by the digest, as options need not be hashable."""
        return hash(self.digest)

    @property
    def language(self) -> Language:
        """What loads it."""
        return language_of(self.kind)

    def pool(self, *, is_new: bool = True) -> SandboxedPool | None:
        """Give a pool for its players in a process of their own, which starts as they sit down.

        Args:
            is_new: Whether they are judged; else it is known who took too long.
        Returns: None, if its players are made here.
        Raises: PluginError, if its source has changed.
        """
        if self.confinement is None:
            return None
        setup = setup_for(self.confinement, Setup(limits=Limits(self.memory)))
        assert self.game, "whoever is confined plays something"
        budget = self.budget if is_new else self.budget.patient
        check_sources(self)
        options = json.dumps(dict(self.options)) if self.options else ""
        submitted = self.language.sandboxed(self.strategy, self.sources, options, self.place)
        return SandboxedPool(self.game, submitted, setup, budget)

    def load(self) -> Callable[[], AnyPlayer]:
        """Load the competitor anew and give what makes its players.

        Players of one loading may share what their class keeps; a batch loads each once.

        Raises: PluginError, if it is not there or its source has changed.
        """
        if self.confinement is not None:  # no `assert`, which Python can be told to leave out
            raise ConfinementError(f"entrant {self.name}: to load it would run its code here")
        check_sources(self)
        made = self.language.load(self.strategy, self.sources)
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
    remarks: tuple[Remark, ...] = ()
    notices: tuple[str, ...] = ()  # what people are told while the run goes on, and nobody keeps
    hands: tuple[HandsWriter, ...] = ()  # of every block in order, if they were watched

    def noted_as_replay(self, reason: str) -> "PlayedBatch":
        """Give the batch with a remark that it was played again, for each of its entrants."""
        return replace(self, remarks=(*self.remarks, *replay_remarks(self.results, reason)))


@cache
def check_sources(spec: EntrantSpec) -> None:
    """Make sure, before anything of an entrant runs, that it is the one the run began with.

    Raises: PluginError, if it is not there or its source has changed.
    """
    here = spec.sources
    if spec.confinement is None:
        here = spec.language.sources(spec.strategy, here)
    digest = digest_of(here, spec.options)
    if digest != spec.digest:
        raise PluginError(
            f"entrant {spec.name}: expected the source the run began with "
            f"({spec.digest.hex()[:12]}), got another ({digest.hex()[:12]}): "
            "install that version again, or start a new run"
        )


@dataclass(frozen=True, slots=True)
class _FirstPlay:
    """The first play of a batch, beside others."""

    logs: ExchangeLogs = field(default_factory=ExchangeLogs)
    played: Played | None = None  # None if it has not been played, or its processes were lost
    seconds: float = 0.0
    is_lost: bool = False


def play_task(task: Task) -> tuple[PlayedBatch, ...]:
    """Play every batch of a task, beside each other where that can be done."""
    entrants = dict(task.entrants)
    firsts: dict[int, _FirstPlay] = {}
    for group in _groups(task.batches, entrants):
        firsts |= _play_group(group, entrants, task.engine)
    return tuple(
        _play(batch, entrants, task.engine, firsts.get(batch.number) or _FirstPlay())
        for batch in task.batches
    )


def _play_group(
    group: Sequence[Batch], entrants: Mapping[int, EntrantSpec], engine: str
) -> dict[int, _FirstPlay]:
    """Play batches beside each other; give how each went, by its number."""
    started, logs = perf_counter(), ExchangeLogs()
    try:
        played = play_joined(group, lineup_for(entrants, logs=logs), engine, asks_again=True)
    except SandboxLostError:  # then each is played by itself
        return {batch.number: _FirstPlay(logs, is_lost=True) for batch in group}
    seconds = (perf_counter() - started) / len(group)
    return {
        batch.number: _FirstPlay(logs, each, seconds)
        for batch, each in zip(group, played, strict=True)
    }


def _groups(batches: Iterable[Batch], entrants: Mapping[int, EntrantSpec]) -> list[list[Batch]]:
    """Give the batches that are played beside each other, two at least."""
    group: list[Batch] = []
    groups = [group]
    for batch in filter(partial(_can_join, entrants=entrants), batches):
        tables = len(batch.blocks) + sum(len(each.blocks) for each in group)
        playing = {entrant for each in group for entrant in each.entrants}
        if tables > MOST_TOGETHER or not playing.isdisjoint(batch.entrants):
            groups.append(group := [])
        group.append(batch)
    return [group for group in groups if len(group) > 1]


def _can_join(batch: Batch, entrants: Mapping[int, EntrantSpec]) -> bool:
    """Say whether a batch can be played beside others: all that it needs is to ask the confined."""
    is_new = batch.recorded is None and not batch.known and not batch.is_watched
    is_small = 0 < len(batch.blocks) <= MOST_TOGETHER // 2
    are_confined = all(entrants[each].confinement for each in batch.entrants)
    return is_new and is_small and are_confined and bool(batch.blocks[0].rules.game.lockstep())


def _play(
    batch: Batch, entrants: Mapping[int, EntrantSpec], engine: str, first: _FirstPlay
) -> PlayedBatch:
    """Play a batch, or what is left to do of it after it was played beside others."""
    started = perf_counter()
    is_new = batch.recorded is None
    hands: dict[BlockKey, HandsWriter] = {}
    joined = [first.played] if first.played else []
    lost = f"batch {batch.number}: {HOSTS_LOST}"
    notices: list[str] = [lost] if first.is_lost else []

    def play_alone(found: tuple[RecordedFault, ...]) -> Played:
        known = replace(batch, recorded=(*(batch.recorded or ()), *batch.known, *found))
        while True:
            hands.update(_writers(batch))
            lineup = lineup_for(entrants, is_new=is_new, logs=first.logs if is_new else None)
            try:
                return play_batch(known, lineup, engine, hands, asks_again=is_new)
            except SandboxLostError as error:
                notices.append(lost)
                if len(notices) == MOST_LOSSES:
                    raise WorkerError(_often_lost(batch, entrants)) from error

    def play(found: tuple[RecordedFault, ...] = ()) -> Played:
        played = joined.pop() if joined else play_alone(found)
        known = {(fault.key, fault.seat) for fault in (*found, *played.differing)}
        differing = unrepeatable_faults(first.logs.differing(batch.entrants), batch.blocks)
        more = tuple(fault for fault in differing if (fault.key, fault.seat) not in known)
        return played._replace(differing=(*played.differing, *more))

    # Of what was judged before, everything that depends on the machine or on chance is known.
    played, remarks = play_confirmed(play) if is_new else (play(), ())
    if notices:
        remarks += replay_remarks(played.results, HOSTS_LOST)
    return PlayedBatch(
        wave=batch.wave,
        number=batch.number,
        results=played.results,
        engines=played.engines,
        seconds=perf_counter() - started + first.seconds,
        worker=f"process {getpid()}",
        remarks=remarks,
        notices=(*notices, *own_making().news()),
        hands=tuple(hands.values()),
    )


def _writers(batch: Batch) -> dict[BlockKey, HandsWriter]:
    """Give who writes down the hands of a batch that is watched, and counts decisions."""
    watched = batch.blocks if batch.is_watched else ()
    return {
        block.key: story_of(block.rules).hands(len(block.seats), samples=True) for block in watched
    }


def _often_lost(batch: Batch, entrants: Mapping[int, EntrantSpec]) -> str:
    names = ", ".join(entrants[number].name for number in batch.entrants)
    return (
        f"batch {batch.number}: expected to play it, got {MOST_LOSSES} times the end of what "
        f"players' processes are forked from; its entrants are {names}"
    )


def lineup_for(
    entrants: Mapping[int, EntrantSpec],
    *,
    is_new: bool = True,
    logs: ExchangeLogs | None = None,
) -> Lineup:
    """Give a lineup for one batch, whose competitors are loaded anew where Python plays them.

    Args:
        entrants: Those who play in it, by number, and maybe others. Loading one of them raises
            PluginError, if it is not there or its source has changed.
        is_new: Whether nobody has judged yet who takes too long.
        logs: Log all that the confined are asked and answer, if given.
    """
    loaded: dict[int, Callable[[], AnyPlayer]] = {}

    def load(numbers: Iterable[int]) -> None:
        for number in sorted(numbers):
            loaded[number] = entrants[number].load()

    def confined(entrant: int) -> AnyPool | None:
        spec = entrants[entrant]
        pool = spec.pool(is_new=is_new)
        if pool is None or logs is None:
            return pool
        assert spec.game, "a confined entrant plays a game"
        return logs.logged(entrant, pool, spec.game.codec())

    return Lineup(
        make=lambda entrant: loaded[entrant](),
        declared=lambda entrant, rules: declared(entrants[entrant], rules),
        load=load,
        confined=confined,
    )


@lru_cache(maxsize=10_000)
def declared(spec: EntrantSpec, rules: Rules) -> Declared:
    """Give what an entrant declares; it is asked once, and its promise holds for every batch.

    Raises: PluginError, if it is not there or its source has changed.
    """
    if spec.confinement is not None:
        return Undeclared("it is confined, and to ask it would run its code here")
    return declare(spec.load(), rules)


def failure(task: Task, error: BaseException) -> TourneyError:
    """Say whose mistake stopped a task: a plugin's, or the platform's with all that is known."""
    what = f"batch {task.batches[0].number}"
    if words := plugin_words(error):
        return PluginFailedError(f"{what}: {words}")
    told = "".join(format_exception(error)).rstrip()
    return WorkerError(f"{what}: expected results, got an error of the platform:\n{told}")
