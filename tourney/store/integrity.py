"""Reading results with verification, and finding damaged batches.

A batch is always read whole and verified by its digest and its checksum, so that boards, pages and
replays rest on the stored results. If a change updates digests and checksums as well, only playing
again reveals it.
"""

from collections.abc import Iterable, Iterator
from hashlib import blake2b
from typing import TypeAlias

from tourney.errors import StoreDamagedError, StoreError
from tourney.game.ledger import BlockResult, Remark, batch_digest
from tourney.sqlite.database import Database, Row, damaged_words
from tourney.store import results as batches
from tourney.store import runs
from tourney.store.checksums import Faulted, batch_seal, faulted_in, run_digest
from tourney.store.records import RunRecord
from tourney.store.rows import read_batches, read_faulted, read_remarks

# Seats with a verdict and remarks, each with its batch.
Faults: TypeAlias = tuple[tuple[int, *Faulted], ...]
Remarks: TypeAlias = tuple[tuple[int, Remark], ...]

MOST_NUMBERS = 10
"""Numbers of damaged batches that a message lists at most."""

_BATCHES = "SELECT run, number, wave, digest, seconds, worker, seal FROM batches WHERE run = :run "


def of_batch(database: Database, run: int, batch: int) -> tuple[BlockResult, ...] | None:
    """Read a batch in its order; `None` if it is missing.

    Raises: StoreDamagedError, if it was damaged or changed.
    """
    row = _row(database, run, batch)
    if row is None:
        return None
    results = batches.of_batch(database, run, batch)
    if not _is_sound(database, row, results):
        raise _damage(database, run)
    return results


def blocks(
    database: Database, run: int, entrant: int | None, table: int | None
) -> Iterator[BlockResult]:
    """Read all blocks, or those of an entrant or a table, batch by batch.

    Raises: StoreDamagedError, if a batch was damaged or changed.
    """
    for number in digests(database, run):
        for result in of_batch(database, run, number) or ():
            is_wanted = entrant is None or any(seat.entrant == entrant for seat in result.seats)
            if is_wanted and table in {None, result.key.table}:
                yield result


def faulted(database: Database, run: int) -> tuple[Faulted, ...]:
    """Read the results of seats with a verdict, by entrant and then by block.

    Raises: StoreDamagedError, if verdicts or remarks of the run were damaged or changed.
    """
    found, _ = _checked(database, run)
    return tuple((key, seat) for _, key, seat in found)


def remarks(database: Database, run: int) -> tuple[Remark, ...]:
    """Read the remarks on a run, by entrant and then by batch.

    Raises: StoreDamagedError, if verdicts or remarks of the run were damaged or changed.
    """
    _, noted = _checked(database, run)
    return tuple(remark for _, remark in sorted(noted, key=lambda each: each[1].entrant))


def digests(database: Database, run: int) -> dict[int, bytes]:
    """Read the digests of a run's batches, by number."""
    rows = database.read(read_batches, _BATCHES + "ORDER BY number", {"run": run})
    return {number: digest for _, number, _, digest, *_ in rows}


def results_digest(database: Database, run: int) -> bytes:
    """Return the BLAKE2b over the digests of a run's batches, in order of number; 16 bytes."""
    hasher = blake2b(digest_size=16, person=b"tourney.run")
    for digest in digests(database, run).values():
        hasher.update(digest)
    return hasher.digest()


def digest_of(database: Database, run: RunRecord) -> bytes:
    """Compute the digest of a run from the digests of its batches."""
    return run_digest(run, digests(database, run.number).items())


def check_digest(database: Database, run: RunRecord) -> None:
    """Make sure that a finished run has exactly the batches that it finished with.

    Raises: StoreDamagedError, if they do not give its digest.
    """
    if run.status == "finished" and run.digest != (counted := digest_of(database, run)):
        raise StoreDamagedError(
            f"{database.path}: run {run.number}: its batches give the digest {counted.hex()}, not "
            f"the stored {(run.digest or b'').hex() or '(empty)'}: batches were lost, damaged or "
            f"changed; to find them and play them again: `tourney verify {run.number} --repair`"
        )


def check(database: Database, run: int) -> None:
    """Make sure that the file and all batches of a run are sound.

    Raises: StoreDamagedError, if they are not.
    """
    if faults := database.faults():
        raise StoreDamagedError(f"{database.path}: {damaged_words(faults[0])}")
    if damaged(database, run):
        raise _damage(database, run)


def damaged(database: Database, run: int) -> tuple[int, ...]:
    """Return the numbers of the batches that were damaged or changed."""

    def is_damaged(number: int) -> bool:
        try:
            row = _row(database, run, number)
            results = batches.of_batch(database, run, number)
            return row is None or not _is_sound(database, row, results)
        except StoreError:  # it cannot be read
            return True

    return tuple(filter(is_damaged, digests(database, run)))


