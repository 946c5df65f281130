"""The connection: opening, bringing up to date, transactions, and errors in plain words.

Knows nothing of runs and results. What SQLite raises ends here, in `_guard`; nobody
above sees an error of sqlite3.
"""

import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from tourney.errors import StoreDamagedError, StoreError, StoreFullError, StoreNotFoundError
from tourney.sqlite.opening import Place, misshapen, open_file, statements

Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]
Thing = TypeVar("Thing")

# What holds for a connection, not for the file. A commit in WAL mode is a write to the
# operating system, so a killed process loses nothing whatever `synchronous` says. FULL
# would also wait for the disk at every commit: 0.6 ms on a batch of 3 ms where it was
# measured, much more on a slow disk. NORMAL may lose the last batches in a power cut, never
# harms the file, and a resumed run plays lost batches again with the same digests.
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",  # the file may come from anybody
    "PRAGMA cell_size_check = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # what is deleted is overwritten, as people may ask for it
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -65536",  # KiB: the busy ends of the trees of a large run
    "PRAGMA wal_autocheckpoint = 4000",  # pages: a page changed often is copied back once
)

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG})
_OUR_OWN = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_INTERNAL})
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
"""Results that tell of damage; of a fault of ours in a sound file; and of the disk."""

_MISREAD = (TypeError, ValueError, LookupError, AttributeError, RecursionError)
"""What readers raise where a value is not what we write."""


