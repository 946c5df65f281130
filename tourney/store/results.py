"""Results and events in the store: each batch and wave is written once, in one transaction.

A batch that is written a second time must have the same digest. `integrity` verifies results when
they are read.
"""

from collections.abc import Iterable, Iterator, Sequence

from tourney.errors import DigestMismatchError, StoreDamagedError, StoreError
from tourney.game.ledger import BlockKey, BlockResult, Remark, batch_digest
from tourney.sqlite.database import Database, Row
from tourney.store import runs
from tourney.store.checksums import batch_seal, faulted_in
from tourney.store.records import EventRecord
from tourney.store.rows import (
    NULL,
    TEXT,
    WHOLE,
    block_rows,
    checked,
    read_blocks,
    remark_rows,
    seat_rows,
)

_PLAYED = """
SELECT stage, heat, table_number, seating, first_round, rounds, shuffles, cards,
    seat, entrant, initial, final, lowest, highest,
    seat_rounds, left_round, handle, squares, mix, verdict, luck
FROM played
"""

_EVENT = (frozenset({float}), TEXT, WHOLE | {NULL}, WHOLE | {NULL}, WHOLE)
"""The types of the columns of an event."""


def add_batch(  # noqa: PLR0917 - in the order of the key, the results and the remarks on them
    database: Database,
    run: int,
    wave: int,
    batch: int,
    results: tuple[BlockResult, ...],
    seconds: float,
    worker: str,
    remarks: Sequence[Remark] = (),
) -> bool:
    """Write a batch unless it is stored already; raise if the stored one differs."""
    digest = batch_digest(results)
    row = (run, batch, wave, digest, float(seconds), worker)
    with database.transaction():
        stored = database.first(
            "SELECT digest FROM batches WHERE run = ? AND number = ?", (run, batch)
        )
        if stored == (digest,):
            return False
        if stored:
            raise _another_digest(database, run, batch, results)
        runs.require(database, run)
        database.execute(
            """
            INSERT INTO batches (run, number, wave, digest, seconds, worker, seal)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
            (*row, batch_seal(row, faulted_in(results), remarks)),
        )
        _insert(database, run, batch, results)
        database.insert_all(
            "INSERT INTO remarks VALUES (?, ?, ?, ?, ?, ?, ?)", remark_rows(run, batch, remarks)
        )
        database.execute("DELETE FROM begun WHERE run = ? AND batch = ?", (run, batch))
    return True


def begin_batches(database: Database, run: int, numbers: Iterable[int]) -> None:
    """Note that batches are being played, or must be played again."""
    with database.transaction():
        note_begun(database, run, numbers)


def note_begun(database: Database, run: int, numbers: Iterable[int]) -> None:
    """Note the same within a transaction of the caller."""
    database.insert_all(
        "INSERT OR IGNORE INTO begun VALUES (?, ?)", ((run, number) for number in numbers)
    )


def begun_batches(database: Database, run: int) -> frozenset[int]:
    """Return the numbers of the batches that were started but not stored."""
    return frozenset(
        database.read(
            _read_numbers,
            "SELECT batch FROM begun WHERE run = :run "
            "AND batch NOT IN (SELECT number FROM batches WHERE run = :run)",
            {"run": run},
        )
    )


def _read_numbers(rows: Iterable[Row]) -> Iterator[int]:
    return (checked(row, (WHOLE,))[0] for row in rows)


def of_batch(database: Database, run: int, batch: int) -> tuple[BlockResult, ...]:
    """Read a batch in its order, without verification."""
    found = database.read(
        read_blocks,
        _PLAYED + "WHERE run = ? AND batch = ? ORDER BY block_position, position",
        (run, batch),
    )
    return tuple(found)


def of_block(database: Database, run: int, key: BlockKey) -> BlockResult | None:
    """Read one block; `None` if it is missing."""
    found = database.read(
        read_blocks,
        _PLAYED + "WHERE run = ? AND stage = ? AND heat = ? AND table_number = ? "
        "AND seating = ? AND first_round = ? ORDER BY position",
        (run, *key),
    )
    return next(iter(tuple(found)), None)


def _insert(database: Database, run: int, batch: int, results: tuple[BlockResult, ...]) -> None:
    inserted = database.insert_all(
        """
        INSERT INTO blocks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (run, stage, heat, table_number, seating, first_round) DO NOTHING
        """,
        block_rows(run, batch, results),
    )
    if inserted < len(results):
        raise _repeated(database, run, batch, results)
    database.insert_all(
        "INSERT INTO seats VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        seat_rows(run, results),
    )


def _repeated(
    database: Database, run: int, batch: int, results: tuple[BlockResult, ...]
) -> StoreError:
    """Name the block of a new batch that is stored already."""
    place = f"{database.path}: run {run}, batch {batch}"
    for position, result in enumerate(results):
        taken = database.first(
            """
            SELECT batch, position FROM blocks
            WHERE run = ? AND stage = ? AND heat = ? AND table_number = ? AND seating = ?
                AND first_round = ?
            """,
            (run, *result.key),
        )
        if taken != (batch, position):
            other = "the same batch" if taken is None or taken[0] == batch else f"batch {taken[0]}"
            return DigestMismatchError(
                f"{place}: {result.key}: {other} already has this block; a format must give every "
                "block its own key, and the configuration must not change within a run"
            )
    return StoreDamagedError(
        f"{place}: the store has blocks of a batch that is missing: the file was damaged or "
        f"changed; to play it again: `tourney verify {run} --repair`"
    )


def _another_digest(
    database: Database, run: int, batch: int, results: tuple[BlockResult, ...]
) -> DigestMismatchError:
    """Describe the first difference between a new batch and the stored one."""
    stored = of_batch(database, run, batch)
    pairs = zip(stored, results, strict=False)
    differing = [new for old, new in pairs if (old.key, old.digest) != (new.key, new.digest)]
    if differing:
        place = f"{differing[0].key}: the new result differs from the stored one"
    else:
        place = f"{len(results)} new blocks, but {len(stored)} are stored"
    return DigestMismatchError(
        f"{database.path}: run {run}, batch {batch}: {place}; nothing was changed. A player may "
        "depend on more than its block, or a program may have another version"
    )


def add_events(database: Database, run: int, wave: int, events: Sequence[EventRecord]) -> bool:
    """Write the events before a wave unless events of it are stored already."""
    with database.transaction():
        if tuple(events_of(database, run, wave)):
            return False
        runs.require(database, run)
        database.insert_all(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((run, wave, position, *event) for position, event in enumerate(events)),
        )
    return True


def events_of(database: Database, run: int, wave: int | None) -> Iterator[EventRecord]:
    """Read the events of a run, or those before a wave, in order."""
    return database.read(
        _read_events,
        """
        SELECT seconds, event, entrant, table_number, value FROM events
        WHERE run = :run AND (:wave IS NULL OR wave = :wave)
        ORDER BY wave, position
        """,
        {"run": run, "wave": wave},
    )


def _read_events(rows: Iterable[Row]) -> Iterator[EventRecord]:
    return (EventRecord(*checked(row, _EVENT)) for row in rows)
