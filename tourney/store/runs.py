"""Runs in the store: written, found, listed, extended, finished and deleted."""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from numbers import Integral
from types import MappingProxyType
from typing import Any, TypeAlias, get_args

from tourney.errors import RunNotFoundError, StoreDamagedError
from tourney.sqlite.database import Database, Row
from tourney.store.checksums import check_run, seal, seal_run
from tourney.store.records import EntrantRecord, RunRecord, RunStatus, RunSummary, unchanging
from tourney.store.rows import BYTES, NULL, TEXT, WHOLE, Kind, checked

Sources: TypeAlias = tuple[tuple[str, str], ...]
"""Names of files and their text."""

_RUN: Mapping[str, Kind] = MappingProxyType(
    {
        "number": WHOLE,
        "name": TEXT,
        "created": TEXT,
        "finished": TEXT | {NULL},
        "status": TEXT,
        "config": TEXT,
        "config_source": TEXT,
        "settings": TEXT,
        "versions": TEXT,
        "secret": BYTES,
        "salt": BYTES,
        "commitment": TEXT,
        "rehearsal": WHOLE,
        "confinement": TEXT,
        "digest": BYTES | {NULL},
    }
)
_ENTRANT: Mapping[str, Kind] = MappingProxyType(
    {
        "number": WHOLE,
        "name": TEXT,
        "strategy": TEXT,
        "options": TEXT,
        "team": TEXT | {NULL},
        "kind": TEXT,
        "distribution": TEXT,
        "digest": BYTES,
        "policy": TEXT,
        "author": TEXT | {NULL},
        "pseudonym": TEXT | {NULL},
        "excluded": TEXT | {NULL},
    }
)
"""Columns of a run and of an entrant, with their types. They are named like the fields of records,
except the team, which is the group."""

_SUMMARY = (WHOLE, TEXT, TEXT, TEXT | {NULL}, TEXT, WHOLE, WHOLE, WHOLE | {NULL}, TEXT, WHOLE)
"""The types of the columns of a run's summary."""

_LISTED = 10
"""Number of runs that an error lists at most."""

LONGEST_NUMBER = 20  # digits
_LARGEST = 1 << 63
"""Numbers of runs are smaller, because SQLite cannot hold larger ones."""


def create(database: Database, record: RunRecord) -> RunRecord:
    """Write a run with its entrants and give it the next number."""
    with database.transaction():
        written = [name for name in _RUN if name not in {"number", "digest"}]
        number = database.insert(_insertion("runs", written), _run_row(record))
        _insert_entrants(database, number, record.entrants)
        seal_run(database, number, has_new_entrants=True)
    database.sync()  # only this secret opens the commitment, which is published next
    return replace(record, number=number)


def extend(database: Database, record: RunRecord, late: Iterable[EntrantRecord]) -> None:
    """Reopen a run with other settings and additional entrants."""
    with database.transaction():
        changed = database.execute(
            "UPDATE runs SET status = 'running', finished = NULL, settings = ?, confinement = ?, "
            "digest = NULL WHERE number = ?",
            (json.dumps(dict(record.settings)), record.confinement, record.number),
        )
        if not changed:
            raise not_found(database, record.number)
        _insert_entrants(database, record.number, tuple(late))
        seal_run(database, record.number, has_new_entrants=True)
        forget_standings(database, record.number)
    database.sync()


def _insert_entrants(database: Database, run: int, entrants: tuple[EntrantRecord, ...]) -> None:
    # Sources come first: an entrant may only refer to archived ones.
    database.insert_all(
        "INSERT OR IGNORE INTO sources (digest, files) VALUES (?, ?)",
        # Thousands of entrants may share a source.
        (
            (digest, json.dumps(sources))
            for digest, sources in {entrant.digest: entrant.sources for entrant in entrants}.items()
        ),
    )
    database.insert_all(
        _insertion("entrants", ("run", *_ENTRANT)),
        (_entrant_row(run, entrant) for entrant in entrants),
    )


def _insertion(table: str, columns: Collection[str]) -> str:
    """Return the statement that inserts a row, with parameters named like the columns."""
    values = ", ".join(f":{column}" for column in columns)
    return f"INSERT INTO {table} ({', '.join(columns)}) VALUES ({values})"  # noqa: S608 - names of ours


