"""Playing a task in a worker: making the players of a batch and playing its blocks.

Between tasks, a worker keeps only loaded strategies, so any worker may play any batch. A fault that
depends on the machine counts only if a second play of its batch confirms it; see `play_confirmed`.
"""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
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
from tourney.game import Game
from tourney.game.asking.exchange import AnyPool
from tourney.game.blocks import Batch, RecordedFault
from tourney.game.determinism_check import unrepeatable_faults
from tourney.game.exchange_logs import ExchangeLogs
from tourney.game.hand_history import story_of
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import (
    MACHINE_CAUSES,
    RECORDED_CAUSES,
    BlockKey,
    BlockResult,
    Remark,
    SeatResult,
    Verdict,
    replay_remarks,
)
from tourney.game.lineup import Declared, Lineup, declare
from tourney.game.players import AnyPlayer, Undeclared
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
"""Times that players' processes may be lost in a batch before the run stops."""

HOSTS_LOST = (
    "players' processes ended with the process that they are forked from; it was started again, "
    "and the batch was played again"
)
"""The message and the remark about such a batch."""


@dataclass(frozen=True, slots=True)
class EntrantSpec:
    """All data that a worker needs to make the players of an entrant."""

    name: str = field(compare=False)  # entrants that differ only in this share a declaration
    kind: str  # the name of its language
    strategy: str  # name of a registered strategy, or of the file
    sources: tuple[tuple[str, str], ...]  # (file name, text); empty if installed here
    options: tuple[tuple[str, Any], ...]
    digest: bytes  # of sources and options, when the run began
    promises: bool = False  # whether machine code might play it, judged by its class
    confinement: Level | None = None  # sandbox level; None if it plays in this process
    budget: Budget = USUAL  # of its sandboxed process
    memory: int = USUAL_MEMORY  # bytes, of that process
    game: Game[Any, Any, Any] | None = None  # always set if sandboxed
    place: str = ""  # "module:name" of its class; empty if the sources determine it

    def __hash__(self) -> int:
        """Hash by the digest, because options may not be hashable."""
        return hash(self.digest)

    @property
    def language(self) -> Language:
        """The language of its source."""
        return language_of(self.kind)

    def pool(self, *, is_new: bool = True) -> SandboxedPool | None:
        """Return a pool for its players in a sandboxed process, which starts when they sit down.

        Args:
            is_new: Whether time limits apply; in a replay, the recorded faults are used.
        Returns: `None`, if its players are made in this process.
        Raises: PluginError, if its source has changed.
        """
        if self.confinement is None:
            return None
        setup = setup_for(self.confinement, Setup(limits=Limits(self.memory)))
        assert self.game, "a sandboxed entrant has a game"
        budget = self.budget if is_new else self.budget.patient
        check_sources(self)
        options = json.dumps(dict(self.options)) if self.options else ""
        submitted = self.language.sandboxed(self.strategy, self.sources, options, self.place)
        return SandboxedPool(self.game, submitted, setup, budget)

    def load(self) -> Callable[[], AnyPlayer]:
        """Load the competitor again and return a function that makes its players.

        Players of one loading may share data through their class; each batch loads it once.

        Raises: PluginError, if it is missing or its source has changed.
        """
        if self.confinement is not None:  # no `assert`: Python can be set to skip those
            raise ConfinementError(
                f"entrant {self.name}: loading it here would run its code outside the sandbox"
            )
        check_sources(self)
        made = self.language.load(self.strategy, self.sources)
        return partial(made, **dict(self.options))


@dataclass(frozen=True, slots=True)
class Task:
    """Batches that are sent to a worker together; their number never affects a result."""

    batches: tuple[Batch, ...]
    entrants: tuple[tuple[int, EntrantSpec], ...]  # of these batches, by number
    engine: str


