"""Stores that somebody has made to mislead: with values, tables and rules that no run writes.

Those that are sealed again have the digests and the seals of what stands in them, as whoever may
write a store can have them. Then the board cannot know; playing again does, or whoever holds the
digest that was handed out.
"""

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from random import Random

from tourney.errors import StoreError
from tourney.game.ledger import batch_digest
from tourney.sqlite.database import Database
from tourney.store import checksums, integrity, results, runs
from tourney.store.migrations import open_database

VALUES = (
    "NULL",
    "''",
    "'several words'",
    "x'00ff'",
    "-1",
    "0",
    "1",
    "99",
    "2.5",
    "9e999",
    "9223372036854775807",
    "-9223372036854775808",
    "'" + "9" * 30 + "'",
    "'{}'",
    "'[]'",
    "'[1, 2]'",
    "'{\"steps\": 5}'",
    '\'{"steps": [[1]], "luck": []}\'',
    '\'{"colour": "blue"}\'',
    "'" + "[" * 20_000 + "'",
    "'running'",
    "'finished'",
    "'chart'",
    "'counting'",
    "zeroblob(16)",
)
"""What is put where other things belong, in the words of SQL."""

TABLES = (
    *("runs", "sources", "entrants", "batches", "blocks", "seats", "standings", "events"),
    *("leases", "begun"),
)

STATEMENTS = (
    "UPDATE seats SET final = final + 500 WHERE entrant = 1; DELETE FROM standings",
    "UPDATE seats SET final = final + 500 WHERE entrant = 1",
    "UPDATE seats SET entrant = 3 - entrant; DELETE FROM standings",
    "UPDATE seats SET luck = luck + 99999999999; DELETE FROM standings",
    "UPDATE seats SET verdict = NULL; DELETE FROM standings",
    "UPDATE seats SET verdict = replace(verdict, 'integer', 'whole'); DELETE FROM standings",
    "UPDATE entrants SET name = 'simple'; DELETE FROM standings",
    "UPDATE entrants SET name = CASE number WHEN 0 THEN 'counting' WHEN 1 THEN 'simple' "
    "ELSE name END",
    "UPDATE entrants SET number = 7 - number",
    "UPDATE runs SET config = replace(config, '100', '90'); DELETE FROM standings",
    "UPDATE runs SET status = 'running'",
    "UPDATE runs SET expected_batches = 3",
    "UPDATE standings SET lines = replace(lines, 'simple', 'Simple')",
    "UPDATE standings SET lines = 'x'",
    "DELETE FROM batches WHERE number = 2; DELETE FROM standings",
    "DELETE FROM batches; DELETE FROM standings",
    "DELETE FROM blocks WHERE table_number = 1; DELETE FROM standings",
    "DELETE FROM seats WHERE table_number = 1; DELETE FROM standings",
    "DELETE FROM entrants",
    "DELETE FROM entrants WHERE number = 1",
    "DELETE FROM sources",
    "DELETE FROM runs",
    "DELETE FROM sqlite_sequence",
    "INSERT INTO runs SELECT 2, name, created, finished, status, config, config_source, settings, "
    "versions, secret, salt, commitment, rehearsal, expected_batches, confinement, digest, roster, "
    "seal FROM runs",
    "INSERT INTO batches SELECT run, 99, wave, digest, seconds, worker, seal FROM batches LIMIT 1; "
    "UPDATE blocks SET batch = 99 WHERE batch = 1; DELETE FROM standings",
    "UPDATE batches SET number = number + 50; UPDATE blocks SET batch = batch + 50",
    "UPDATE blocks SET table_number = table_number + 50; "
    "UPDATE seats SET table_number = table_number + 50; DELETE FROM standings",
    "UPDATE blocks SET batch = 3 - batch; DELETE FROM standings",
    "INSERT INTO remarks VALUES (1, 0, 0, 99, 'x', '[1]', '[]')",
    "INSERT INTO remarks VALUES (1, 0, 0, 0, 'a word', NULL, NULL)",
    "INSERT INTO events VALUES (1, 0, 9, 'x', 'y', 99, 99, 5)",
    "CREATE TRIGGER helpful AFTER INSERT ON batches BEGIN UPDATE seats SET final = 999; END",
    "CREATE TRIGGER standings_end_too AFTER UPDATE ON runs BEGIN DELETE FROM seats; END",
    "CREATE VIEW board AS SELECT * FROM seats",
    "CREATE TABLE notes (text)",
    "CREATE INDEX more ON seats (final)",
    "DROP VIEW played",
    "DROP VIEW played; CREATE VIEW played AS SELECT * FROM blocks LEFT JOIN seats USING (run)",
    "DROP TABLE standings; CREATE VIEW standings AS SELECT 1 AS run, 'x' AS version, 'y' AS lines",
    "DROP INDEX seats_with_verdict",
    "ALTER TABLE seats ADD COLUMN more",
    "ALTER TABLE seats RENAME COLUMN luck TO fortune",
    "ALTER TABLE runs DROP COLUMN digest",
    "PRAGMA user_version = 3",
    "PRAGMA user_version = -3",
    "PRAGMA user_version = 99",
    "PRAGMA application_id = 5",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = 2 WHERE type = 'table'",
    "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = 'CREATE TABLE runs (number)' "
    "WHERE name = 'runs'",
    "PRAGMA writable_schema = ON; DELETE FROM sqlite_master WHERE name = 'seats_by_block'",
    *(f"DROP TABLE {table}" for table in TABLES),
)
"""What is done to a whole store."""


