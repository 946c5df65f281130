"""Checksums of stored runs, which reveal damage and changes, and digests of whole runs.

Checksums of runs, entrants and sources are written and checked here, those of batches in
`integrity`. A checksum is no signature: a process that may write the store can update it.
Digests, of batches and of whole runs, are confirmed by playing again.
"""

from collections.abc import Iterable, Iterator
from dataclasses import astuple
from datetime import datetime
from hashlib import blake2b
from operator import attrgetter
from typing import Any, TypeAlias

from tourney.errors import StoreDamagedError
from tourney.game.cards.keys import Secret
from tourney.game.ledger import BlockKey, BlockResult, Remark, SeatResult
from tourney.sqlite.database import Database, Row
from tourney.store.records import ANCHORED, BLINDING, PLUGINS, RULES, RunRecord

SEAL_BYTES = 16

_OF_ENTRANT = ("number", "name", "kind", "strategy", "options", "group", "policy", "digest")
"""The fields of an entrant that enter the digest of its run."""

CONFINEMENTS = frozenset({"", "full", "reduced", "unsafe"})
"""Sandbox levels that a run may have: one of `sandbox.levels.Level`, or empty."""

Faulted: TypeAlias = tuple[BlockKey, SeatResult]


def seal(*parts: object) -> bytes:
    """Return the checksum of rows or plain values: BLAKE2b, 16 bytes."""
    return _hashed(b"tourney.seal", parts)


def faulted_in(results: Iterable[BlockResult]) -> Iterator[Faulted]:
    """Return the seats with a verdict, and their blocks."""
    return ((block.key, seat) for block in results for seat in block.seats if seat.verdict)


def batch_seal(
    row: tuple[Any, ...], faulted: Iterable[Faulted], remarks: Iterable[Remark]
) -> bytes:
    """Return the checksum of a batch, which covers the results by their digest.

    Args:
        row: Run, number, wave, digest, seconds and worker.
        faulted: Its seats with a verdict, in any order; the digest covers only part of a verdict.
        remarks: In order.
    """
    verdicts = [
        (tuple(key), seat.entrant, seat.seat, astuple(seat.verdict))
        for key, seat in faulted
        if seat.verdict
    ]
    return seal(row, sorted(verdicts), [astuple(remark) for remark in remarks])


def run_digest(run: RunRecord, batches: Iterable[tuple[int, bytes]]) -> bytes:
    """Return the digest of a run, which may be published; 16 bytes.

    It covers the configuration, the entrants, the commitment to the shoes, and the results. It
    excludes times, versions, sandbox levels and the texts of verdicts, so the same tournament
    played elsewhere has the same digest.

    Args:
        run: The run with its entrants.
        batches: Numbers and digests of all its batches.
    """
    facts = attrgetter(*_OF_ENTRANT)
    entrants = [facts(each) for each in run.entrants]
    # How commitments are blinded or anchored does not affect play.
    settings = sorted(
        each for each in run.settings if each[0] not in {BLINDING, ANCHORED, PLUGINS, RULES}
    )
    played = (run.config, settings, run.commitment, run.rehearsal)
    return _hashed(b"tourney.whole", (played, entrants, sorted(batches)))


def _hashed(person: bytes, parts: Iterable[object]) -> bytes:
    hasher = blake2b(digest_size=SEAL_BYTES, person=person)
    for part in parts:
        hasher.update(repr(part).encode("utf-8", "surrogatepass"))
    return hasher.digest()


# Excludes the digest, which follows from the other data and is compared with it.
_RUN = """
SELECT
    number, name, created, finished, status, config, config_source, settings, versions, secret,
    salt, commitment, rehearsal, expected_batches, confinement, roster,
    (SELECT count(*) FROM entrants WHERE run = runs.number), seal
FROM runs WHERE number = :run OR :run IS NULL ORDER BY number
"""

_COUNTS = """
SELECT number, (SELECT count(*) FROM batches WHERE run = runs.number) AS batches, expected_batches
FROM runs WHERE status = 'finished' AND expected_batches IS NOT NULL
AND (number = :run OR :run IS NULL)
"""

_LAST_ENTRANT = "SELECT max(entrant) FROM seats WHERE run = ?"

_ORPHANS = """
SELECT DISTINCT run FROM entrants WHERE run NOT IN (SELECT number FROM runs) AND :run IS NULL
"""

_ENTRANTS = """
SELECT number, name, strategy, options, team, kind, distribution, digest, policy, author,
    pseudonym, excluded
FROM entrants WHERE run = ? ORDER BY number
"""

_SOURCES = """
SELECT digest, files, seal FROM sources
WHERE digest IN (SELECT digest FROM entrants WHERE run = ?) ORDER BY digest
"""


