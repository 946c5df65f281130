"""`Store`: runs, batches, results and events in one file, as the rest of the program uses it."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import Literal, Self

from tourney.game.ledger import BlockKey, BlockResult, Remark, SeatResult
from tourney.store import checksums, integrity, leases, runs
from tourney.store import results as batches
from tourney.store.leases import Lease
from tourney.store.migrations import MIGRATIONS, open_database
from tourney.store.records import EntrantRecord, EventRecord, RunRecord, RunState, RunSummary


class Store:
    """The file of all runs; a context manager that closes it.

    A store object belongs to one process and one thread, but any number of processes may open
    the same file: readers never wait, and writers wait for each other. Every method raises
    StoreError for a fault of the file or its disk.

    Iterators read lazily; exhaust or drop an iterator before writing.

    Args:
        path: The file.
        create: Make the file if it does not exist.
        busy_seconds: How long to wait for another writer.
        migrations: The scripts that make the tables; for tests.
    Raises: StoreError, if the file cannot be opened or is not a store of this version.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        busy_seconds: float = 30.0,
        migrations: Sequence[str] = MIGRATIONS,
    ) -> None:
        self._database = open_database(
            path, create=create, busy_seconds=busy_seconds, migrations=migrations
        )

    @classmethod
    def open(cls, path: Path, *, create: bool = True, busy_seconds: float = 30.0) -> Self:
        """Open a store; the same as `Store(path)`, but reads better outside a `with`."""
        return cls(path, create=create, busy_seconds=busy_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The path of the file."""
        return self._database.path

    @property
    def changes(self) -> int:
        """A number that changes whenever another connection writes to the file."""
        row = self._database.first("PRAGMA data_version")
        assert row
        return int(row[0])

    def close(self) -> None:
        """Close the file; closing it twice is harmless."""
        self._database.close()

    def create_run(self, record: RunRecord) -> RunRecord:
        """Write a new run with its entrants and their sources.

        Args:
            record: The run; its number is ignored. Sources that are already stored are not
                written again.
        Returns: The record with its number, one above the highest number ever used.
        """
        return runs.create(self._database, record)

    def runs(self) -> tuple[RunSummary, ...]:
        """List all runs, oldest first."""
        checksums.check_runs(self._database)
        return tuple(
            replace(each, status=leases.state(self._database, each.number, each.status))
            for each in runs.summaries(self._database)
        )

    def run(self, ref: str | int | None = None, *, checks_digest: bool = True) -> RunRecord:
        """Read a run and verify it.

        Args:
            ref: A number, also as text; a name, which means the latest run of that name; or
                `None` for the latest run.
            checks_digest: Whether to verify the number of its batches and its digest, too.
        Raises: RunNotFoundError, which lists the runs; StoreDamagedError, if the run was damaged
            or changed.
        """
        number = runs.number_of(self._database, ref)
        checksums.check_run(self._database, number)
        record = runs.find(self._database, ref)
        if checks_digest:
            self.check_count(number)
            integrity.check_digest(self._database, record)
        return record

    def candidates(self, name: str | None) -> tuple[tuple[int, str, bool], ...]:
        """Return number, name and rehearsal mark of the runs of a name, or of all; oldest first."""
        return runs.candidates(self._database, name)

    def check_count(self, run: int) -> None:
        """Make sure that a finished run has as many batches as when it finished.

        Raises: StoreDamagedError.
        """
        checksums.check_counts(self._database, run)

    def digest(self, record: RunRecord) -> bytes:
        """Compute the digest of a run from its batches; see `RunRecord.digest`."""
        return integrity.digest_of(self._database, record)

    def status(self, run: int) -> RunState:
        """Return the displayed status of a run; cheap enough to poll.

        Raises: RunNotFoundError; StoreRemovedError, if the file was removed or replaced.
        """
        self._database.place.check()
        return leases.state(self._database, run, runs.status(self._database, run))

    def lease(self, run: int) -> Lease | None:
        """Return the process that plays a run, or played it when it was killed; else `None`."""
        return leases.of_run(self._database, run)

    def held(
        self, run: int, tell: Callable[[str], object] | None = None
    ) -> AbstractContextManager[None]:
        """Hold a run exclusively: no other process can play or delete it meanwhile.

        While the run is held, this store writes only if it still holds the run and the file is
        still the one that it opened. Holding a run again is harmless.

        Args:
            run: Its number.
            tell: Called with a message before waiting for a process on another machine.
        Raises: RunNotFoundError; RunInProgressError, immediately if another process plays the run,
            later if another process has taken it over; StoreRemovedError, if the file was removed,
            after its data has been saved in a new file.
        """
        return leases.held(self._database, run, tell)

    def finish_run(self, run: int, status: Literal["finished", "failed"], finished: str) -> None:
        """Record the end of a run, and its digest if it has finished and has no digest yet.

        Args:
            run: Its number.
            status: The final status.
            finished: ISO time, UTC.
        Raises: RunNotFoundError.
        """
        record = runs.find(self._database, run)
        digest = self.digest(record) if status == "finished" else None
        runs.set_status(self._database, run, status, finished, digest)

    def reopen_run(self, run: int) -> None:
        """Set a run to "running", to resume or to extend it.

        Raises: RunNotFoundError.
        """
        runs.set_status(self._database, run, "running", None)

    def extend_run(self, record: RunRecord, late: Sequence[EntrantRecord] = ()) -> None:
        """Reopen a run with new settings and additional entrants.

        Args:
            record: The run with its new settings and sandbox level.
            late: The additional entrants.
        """
        runs.extend(self._database, record, late)

    def set_expected_batches(self, run: int, batches: int | None) -> None:
        """Set the total number of batches of a run; `None` if it is not known yet.

        Raises: RunNotFoundError.
        """
        runs.expect_batches(self._database, run, batches)

    def keep_standings(self, run: RunRecord, version: str, lines: str) -> None:
        """Store the standings of a run, until a batch of it is written or deleted.

        Args:
            run: The run.
            version: The version of the code that computed them.
            lines: The standings as text.
        Raises: RunNotFoundError.
        """
        digest = self.digest(run)
        runs.keep_standings(self._database, run.number, version, lines, digest)

    def standings(self, run: RunRecord, version: str) -> str | None:
        """Read the stored standings of a run.

        Returns: `None` if they are missing, damaged, of another version or of other results.
        """
        return runs.standings(self._database, run.number, version, self.digest(run))

    def forget_author(
        self, author: str, own: Sequence[str], shared: Sequence[str]
    ) -> dict[int, tuple[int, ...]]:
        """Delete the author and the pseudonym of entrants, and why they are excluded.

        Digests and commitments do not cover them. They do cover the names of entrants, which stay.

        Args:
            author: The author as stored.
            own: Names that belonged to the author alone.
            shared: Names of teams, whose pseudonyms stay.
        Returns: Numbers of the entrants with a name in `own`, by changed run.
        Raises: StoreDamagedError, if such a run was damaged or changed; then nothing is deleted.
        """
        found = runs.forget_author(self._database, author, own, shared)
        self._empty_log()
        return found

    def exclude_entrant(self, run: int, entrant: int, reason: str | None) -> None:
        """Take an entrant off the board of a run, or put it back.

        Its results stay, and so do digests and commitments, which do not cover this.

        Args:
            run: The number of the run.
            entrant: The number of the entrant.
            reason: Why it is excluded; `None` puts it back.
        Raises: RunNotFoundError; RunInProgressError, if a process plays the run;
            StoreDamagedError, if the run was damaged or changed.
        """
        with self.held(run):
            runs.set_excluded(self._database, run, entrant, reason)

    def forget_standings(self, run: int) -> None:
        """Delete the stored standings of a run; they are computed again when needed."""
        runs.forget_standings(self._database, run)
        self._empty_log()

    def _empty_log(self) -> None:
        """Empty the write-ahead log, which would still contain the deleted data."""
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def delete_run(self, run: int) -> None:
        """Delete a run and all its results; the file keeps its size and reuses the space.

        Raises: RunNotFoundError; RunInProgressError, if a process plays it.
        """
        with self.held(run):
            runs.delete(self._database, run)

    def add_batch(  # noqa: PLR0917 - in the order of the key, the results and the remarks on them
        self,
        run: int,
        wave: int,
        batch: int,
        results: tuple[BlockResult, ...],
        seconds: float,
        worker: str,
        remarks: Sequence[Remark] = (),
    ) -> bool:
        """Write a batch, whole and exactly once.

        Args:
            run: Number of the run.
            wave: Number of the batch's wave.
            batch: Number of the batch in the run.
            results: One for each block, in the batch's order.
            seconds: Wall time it took to play; not part of any digest.
            worker: The worker that played it; not part of any digest.
            remarks: Warnings and unconfirmed faults; not part of any digest.
        Returns: False if the batch was stored before with the same results; nothing changes then.
        Raises: RunNotFoundError; DigestMismatchError, if the batch is stored with other results,
            or a block of it belongs to another batch.
        """
        return batches.add_batch(
            self._database, run, wave, batch, results, seconds, worker, remarks
        )

    def begin_batch(self, run: int, batch: int) -> None:
        """Record that a batch is being played, so that lost results are noticed."""
        batches.begin_batches(self._database, run, (batch,))

    def begun_batches(self, run: int) -> frozenset[int]:
        """Return the numbers of the batches that were started but not stored.

        If no process plays the run, their results were lost.
        """
        return batches.begun_batches(self._database, run)

    def batch_results(self, run: int, batch: int) -> tuple[BlockResult, ...] | None:
        """Read a batch exactly as written; `None` if it is missing.

        Raises: StoreDamagedError, if it was damaged or changed.
        """
        return integrity.of_batch(self._database, run, batch)

    def batch_numbers(self, run: int) -> frozenset[int]:
        """Return the numbers of the stored batches."""
        return frozenset(self.batch_digests(run))

    def batch_digests(self, run: int) -> dict[int, bytes]:
        """Return the digests of the stored batches, by number and in its order."""
        return integrity.digests(self._database, run)

    def run_digest(self, run: int) -> bytes:
        """Return the BLAKE2b over the digests of all batches, in order of number; 16 bytes."""
        return integrity.results_digest(self._database, run)

    def check(self, run: int) -> None:
        """Make sure that the file and all batches of a run are sound.

        Raises: StoreDamagedError, if they are not.
        """
        integrity.check(self._database, run)

    def damaged_batches(self, run: int) -> tuple[int, ...]:
        """Return the numbers of the batches that were damaged or changed."""
        return integrity.damaged(self._database, run)

    def drop_batches(self, run: int, numbers: Iterable[int]) -> None:
        """Delete batches, so that resuming the run plays them again."""
        integrity.drop(self._database, run, numbers)

    def keep_digest(self, run: RunRecord) -> RunRecord:
        """Overwrite the digest of a run with the digest of its batches."""
        digest = self.digest(run)
        runs.keep_digest(self._database, run.number, digest)
        return replace(run, digest=digest)

    def faults(self) -> tuple[str, ...]:
        """Return the faults that SQLite finds in the file; empty if it is sound."""
        return self._database.faults()

    def block_result(self, run: int, key: BlockKey) -> BlockResult | None:
        """Read one block without verification; `None` if it is missing."""
        return batches.of_block(self._database, run, key)

    def blocks(
        self, run: int, entrant: int | None = None, table: int | None = None
    ) -> Iterator[BlockResult]:
        """Read blocks one by one, batch by batch.

        Args:
            run: Number of the run.
            entrant: Only blocks in which this entrant has a seat, with all their seats.
            table: Only blocks of tables of this number, of any stage and heat.
        Raises: StoreDamagedError, if a batch was damaged or changed.
        """
        return integrity.blocks(self._database, run, entrant, table)

    def seat_results(self, run: int) -> Iterator[tuple[BlockKey, SeatResult]]:
        """Read the result of every seat one by one, in the order of `blocks`."""
        return ((block.key, seat) for block in self.blocks(run) for seat in block.seats)

    def faulted(self, run: int) -> tuple[tuple[BlockKey, SeatResult], ...]:
        """Read the results of seats with a verdict, by entrant and then by block key.

        Raises: StoreDamagedError, if the run's verdicts or remarks were damaged or changed.
        """
        return integrity.faulted(self._database, run)

    def remarks(self, run: int) -> tuple[Remark, ...]:
        """Read warnings and unconfirmed faults, by entrant and then by batch.

        Raises: StoreDamagedError, if the run's verdicts or remarks were damaged or changed.
        """
        return integrity.remarks(self._database, run)

    def add_events(self, run: int, wave: int, events: Sequence[EventRecord]) -> bool:
        """Write the events before a wave, whole and exactly once.

        Args:
            run: Number of the run.
            wave: Number of the wave; after the last wave, one more.
            events: In order.
        Returns: False if events of the wave were stored before; nothing changes then.
        Raises: RunNotFoundError.
        """
        return batches.add_events(self._database, run, wave, events)

    def events(self, run: int, wave: int | None = None) -> Iterator[EventRecord]:
        """Read the events of a run, or those before a wave, in order."""
        return batches.events_of(self._database, run, wave)
