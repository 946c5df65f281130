"""The store as the rest of the program sees it: runs, batches and their results in one file.

Says what every call promises; how it is done stands in `runs` and `results`.
"""

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
    """The file that keeps the runs; a context manager that closes it.

    One process and one thread use a store object, but any number of processes may have
    the file open: readers never wait, writers take turns. Whatever is wrong with the file
    or its disk is a StoreError from any of the methods.

    Iterators read on while they are asked; use one up or drop it before writing.

    Args:
        path: The file.
        create: Make the file if it does not exist.
        busy_seconds: How long to wait for another writer before giving up.
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
        """Open a store; the same as `Store(path)`, and reads better outside a `with`."""
        return cls(path, create=create, busy_seconds=busy_seconds)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def path(self) -> Path:
        """The file."""
        return self._database.path

    @property
    def changes(self) -> int:
        """A number that is another one after anybody else has written into the file."""
        row = self._database.first("PRAGMA data_version")
        assert row
        return int(row[0])

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        self._database.close()

    def create_run(self, record: RunRecord) -> RunRecord:
        """Write a new run with its entrants and their sources.

        Args:
            record: The run; its number is not looked at. Sources whose digest the store has
                already are not written again.
        Returns: The record with its number, one above the highest there ever was.
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
        """Read the run a user means, and make sure that it is what was written.

        Args:
            ref: A number, also as text; a name, which means the latest run of that name; or
                None for the latest run.
            checks_digest: Whether its batches have to be as many as it finished with, and to give
                its digest.
        Raises: RunNotFoundError, naming the runs there are; StoreDamagedError, if it is another
            than was written.
        """
        number = runs.number_of(self._database, ref)
        checksums.check_run(self._database, number)
        record = runs.find(self._database, ref)
        if checks_digest:
            self.check_count(number)
            integrity.check_digest(self._database, record)
        return record

    def check_count(self, run: int) -> None:
        """Make sure that a run has as many batches as it finished with.

        Raises: StoreDamagedError, if it is over and has not.
        """
        checksums.check_counts(self._database, run)

    def digest(self, record: RunRecord) -> bytes:
        """Work out the digest of a run, as its batches say they are; see `RunRecord.digest`."""
        return integrity.digest_of(self._database, record)

    def status(self, run: int) -> RunState:
        """Say how far a run has come and whether it is played; may be asked again and again.

        Raises: RunNotFoundError; StoreRemovedError, if the file is not the one any more that was
            opened.
        """
        self._database.place.check()
        return leases.state(self._database, run, runs.status(self._database, run))

    def lease(self, run: int) -> Lease | None:
        """Say who plays a run, or played it until it came to its own end; None if nobody."""
        return leases.of_run(self._database, run)

    def held(
        self, run: int, tell: Callable[[str], object] | None = None
    ) -> AbstractContextManager[None]:
        """Have a run to oneself: nobody else can play or delete it meanwhile.

        All that this store writes meanwhile is written only if it still holds the run, into the
        file that it was opened for. Whoever holds the run already may hold it again.

        Args:
            run: Its number.
            tell: Told what is being waited for, if another machine may still play it.
        Raises: RunNotFoundError; RunInProgressError, at once if somebody else plays it, and later
            if somebody else has taken it over; StoreRemovedError, if the file has gone since it was
            opened, after everything that was stored has been saved beside it.
        """
        return leases.held(self._database, run, tell)

    def finish_run(self, run: int, status: Literal["finished", "failed"], finished: str) -> None:
        """Note that a run has ended, and its digest if it has finished and has none.

        Args:
            run: Its number.
            status: How it ended.
            finished: ISO time, UTC.
        Raises: RunNotFoundError.
        """
        record = runs.find(self._database, run)
        digest = self.digest(record) if status == "finished" else None
        runs.set_status(self._database, run, status, finished, digest)

    def reopen_run(self, run: int) -> None:
        """Note that a run is being played again, to resume or to extend it.

        Raises: RunNotFoundError.
        """
        runs.set_status(self._database, run, "running", None)

    def extend_run(self, record: RunRecord, late: Sequence[EntrantRecord] = ()) -> None:
        """Let a run go on.

        Args:
            record: The run, with its settings and its confinement as they are from now on.
            late: Entrants that it has not had so far.
        """
        runs.extend(self._database, record, late)

    def set_expected_batches(self, run: int, batches: int | None) -> None:
        """Note how many batches a run will have in all; None if nobody can know yet.

        Raises: RunNotFoundError.
        """
        runs.expect_batches(self._database, run, batches)

    def keep_standings(self, run: RunRecord, version: str, lines: str) -> None:
        """Keep what a run came to, until another batch of it is written or deleted.

        Args:
            run: The run.
            version: Of what folded its results.
            lines: The standings as text.
        Raises: RunNotFoundError.
        """
        digest = self.digest(run)
        runs.keep_standings(self._database, run.number, version, lines, digest)

    def standings(self, run: RunRecord, version: str) -> str | None:
        """Read what a run came to.

        Returns: None if that was not kept, or by another version, or if it is not what was kept
            or not of the run as it is.
        """
        return runs.standings(self._database, run.number, version, self.digest(run))

    def forget_author(
        self, author: str, own: Sequence[str], shared: Sequence[str]
    ) -> dict[int, tuple[int, ...]]:
        """Forget who wrote entrants, and what they are called where names are withheld.

        Neither enters a digest or a commitment. The names that they play under do, and stay.

        Args:
            author: As runs have it.
            own: Names that were the author's alone.
            shared: Names of teams, whose handles stay.
        Returns: Numbers of entrants that play under own names, by runs that anything was
            forgotten in.
        Raises: StoreDamagedError, if such a run is not what was written; then nothing is changed.
        """
        found = runs.forget_author(self._database, author, own, shared)
        self._empty_log()
        return found

    def forget_standings(self, run: int) -> None:
        """Forget what was kept of what a run came to; it is folded again when it is asked for."""
        runs.forget_standings(self._database, run)
        self._empty_log()

    def _empty_log(self) -> None:
        """Empty the log beside the file, which would still say what was deleted."""
        self._database.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def delete_run(self, run: int) -> None:
        """Forget a run with everything of it; the file keeps its size and reuses the room.

        Raises: RunNotFoundError; RunInProgressError, if somebody plays it.
        """
        with self.held(run):
            runs.delete(self._database, run)

    def add_batch(  # noqa: PLR0917 - the order of the key, the results, then what stands beside them
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
            seconds: Wall time it took to play; beside the results, in no digest.
            worker: Who played it; beside the results, in no digest.
            remarks: What else is worth knowing; in no digest, and written with the results only.
        Returns: True if it is stored now; False if the same results were there already, in
            which case nothing changes.
        Raises: RunNotFoundError; DigestMismatchError, if the batch is there with other results, or
            a block of it belongs to another batch.
        """
        return batches.add_batch(
            self._database, run, wave, batch, results, seconds, worker, remarks
        )

    def begin_batch(self, run: int, batch: int) -> None:
        """Note that a batch is being played, so that it shows if its results are lost."""
        batches.begin_batches(self._database, run, (batch,))

    def begun_batches(self, run: int) -> frozenset[int]:
        """Give the numbers of the batches that were begun and are not stored.

        While nobody plays the run, these are batches whose results were lost.
        """
        return batches.begun_batches(self._database, run)

    def batch_results(self, run: int, batch: int) -> tuple[BlockResult, ...] | None:
        """Read a batch, equal to what was written, order included; None if it is not there.

        Raises: StoreDamagedError, if it is not what was written.
        """
        return integrity.of_batch(self._database, run, batch)

    def batch_numbers(self, run: int) -> frozenset[int]:
        """Give the numbers of the batches that are there."""
        return frozenset(self.batch_digests(run))

    def batch_digests(self, run: int) -> dict[int, bytes]:
        """Give the digests of the batches that are there, by number and in its order."""
        return integrity.digests(self._database, run)

    def run_digest(self, run: int) -> bytes:
        """Give the BLAKE2b over the digests of all batches, in order of number; 16 bytes."""
        return integrity.results_digest(self._database, run)

    def check(self, run: int) -> None:
        """Make sure that the file and all batches of a run are sound, before it is built upon.

        Raises: StoreDamagedError, if they are not.
        """
        integrity.check(self._database, run)

    def damaged_batches(self, run: int) -> tuple[int, ...]:
        """Give the numbers of the batches that are not what was written."""
        return integrity.damaged(self._database, run)

    def drop_batches(self, run: int, numbers: Iterable[int]) -> None:
        """Forget batches, so that they are played again when the run is."""
        integrity.drop(self._database, run, numbers)

    def keep_digest(self, run: RunRecord) -> RunRecord:
        """Give a run the digest that follows from its batches, whatever it was before."""
        digest = self.digest(run)
        runs.keep_digest(self._database, run.number, digest)
        return replace(run, digest=digest)

    def faults(self) -> tuple[str, ...]:
        """Give what SQLite finds wrong with the whole file; nothing if it is sound."""
        return self._database.faults()

    def block_result(self, run: int, key: BlockKey) -> BlockResult | None:
        """Read one block as it stands, to be compared; None if it is not there."""
        return batches.of_block(self._database, run, key)

    def blocks(
        self, run: int, entrant: int | None = None, table: int | None = None
    ) -> Iterator[BlockResult]:
        """Read blocks one by one, batch by batch.

        Args:
            run: Number of the run.
            entrant: Only blocks in which this entrant has a seat, with all their seats.
            table: Only blocks of the tables of this number, of any stage and heat.
        Raises: StoreDamagedError, if a batch is not what was written.
        """
        return integrity.blocks(self._database, run, entrant, table)

    def seat_results(self, run: int) -> Iterator[tuple[BlockKey, SeatResult]]:
        """Read every seat's result one by one, as `blocks` gives them."""
        return ((block.key, seat) for block in self.blocks(run) for seat in block.seats)

    def faulted(self, run: int) -> tuple[tuple[BlockKey, SeatResult], ...]:
        """Read the results of seats with a verdict, by entrant and then by block key.

        Raises: StoreDamagedError, if the run's verdicts or remarks are not what was written.
        """
        return integrity.faulted(self._database, run)

    def remarks(self, run: int) -> tuple[Remark, ...]:
        """Read warnings, and faults that were not confirmed, by entrant and then by batch.

        Raises: StoreDamagedError, if the run's verdicts or remarks are not what was written.
        """
        return integrity.remarks(self._database, run)

    def add_events(self, run: int, wave: int, told: Sequence[EventRecord]) -> bool:
        """Write what was decided before a wave, whole and exactly once.

        Args:
            run: Number of the run.
            wave: Number of the wave; after the last one, one more.
            told: In order.
        Returns: True if it is stored now; False if something was there already, in which case
            nothing changes.
        Raises: RunNotFoundError.
        """
        return batches.add_events(self._database, run, wave, told)

    def events(self, run: int, wave: int | None = None) -> Iterator[EventRecord]:
        """Read what was decided in a run, or before one of its waves, in order."""
        return batches.events_of(self._database, run, wave)
