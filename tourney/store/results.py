"""Results in the store: each batch written once, in one transaction, and read back as it came.

Knows nothing of what results are worth. Digests decide whether a batch that comes
again is the same.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b

from tourney.errors import DigestMismatch
from tourney.ledger import BlockKey, BlockResult, Remark, SeatResult, batch_digest
from tourney.store import runs
from tourney.store.database import Database, Row
from tourney.store.rows import (
    block_rows,
    read_blocks,
    read_remarks,
    read_seats,
    remark_rows,
    seat_rows,
)


def add_batch(  # noqa: PLR0917 - the order of the key, the results, then what stands beside them
    database: Database,
    run: int,
    wave: int,
    batch: int,
    results: tuple[BlockResult, ...],
    seconds: float,
    worker: str,
    remarks: Iterable[Remark] = (),
) -> bool:
    """Write a batch unless it is there; raise if it is there and differs."""
    digest = batch_digest(results)
    with database.transaction():
        stored = _digest_of(database, run, batch)
        if stored == digest:
            return False
        if stored is not None:
            raise _another_digest(database, run, batch, results)
        runs.require(database, run)
        database.execute(
            """
            INSERT INTO batches (run, number, wave, digest, seconds, worker)
            VALUES (?, ?, ?, ?, ?, ?)
            """,
            (run, batch, wave, digest, seconds, worker),
        )
        _insert(database, run, batch, results)
        database.insert_all(
            "INSERT INTO remarks VALUES (?, ?, ?, ?, ?, ?, ?)", remark_rows(run, batch, remarks)
        )
    return True


def of_batch(database: Database, run: int, batch: int) -> tuple[BlockResult, ...] | None:
    """Read a batch in the order it was written in; None if it is not there."""
    if _digest_of(database, run, batch) is None:
        return None
    found = database.read(
        read_blocks,
        """
        SELECT stage, heat, table_number, seating, first_round, rounds, shuffles, cards,
            seat, entrant, initial, final, lowest, highest,
            seat_rounds, left_round, handle, squares, mix, verdict, luck
        FROM played WHERE run = ? AND batch = ? ORDER BY block_position, position
        """,
        (run, batch),
    )
    return tuple(found)


def of_block(database: Database, run: int, key: BlockKey) -> BlockResult | None:
    """Read one block; None if it is not there."""
    found = database.read(
        read_blocks,
        """
        SELECT stage, heat, table_number, seating, first_round, rounds, shuffles, cards,
            seat, entrant, initial, final, lowest, highest,
            seat_rounds, left_round, handle, squares, mix, verdict, luck
        FROM played
        WHERE run = ? AND stage = ? AND heat = ? AND table_number = ? AND seating = ?
            AND first_round = ?
        ORDER BY position
        """,
        (run, *key),
    )
    return next(iter(tuple(found)), None)


def blocks(
    database: Database, run: int, entrant: int | None, table: int | None
) -> Iterator[BlockResult]:
    """Read blocks in the order of their keys: all, or those of an entrant or a table."""
    return database.read(
        read_blocks,
        """
        SELECT stage, heat, table_number, seating, first_round, rounds, shuffles, cards,
            seat, entrant, initial, final, lowest, highest,
            seat_rounds, left_round, handle, squares, mix, verdict, luck
        FROM played
        WHERE run = :run
            AND (:wanted_table IS NULL OR table_number = :wanted_table)
            AND (:wanted_entrant IS NULL
                OR (stage, heat, table_number, seating, first_round) IN (
                    SELECT stage, heat, table_number, seating, first_round
                    FROM seats WHERE run = :run AND entrant = :wanted_entrant))
        ORDER BY stage, heat, table_number, seating, first_round, position
        """,
        {"run": run, "wanted_table": table, "wanted_entrant": entrant},
    )


def seats(database: Database, run: int) -> Iterator[tuple[BlockKey, SeatResult]]:
    """Read every seat's result, by entrant and then by block."""
    return database.read(
        read_seats,
        """
        SELECT stage, heat, table_number, seating, first_round,
            seat, entrant, initial, final, lowest, highest,
            rounds, left_round, handle, squares, mix, verdict, luck
        FROM seats
        WHERE run = ?
        ORDER BY entrant, stage, heat, table_number, seating, first_round, position
        """,
        (run,),
    )


def faulted(database: Database, run: int) -> Iterator[tuple[BlockKey, SeatResult]]:
    """Read the results of seats with a verdict, by entrant and then by block."""
    return database.read(
        read_seats,
        """
        SELECT stage, heat, table_number, seating, first_round,
            seat, entrant, initial, final, lowest, highest,
            rounds, left_round, handle, squares, mix, verdict, luck
        FROM seats INDEXED BY seats_with_verdict
        WHERE run = ? AND verdict IS NOT NULL
        ORDER BY entrant, stage, heat, table_number, seating, first_round, position
        """,
        (run,),
    )


def remarks_of(database: Database, run: int) -> Iterator[Remark]:
    """Read what is worth knowing besides the results, by entrant and then by batch."""
    return database.read(
        read_remarks,
        """
        SELECT entrant, message, block, verdict FROM remarks
        WHERE run = ? ORDER BY entrant, batch, position
        """,
        (run,),
    )


def digests(database: Database, run: int) -> dict[int, bytes]:
    """Read the digests of a run's batches, by number."""
    return dict(
        database.read(
            _read_digests,
            "SELECT number, digest FROM batches WHERE run = ? ORDER BY number",
            (run,),
        )
    )


def run_digest(database: Database, run: int) -> bytes:
    """Give the BLAKE2b over the digests of a run's batches, in order of number; 16 bytes."""
    hasher = blake2b(digest_size=16, person=b"tourney.run")
    for digest in digests(database, run).values():
        hasher.update(digest)
    return hasher.digest()


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


def _read_digests(rows: Iterable[Row]) -> Iterator[tuple[int, bytes]]:
    return ((number, digest) for number, digest in rows)


def _digest_of(database: Database, run: int, batch: int) -> bytes | None:
    row = database.first("SELECT digest FROM batches WHERE run = ? AND number = ?", (run, batch))
    return None if row is None else bytes(row[0])


def _repeated(
    database: Database, run: int, batch: int, results: tuple[BlockResult, ...]
) -> DigestMismatch:
    """Say which block of a new batch had its place taken."""
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
            return DigestMismatch(
                f"{place}: {result.key}: expected a block that is stored once, got one that "
                f"{other} has already (a configuration must not change within a run)"
            )
    raise AssertionError(place)


def _another_digest(
    database: Database, run: int, batch: int, results: tuple[BlockResult, ...]
) -> DigestMismatch:
    """Say where a batch that came again differs from the one that is there."""
    stored = of_batch(database, run, batch) or ()
    pairs = zip(stored, results, strict=False)
    differing = [new for old, new in pairs if (old.key, old.digest) != (new.key, new.digest)]
    if differing:
        place = f"{differing[0].key}: expected the result that is stored, got another"
    else:
        place = f"expected {len(stored)} blocks as stored, got {len(results)}"
    return DigestMismatch(
        f"{database.path}: run {run}, batch {batch}: {place} (a player that does not depend on "
        "its block alone, or another version of a program; nothing was changed)"
    )
