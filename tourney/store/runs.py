"""Runs in the store: written, found, listed, ended and deleted.

Knows nothing of results, apart from counting batches for a summary.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from typing import Any, TypeAlias

from tourney.errors import RunNotFound
from tourney.store.database import Database, Row
from tourney.store.records import EntrantRecord, RunRecord, RunStatus, RunSummary, unchanging

Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names of files and their text."""

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
        _insert_entrants(database, number, record.entrants)
    database.sync()  # the commitment is published next, and only this secret opens it
    return replace(record, number=number)


def extend(database: Database, record: RunRecord, late: Iterable[EntrantRecord]) -> None:
    """Write down that a run goes on, with other settings and with entrants that come late."""
    with database.transaction():
        changed = database.execute(
            "UPDATE runs SET status = 'running', finished = NULL, settings = ?, confinement = ? "
            "WHERE number = ?",
            (json.dumps(dict(record.settings)), record.confinement, record.number),
        )
        if not changed:
            raise not_found(database, record.number)
        _insert_entrants(database, record.number, tuple(late))
        database.execute("DELETE FROM standings WHERE run = ?", (record.number,))
    database.sync()


def _insert_entrants(database: Database, run: int, entrants: tuple[EntrantRecord, ...]) -> None:
    # Sources come first: an entrant may only name what the archive has.
    database.insert_all(
        "INSERT OR IGNORE INTO sources (digest, files) VALUES (?, ?)",
        # Thousands may play from the same.
        (
            (digest, json.dumps(sources))
            for digest, sources in {entrant.digest: entrant.sources for entrant in entrants}.items()
        ),
    )
    database.insert_all(
        """
        INSERT INTO entrants (
            run, number, name, strategy, options, team, kind, distribution, digest, policy, author
        ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
        (_entrant_row(run, entrant) for entrant in entrants),
    )


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
    with database.transaction():
        require(database, run)
        database.execute(
            "UPDATE runs SET status = ?, finished = ? WHERE number = ?", (status, finished, run)
        )
    database.sync()


def status(database: Database, run: int) -> RunStatus:
    """Say how far a run has come."""
    row = database.first("SELECT status FROM runs WHERE number = ?", (run,))
    if row is None:
        raise not_found(database, run)
    found: RunStatus = row[0]
    return found


def expect_batches(database: Database, run: int, batches: int | None) -> None:
    """Note how many batches a run will have."""
    with database.transaction():
        require(database, run)
        database.execute("UPDATE runs SET expected_batches = ? WHERE number = ?", (batches, run))


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
        json.dumps(dict(entrant.policy)),
        entrant.author,
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
    # Thousands may play from the same sources, so those are read once.
    sources = dict(
        database.read(
            _read_sources,
            "SELECT digest, files FROM sources "
            "WHERE digest IN (SELECT digest FROM entrants WHERE run = ?)",
            (run,),
        )
    )
    found = database.read(
        partial(_read_entrants, sources),
        """
        SELECT number, name, strategy, options, team, kind, distribution, digest, policy, author
        FROM entrants WHERE run = ? ORDER BY number
        """,
        (run,),
    )
    return tuple(found)


def _read_sources(rows: Iterable[Row]) -> Iterator[tuple[bytes, Sources]]:
    for digest, files in rows:
        yield digest, tuple((file, text) for file, text in json.loads(files))


def _read_entrants(
    sources: Mapping[bytes, Sources], rows: Iterable[Row]
) -> Iterator[EntrantRecord]:
    for number, name, strategy, options, group, kind, *more in rows:
        distribution, digest, policy, author = more
        yield EntrantRecord(
            number=number,
            name=name,
            strategy=strategy,
            options=_pairs(options),
            group=group,
            kind=kind,
            distribution=distribution,
            digest=digest,
            sources=sources[digest],
            policy=_pairs(policy),
            author=author,
        )


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple((name, unchanging(value)) for name, value in json.loads(text).items())