def craft(path: Path, random: Random) -> str:
    """Change a value or the shape of a store, and perhaps seal it again."""
    statement = random.choice((random.choice(STATEMENTS), _one_value(path, random)))
    return change(path, statement, is_sealed=random.random() < 0.5)


def change(path: Path, statement: str, *, is_sealed: bool) -> str:
    """Change a store; give how."""
    with closing(sqlite3.connect(path)) as database, suppress(sqlite3.Error):
        database.executescript(statement)
    if is_sealed:
        with suppress(StoreError):  # of what cannot even be read there is no digest
            seal_again(path)
    return f"{statement[:150]}{', sealed' if is_sealed else ''}"


def seal_again(path: Path) -> None:
    """Give everything in a store the digest and the seal that it should have."""
    with closing(open_database(path)) as database:
        pairs = list(database.read(iter, "SELECT run, number FROM batches"))
        for run, number in pairs:
            with suppress(StoreError):
                digest = batch_digest(results.of_batch(database, run, number))
                database.execute(
                    "UPDATE batches SET digest = ? WHERE run = ? AND number = ?",
                    (digest, run, number),
                )
    seal_as_it_is(path)


def _one_value(path: Path, random: Random) -> str:
    """Put something else into a column, in all rows or in one."""
    table = random.choice(TABLES)
    with closing(sqlite3.connect(path)) as database:
        names = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
    column, value = random.choice(names), random.choice(VALUES)
    return f"UPDATE OR IGNORE {table} SET {column} = {value}"  # noqa: S608 - all from above


def seal_as_it_is(path: Path, *, keeps_digest: bool = False) -> None:
    """Give all runs of a store the seals of what stands in them, and finished ones their digest.

    Args:
        path: The store.
        keeps_digest: Whether the digests stay as they are.
    """
    with closing(open_database(path)) as database:
        for run in list(database.read(lambda rows: (row[0] for row in rows), _NUMBERS)):
            _seal_batches(database, run)
            with suppress(StoreError):  # of what cannot even be read there is no digest
                record = runs.find(database, run)
                if record.status == "finished" and not keeps_digest:
                    runs.keep_digest(database, run, integrity.digest_of(database, record))
            checksums.seal_run(database, run, has_new_entrants=True)


_NUMBERS = "SELECT number FROM runs"


def _seal_batches(database: Database, run: int) -> None:
    faulted, remarks = integrity._faulted(database, run), integrity._remarks(database, run)
    for row, expected in list(integrity._seals(database, run, faulted, remarks)):
        database.execute(
            "UPDATE batches SET seal = ? WHERE run = ? AND number = ?", (expected, *row[:2])
        )
