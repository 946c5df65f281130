"""Replays of published or sampled tables, each once for all its entrants.

Only the needed blocks of a batch are played again. If a class shares state among its players, the
replay differs, and the whole batch is played.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from tourney.execution.workers.pool import Workers
from tourney.execution.workers.worker_choice import make_workers
from tourney.execution.workers.workload import Tell, Workload
from tourney.game.blocks import Batch, Block
from tourney.game.hand_notation import HandsWriter
from tourney.game.ledger import BlockKey, BlockResult, Verdict
from tourney.report.publish.published_results import TableKey
from tourney.store.records import RunRecord
from tourney.store.store import Store
from tourney.tournament.audit import stored_batches
from tourney.tournament.divergence import who_differs
from tourney.tournament.loading import Tournament

ROUNDS_WORTH_WORKERS = 20_000
"""Rounds that one process plays and writes while others would start."""


@dataclass(frozen=True, slots=True)
class Watching:
    """Workers and progress of a replay."""

    workers: int = 1
    progress: Callable[[int, int], None] = field(default=lambda _seen, _tables: None)
    """Receives the number of finished tables and of all tables; a table counts for each entrant."""
    tell: Tell | None = None  # receives lines about waiting and lost processes


@dataclass(slots=True)
class Look:
    """A replayed block."""

    block: Block
    hands: HandsWriter


@dataclass(slots=True)
class Looks:
    """The replayed blocks, by table."""

    tables: dict[TableKey, list[Look]] = field(default_factory=dict)
    lost: dict[TableKey, list[Block]] = field(default_factory=dict)
    """Blocks that differ from the stored results."""
    blamed: dict[int, tuple[BlockKey, Verdict]] = field(default_factory=dict)
    """Entrants whose answers differ there, with the first place."""

    def is_lost(self, entrant: int, table: TableKey) -> bool:
        """Check whether a table of an entrant cannot be replayed."""
        blocks = self.lost.get(table, ())
        return any(seat.entrant == entrant for block in blocks for seat in block.seats)

    def count_lost(self, entrant: int) -> int:
        """Count the tables of an entrant that cannot be replayed."""
        return sum(self.is_lost(entrant, table) for table in self.lost)

    def of(self, entrant: int, table: TableKey) -> list[tuple[Look, int]]:
        """Return the blocks of an entrant at a table, in order, with its seat in each.

        Empty, if one cannot be replayed.
        """
        if self.is_lost(entrant, table):
            return []
        return [
            (look, number)
            for look in sorted(self.tables.get(table, ()), key=lambda each: each.block.key)
            for number, seat in enumerate(look.block.seats)
            if seat.entrant == entrant
        ]


def look_again(
    tournament: Tournament,
    store: Store,
    run: RunRecord,
    wanted: Mapping[TableKey, set[int]],
    how: Watching,
) -> Looks:
    """Replay tables.

    Args:
        tournament: The tournament of the run.
        store: Its store.
        run: The run.
        wanted: Tables, with the entrants whose blocks are needed.
        how: Workers and progress.
    Returns: The replays. Blocks that differ from the stored results are left out, and the entrants
        with different answers are named.
    """
    if not wanted:
        return Looks()
    again = _Replay(tournament, store, run, wanted, how.progress)
    rounds = again.tables * tournament.format.scheduled_rounds
    workers = how.workers if rounds >= ROUNDS_WORTH_WORKERS else 1
    specs = tournament.specs()
    workload = None
    if any(spec.confinement for spec in specs.values()):  # others are watched without it
        workload = Workload(tournament.rules, again.tables, rounds)
    with make_workers(workers, specs, workload=workload, tell=how.tell) as crew:
        again.play(crew, how.tell)
        return again.looks()


class _Replay:
    """Tables of a run that are played again."""

    def __init__(
        self,
        tournament: Tournament,
        store: Store,
        run: RunRecord,
        wanted: Mapping[TableKey, set[int]],
        progress: Callable[[int, int], None],
    ) -> None:
        self._tournament, self._store, self._run = tournament, store, run
        self._wanted, self._progress = wanted, progress
        self._drawn: dict[int, Batch] = {}  # by number; whole, until all needed blocks are seen
        self._found: dict[BlockKey, Look] = {}
        self._seen: set[tuple[TableKey, int]] = set()  # tables, with their needed entrants
        self.tables = sum(map(len, wanted.values()))

    def play(self, crew: Workers, tell: Tell | None) -> None:
        """Play the needed blocks, and whole batches if some blocks differ."""
        self._take(crew, self._parts(), tell)
        whole = [replace(batch, is_watched=True) for _, batch in sorted(self._drawn.items())]
        self._take(crew, (_without_luck(batch) for batch in whole), tell)

    def looks(self) -> Looks:
        """Return the replays, with the reasons for missing ones."""
        looks = Looks()
        for key, look in sorted(self._found.items()):
            looks.tables.setdefault(_table(key), []).append(look)
        for _, batch in sorted(self._drawn.items()):
            lost = [block for block in self._wanted_of(batch) if block.key not in self._found]
            for block in lost:
                looks.lost.setdefault(_table(block.key), []).append(block)
            keys = tuple(block.key for block in lost)
            differing = who_differs(self._tournament, self._run, batch, keys)
            looks.blamed = differing.blamed | looks.blamed
        return looks

    def _parts(self) -> Iterator[Batch]:
        """Yield the needed parts of all batches."""
        for batch in stored_batches(self._tournament, self._store, self._run):
            if blocks := self._wanted_of(batch):
                self._drawn[batch.number] = batch
                yield _without_luck(replace(batch, blocks=blocks, is_watched=True))

    def _take(self, crew: Workers, batches: Iterable[Batch], tell: Tell | None) -> None:
        """Play batches, and keep the blocks that match the stored results."""
        for played in crew.play(batches):
            batch = self._drawn[played.number]
            pairs = zip(played.results, played.hands, strict=True)
            seen = {result.key: (result, hands) for result, hands in pairs}
            for block in (wanted := self._wanted_of(batch)):
                self._see(block, *seen[block.key])
            if all(block.key in self._found for block in wanted):
                del self._drawn[played.number]
            if tell:
                for notice in played.notices:
                    tell(notice)
            self._progress(len(self._seen), self.tables)

    def _see(self, block: Block, result: BlockResult, hands: HandsWriter) -> None:
        """Keep a played block, if it matches the stored result."""
        self._seen |= {(_table(block.key), entrant) for entrant in self._wanted_at(block)}
        kept = self._store.block_result(self._run.number, block.key)
        if kept is not None and kept.without_luck().digest == result.digest:
            hands.finish()
            self._found.setdefault(block.key, Look(block, hands))

    def _wanted_of(self, batch: Batch) -> tuple[Block, ...]:
        """Return the blocks of a batch with a needed entrant."""
        return tuple(block for block in batch.blocks if self._wanted_at(block))

    def _wanted_at(self, block: Block) -> set[int]:
        """Return the needed entrants of a block."""
        wanted = self._wanted.get(_table(block.key), set())
        return wanted.intersection(seat.entrant for seat in block.seats)


def _without_luck(batch: Batch) -> Batch:
    """Skip the luck of the cards, which follows from the comparison, and takes time."""
    blocks = tuple(replace(block, follows_luck=False) for block in batch.blocks)
    return replace(batch, blocks=blocks)


def _table(key: BlockKey) -> TableKey:
    return key.stage, key.heat, key.table
