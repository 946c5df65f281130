"""A file is brought up to date, or refused with what is wrong and what to do."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from tourney.errors import StoreDamagedError, StoreError
from tourney.game.ledger import BlockResult
from tourney.sqlite.database import explain
from tourney.store.migrations import APPLICATION_ID, FIRST_VERSION, MIGRATIONS, open_database
from tourney.store.records import RunRecord
from tourney.store.store import Store

MakeBatch = Callable[..., tuple[BlockResult, ...]]

NEWEST = FIRST_VERSION + len(MIGRATIONS) - 1

NOTES = """
-- A comment; with a semicolon.
CREATE TABLE notes (run INTEGER NOT NULL REFERENCES runs, text TEXT NOT NULL DEFAULT ';');
INSERT INTO notes (run) SELECT number FROM runs;
"""


def number(path: Path, pragma: str) -> int:
    """Ask the file for one of its numbers."""
    with closing(sqlite3.connect(path)) as connection:
        return int(connection.execute(f"PRAGMA {pragma}").fetchone()[0])


def test_a_new_store_is_of_the_newest_version(path: Path) -> None:
    """The file knows whose it is and which scripts it has been through."""
    Store(path).close()
    assert number(path, "user_version") == NEWEST
    assert number(path, "application_id") == APPLICATION_ID


def test_an_empty_file_becomes_a_store(path: Path) -> None:
    """An empty file is version 0, and so is one that a kill left at its making."""
    path.touch()
    with Store(path, create=False) as store:
        assert store.runs() == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
@pytest.mark.parametrize("create", [True, False])
def test_a_store_is_a_plain_file(path: Path, create: bool) -> None:
    """Nothing could be kept in a pipe, and nothing of it is opened."""
    os.mkfifo(path)
    with pytest.raises(StoreError, match="is a pipe, not a file"):
        Store(path, create=create)


def test_an_older_store_is_brought_up_to_date(path: Path, record: RunRecord) -> None:
    """Only the scripts that are missing are applied, and runs survive them."""
    with Store(path, migrations=MIGRATIONS) as store:
        store.create_run(record)
    with Store(path, migrations=(*MIGRATIONS, NOTES)) as store:
        assert store.run(1).name == "demo"
        assert store._database.first("SELECT * FROM notes") == (1, ";")
    assert number(path, "user_version") == NEWEST + 1


def test_a_script_is_applied_whole_or_not_at_all(path: Path, record: RunRecord) -> None:
    """A store that could not be upgraded is as it was."""
    with Store(path, migrations=MIGRATIONS) as store:
        store.create_run(record)
    with pytest.raises(StoreError, match="an unexpected error of SQLite"):
        Store(path, migrations=(*MIGRATIONS, NOTES + "CREATE TABLE runs (number);"))
    with Store(path, migrations=MIGRATIONS) as store:
        assert store._database.first("SELECT 1 FROM sqlite_master WHERE name = 'notes'") is None


def test_a_newer_store_is_refused(path: Path) -> None:
    """An old program must not write into a shape it does not know."""
    Store(path, migrations=(*MIGRATIONS, NOTES)).close()
    words = rf"has version {NEWEST + 1}, .* up to {NEWEST}; upgrade"
    with pytest.raises(StoreError, match=words):
        Store(path)


@pytest.mark.parametrize("version", [1, FIRST_VERSION - 1])
def test_a_store_from_before_the_first_release_is_refused(path: Path, version: int) -> None:
    """The message says so, and the file stays as it is."""
    Store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    before = path.read_bytes()
    words = f"tourney.db: version {version} of the file is from before the first release of tourney"
    with pytest.raises(StoreError, match=rf"{words} and cannot be read; start with a new file"):
        Store(path)
    assert path.read_bytes() == before


def test_a_missing_store_is_not_made_for_reading(path: Path) -> None:
    """A mistyped name leaves no empty file behind."""
    with pytest.raises(StoreError, match=r"does not exist; make a store with `tourney run CONFIG`"):
        Store.open(path, create=False)
    assert not path.exists()


def test_a_file_of_another_kind_is_refused_and_left_alone(path: Path) -> None:
    """A configuration named by mistake is not a store."""
    text = "name: demo\n" * 500
    path.write_text(text, encoding="utf-8")
    with pytest.raises(StoreError, match=r"this file is not a store .*name another"):
        Store(path)
    assert path.read_text(encoding="utf-8") == text


def test_the_database_of_another_program_is_refused_and_left_alone(path: Path) -> None:
    """SQLite alone does not make a store."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE recipes (name TEXT)")
    before = path.read_bytes()
    with pytest.raises(StoreError, match="the database of another program"):
        Store(path)
    assert path.read_bytes() == before


def test_a_folder_must_exist(tmp_path: Path) -> None:
    """No folders are made on a mistyped path."""
    with pytest.raises(StoreError, match=r"cannot be opened .*make its folder"):
        Store(tmp_path / "nowhere" / "tourney.db")


