"""Looking again: replaying batches to verify a run, and blocks to show their hands."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from random import Random

from tourney.errors import DigestMismatchError, RunNotFoundError, StoreDamagedError
from tourney.execution.engine_selection import play_batch
from tourney.execution.workers.task import lineup_for
from tourney.execution.workers.worker_choice import make_workers
from tourney.game.blocks import Batch, Block, RecordedFault
from tourney.game.ledger import RECORDED_CAUSES, BlockKey, BlockResult, batch_digest
from tourney.game.watcher import Watcher
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.divergence import Differing, differing_blocks, engine_to_watch, who_differs
from tourney.tournament.loading import Tournament
from tourney.tournament.progress import Progress, retrace
from tourney.tournament.tournament import workload_of


@dataclass(frozen=True, slots=True)
class Soundness:
    """What reading all that is stored of a run showed; nothing is played for it."""

    damaged: tuple[int, ...]  # numbers of batches that are not what was written
    unreached: tuple[int, ...]  # of those that its format never draws up, or not yet
    digest: bytes  # of the run, as its batches are


@dataclass(frozen=True, slots=True)
class Verification:
    """What replaying batches showed."""

    replayed: int
    stored: int
    differing: tuple[Differing, ...]  # batches whose digests differ from the stored ones, and why


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
        store: Where it is kept.
        run: The run.
        sample: How many batches, drawn at random; all if None.
        workers: Processes that play.
        engine: Which engine plays; it need not be the one that played first.
    Raises: RunNotFoundError, if nothing is stored yet.
    """
    digests = store.batch_digests(run.number)
    if not digests:
        raise RunNotFoundError(f"run {run.number}: expected stored batches to verify, got none yet")
    chosen = sorted(digests)
    if sample is not None and sample < len(chosen):
        chosen = sorted(Random().sample(chosen, sample))  # noqa: S311 - any batch may be looked at
    wanted = set(chosen)
    drawn: dict[int, Batch] = {}  # by number, until they have come out as stored
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
        store: Where it is kept.
        run: The run.
    """
    damaged = store.damaged_batches(run.number)
    left = store.batch_numbers(run.number)
    if not damaged:  # else its course cannot be followed
        try:
            left -= {batch.number for batch, _ in retrace(Progress(tournament), store, run.number)}
        except StoreDamagedError as error:
            damaged = error.batches
    unreached = () if damaged else tuple(sorted(left))
    return Soundness(damaged, unreached, store.digest(run))


def stored_batches(tournament: Tournament, store: Store, run: RunRecord) -> Iterator[Batch]:
    """Draw up the stored batches of a run again, in order, with what is recorded of them."""
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
    """Play a stored run again, and give each watched block that comes out as it is stored.

    Args:
        tournament: The tournament of the run.
        store: Where it is kept.
        run: The run.
        watch: Gives the watcher of a block, or None; batches without a watcher are not played.
        on_differing: Takes the watched blocks of a batch that come out differently, and why.
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
    """Find the blocks that an entrant played at a table, in order, with their batches.

    Raises: RunNotFoundError, if there are none yet.
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
            f"run {run.number}: expected a table played by {name}, got {table + 1}"
        )
    return found


def replay_block(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    place: tuple[Batch, BlockKey],
    watcher: Watcher,
) -> BlockResult:
    """Play a stored block again by the reference engine, watched.

    Its whole batch is played, because players of one batch may share what their class keeps.

    Raises: DigestMismatchError, if it does not give what is stored.
    """
    batch, key = place
    specs = tournament.specs()
    engine = engine_to_watch(specs, batch)
    results = play_batch(batch, lineup_for(specs, is_new=False), engine, {key: watcher}).results
    result = next(result for result in results if result.key == key)
    kept = store.block_result(run.number, key)
    if kept is None or kept.digest != result.digest:
        raise DigestMismatchError(
            f"run {run.number}: {key}: expected the stored result, got another: a competitor, "
            "the game or the platform does not play as it did, so these are not the hands of then"
        )
    return result
