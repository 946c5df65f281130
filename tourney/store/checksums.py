"""Seals: short hashes of what is stored, by which a change or damage shows when it is read.

A run, its entrants and their sources are sealed when they are written and checked here; batches,
`integrity` knows. A seal is no signature: whoever may write the store may seal it again. What only
playing again can give are digests, of batches and of whole runs.
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
from tourney.store.records import ANCHORED, BLINDING, RunRecord

SEAL_BYTES = 16

_OF_ENTRANT = ("number", "name", "kind", "strategy", "options", "group", "policy", "digest")
"""What of an entrant enters the digest of its run."""

CONFINEMENTS = frozenset({"", "full", "reduced", "unsafe"})
"""What a run may say of its confinement: nothing, or one of `sandbox.levels.Level`."""

Faulted: TypeAlias = tuple[BlockKey, SeatResult]


def seal(*parts: object) -> bytes:
    """Give the BLAKE2b of rows or of plain values; 16 bytes."""
    return _hashed(b"tourney.seal", parts)


def faulted_in(results: Iterable[BlockResult]) -> Iterator[Faulted]:
    """Give the seats with a verdict."""
    return ((block.key, seat) for block in results for seat in block.seats if seat.verdict)


def batch_seal(
    row: tuple[Any, ...], faulted: Iterable[Faulted], remarks: Iterable[Remark]
) -> bytes:
    """Give the seal of a batch; its results enter by their digest.

    Args:
        row: Run, number, wave, digest, seconds and worker.
        faulted: Its seats with a verdict, in any order: the digest holds but a part of a verdict.
        remarks: In order.
    """
    verdicts = [
        (tuple(key), seat.entrant, seat.seat, astuple(seat.verdict))
        for key, seat in faulted
        if seat.verdict
    ]
    return seal(row, sorted(verdicts), [astuple(remark) for remark in remarks])


def run_digest(run: RunRecord, batches: Iterable[tuple[int, bytes]]) -> bytes:
    """Give the digest of a run, which can be handed out; 16 bytes.

    It is over what was played, by whom and from which shoes, and what came of it. Left out are
    times, versions, how players were confined, and the words of verdicts: the same tournament
    played elsewhere has the same digest.

    Args:
        run: The run with its entrants.
        batches: Numbers and digests of all its batches.
    """
    facts = attrgetter(*_OF_ENTRANT)
    entrants = [facts(each) for each in run.entrants]
    # What blinds a commitment, or who has seen it, has no part in what is played.
    settings = sorted(each for each in run.settings if each[0] not in {BLINDING, ANCHORED})
    played = (run.config, settings, run.commitment, run.rehearsal)
    return _hashed(b"tourney.whole", (played, entrants, sorted(batches)))


def _hashed(person: bytes, parts: Iterable[object]) -> bytes:
    hasher = blake2b(digest_size=SEAL_BYTES, person=person)
    for part in parts:
        hasher.update(repr(part).encode("utf-8", "surrogatepass"))
    return hasher.digest()


# Not the digest, which follows from the rest and is compared with it.
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
    pseudonym
FROM entrants WHERE run = ? ORDER BY number
"""

_SOURCES = """
SELECT digest, files, seal FROM sources
WHERE digest IN (SELECT digest FROM entrants WHERE run = ?) ORDER BY digest
"""


def seal_run(database: Database, run: int, *, has_new_entrants: bool = False) -> None:
    """Seal a run as it stands now; to be called where it is written, in the same transaction."""
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
    """Make sure that a run, its entrants and their sources are what was written.

    Raises: StoreDamagedError, if they are not.
    """
    for row in _rows(database, _RUN, run):
        _check_row(database, row)
        _check_facts(database, row)
        if _roster_seal(database, run) != row[-3]:
            raise _damage(database, run, "entrants")
    for digest, files, sealed in _rows(database, _SOURCES, run):
        if sealed != seal(digest, files):
            raise _damage(database, run, "sources of its entrants")


def check_runs(database: Database) -> None:
    """Make sure that all runs are what was written, without their entrants and results.

    Raises: StoreDamagedError, if one is not.
    """
    for row in _rows(database, _RUN, None):
        _check_row(database, row)
        _check_facts(database, row)
    for (run,) in _rows(database, _ORPHANS, None):
        raise _damage(database, run, "row")
    check_counts(database, None)


def check_counts(database: Database, run: int | None) -> None:
    """Make sure that a finished run has as many batches as it says, or that all have.

    Raises: StoreDamagedError, if one has not.
    """
    for number, batches, expected in _rows(database, _COUNTS, run):
        if batches != expected:
            raise StoreDamagedError(
                f"{database.path}: run {number}: expected {expected} batches as when it finished, "
                f"got {batches} (to play what is missing, and to count again: `tourney verify "
                f"{number} --repair`)"
            )


def _check_facts(database: Database, row: Row) -> None:
    """Make sure that what a run says of itself fits together, also if it was sealed again.

    Raises: StoreDamagedError, if it does not.
    """
    number, _, created, finished, status, *_ = row
    secret, salt, commitment = row[9:12]
    rehearsal, expected, confinement, _, entrants, _ = row[-6:]
    ((last,),) = _rows(database, _LAST_ENTRANT, number)
    is_over = status == "finished"
    checks: tuple[tuple[bool, str, object], ...] = (
        (_is_time(created), "a start time", created),
        (not is_over or _is_time(finished), "a finish time", finished),
        (
            status != "running" or finished is None,
            "no finish time of a run that is not over",
            finished,
        ),
        (rehearsal in {0, 1}, "0 or 1 for rehearsal", rehearsal),
        (expected is None or _is_count(expected), "a number of batches", expected),
        (
            confinement in CONFINEMENTS,
            "full, reduced, unsafe or nothing for confinement",
            confinement,
        ),
        (_commits_to(secret, salt, commitment), "the commitment of its secret", commitment),
        (last is None or last < entrants, f"results of entrants below {entrants}", last),
    )
    for fits_together, what, got in checks:
        if not fits_together:
            raise StoreDamagedError(
                f"{database.path}: run {number}: expected {what}, got {got!r}: the file was "
                "damaged or changed (take the store from a backup)"
            )


def check_seed(run: RunRecord, seed: int | None) -> None:
    """Make sure that a run whose configuration has a seed says that its shoes are known.

    Raises: StoreDamagedError, if it does not.
    """
    if seed is not None and not run.rehearsal:
        raise StoreDamagedError(
            f"run {run.number}: expected a rehearsal, since its configuration has a seed, got "
            "secret shoes: the file was damaged or changed (take the store from a backup)"
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
    """Give the seal of a run's entrants."""
    return seal(*_rows(database, _ENTRANTS, run))


def _check_row(database: Database, row: Row) -> None:
    if row[-1] != seal(row[:-1]):
        raise _damage(database, row[0], "configuration, settings and times")


def _rows(database: Database, sql: str, run: int | None) -> tuple[Row, ...]:
    parameters = {"run": run} if ":run" in sql else (run,)
    return tuple(database.read(iter, sql, parameters))


def _damage(database: Database, run: int, what: str) -> StoreDamagedError:
    return StoreDamagedError(
        f"{database.path}: run {run}: expected its {what} as stored, got another: the "
        "file was damaged or changed (no play brings these back: take the store from a backup; "
        "other runs in it are not concerned)"
    )