@dataclass(frozen=True, slots=True)
class PlayedBatch:
    """The results of a batch, and how it was played."""

    wave: int
    number: int
    results: tuple[BlockResult, ...]
    engines: tuple[str, ...]
    seconds: float
    worker: str
    remarks: tuple[Remark, ...] = ()
    notices: tuple[str, ...] = ()  # messages that are shown during the run but not stored
    hands: tuple[HandsWriter, ...] = ()  # of every block in order, if watched

    def noted_as_replay(self, reason: str) -> "PlayedBatch":
        """Add a remark for each entrant that the batch was played again."""
        return replace(self, remarks=(*self.remarks, *replay_remarks(self.results, reason)))


@cache
def check_sources(spec: EntrantSpec) -> None:
    """Make sure, before code of an entrant runs, that its source is unchanged since the run began.

    Raises: PluginError, if it is missing or has changed.
    """
    here = spec.sources
    if spec.confinement is None:
        here = spec.language.sources(spec.strategy, here)
    digest = digest_of(here, spec.options)
    if digest != spec.digest:
        raise PluginError(
            f"entrant {spec.name}: its source ({digest.hex()[:12]}) is not the one that the run "
            f"began with ({spec.digest.hex()[:12]}); install that version again, or start a new run"
        )


@dataclass(frozen=True, slots=True)
class _FirstPlay:
    """The first play of a batch, together with others."""

    logs: ExchangeLogs = field(default_factory=ExchangeLogs)
    played: Played | None = None  # None if it has not been played, or its processes were lost
    seconds: float = 0.0
    is_lost: bool = False


def play_task(task: Task) -> tuple[PlayedBatch, ...]:
    """Play every batch of a task, together where that is possible."""
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
    """Play batches together; return the first play of each, by number."""
    started, logs = perf_counter(), ExchangeLogs()
    try:
        played = play_joined(group, lineup_for(entrants, logs=logs), engine, asks_again=True)
    except SandboxLostError:  # each is then played alone
        return {batch.number: _FirstPlay(logs, is_lost=True) for batch in group}
    seconds = (perf_counter() - started) / len(group)
    return {
        batch.number: _FirstPlay(logs, each, seconds)
        for batch, each in zip(group, played, strict=True)
    }


def _groups(batches: Iterable[Batch], entrants: Mapping[int, EntrantSpec]) -> list[list[Batch]]:
    """Return the groups of at least two batches that can be played together."""
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
    """Return whether a batch can be played with others: it only needs sandboxed players."""
    is_new = batch.recorded is None and not batch.known and not batch.is_watched
    is_small = 0 < len(batch.blocks) <= MOST_TOGETHER // 2
    are_confined = all(entrants[each].confinement for each in batch.entrants)
    return is_new and is_small and are_confined and bool(batch.blocks[0].rules.game.lockstep())


def _play(
    batch: Batch, entrants: Mapping[int, EntrantSpec], engine: str, first: _FirstPlay
) -> PlayedBatch:
    """Play a batch, or the rest of the work on it after it was played with others."""
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

    # In a replay, all faults that depend on the machine or on chance are already recorded.
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


Faults = dict[int, tuple[BlockKey, Verdict]]
"""The first fault that depends on the machine, by entrant."""

NOT_AGAIN = "a second play of the batch gave no such fault; its result counts"
ELSEWHERE = "a second play of the batch gave another fault; its result counts"
"""Remarks on a first fault."""

Play = Callable[[tuple[RecordedFault, ...]], Played]


