"""Replaying stored batches, to verify a run or to show its hands."""

import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from tourney.errors import DigestMismatchError, RunNotFoundError, StoreDamagedError
from tourney.execution.engine_selection import play_batch
from tourney.execution.workers.task import lineup_for
from tourney.execution.workers.worker_choice import make_workers
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.ledger import RECORDED_CAUSES, BlockKey, BlockResult, batch_digest
from tourney.game.turns import Watcher
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.divergence import Differing, differing_blocks, engine_to_watch, who_differs
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, retrace
from tourney.tournament.tournament import workload_of


@dataclass(frozen=True, slots=True)
class Soundness:
    """The result of reading all stored batches of a run, without playing any."""

    damaged: tuple[int, ...]  # numbers of damaged or changed batches
    unreached: tuple[int, ...]  # numbers of batches that its format has not scheduled
    digest: bytes  # of the run, computed from its batches


@dataclass(frozen=True, slots=True)
class Verification:
    """The result of replaying batches."""

    replayed: int
    stored: int
    differing: tuple[Differing, ...]  # batches with another digest than stored, and the causes


def verify_run(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    *,
    sample: int | None,
    workers: int = 1,
    engine: str = "auto",
) -> Verification:
    """Play stored batches again and compare their digests.

    Args:
        tournament: The tournament of the run.
        store: The store of the run.
        run: The run.
        sample: Number of batches to draw at random; `None` plays all.
        workers: Number of processes.
        engine: The engine; it may differ from the one that played first.
    Raises: RunNotFoundError, if no batch is stored yet.
    """
    digests = store.batch_digests(run.number)
    if not digests:
        raise RunNotFoundError(
            f"run {run.number} has no stored batches yet; `tourney resume {run.number} --store "
            f"{shlex.quote(str(store.path))}` plays it"
        )
    chosen = sorted(digests)
    if sample is not None and sample < len(chosen):
        chosen = sorted(Random().sample(chosen, sample))  # noqa: S311 - any sample will do
    wanted = set(chosen)
    drawn: dict[int, Batch] = {}  # by number, until the result equals the stored one
    batches = (
        drawn.setdefault(batch.number, batch)
        for batch in stored_batches(tournament, store, run)
        if batch.number in wanted
    )
    found: dict[int, tuple[BlockKey, ...]] = {}
    workload = workload_of(tournament, len(chosen))
    with make_workers(workers, tournament.specs(), engine, workload=workload) as crew:
        for played in crew.play(batches):
            if batch_digest(played.results) == digests[played.number]:
                del drawn[played.number]
            else:
                stored = store.batch_results(run.number, played.number) or ()
                found[played.number] = differing_blocks(played.results, stored)
    differing = (who_differs(tournament, run, drawn[each], found[each]) for each in sorted(found))
    return Verification(len(chosen), len(digests), tuple(differing))


def look_over(tournament: Tournament, store: Store, run: RunRecord) -> Soundness:
    """Read all batches of a run and follow its schedule through them.

    Args:
        tournament: The tournament of the run.
        store: The store of the run.
        run: The run.
    """
    damaged = store.damaged_batches(run.number)
    left = store.batch_numbers(run.number)
    if not damaged:  # otherwise the schedule cannot be followed
        try:
            left -= {batch.number for batch, _ in retrace(Progress(tournament), store, run.number)}
        except StoreDamagedError as error:
            damaged = error.batches
    unreached = () if damaged else tuple(sorted(left))
    return Soundness(damaged, unreached, store.digest(run))


def stored_batches(tournament: Tournament, store: Store, run: RunRecord) -> Iterator[Batch]:
    """Yield the stored batches of a run in order, with the recorded faults of their players."""
    for batch, results in retrace(Progress(tournament), store, run.number):
        found = (
            RecordedFault(result.key, seat.seat, seat.verdict)
            for result in results
            for seat in result.seats
            if seat.verdict and seat.verdict.cause in RECORDED_CAUSES
        )
        yield replace(batch, recorded=tuple(found))


def watched_again(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    watch: Callable[[Block], Watcher | None],
    on_differing: Callable[[Differing], None],
) -> Iterator[tuple[Block, Watcher]]:
    """Play a stored run again and yield each watched block that gives its stored result.

    Args:
        tournament: The tournament of the run.
        store: The store of the run.
        run: The run.
        watch: Returns the watcher of a block, or `None`. Batches without a watcher are not played.
        on_differing: Called with the watched blocks of a batch whose results differ.
    """
    specs = tournament.specs()
    lineup = lineup_for(specs, is_new=False)
    digests = store.batch_digests(run.number)
    for batch in stored_batches(tournament, store, run):
        watchers = {block.key: found for block in batch.blocks if (found := watch(block))}
        if not watchers:
            continue
        results = play_batch(batch, lineup, engine_to_watch(specs, batch), watchers).results
        differing: tuple[BlockKey, ...] = ()
        if batch_digest(results) != digests[batch.number]:
            stored = store.batch_results(run.number, batch.number) or ()
            differing = tuple(k for k in differing_blocks(results, stored) if k in watchers)
        same = [block for block in batch.blocks if block.key in watchers.keys() - set(differing)]
        yield from ((block, watchers[block.key]) for block in same)
        if differing:
            on_differing(who_differs(tournament, run, batch, differing))


def find_blocks(
    tournament: Tournament, store: Store, run: RunRecord, entrant: int, table: int
) -> tuple[tuple[Batch, BlockKey], ...]:
    """Return the blocks that an entrant played at a table, in order, with their batches.

    Raises: RunNotFoundError, if there are no such blocks yet.
    """
    found = tuple(
        (batch, block.key)
        for batch in stored_batches(tournament, store, run)
        for block in batch.blocks
        if block.key.table == table and any(seat.entrant == entrant for seat in block.seats)
    )
    if not found:
        name = tournament.labels[entrant].name
        raise RunNotFoundError(
            f"run {run.number}: {name} has not played table {table + 1}; choose another table"
        )
    return found


def replay_block(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    place: tuple[Batch, BlockKey],
    watcher: Watcher,
) -> BlockResult:
    """Play a stored block again with the reference engine and a watcher.

    This plays the whole batch, because players of a batch may share data through their class.

    Raises: DigestMismatchError, if the result differs from the stored one.
    """
    batch, key = place
    specs = tournament.specs()
    engine = engine_to_watch(specs, batch)
    results = play_batch(batch, lineup_for(specs, is_new=False), engine, {key: watcher}).results
    result = next(result for result in results if result.key == key)
    kept = store.block_result(run.number, key)
    if kept is None or kept.digest != result.digest:
        raise DigestMismatchError(
            f"run {run.number}: {key}: the replay differs from the stored result: the competitor, "
            "the game or the platform has changed, so the original hands cannot be shown"
        )
    return result