def find(database: Database, ref: str | int | None) -> RunRecord:
    """Read the run that a number, a name or `None` (the latest) refers to."""
    found = database.read(
        _read_runs,
        f"SELECT {', '.join(_RUN)} FROM runs WHERE number = ?",  # noqa: S608 - names of ours
        (number_of(database, ref),),
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
            expected_batches, confinement, rehearsal
        FROM runs ORDER BY number
        """,
    )
    return tuple(found)


def candidates(database: Database, name: str | None) -> tuple[tuple[int, str, bool], ...]:
    """Return number, name and rehearsal mark of the runs of a name, or of all; oldest first."""
    query = "SELECT number, name, rehearsal FROM runs WHERE ?1 IS NULL OR name = ?1 ORDER BY number"
    return tuple(
        (number, of, bool(mark)) for number, of, mark in database.read(iter, query, (name,))
    )


def set_status(
    database: Database,
    run: int,
    status: RunStatus,
    finished: str | None,
    digest: bytes | None = None,
) -> None:
    """Set the status of a run, its finish time, and its digest if it has no digest yet."""
    with database.transaction():
        require(database, run)
        database.execute(
            "UPDATE runs SET status = ?, finished = ?, digest = coalesce(digest, ?) "
            "WHERE number = ?",
            (status, finished, digest, run),
        )
        seal_run(database, run)
    database.sync()


def status(database: Database, run: int) -> RunStatus:
    """Return the stored status of a run."""
    row = database.first("SELECT status FROM runs WHERE number = ?", (run,))
    if row is None:
        raise not_found(database, run)
    return _status(row[0])


def expect_batches(database: Database, run: int, batches: int | None) -> None:
    """Set the number of batches that a run will have."""
    with database.transaction():
        require(database, run)
        database.execute("UPDATE runs SET expected_batches = ? WHERE number = ?", (batches, run))
        seal_run(database, run)


def keep_digest(database: Database, run: int, digest: bytes | None) -> None:
    """Overwrite the digest of a run."""
    database.execute("UPDATE runs SET digest = ? WHERE number = ?", (digest, run))


def last_entrant(database: Database, run: int) -> int:
    """Return the highest number of an entrant; -1 without entrants."""
    row = database.first("SELECT max(number) FROM entrants WHERE run = ?", (run,))
    return -1 if row is None or row[0] is None else int(row[0])


def keep_standings(database: Database, run: int, version: str, lines: str, digest: bytes) -> None:
    """Store the standings of a run."""
    with database.transaction():
        require(database, run)
        database.execute(
            "INSERT OR REPLACE INTO standings (run, version, lines, seal) VALUES (?, ?, ?, ?)",
            (run, version, lines, seal(version, lines, digest)),
        )


def standings(database: Database, run: int, version: str, digest: bytes) -> str | None:
    """Read stored standings; `None` if missing, of another version, or of other results."""
    row = database.first(
        "SELECT lines, seal FROM standings WHERE run = ? AND version = ?", (run, version)
    )
    return row[0] if row and row[1] == seal(version, row[0], digest) else None


def forget_standings(database: Database, run: int) -> None:
    """Delete the stored standings of a run."""
    database.execute("DELETE FROM standings WHERE run = ?", (run,))


def delete(database: Database, run: int) -> None:
    """Delete a run, and the sources that no other run uses."""
    with database.transaction():
        if not database.execute("DELETE FROM runs WHERE number = ?", (run,)):
            raise not_found(database, run)
        database.execute("DELETE FROM sources WHERE digest NOT IN (SELECT digest FROM entrants)")


def forget_author(
    database: Database, author: str, own: Collection[str], shared: Collection[str]
) -> dict[int, tuple[int, ...]]:
    """Delete authors and pseudonyms of entrants, and update the checksums of their runs."""
    with database.transaction():
        rows = database.read(
            iter,
            "SELECT run, number, name FROM entrants WHERE name IN (SELECT value FROM json_each(?)) "
            "OR author = ? AND name IN (SELECT value FROM json_each(?)) ORDER BY run, number",
            (json.dumps(list(own)), author, json.dumps(list(shared))),
        )
        found = tuple(rows)
        for run in {run for run, _, _ in found}:
            check_run(database, run)  # a damaged run must not get a valid checksum
        for run, number, name in found:
            database.execute(
                "UPDATE entrants SET author = NULL, excluded = iif(excluded IS NULL, NULL, ''), "
                "pseudonym = CASE WHEN ? THEN NULL ELSE pseudonym END "
                "WHERE run = ? AND number = ?",
                (name in own, run, number),
            )
            forget_standings(database, run)
        for run in {run for run, _, _ in found}:
            seal_run(database, run, has_new_entrants=True)
    return {
        run: tuple(number for each, number, name in found if each == run and name in own)
        for run in dict.fromkeys(run for run, _, _ in found)
    }


def set_excluded(database: Database, run: int, entrant: int, reason: str | None) -> None:
    """Write why an entrant is not on the board of a run; `None` puts it back."""
    with database.transaction():
        require(database, run)
        check_run(database, run)  # a damaged run must not get a valid checksum
        database.execute(
            "UPDATE entrants SET excluded = ? WHERE run = ? AND number = ?", (reason, run, entrant)
        )
        forget_standings(database, run)
        seal_run(database, run, has_new_entrants=True)
    database.sync()


def require(database: Database, run: int) -> None:
    """Raise RunNotFoundError unless the store has a run of this number."""
    if database.first("SELECT 1 FROM runs WHERE number = ?", (run,)) is None:
        raise not_found(database, run)


def not_found(database: Database, ref: str | int | None) -> RunNotFoundError:
    """Make the error for a missing run, which lists the runs of the store."""
    runs = summaries(database)[::-1]
    if not runs:
        return RunNotFoundError(f"{database.path} has no runs; `tourney run CONFIG` plays one")
    known = ", ".join(f"{run.number} {run.name!r}" for run in runs[:_LISTED])
    more = ", …" if len(runs) > _LISTED else ""
    close = get_close_matches(str(ref), [run.name for run in runs], n=1)
    hint = f" (did you mean {close[0]!r}?)" if close else ""
    return RunNotFoundError(
        f"run {ref!r} is not in {database.path}{hint}; its runs are {known}{more}"
    )


def number_of(database: Database, ref: Any) -> int:
    """Return the number that a reference means; 0, which no run has, if it means no run."""
    if ref is None:
        row = database.first("SELECT max(number) FROM runs")
        return (row and row[0]) or 0
    if isinstance(ref, bool) or not isinstance(ref, Integral | str):
        return 0
    ref = ref if isinstance(ref, str) else int(ref)  # also integers of NumPy
    # Python refuses to parse thousands of digits, and no run has such a number.
    if isinstance(ref, int) or (ref.isdecimal() and len(ref) < LONGEST_NUMBER):
        number = int(ref) if int(ref) < _LARGEST else 0
        if isinstance(ref, int) or database.first("SELECT 1 FROM runs WHERE number = ?", (number,)):
            return number
    # A name may consist of digits; it counts if no run has that number.
    row = database.first("SELECT max(number) FROM runs WHERE name = ?", (ref,))
    return (row and row[0]) or 0


def _run_row(record: RunRecord) -> dict[str, Any]:
    row = {name: getattr(record, name) for name in _RUN}
    return row | {name: json.dumps(dict(row[name])) for name in ("settings", "versions")}


def _entrant_row(run: int, entrant: EntrantRecord) -> dict[str, Any]:
    row = {name: getattr(entrant, name) for name in _ENTRANT if name != "team"}
    row |= {name: json.dumps(dict(row[name])) for name in ("options", "policy")}
    return row | {"run": run, "team": entrant.group}


def _named(row: Row, columns: Mapping[str, Kind]) -> dict[str, Any]:
    """Return the values of a row by name, after checking their types."""
    return dict(zip(columns, checked(row, tuple(columns.values())), strict=True))


def _read_runs(rows: Iterable[Row]) -> Iterator[RunRecord]:
    """Read runs without their entrants."""
    for row in rows:
        found = _named(row, _RUN)
        found["status"] = _status(found["status"])
        found["settings"] = _settings(found["settings"])
        found["versions"] = _pairs(found["versions"])
        found["rehearsal"] = bool(found["rehearsal"])
        yield RunRecord(**found, entrants=())


def _read_summaries(rows: Iterable[Row]) -> Iterator[RunSummary]:
    for row in rows:
        *values, rehearsal = checked(row, _SUMMARY)
        yield RunSummary(*(*values, bool(rehearsal)))


def _status(status: str) -> RunStatus:
    if status not in get_args(RunStatus):
        raise ValueError(f"unknown status of a run: {status!r}")
    found: RunStatus = status  # type: ignore[assignment]  # checked above
    return found


def _entrants(database: Database, run: int) -> tuple[EntrantRecord, ...]:
    # Thousands of entrants may share a source, so each source is read once.
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
        f"SELECT {', '.join(_ENTRANT)} FROM entrants WHERE run = ? ORDER BY number",  # noqa: S608 - as above
        (run,),
    )
    if entrants := tuple(found):
        return entrants
    raise StoreDamagedError(
        f"{database.path}: run {run} has no entrants: the file was damaged or changed; restore it "
        "from a backup"
    )


def _read_sources(rows: Iterable[Row]) -> Iterator[tuple[bytes, Sources]]:
    for digest, files in rows:
        pairs = tuple((file, text) for file, text in json.loads(files))
        for pair in pairs or [()]:
            checked(pair, (TEXT, TEXT))
        yield digest, pairs


def _read_entrants(
    sources: Mapping[bytes, Sources], rows: Iterable[Row]
) -> Iterator[EntrantRecord]:
    names: set[str] = set()
    for place, row in enumerate(rows):
        found = _named(row, _ENTRANT)
        name = found["name"]
        if found["number"] != place or name.casefold() in names:
            raise ValueError(f"entrant {place} has a wrong number or a repeated name: {name!r}")
        names.add(name.casefold())
        found["group"] = found.pop("team")
        found["sources"] = sources[found["digest"]]
        yield EntrantRecord(**found | {each: _pairs(found[each]) for each in ("options", "policy")})


def _settings(text: str) -> tuple[tuple[str, Any], ...]:
    settings = _pairs(text)
    for step in dict(settings).get("steps", ()):
        checked(step, (WHOLE, WHOLE))
    return settings


def _pairs(text: str) -> tuple[tuple[str, Any], ...]:
    return tuple((name, unchanging(value)) for name, value in json.loads(text).items())
