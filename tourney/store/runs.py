"""Runs in the store: written, found, listed, ended and deleted.

Knows nothing of results, apart from counting batches for a summary.
"""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from difflib import get_close_matches
from typing import Any

from tourney.errors import RunNotFound
from tourney.store.database import Database, Row
from tourney.store.records import EntrantRecord, RunRecord, RunStatus, RunSummary

_LISTED = 10
"""How many runs an error names before it stops."""

LONGEST_NUMBER = 20  # digits
_LARGEST = 1 << 63
"""No run has a number so large, because SQLite cannot hold it."""


def create(database: Database, record: RunRecord) -> RunRecord:
    """Write a run with its entrants and give it the next number."""
    with database.transaction():
        number = database.insert(
            """
            INSERT INTO runs (
                name, created, finished, status, config, config_source, settings, versions,
                secret, salt, commitment, rehearsal, confinement
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            _run_row(record),
        )
        # Sources come first: an entrant may only name what the archive has.
        database.insert_all(
            "INSERT OR IGNORE INTO sources (digest, files) VALUES (?, ?)",
            ((entrant.digest, json.dumps(entrant.sources)) for entrant in record.entrants),
        )
        database.insert_all(
            """
            INSERT INTO entrants (
                run, number, name, strategy, options, team, kind, distribution, digest
            ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
            """,
            (_entrant_row(number, entrant) for entrant in record.entrants),
        )
    database.sync()  # the commitment is published next, and only this secret opens it
    return replace(record, number=number)


def find(database: Database, ref: str | int | None) -> RunRecord:
    """Read the run that a user means by a number, a name or nothing."""
    found = database.read(
        _read_runs,
        """
        SELECT number, name, created, finished, status, config, config_source,
            settings, versions, secret, salt, commitment, rehearsal, confinement
        FROM runs WHERE number = ?
        """,
        (_number_of(database, ref),),
    )
    record = next(found, None)
    if record is None:
        raise not_found(database, ref)
    return replace(record, entrants=_entrants(database, record.number))


def summaries(database: Database) -> tuple[RunSummary, ...]:
    """List all runs, oldest first."""
    found = database.read(
        _read_summaries,
        """
        SELECT number, name, created, finished, status,
            (SELECT count(*) FROM entrants WHERE run = runs.number),
            (SELECT count(*) FROM batches WHERE run = runs.number),
            expected_batches, confinement
        FROM runs ORDER BY number
        """,
    )
    return tuple(found)


def set_status(database: Database, run: int, status: RunStatus, finished: str | None) -> None:
    """Note how a run stands, and since when if it has ended."""
    changed = database.execute(
        "UPDATE runs SET status = ?, finished = ? WHERE number = ?", (status, finished, run)
    )
    if not changed:
        raise not_found(database, run)
    database.sync()


def expect_batches(database: Database, run: int, batches: int | None) -> None:
    """Note how many batches a run will have."""
    changed = database.execute(
        "UPDATE runs SET expected_batches = ? WHERE number = ?", (batches, run)
    )
    if not changed:
        raise not_found(database, run)


def keep_standings(database: Database, run: int, version: str, lines: str) -> None:
    """Keep what a run came to."""
    with database.transaction():
        require(database, run)
        database.execute(
            "INSERT OR REPLACE INTO standings (run, version, lines) VALUES (?, ?, ?)",
            (run, version, lines),
        )


def standings(database: Database, run: int, version: str) -> str | None:
    """Read what a run came to; None if that was not kept, or by another version."""
    row = database.first(
        "SELECT lines FROM standings WHERE run = ? AND version = ?", (run, version)
    )
    return None if row is None else str(row[0])


def delete(database: Database, run: int) -> None:
    """Forget a run, with the sources that no other run played."""
    with database.transaction():
        if not database.execute("DELETE FROM runs WHERE number = ?", (run,)):
            raise not_found(database, run)
        database.execute("DELETE FROM sources WHERE digest NOT IN (SELECT digest FROM entrants)")


def require(database: Database, run: int) -> None:
    """Raise RunNotFound unless the store has a run of this number."""
    if database.first("SELECT 1 FROM runs WHERE number = ?", (run,)) is None:
        raise not_found(database, run)


def not_found(database: Database, ref: str | int | None) -> RunNotFound:
    """Say that there is no such run, and which there are."""
    runs = summaries(database)[::-1]
    if not runs:
        return RunNotFound(
            f"{database.path}: expected a run, got an empty store (`tourney run CONFIG` plays one)"
        )
    known = ", ".join(f"{run.number} {run.name!r}" for run in runs[:_LISTED])
    more = ", …" if len(runs) > _LISTED else ""
    close = get_close_matches(str(ref), [run.name for run in runs], n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return RunNotFound(
        f"{database.path}: run: expected the number or name of one of {known}{more}; "
        f"got {ref!r}{hint}"
    )


def _number_of(database: Database, ref: str | int | None) -> int:
    """Give the number meant by a reference; 0, which no run has, if none is."""
    if ref is None:
        row = database.first("SELECT max(number) FROM runs")
        return (row and row[0]) or 0
    # Python reads no whole number of thousands of digits, and no run has one.
    if isinstance(ref, int) or (ref.isdecimal() and len(ref) < LONGEST_NUMBER):
        number = int(ref) if int(ref) < _LARGEST else 0
        if isinstance(ref, int) or database.first("SELECT 1 FROM runs WHERE number = ?", (number,)):
            return number
    # A name may be made of digits; it counts where no run has that number.
    row = database.first("SELECT max(number) FROM runs WHERE name = ?", (ref,))
    return (row and row[0]) or 0


def _run_row(record: RunRecord) -> Row:
    return (
        record.name,
        record.created,
        record.finished,
        record.status,
        record.config,
        record.config_source,
        json.dumps(dict(record.settings)),
        json.dumps(dict(record.versions)),
        record.secret,
        record.salt,
        record.commitment,
        record.rehearsal,
        record.confinement,
    )


def _entrant_row(run: int, entrant: EntrantRecord) -> Row:
    return (
        run,
        entrant.number,
        entrant.name,
        entrant.strategy,
        json.dumps(dict(entrant.options)),
        entrant.group,
        entrant.kind,
        entrant.distribution,
        entrant.digest,
    )


def _read_runs(rows: Iterable[Row]) -> Iterator[RunRecord]:
    """Read runs without their entrants."""
    for row in rows:
        number, name, created, finished, status, config, config_source = row[:7]
        settings, versions, secret, salt, commitment, rehearsal, confinement = row[7:]
        yield RunRecord(
            number=number,
            name=name,
            created=created,
            finished=finished,
            status=status,
            config=config,
            config_source=config_source,
            settings=_pairs(settings),
            versions=_pairs(versions),
            secret=secret,
            salt=salt,
            commitment=commitment,
            rehearsal=bool(rehearsal),
            entrants=(),
            confinement=confinement,
        )


def _read_summaries(rows: Iterable[Row]) -> Iterator[RunSummary]:
    return (RunSummary(*row) for row in rows)


def _entrants(database: Database, run: int) -> tuple[EntrantRecord, ...]:
    found = database.read(
        _read_entrants,
        """
        SELECT number, name, strategy, options, team, kind, distribution, digest, files
        FROM entrants JOIN sources USING (digest)
        WHERE run = ? ORDER BY number
        """,
        (run,),
    )
    return tuple(found)


def _read_entrants(rows: Iterable[Row]) -> Iterator[EntrantRecord]:
    for number, name, strategy, options, group, kind, distribution, digest, files in rows:
        yield EntrantRecord(
            number=number,
            name=name,
            strategy=strategy,
            options=_pairs(options),
            group=group,
            kind=kind,
            distribution=distribution,
            digest=digest,
            sources=tuple((file, text) for file, text in json.loads(files)),
        )


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple(json.loads(text).items())