def play_confirmed(play: Play) -> tuple[Played, tuple[Remark, ...]]:
    """Play a batch until every fault that depends on the machine has occurred twice.

    A busy machine may cause time limits, memory limits, stalls and crashes, so the batch is played
    again alone. A player cannot exploit this: if it answers differently in the second play, it gets
    the verdict `unrepeatable` (see `exchange_logs`), and the batch is played without it. The first
    fault becomes a remark if the second play gave no fault, or a fault at another place.

    Args:
        play: Plays the batch with recorded faults of entrants that are not repeatable.
    Returns: The last play, whose faults of this kind are marked as confirmed, and remarks:
        unconfirmed faults and warnings.
    """
    suspected: Faults = {}
    recorded: tuple[RecordedFault, ...] = ()
    played = play(recorded)
    while True:
        found = _faults(played.results)
        if not played.differing and not found.keys() - suspected.keys():
            break
        recorded += played.differing
        # An entrant that failed only before is cleared; one that fails only now is a new suspect.
        suspected = {**found, **suspected}
        played = play(recorded)
    blamed = _faults(played.results, RECORDED_CAUSES)
    remarks = [
        Remark(entrant, NOT_AGAIN if entrant not in blamed else ELSEWHERE, key, verdict)
        for entrant, (key, verdict) in sorted(suspected.items())
        if entrant not in blamed or _place(key, verdict) != _place(*blamed[entrant])
    ]
    remarks += [Remark(entrant, message) for entrant, message in played.warnings]
    if found:
        played = played._replace(results=tuple(map(_marked, played.results)))
    return played, tuple(remarks)


def _faults(results: Iterable[BlockResult], causes: Collection[str] = MACHINE_CAUSES) -> Faults:
    faults: Faults = {}
    for result in results:
        for seat in result.seats:
            if seat.verdict and seat.verdict.cause in causes:
                faults.setdefault(seat.entrant, (result.key, seat.verdict))
    return faults


def _place(key: BlockKey, verdict: Verdict) -> tuple[object, ...]:
    """Return the facts that two plays of the same fault share."""
    return key, verdict.cause, verdict.call, verdict.round, verdict.decision


def _marked(result: BlockResult) -> BlockResult:
    return replace(result, seats=tuple(map(_marked_seat, result.seats)))


def _marked_seat(seat: SeatResult) -> SeatResult:
    if not seat.verdict or seat.verdict.cause not in MACHINE_CAUSES:
        return seat
    return replace(seat, verdict=replace(seat.verdict, is_confirmed=True))


def _writers(batch: Batch) -> dict[BlockKey, HandsWriter]:
    """Return writers for the hands of a watched batch."""
    watched = batch.blocks if batch.is_watched else ()
    return {
        block.key: story_of(block.rules).hands(len(block.seats), samples=True) for block in watched
    }


def _often_lost(batch: Batch, entrants: Mapping[int, EntrantSpec]) -> str:
    names = ", ".join(entrants[number].name for number in batch.entrants)
    return (
        f"batch {batch.number}: the process that players' processes are forked from ended "
        f"{MOST_LOSSES} times; its entrants are {names}"
    )


def lineup_for(
    entrants: Mapping[int, EntrantSpec],
    *,
    is_new: bool = True,
    logs: ExchangeLogs | None = None,
) -> Lineup:
    """Return a lineup for one batch, which loads competitors of this process again.

    Args:
        entrants: The entrants of the batch, and maybe others, by number. Loading raises
            PluginError, if an entrant is missing or its source has changed.
        is_new: Whether time limits apply; in a replay, recorded faults are used.
        logs: If given, all questions to sandboxed players and their answers are logged.
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
    """Return the declaration of an entrant; it is asked once, and the answer holds for all batches.

    Raises: PluginError, if it is missing or its source has changed.
    """
    if spec.confinement is not None:
        return Undeclared("it runs in a sandbox, so its declarations cannot be read here")
    return declare(spec.load(), rules)


def failure(task: Task, error: BaseException) -> TourneyError:
    """Make the error for a failed task, which blames a plugin or the platform."""
    batch = f"batch {task.batches[0].number}"
    if words := plugin_words(error):
        return PluginFailedError(f"{batch}: {words}")
    traceback = "".join(format_exception(error)).rstrip()
    return WorkerError(f"{batch}: the platform failed; please report this error:\n{traceback}")