def test_a_folder_is_not_a_store(tmp_path: Path) -> None:
    """A folder named by mistake is refused."""
    with pytest.raises(StoreError, match="is a folder, not a file"):
        Store(tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="the administrator may write anywhere")
def test_a_folder_must_be_writable(tmp_path: Path) -> None:
    """Nothing can be kept where nothing can be written."""
    tmp_path.chmod(0o500)
    with pytest.raises(StoreError, match="cannot be written"):
        Store(tmp_path / "tourney.db")


def test_a_store_held_by_another_writer_is_given_up_after_the_busy_time(
    path: Path, run: int, store: Store, make_batch: MakeBatch
) -> None:
    """The message says how long was waited and for whom."""
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with Store(path, busy_seconds=0.05) as waiting:
        with pytest.raises(
            StoreError, match=r"another process has locked the store for over 0\.05 s"
        ):
            waiting.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
        other.execute("ROLLBACK")
        assert waiting.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1") is True
    other.close()
    assert store.batch_numbers(run) == {0}


def test_a_new_store_held_by_another_program_is_given_up_too(path: Path) -> None:
    """The change to a write-ahead log waits as long as any write."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError, match=r"locked the store for over 0\.05 s"):
            Store(path, busy_seconds=0.05)


def test_a_damaged_file_is_named_as_such(path: Path, record: RunRecord) -> None:
    """Pages full of nonsense are found when they are read."""
    with Store(path) as store:
        store.create_run(record)
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xa5" * (size - 4096))
    with (
        pytest.raises(StoreError, match=r"tourney\.db: the store is damaged"),
        Store(path) as store,
    ):
        store.run(1)


@pytest.mark.parametrize("change", ["verdict = '['", "squares = 'many'", "verdict = '[1]'"])
def test_damaged_values_are_named_as_such(
    path: Path, store: Store, run: int, make_batch: MakeBatch, change: str
) -> None:
    """What no program wrote is not taken for a result."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"UPDATE seats SET {change}")  # noqa: S608 - the changes stand above
    with pytest.raises(StoreError, match="the store is damaged"):
        store.batch_results(run, 0)
    with pytest.raises(StoreError, match="the store is damaged"):
        list(store.seat_results(run))


def test_text_that_is_not_utf_8_is_read_as_escapes(
    path: Path, store: Store, run: int, make_batch: MakeBatch
) -> None:
    """Then the checksums name the damaged part, and a batch can be played again."""
    store.add_batch(run, 0, 0, make_batch(), 0.5, "worker 1")
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE batches SET worker = CAST(x'776fff' AS TEXT)")
    with pytest.raises(StoreDamagedError, match="`tourney verify 1 --repair`"):
        store.batch_results(run, 0)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("UPDATE entrants SET name = CAST(x'41ff' AS TEXT) WHERE number = 0")
    with pytest.raises(StoreDamagedError, match="run 1: its entrants are not as stored"):
        store.run(run)


def test_a_file_that_cannot_be_opened_is_not_to_be_repaired(path: Path) -> None:
    """`verify --repair` would fail with the same message."""
    Store(path).close()
    stored = bytearray(path.read_bytes())
    stored[stored.index(b"CREATE TABLE events") + 7] ^= 1
    path.write_bytes(stored)
    with pytest.raises(StoreDamagedError, match=r"\(restore it from a backup\)"):
        Store(path)


def test_a_closed_store_says_so(path: Path) -> None:
    """Closing twice does no harm, using it afterwards is an error of the store."""
    store = Store(path)
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed database"):
        store.runs()


@pytest.mark.parametrize(
    ("code", "said"),
    [
        (sqlite3.SQLITE_BUSY_SNAPSHOT, "another process has locked the store for over 3 s"),
        (sqlite3.SQLITE_FULL, "the disk is full or fails"),
        (sqlite3.SQLITE_IOERR_WRITE, "the disk is full or fails"),
        (sqlite3.SQLITE_READONLY_DIRECTORY, "the file or its folder cannot be written"),
        (sqlite3.SQLITE_CORRUPT_INDEX, "the store is damaged"),
        (sqlite3.SQLITE_MISUSE, "an unexpected error of SQLite"),
    ],
)
def test_every_error_names_the_problem(code: int, said: str) -> None:
    """Extended result codes mean what their primary code means."""
    error = sqlite3.OperationalError("it went wrong")
    error.sqlite_errorcode = code
    assert explain(error, 3).startswith(said)
    assert "it went wrong" in explain(error, 3)


def test_words_of_sqlite_that_are_no_text_are_damage(tmp_path: Path) -> None:
    """It quotes the file, whose names may be damaged, too."""
    database = open_database(tmp_path / "tourney.db")
    with pytest.raises(StoreDamagedError, match="damaged"), database._guard():
        b"\xe9".decode()
    database.close()