def drop(database: Database, run: int, numbers: Iterable[int]) -> None:
    """Delete batches of a run, and rows without a batch, so that they can be played again."""
    dropped = tuple(numbers)
    with database.transaction():
        for number in dropped:
            database.execute("DELETE FROM batches WHERE run = ? AND number = ?", (run, number))
        batches.note_begun(database, run, dropped)
        database.execute(
            "DELETE FROM blocks WHERE run = :run "
            "AND batch NOT IN (SELECT number FROM batches WHERE run = :run)",
            {"run": run},
        )
        database.execute(
            """
            DELETE FROM seats WHERE run = :run
                AND (stage, heat, table_number, seating, first_round) NOT IN (
                    SELECT stage, heat, table_number, seating, first_round
                    FROM blocks WHERE run = :run)
            """,
            {"run": run},
        )
        for table in ("standings", "events"):  # derived from results and written again with them
            database.execute(f"DELETE FROM {table} WHERE run = ?", (run,))  # noqa: S608 - see above


def _row(database: Database, run: int, batch: int) -> Row | None:
    found = database.read(
        read_batches, _BATCHES + "AND number = :batch", {"run": run, "batch": batch}
    )
    return next(iter(tuple(found)), None)


def _is_sound(database: Database, row: Row, results: tuple[BlockResult, ...]) -> bool:
    """Return whether a batch has its digest, its checksum and only entrants of its run."""
    run, number, _, digest, *_, sealed = row
    if batch_digest(results) != digest:
        return False
    last = runs.last_entrant(database, run)
    if not all(0 <= seat.entrant <= last for result in results for seat in result.seats):
        return False
    noted = [remark for _, remark in _remarks(database, run, number)]
    return bool(sealed == batch_seal(row[:-1], faulted_in(results), noted))


def _checked(database: Database, run: int) -> tuple[Faults, Remarks]:
    """Read the verdicts and remarks of a run, and check that they are those of its batches."""
    found, noted = _faulted(database, run), _remarks(database, run)
    for row, expected in _seals(database, run, found, noted):
        if row[-1] != expected:
            raise _damage(database, run)
    return found, noted


def _seals(
    database: Database, run: int, found: Faults, noted: Remarks
) -> Iterator[tuple[Row, bytes]]:
    """Return the rows of a run's batches, each with the checksum that it should have."""
    faults: dict[int, list[Faulted]] = {}
    for batch, key, seat in found:
        faults.setdefault(batch, []).append((key, seat))
    noted_in: dict[int, list[Remark]] = {}
    for batch, remark in noted:
        noted_in.setdefault(batch, []).append(remark)
    for row in tuple(database.read(read_batches, _BATCHES + "ORDER BY number", {"run": run})):
        number = row[1]
        yield row, batch_seal(row[:-1], faults.get(number, ()), noted_in.get(number, ()))


def _faulted(database: Database, run: int) -> Faults:
    """Read the seats with a verdict, each with its batch, by entrant and then by block."""
    found = database.read(
        read_faulted,
        """
        SELECT batch, stage, heat, table_number, seating, first_round,
            seat, entrant, initial, final, lowest, highest,
            seats.rounds, left_round, handle, squares, mix, verdict, luck
        FROM seats INDEXED BY seats_with_verdict
        JOIN blocks USING (run, stage, heat, table_number, seating, first_round)
        WHERE run = ? AND verdict IS NOT NULL
        ORDER BY entrant, stage, heat, table_number, seating, first_round, seats.position
        """,
        (run,),
    )
    return tuple(found)


def _remarks(database: Database, run: int, batch: int | None = None) -> Remarks:
    """Read the remarks on a run or a batch, each with its batch, in order."""
    found = database.read(
        read_remarks,
        """
        SELECT batch, entrant, message, block, verdict FROM remarks
        WHERE run = :run AND (:batch IS NULL OR batch = :batch) ORDER BY batch, position
        """,
        {"run": run, "batch": batch},
    )
    return tuple(found)


def _damage(database: Database, run: int) -> StoreDamagedError:
    """Name the damaged batches of a run, and the repair."""
    bad, stored = damaged(database, run), len(digests(database, run))
    named = ", ".join(map(str, bad[:MOST_NUMBERS])) + (", …" if len(bad) > MOST_NUMBERS else "")
    return StoreDamagedError(
        f"{database.path}: run {run}: {len(bad)} of {stored} batches damaged or changed: {named}; "
        f"to play these again and keep the others: `tourney verify {run} --repair`",
        bad,
    )
