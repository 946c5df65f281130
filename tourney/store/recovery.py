"""Recovery of the sound runs and batches of a file that SQLite finds damaged.

They are copied into a new file, which then replaces the content of the old one. A copy of the
damaged file stays next to it, so an attempt loses no data.
"""

import shutil
import sqlite3
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from tourney.errors import StoreError
from tourney.sqlite.database import Database
from tourney.store import checksums, integrity, results, runs
from tourney.store.migrations import open_database

_OF_RUN = {
    "runs": "SELECT * FROM runs WHERE number = :run",
    "sources": "SELECT * FROM sources "
    "WHERE digest IN (SELECT digest FROM entrants WHERE run = :run)",
    "entrants": "SELECT * FROM entrants WHERE run = :run",
    "begun": "SELECT * FROM begun WHERE run = :run",
}
_OF_BATCH = {
    "batches": "SELECT * FROM batches WHERE run = :run AND number = :batch",
    "blocks": "SELECT * FROM blocks WHERE run = :run AND batch = :batch",
    "seats": "SELECT seats.* FROM blocks JOIN seats "
    "USING (run, stage, heat, table_number, seating, first_round) "
    "WHERE run = :run AND batch = :batch",
    "remarks": "SELECT * FROM remarks WHERE run = :run AND batch = :batch",
}
"""The copied tables; boards and events are derived from them and made again."""


@dataclass(frozen=True, slots=True)
class Salvage:
    """The result of a recovery."""

    aside: Path  # the copy of the damaged file
    runs: tuple[int, ...]  # the recovered runs
    lost: tuple[int, ...]  # the lost runs


def salvage(path: Path) -> Salvage:
    """Replace the content of a damaged store by its sound runs and batches.

    Args:
        path: The store, which must still open.
    Raises: StoreError, if even its list of runs cannot be read.
    """
    fresh, aside = path.with_name(f".{path.name}.new"), path.with_name(f"{path.name}.damaged")
    fresh.unlink(missing_ok=True)
    try:
        with (
            closing(open_database(path, create=False)) as old,
            closing(open_database(fresh)) as new,
        ):
            numbers = [row[0] for row in old.read(iter, "SELECT number FROM runs ORDER BY number")]
            saved = tuple(number for number in numbers if _saved(old, new, number))
            new.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            old.sync()
            shutil.copyfile(path, aside)
        with closing(sqlite3.connect(fresh)) as source, closing(sqlite3.connect(path)) as target:
            source.backup(target)
    except sqlite3.Error as error:
        raise StoreError(
            f"{path}: the repair failed: {error}; the file is unchanged, restore it from a backup"
        ) from error
    finally:
        for name in (fresh.name, f"{fresh.name}-wal", f"{fresh.name}-shm"):
            path.with_name(name).unlink(missing_ok=True)
    return Salvage(aside, saved, tuple(number for number in numbers if number not in saved))


def _saved(old: Database, new: Database, run: int) -> bool:
    """Copy a run with its sound batches; return whether that worked."""
    with suppress(StoreError):
        checksums.check_run(old, run)
        runs.find(old, run)
        damaged = set(integrity.damaged(old, run))
        with new.transaction():
            _copy(old, new, _OF_RUN, {"run": run})
            for batch in integrity.digests(old, run):
                if batch not in damaged:
                    _copy(old, new, _OF_BATCH, {"run": run, "batch": batch})
            results.note_begun(new, run, damaged)
        return True
    return False


def _copy(old: Database, new: Database, parts: Mapping[str, str], what: Mapping[str, int]) -> None:
    for table, sql in parts.items():
        rows = tuple(old.read(iter, sql, what))
        if rows:
            values = ", ".join("?" * len(rows[0]))
            # Runs share sources.
            new.insert_all(f"INSERT OR IGNORE INTO {table} VALUES ({values})", rows)  # noqa: S608 - tables of ours