class Database:
    """One open file, for the process and the thread that opened it.

    Args:
        path: The file.
        create: Make the file if it does not exist.
        busy_seconds: How long to wait for another process before giving up.
        migrations: The scripts that make up the shape of the file.
        first_version: `PRAGMA user_version` of a file after the first script; each further script
            adds 1.
        application: The mark by which the file is known as one of that shape.
    Raises: StoreNotFoundError; StoreError, if the file cannot be opened or is not a store of this
        version.
    """

    def __init__(
        self,
        path: Path,
        *,
        create: bool = True,
        busy_seconds: float = 30.0,
        migrations: Sequence[str],
        application: int,
        first_version: int = 1,
    ) -> None:
        self.path = path
        self._migrations = migrations
        self._first_version = first_version
        self._application = application
        self._busy_seconds = busy_seconds
        self._process = os.getpid()
        self.before_writing: Callable[[], None] | None = None
        """Called in every transaction, which it may end by what it raises."""
        _check_kind(path, create=create)
        with self._guard():
            self._opened = open_file(path, busy_seconds, self._newest_version)
        self._connection = self._opened.connection
        try:
            self._prepare()
            self.place = Place(path, is_read_only=self.is_read_only)
        except BaseException:
            self._opened.close()
            raise

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be written, because this process may not."""
        return self._opened.is_read_only

    def close(self) -> None:
        """Let go of the file; closing twice does no harm."""
        with self._guard():
            self._opened.close()

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run one statement and give the number of rows it changed."""
        with self._guard():
            return self._connection.execute(sql, parameters).rowcount

    def insert(self, sql: str, parameters: Parameters) -> int:
        """Run one INSERT and give the number SQLite gave the row."""
        with self._guard():
            return self._connection.execute(sql, parameters).lastrowid or 0

    def insert_all(self, sql: str, rows: Iterable[Parameters]) -> int:
        """Run one INSERT for every row and give the number of rows inserted."""
        with self._guard():
            return self._connection.executemany(sql, rows).rowcount

    def first(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Give the first row of an answer, or None."""
        with self._guard():
            # The cursor must not outlive the call: it would keep its place in the file,
            # and no write could begin from there once another process had written.
            row: Row | None = self._connection.execute(sql, parameters).fetchone()
            return row

    def sync(self) -> None:
        """Wait until everything committed so far is on the disk and would outlive a power cut."""
        self.execute("PRAGMA wal_checkpoint")

    def faults(self) -> tuple[str, ...]:
        """Give what SQLite finds wrong with the file; nothing if it is sound."""
        with self._guard():
            return tuple(_faults(self._connection))

    def read(
        self,
        reader: Callable[[Iterable[Row]], Iterable[Thing]],
        sql: str,
        parameters: Parameters = (),
    ) -> Iterator[Thing]:
        """Give what a reader makes of the rows of an answer, one by one as they are asked for."""
        with self._guard():
            rows = self._connection.execute(sql, parameters)
            try:
                yield from reader(rows)
            except _MISREAD as error:
                raise StoreDamagedError(f"{self.path}: {damaged_words(str(error))}") from error

    def copy_to(self, path: Path) -> None:
        """Write everything that is stored into another file, which may be there but empty."""
        with self._guard(), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Keep everything written inside or, if anything is raised, nothing of it."""
        self.execute("BEGIN IMMEDIATE")  # waits here for its turn, not halfway through
        try:
            if self.before_writing:
                self.before_writing()
            yield
            self.execute("COMMIT")
        except BaseException:
            # After some errors, such as a full disk, SQLite has rolled back by itself.
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn what SQLite raises into a StoreError that names the file and the remedy."""
        if os.getpid() != self._process:
            raise StoreError(
                f"{self.path}: expected the process that opened the store, got a copy of it "
                "(open the store again in the new process)"
            )
        try:
            yield
        except sqlite3.Error as error:
            if self._shows_damage(error):
                raise StoreDamagedError(f"{self.path}: {damaged_words(str(error))}") from error
            kind = StoreFullError if _code(error) in _NO_ROOM else StoreError
            raise kind(f"{self.path}: {explain(error, self._busy_seconds)}") from error
        except UnicodeDecodeError as error:  # SQLite's own words, which quote the file
            raise StoreDamagedError(f"{self.path}: {damaged_words(str(error))}") from error
        except (OverflowError, UnicodeEncodeError) as error:
            raise StoreError(
                f"{self.path}: expected whole numbers of 64 bits and text that UTF-8 can hold, "
                f"got a value that cannot be kept: {error}"
            ) from error

    def _shows_damage(self, error: sqlite3.Error) -> bool:
        """Say whether an error comes of what is wrong with the file."""
        if _code(error) in _DAMAGED or "decode" in str(error):  # text that is no UTF-8
            return True
        if _code(error) not in _OUR_OWN or isinstance(error, sqlite3.ProgrammingError):
            return False
        return next(_faults(self._connection), None) is not None

    def _prepare(self) -> None:
        """Check whose file it is, bring it up to date and set the connection up."""
        for setting in _SETTINGS:
            self.execute(setting)
        self.execute("BEGIN")  # to see one state of a file that others may just be making
        self._check_version()
        self._check_shape()
        self.execute("COMMIT")
        if self.is_read_only and not self._opened.folder:
            return
        self._use_wal()
        while self._version() < self._newest_version:
            self._migrate()
        if self.is_read_only:  # what is written into a copy would be lost without a word
            self.execute("PRAGMA query_only = ON")

    def _check_version(self) -> None:
        """Refuse files of other programs, of newer versions, and from before the first release."""
        tables = self._number("SELECT count(*) FROM sqlite_master")
        if tables and self._number("PRAGMA application_id") != self._application:
            raise StoreError(
                f"{self.path}: expected a store of tourney, got the database of another program "
                "(name another file with --store)"
            )
        version = self._version()
        if version > self._newest_version:
            raise StoreError(
                f"{self.path}: expected a store of version {self._newest_version} or older, got "
                f"version {version} from a newer tourney (upgrade tourney, or name another --store)"
            )
        if 0 < version < self._first_version:
            raise StoreError(
                f"{self.path}: version {version} of the file is from before the first release of "
                "tourney and cannot be read (start with a new file, or use the tourney that made "
                "this one)"
            )

    def _check_shape(self) -> None:
        """Refuse tables, views and triggers that no script of ours has made."""
        rows = tuple(self.read(iter, "SELECT type, name, tbl_name, sql FROM sqlite_master"))
        if odd := misshapen(rows, tuple(self._migrations[: self._applied()])):
            raise StoreDamagedError(
                f"{self.path}: expected the tables of a store and nothing else, got others: "
                f"{', '.join(odd)} (damaged, or changed by another program: take the store from "
                "a backup)"
            )

    def _use_wal(self) -> None:
        """Let readers and one writer work at the same time; the file remembers it."""
        deadline = time.monotonic() + self._busy_seconds
        mode = None
        while mode is None:
            try:
                mode = self.first("PRAGMA journal_mode = WAL")
            except StoreError as error:
                # SQLite does not wait its busy time while another process makes the change.
                busy = _code(error.__cause__) == sqlite3.SQLITE_BUSY
                if not busy or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        if mode != ("wal",):
            raise StoreError(
                f"{self.path}: expected a disk on which SQLite can keep a write-ahead log, got "
                f"journal mode {mode[0]!r} (put it on a local disk, or name another with --store)"
            )

    def _migrate(self) -> None:
        """Apply the next script, unless another process has just done it."""
        with self.transaction():
            applied = self._applied()
            if applied < len(self._migrations):
                for statement in statements(self._migrations[applied]):
                    self.execute(statement)
                self.execute(f"PRAGMA application_id = {self._application}")
                self.execute(f"PRAGMA user_version = {self._first_version + applied}")

    @property
    def _newest_version(self) -> int:
        return self._first_version + len(self._migrations) - 1

    def _applied(self) -> int:
        """Count the scripts that the file has been through."""
        return max(0, self._version() - self._first_version + 1)

    def _version(self) -> int:
        return self._number("PRAGMA user_version")

    def _number(self, sql: str) -> int:
        row = self.first(sql)
        return int(row[0]) if row else 0


def _check_kind(path: Path, *, create: bool) -> None:
    """Refuse what SQLite could not keep a store in.

    Raises: StoreNotFoundError, if a file is missing that is not to be made; StoreError for a
        device.
    """
    if not path.exists():
        if not create:
            raise StoreNotFoundError(
                f"{path}: expected a store, got no such file "
                "(`tourney run CONFIG` makes one; --store names another)"
            )
    elif not path.is_file():
        from tourney.config.words import found_words  # noqa: PLC0415 - few name what is no file

        raise StoreError(
            f"{path}: expected a plain file, got {found_words(path)} (name another with --store)"
        )


def explain(error: sqlite3.Error, busy_seconds: float) -> str:
    """Say what was expected of the file, what came instead and how to mend it.

    Args:
        error: As sqlite3 raised it.
        busy_seconds: How long SQLite waited for other processes.
    """
    match _code(error):
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            expected = f"a turn within {busy_seconds:g} s while another process holds the store"
            remedy = "wait until it ends, then try again"
        case sqlite3.SQLITE_NOTADB:
            expected = "a store"
            remedy = "this is a file of another kind; name another with --store"
        case sqlite3.SQLITE_CORRUPT:
            return damaged_words(str(error))
        case code if code in _NO_ROOM:
            expected = "a disk that works and has room"
            remedy = "what was stored before is safe; make room, then `tourney resume`"
        case sqlite3.SQLITE_CANTOPEN:
            expected = "a file in a folder that exists and can be written"
            remedy = "make the folder, permit writing in it, or name another file with --store"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            expected = "a file and a folder that can be written"
            remedy = "change their permissions, or name a copy elsewhere with --store"
        case _ if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
            expected = "a store that is open"
            remedy = "open it again, or ask for what you need before it is closed"
        case _:
            expected = "SQLite to do as it was told"
            remedy = "this is a fault of tourney; please report it"
    return f"expected {expected}, got {str(error)!r} ({remedy})"


def damaged_words(found: str) -> str:
    """Say that a file is damaged, and what can be done."""
    return (
        f"expected a sound store, got a damaged file, {found!r} (`tourney verify --repair` "
        "keeps what is sound and plays the rest again; what it cannot mend comes from a backup)"
    )


def _faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Find what is wrong with the pages of a file, its indices, and what its rows refer to."""
    try:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                yield line
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            yield f"a row of {table} that belongs to none of {parent}"
    except sqlite3.Error as error:
        yield str(error)


def _code(error: BaseException | None) -> int:
    """Give SQLite's primary result code; what sqlite3 itself found wrong has none."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF
