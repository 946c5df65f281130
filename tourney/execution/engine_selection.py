"""Choosing an engine for each block, and playing a batch.

All engines give the same results, so the choice affects only speed. `auto` takes the fastest engine
that can play a block and is worth loading. While machine code is compiled, the reference engine
plays and is replaced between two blocks. Whether Python players are asked table by table or in
lockstep depends only on the batch, because players that share data through their class could notice
the order of their tables.
"""

import os
import sys
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from typing import NamedTuple

from tourney.errors import EngineError
from tourney.execution.background_compile import is_there, own_making, ways_for
from tourney.execution.engine_names import ENGINES
from tourney.execution.lockstep import play_together
from tourney.game.accelerators import ROUNDS_WORTH_LOADING, Confined
from tourney.game.arrays import np
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.determinism_check import unrepeatable_faults, worth_asking_again
from tourney.game.ledger import BlockKey, BlockResult
from tourney.game.lineup import Declared, Lineup
from tourney.game.machine.compile_cache import CodeUnit
from tourney.game.rules import Rules
from tourney.game.seats import play_block
from tourney.game.turns import Watcher


def why_not_compiled(block: Block, declared: Sequence[Declared]) -> str:
    """Explain why a block cannot be played with machine code; empty if it can.

    Args:
        block: The block.
        declared: The declarations of its players, seat by seat.
    """
    game = block.rules.game
    kernels = game.kernels()
    return kernels.why_not(block, declared) if kernels else f"{game} is not a game that it plays"


def play_compiled(
    blocks: Sequence[Block],
    declared: Callable[[int, Rules], Declared],
    ways: Collection[CodeUnit] | None = None,
) -> list[BlockResult]:
    """Play blocks: a pure function of the blocks and the declarations.

    Args:
        blocks: Blocks that machine code can play.
        declared: Returns the declaration of an entrant for a game.
        ways: Parts of the machine code to use; all of them by default.
    Returns: Their results, in any order, without those that these parts cannot play.
    """
    results: list[BlockResult] = []
    for rules, alike in _by_rules(blocks).items():
        kernels = rules.game.kernels()
        assert kernels, "only called for a game that has kernels"
        allowed = kernels.parts if ways is None else ways
        results += kernels.play(alike, partial(_declared, declared, rules), allowed)
    return results


def _declared(declared: Callable[[int, Rules], Declared], rules: Rules, entrant: int) -> Declared:
    return declared(entrant, rules)


def _by_rules(blocks: Sequence[Block]) -> dict[Rules, list[Block]]:
    alike: dict[Rules, list[Block]] = {}
    for block in blocks:
        alike.setdefault(block.rules, []).append(block)
    return alike


TABLES_WORTH_ASKING = 32
"""With fewer tables at a time, the reference engine is as fast as lockstep."""


class Played(NamedTuple):
    """The results of a batch."""

    results: tuple[BlockResult, ...]  # in the order of its blocks
    engines: tuple[str, ...]  # the engines used, in the order of ENGINES
    warnings: tuple[tuple[int, str], ...] = ()  # for entrants, by number
    differing: tuple[RecordedFault, ...] = ()  # of entrants whose answers are not repeatable


def check_engine(name: str) -> str:
    """Return the name of an engine after checking it.

    Raises: EngineError, if there is no such engine.

    >>> check_engine("auto")
    'auto'
    """
    if name not in ENGINES:
        *others, last = ENGINES
        raise EngineError(f"engine: expected {', '.join(others)} or {last}, got {name!r}")
    return name


def play_batch(
    batch: Batch,
    lineup: Lineup,
    engine: str = "auto",
    watchers: Mapping[BlockKey, Watcher] | None = None,
    *,
    asks_again: bool = False,
) -> Played:
    """Play the blocks of a batch.

    Args:
        batch: The batch.
        lineup: The players.
        engine: One of ENGINES.
        watchers: Watchers of some blocks.
        asks_again: Whether to repeat the first questions to sandboxed players, if that is useful.
    Raises: EngineError, if the requested engine cannot play a block; ConfinementError, if a
        sandbox cannot be set up.
    """
    watched = watchers or {}
    sandboxed = {entrant for entrant in batch.entrants if lineup.confined(entrant)}
    confined = [block for block in batch.blocks if _seats_of(block, sandboxed)]
    others = [block for block in batch.blocks if not _seats_of(block, sandboxed)]
    _check_confined(confined, sandboxed, check_engine(engine))
    plan = _plan(others, lineup, engine, watched)
    asked = (*confined, *plan.lockstep, *plan.reference, *plan.meanwhile)
    lineup.load({seat.entrant for block in asked for seat in block.seats} - sandboxed)
    found: list[BlockResult] = []
    warnings: dict[int, str] = {}
    differing: dict[int, str] = {}
    if plan.compiled:
        ways = ways_for(plan.compiled) if engine == "auto" else None
        with own_making().giving_way():
            found += play_compiled(plan.compiled, lineup.declared, ways)
    if plan.lockstep:
        found += _play_lockstep(plan.lockstep, lineup)
    if confined:
        again = worth_asking_again(batch) if asks_again else ()
        played, warnings, differing = _play_confined(
            confined, lineup, watched, batch.recorded or (), asks_again=again
        )
        found += played
    for block in plan.reference:
        found.append(play_block(block, lineup.make, watched.get(block.key)))
    played, engines = _play_meanwhile(plan.meanwhile, lineup)
    results = {each.key: each for each in (*found, *played)}
    used = {*plan.engines, *engines, *(("lockstep",) if confined else ())}
    return Played(
        tuple(results[block.key] for block in batch.blocks),
        tuple(name for name in ENGINES if name in used),
        tuple(sorted(warnings.items())),
        unrepeatable_faults(differing, confined),
    )


MOST_TOGETHER = 1_000
"""Tables of several batches that advance together; larger groups are not faster."""


def play_joined(
    batches: Sequence[Batch], lineup: Lineup, engine: str, *, asks_again: bool = False
) -> list[Played]:
    """Play batches together, with the same results as one by one; see `play_batch`.

    Every process of a player gets the same questions in the same order as if each batch were
    played alone.

    Args:
        batches: Batches of a game with lockstep, with at most MOST_TOGETHER tables in total. All
            players are sandboxed, and each plays in one batch only.
        lineup: The players.
        engine: One of ENGINES.
        asks_again: Whether to repeat the first questions, if that is useful.
    """
    blocks = [block for batch in batches for block in batch.blocks]
    entrants = {entrant for batch in batches for entrant in batch.entrants}
    _check_confined(blocks, entrants, check_engine(engine))
    again = {each for batch in batches for each in worth_asking_again(batch)} if asks_again else ()
    found, warnings, differing = _play_confined(blocks, lineup, {}, (), asks_again=again)
    results = {each.key: each for each in found}
    return [
        Played(
            tuple(results[block.key] for block in batch.blocks),
            ("lockstep",),
            tuple((each, warnings[each]) for each in batch.entrants if each in warnings),
            unrepeatable_faults(differing, batch.blocks),
        )
        for batch in batches
    ]


def _play_meanwhile(blocks: Sequence[Block], lineup: Lineup) -> tuple[list[BlockResult], set[str]]:
    """Play blocks with the reference engine until machine code exists; return the engines, too."""
    left = {block.key: block for block in blocks}
    results: list[BlockResult] = []
    engines: set[str] = set()
    tried: frozenset[CodeUnit] = frozenset()
    while left:
        ways = ways_for(left.values())
        if ways > tried:
            played = play_compiled(list(left.values()), lineup.declared, ways)
            engines |= {"compiled"} if played else set()
            tried = ways
        else:
            with own_making().giving_way():
                played = [play_block(next(iter(left.values())), lineup.make)]
            engines.add("reference")
        for result in played:
            del left[result.key]
        results += played
    return results, engines


def _play_confined(
    blocks: Sequence[Block],
    lineup: Lineup,
    watchers: Mapping[BlockKey, Watcher],
    recorded: Sequence[RecordedFault],
    *,
    asks_again: Collection[int],
) -> Confined:
    """Play blocks of one game with sandboxed players."""
    lockstep = blocks[0].rules.game.lockstep()
    play = lockstep.play_confined if lockstep else play_together
    return play(blocks, lineup, watchers, recorded, asks_again=asks_again)


def _play_lockstep(blocks: Sequence[Block], lineup: Lineup) -> list[BlockResult]:
    """Play blocks of one game with players of this process."""
    lockstep = blocks[0].rules.game.lockstep()
    assert lockstep, "only called for a game that has lockstep"
    return lockstep.play(blocks, lineup)


def why_not_in_lockstep(block: Block) -> str:
    """Explain why a block cannot be played in lockstep, with any players; empty if it can."""
    game = block.rules.game
    lockstep = game.lockstep()
    return lockstep.why_not(block) if lockstep else f"{game} is not a game that it plays"


def _seats_of(block: Block, entrants: Collection[int]) -> list[int]:
    """Return the seats of some entrants in a block."""
    return [place for place, seat in enumerate(block.seats) if seat.entrant in entrants]


def _check_confined(blocks: Sequence[Block], sandboxed: Collection[int], engine: str) -> None:
    """Make sure that blocks with sandboxed players can be played.

    Raises: EngineError, if one cannot.
    """
    for block in blocks:
        lockstep = block.rules.game.lockstep()  # without it, the tables' flows are used
        reason = lockstep.why_not(block) if lockstep else ""
        if engine not in {"auto", "lockstep"}:
            reason = f"--engine {engine} would run its code in this process"
        if reason:
            seat = _seats_of(block, sandboxed)[0] + 1
            raise EngineError(
                f"{block.key}: seat {seat}: this block cannot be played with a sandboxed player: "
                f"{reason}"
            )


@dataclass(frozen=True, slots=True)
class _Plan:
    """The blocks of each engine."""

    compiled: list[Block] = field(default_factory=list)
    lockstep: list[Block] = field(default_factory=list)
    reference: list[Block] = field(default_factory=list)
    meanwhile: list[Block] = field(default_factory=list)  # reference, until machine code exists

    @property
    def engines(self) -> tuple[str, ...]:
        return tuple(name for name in ENGINES[1:] if getattr(self, name))


def _plan(
    blocks: Sequence[Block], lineup: Lineup, engine: str, watched: Collection[BlockKey]
) -> _Plan:
    if engine == "reference":
        return _Plan(reference=list(blocks))
    if engine != "auto":
        return _forced(blocks, lineup, engine, watched)
    plan = _Plan()
    for block in blocks:
        if block.key in watched:
            plan.reference.append(block)
        elif not _why_not_compiled(block, lineup):
            plan.compiled.append(block)
        else:
            rest = plan.reference if why_not_in_lockstep(block) else plan.lockstep
            rest.append(block)
    if len(plan.lockstep) < TABLES_WORTH_ASKING or _rounds(plan.lockstep) < ROUNDS_WORTH_LOADING:
        plan.reference.extend(plan.lockstep)
        plan.lockstep.clear()
    if plan.compiled and not _patience().is_over(plan.compiled):
        plan.reference.extend(plan.compiled)
        plan.compiled.clear()
    elif not all(map(is_there, {block.rules.game for block in plan.compiled})):
        plan.meanwhile.extend(plan.compiled)
        plan.compiled.clear()
    return plan


def _forced(
    blocks: Sequence[Block], lineup: Lineup, engine: str, watched: Collection[BlockKey]
) -> _Plan:
    """Plan to play all blocks with one engine.

    Raises: EngineError, if it cannot play a block.
    """
    reason_of: Callable[[Block], str] = (
        why_not_in_lockstep
        if engine == "lockstep"
        else lambda block: _why_not_compiled(block, lineup)
    )
    for block in blocks:
        reason = "it is watched" if block.key in watched else reason_of(block)
        if reason:
            raise EngineError(f"{block.key}: engine {engine} cannot play this: {reason}")
    return _Plan(**{engine: list(blocks)})


def _why_not_compiled(block: Block, lineup: Lineup) -> str:
    return why_not_compiled(
        block, [lineup.declared(seat.entrant, block.rules) for seat in block.seats]
    )


def _rounds(blocks: Sequence[Block]) -> int:
    return sum(block.rounds * len(block.seats) for block in blocks)


@dataclass(slots=True)
class _Patience:
    """Counts rounds played without machine code, until loading it is worth the time."""

    rounds: int = 0

    def is_over(self, blocks: Sequence[Block]) -> bool:
        self.rounds += _rounds(blocks)
        return self.rounds >= ROUNDS_WORTH_LOADING


@cache
def _patience() -> _Patience:
    """Return the instance of this process; it affects only speed, never a result."""
    return _Patience()


def compile_nothing() -> None:
    """Make this process run kernels as plain Python, unless it can already compile.

    Results are the same. Declared strategies are then played by the reference engine, which is
    faster than uncompiled kernels.
    """
    if "numba" in sys.modules:  # the setting would only apply to modules loaded later
        return
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    np.seterr(over="ignore")  # integers overflow on purpose, and NumPy would warn
    _patience().rounds = -sys.maxsize


def end_patience() -> None:
    """Let this process use machine code from its next block on, because it has been loaded."""
    _patience().rounds = ROUNDS_WORTH_LOADING