def seal_run(database: Database, run: int, *, has_new_entrants: bool = False) -> None:
    """Update the checksums of a run, in the same transaction as the change."""
    if has_new_entrants:
        for digest, files, _ in _rows(database, _SOURCES, run):
            database.execute(
                "UPDATE sources SET seal = ? WHERE digest = ?", (seal(digest, files), digest)
            )
        roster = _roster_seal(database, run)
        database.execute("UPDATE runs SET roster = ? WHERE number = ?", (roster, run))
    for row in _rows(database, _RUN, run):
        database.execute("UPDATE runs SET seal = ? WHERE number = ?", (seal(row[:-1]), run))


def check_run(database: Database, run: int) -> None:
    """Verify the checksums of a run, its entrants and their sources.

    Raises: StoreDamagedError.
    """
    for row in _rows(database, _RUN, run):
        _check_row(database, row)
        if _roster_seal(database, run) != row[-3]:
            raise _damage(database, run, "entrants are")
    for digest, files, sealed in _rows(database, _SOURCES, run):
        if sealed != seal(digest, files):
            raise _damage(database, run, "sources are")


def check_runs(database: Database) -> None:
    """Verify the checksums of all runs, without their entrants and results.

    Raises: StoreDamagedError.
    """
    for row in _rows(database, _RUN, None):
        _check_row(database, row)
    for (run,) in _rows(database, _ORPHANS, None):
        raise _damage(database, run, "row is")
    check_counts(database, None)


def check_counts(database: Database, run: int | None) -> None:
    """Make sure that a finished run, or every one, has as many batches as when it finished.

    Raises: StoreDamagedError.
    """
    for number, batches, expected in _rows(database, _COUNTS, run):
        if batches != expected:
            raise StoreDamagedError(
                f"{database.path}: run {number} has {batches} batches but finished with "
                f"{expected}; to play the missing ones and count again: `tourney verify {number} "
                "--repair`"
            )


def _check_row(database: Database, row: Row) -> None:
    """Make sure that a run has its checksum, and that its facts are consistent even so.

    Raises: StoreDamagedError, if it has another one or they are not.
    """
    if row[-1] != seal(row[:-1]):
        raise _damage(database, row[0], "configuration, settings or times are")
    number, _, created, finished, status, *_ = row
    secret, salt, commitment = row[9:12]
    rehearsal, expected, confinement, _, entrants, _ = row[-6:]
    ((last,),) = _rows(database, _LAST_ENTRANT, number)
    is_over = status == "finished"
    checks: tuple[tuple[bool, str, object], ...] = (
        (_is_time(created), "the start time", created),
        (not is_over or _is_time(finished), "the finish time", finished),
        (
            status != "running" or finished is None,
            "the finish time of an unfinished run",
            finished,
        ),
        (rehearsal in {0, 1}, "the rehearsal mark", rehearsal),
        (expected is None or _is_count(expected), "the number of batches", expected),
        (confinement in CONFINEMENTS, "the sandbox level", confinement),
        (_commits_to(secret, salt, commitment), "the commitment to its secret", commitment),
        (last is None or last < entrants, "the number of an entrant", last),
    )
    for is_consistent, fact, value in checks:
        if not is_consistent:
            raise StoreDamagedError(
                f"{database.path}: run {number}: {fact} is wrong: {value!r}. The file was damaged "
                "or changed; restore it from a backup"
            )


def check_seed(run: RunRecord, seed: int | None) -> None:
    """Make sure that a run whose configuration has a seed is a rehearsal.

    Raises: StoreDamagedError, if it is not.
    """
    if seed is not None and not run.rehearsal:
        raise StoreDamagedError(
            f"run {run.number}: its configuration has a seed but the run is not marked as a "
            "rehearsal. The file was damaged or changed; restore it from a backup"
        )


def _commits_to(secret: object, salt: object, commitment: object) -> bool:
    if not isinstance(secret, bytes) or not isinstance(salt, bytes):
        return False
    return Secret(secret, salt, is_rehearsal=False).commitment == commitment


def _is_time(text: object) -> bool:
    try:
        return isinstance(text, str) and bool(datetime.fromisoformat(text))
    except ValueError:
        return False


def _is_count(value: object) -> bool:
    return isinstance(value, int) and value >= 0


def _roster_seal(database: Database, run: int) -> bytes:
    """Return the checksum of a run's entrants."""
    return seal(*_rows(database, _ENTRANTS, run))


def _rows(database: Database, sql: str, run: int | None) -> tuple[Row, ...]:
    parameters = {"run": run} if ":run" in sql else (run,)
    return tuple(database.read(iter, sql, parameters))


def _damage(database: Database, run: int, what: str) -> StoreDamagedError:
    return StoreDamagedError(
        f"{database.path}: run {run}: its {what} not as stored: the file was damaged or changed; "
        "restore it from a backup (playing again cannot repair this; other runs in the file are "
        "not affected)"
    )
