"""Connections to SQLite files: opening, migrating, transactions, and errors in plain words.

`_guard` turns every error of sqlite3 into a `StoreError`.

SQLite keeps a log, `…-wal`, next to a store. Without permission to write in the folder, a process
can neither make this log nor take over the log of a killed process. A store without a log is then
read directly, and a store whose log is in use by another process is read with the log. In all
other cases, and if the version is old, a temporary copy is read and deleted when it is closed.

A file that is deleted or replaced stays alive while it is open: SQLite would keep writing, and all
data would be lost at the end. A foreign view, trigger or column could change the data that is
read, so only the schema that the migrations make is accepted.
"""

import os
import shutil
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from typing import Any, TypeAlias, TypeVar

from tourney.errors import (
    StoreBusyError,
    StoreDamagedError,
    StoreError,
    StoreFullError,
    StoreNotFoundError,
    StoreRemovedError,
)


@dataclass(frozen=True, slots=True)
class Opened:
    """A connection, and whether it reads a temporary copy."""

    connection: sqlite3.Connection
    is_read_only: bool = False
    folder: TemporaryDirectory[str] | None = None  # of the copy, if a copy is open

    def close(self) -> None:
        """Close the file and delete the copy, if any; closing twice is harmless."""
        self.connection.close()
        if self.folder:
            self.folder.cleanup()


def open_file(path: Path, busy_seconds: float, version: int) -> Opened:
    """Open a file, to write if permitted; make it if it is missing.

    Args:
        path: The file.
        busy_seconds: How long to wait for other processes.
        version: The current version; an older file is copied so that it can be migrated.
    Raises: sqlite3.Error; StoreError, if the file cannot be copied.
    """
    may_write = os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK)
    if may_write or not path.exists():
        # The caller begins and ends transactions; sqlite3 would begin them too late.
        return Opened(sqlite3.connect(path, timeout=busy_seconds, isolation_level=None))
    log = Path(f"{path.resolve()}-wal")
    has_log = log.exists() and log.stat().st_size > 0
    how = "mode=ro" if has_log else "mode=ro&immutable=1"
    connection = sqlite3.connect(
        f"{path.resolve().as_uri()}?{how}", timeout=busy_seconds, isolation_level=None, uri=True
    )
    # A log can only be read if another process has it open.
    with suppress(sqlite3.OperationalError):
        if connection.execute("PRAGMA user_version").fetchone()[0] >= version:
            return Opened(connection, is_read_only=True)
    connection.close()
    return _open_copy(path, log if has_log else None, busy_seconds)


def _open_copy(path: Path, log: Path | None, busy_seconds: float) -> Opened:
    """Copy a store and its log to a temporary folder and open the copy."""
    folder = TemporaryDirectory(prefix="tourney-", ignore_cleanup_errors=True)
    copy = Path(folder.name) / path.name
    try:
        shutil.copyfile(path, copy)
        if log:
            shutil.copyfile(log, f"{copy}-wal")
    except OSError as error:
        folder.cleanup()
        raise StoreError(
            f"{path}: the store is read-only here and cannot be copied: {error.strerror} "
            f"({error.filename}); permit reading it, make room in the temporary folder, or copy "
            "the store yourself and name the copy with --store"
        ) from error
    return Opened(
        sqlite3.connect(copy, timeout=busy_seconds, isolation_level=None),
        is_read_only=True,
        folder=folder,
    )


Identity = tuple[int, int] | None
"""Device and inode of a file; None if it is missing."""


class Place:
    """Detects whether a store or its write-ahead log was replaced since it was opened."""

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        """Remember both files.

        Args:
            path: The store.
            is_read_only: Whether the store is open for reading only, which does not keep the log.
        Raises: StoreRemovedError, if the store is missing.
        """
        self._path = path.absolute()
        self._files: tuple[Path, ...] = (self._path,)
        if not is_read_only:
            self._files += (Path(f"{path.resolve()}-wal"),)
        self._opened = tuple(map(_identity, self._files))
        if not self._opened[0]:
            raise _lost(path, None)

    def check(self) -> None:
        """Make sure that both files are still the same.

        Raises: StoreRemovedError.
        """
        for file, opened in zip(self._files, self._opened, strict=True):
            found = _identity(file)
            if opened and found != opened:
                raise _lost(file, found)

    def beside(self) -> Path:
        """Make an empty file with a new name, in the store's folder if that still exists."""
        folder = self._path.parent if self._path.parent.is_dir() else Path(gettempdir())
        for number in count(1):
            path = folder / f"{self._path.stem}.saved-{number}{self._path.suffix}"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise AssertionError  # there is always another number


def _lost(file: Path, found: Identity) -> StoreRemovedError:
    cause = "replaced by another file" if found else "deleted or moved"
    return StoreRemovedError(f"{file} was {cause} while it was open")


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino


Part: TypeAlias = tuple[str, str, str, str]
"""A part of a schema: type, name, table, and the statement that makes it."""


def misshapen(found: Iterable[tuple[object, ...]], scripts: tuple[str, ...]) -> list[str]:
    """Name the parts of a schema that are missing, changed or foreign.

    Args:
        found: Type, name, table and statement of each part.
        scripts: The migrations applied to the file.
    """
    parts, expected = set(map(_part, found)), _expected(scripts)
    return sorted({" ".join(part[:2]) for part in parts ^ expected})


def statements(script: str) -> Iterator[str]:
    """Split a script into statements, because `executescript` would commit implicitly."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
    if statement.strip():
        yield statement


@cache
def _expected(scripts: tuple[str, ...]) -> frozenset[Part]:
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        for script in scripts:
            for statement in statements(script):
                connection.execute(statement)
        rows = connection.execute("SELECT type, name, tbl_name, sql FROM sqlite_master")
        return frozenset(map(_part, rows))


def _part(row: tuple[object, ...]) -> Part:
    """Normalise the spaces of the statement: they differ between versions of SQLite."""
    kind, name, table, sql = (str(each) for each in row)
    return kind, name, table, " ".join(sql.split())


Row = tuple[Any, ...]
Parameters = Sequence[Any] | Mapping[str, Any]
Thing = TypeVar("Thing")

# A commit in WAL mode is a write to the operating system, so a killed process loses nothing,
# whatever `synchronous` is. FULL would also wait for the disk at every commit: measured 0.6 ms
# on a batch of 3 ms, and much more on a slow disk. NORMAL may lose the last batches in a power
# cut but never damages the file; a resumed run plays lost batches again with the same digests.
_SETTINGS = (
    "PRAGMA trusted_schema = OFF",  # the file may come from an untrusted source
    "PRAGMA cell_size_check = ON",
    "PRAGMA foreign_keys = ON",
    "PRAGMA secure_delete = ON",  # overwrites deleted data: people may ask for its deletion
    "PRAGMA synchronous = NORMAL",
    "PRAGMA cache_size = -65536",  # KiB: the busy ends of the trees of a large run
    "PRAGMA wal_autocheckpoint = 4000",  # pages: a page changed often is copied back once
)

_DAMAGED = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_TOOBIG})
_OUR_OWN = frozenset({sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CONSTRAINT, sqlite3.SQLITE_INTERNAL})
_NO_ROOM = frozenset({sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR})
_BUSY = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
"""SQLite's codes of damage; of errors of this program, if the file is sound; of the disk; and of
other writers."""

_MISREAD = (TypeError, ValueError, LookupError, AttributeError, RecursionError)
"""Errors that readers raise for a value that this program does not write."""


class Database:
    """An open file, for the process and the thread that opened it.

    Args:
        create: Make the file if it does not exist.
        busy_seconds: How long to wait for other processes.
        migrations: The scripts that make the tables.
        first_version: `PRAGMA user_version` of a file after the first script; each further script
            adds 1.
        application: `PRAGMA application_id` of such files.
    Raises: StoreNotFoundError; StoreError, if the file cannot be opened or has another version.
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
        self._is_prepared = False
        self.before_writing: Callable[[], None] | None = None
        """Called at the start of every transaction; an error that it raises rolls back."""
        _check_kind(path, create=create)
        with self._guard():
            self._opened = open_file(path, busy_seconds, self._newest_version)
        self._connection = self._opened.connection
        self._connection.text_factory = _text
        try:
            self._prepare()
            self._is_prepared = True
            self.place = Place(path, is_read_only=self.is_read_only)
        except BaseException:
            self._opened.close()
            raise

    @property
    def is_read_only(self) -> bool:
        """Whether this process may only read the file."""
        return self._opened.is_read_only

    def close(self) -> None:
        """Close the file; closing it twice is harmless."""
        with self._guard():
            self._opened.close()

    def execute(self, sql: str, parameters: Parameters = ()) -> int:
        """Run a statement and return the number of rows it changed."""
        with self._guard():
            return self._connection.execute(sql, parameters).rowcount

    def insert(self, sql: str, parameters: Parameters) -> int:
        """Run an INSERT and return the row's number."""
        with self._guard():
            return self._connection.execute(sql, parameters).lastrowid or 0

    def insert_all(self, sql: str, rows: Iterable[Parameters]) -> int:
        """Run an INSERT for every row and return the number of rows inserted."""
        with self._guard():
            return self._connection.executemany(sql, rows).rowcount

    def first(self, sql: str, parameters: Parameters = ()) -> Row | None:
        """Return the first row of a query, or `None`."""
        with self._guard():
            # The cursor must not outlive the call: it would keep its snapshot of the file, and
            # this connection could not write after another process had written.
            row: Row | None = self._connection.execute(sql, parameters).fetchone()
            return row

    def sync(self) -> None:
        """Wait until all commits are on the disk and would survive a power cut."""
        self.execute("PRAGMA wal_checkpoint")

    def faults(self) -> tuple[str, ...]:
        """Return the faults that SQLite finds in the file; empty if it is sound."""
        with self._guard():
            return tuple(_faults(self._connection))

    def read(
        self,
        reader: Callable[[Iterable[Row]], Iterable[Thing]],
        sql: str,
        parameters: Parameters = (),
    ) -> Iterator[Thing]:
        """Pass the rows of a query through a reader and yield its results one by one."""
        with self._guard():
            rows = self._connection.execute(sql, parameters)
            try:
                yield from reader(rows)
            except _MISREAD as error:
                raise StoreDamagedError(f"{self.path}: {damaged_words(str(error))}") from error

    def copy_to(self, path: Path) -> None:
        """Copy all data into another file, which must be missing or empty."""
        with self._guard(), closing(sqlite3.connect(path)) as copy:
            self._connection.backup(copy)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit all changes made inside, or none if an error is raised."""
        self.execute("BEGIN IMMEDIATE")  # waits here for other writers, not halfway through
        try:
            if self.before_writing:
                self.before_writing()
            yield
            self.execute("COMMIT")
        except BaseException:
            # After some errors, such as a full disk, SQLite has already rolled back.
            with suppress(sqlite3.Error):
                self._connection.rollback()
            raise

    @contextmanager
    def _guard(self) -> Iterator[None]:
        """Turn errors of sqlite3 into a StoreError that names the file and the fix."""
        if os.getpid() != self._process:
            raise StoreError(
                f"{self.path}: another process opened this store; open it again in the new process"
            )
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:
            # A message of SQLite that cannot be decoded quotes the file.
            if isinstance(error, UnicodeDecodeError) or self._shows_damage(error):
                found = damaged_words(str(error), can_open=self._is_prepared)
                raise StoreDamagedError(f"{self.path}: {found}") from error
            raise _kind_of(error)(f"{self.path}: {explain(error, self._busy_seconds)}") from error
        except (OverflowError, UnicodeEncodeError) as error:
            raise StoreError(
                f"{self.path}: this value cannot be stored: {error}; use whole numbers of 64 bits "
                "and valid Unicode text"
            ) from error

    def _shows_damage(self, error: sqlite3.Error) -> bool:
        """Return whether the error is due to damage of the file."""
        if _code(error) in _DAMAGED:
            return True
        if _code(error) not in _OUR_OWN or isinstance(error, sqlite3.ProgrammingError):
            return False
        return next(_faults(self._connection), None) is not None

    def _prepare(self) -> None:
        """Check that the file is ours, migrate it and set up the connection."""
        for setting in _SETTINGS:
            self.execute(setting)
        self.execute("BEGIN")  # one snapshot: another process may be creating the file
        self._check_version()
        self._check_shape()
        self.execute("COMMIT")
        if self.is_read_only and not self._opened.folder:
            return
        self._use_wal()
        while self._version() < self._newest_version:
            self._migrate()
        if self.is_read_only:  # changes to a temporary copy would be lost silently
            self.execute("PRAGMA query_only = ON")

    def _check_version(self) -> None:
        """Reject files of other programs, of newer versions, and of unreleased versions."""
        tables = self._number("SELECT count(*) FROM sqlite_master")
        if tables and self._number("PRAGMA application_id") != self._application:
            raise StoreError(
                f"{self.path}: this is the database of another program; name another file with "
                "--store"
            )
        version = self._version()
        if version > self._newest_version:
            raise StoreError(
                f"{self.path}: the store has version {version}, but this tourney reads versions "
                f"up to {self._newest_version}; upgrade tourney or name another file with --store"
            )
        if 0 < version < self._first_version:
            raise StoreError(
                f"{self.path}: version {version} of the file is from before the first release of "
                "tourney and cannot be read; start with a new file, or use the tourney that made "
                "this one"
            )

    def _check_shape(self) -> None:
        """Reject tables, views and triggers that the migrations did not make."""
        rows = tuple(self.read(iter, "SELECT type, name, tbl_name, sql FROM sqlite_master"))
        if odd := misshapen(rows, tuple(self._migrations[: self._applied()])):
            raise StoreDamagedError(
                f"{self.path}: the tables, views or triggers of the store are not as tourney made "
                f"them: {', '.join(odd)} (the file was damaged, or changed by another program: "
                "restore it from a backup)"
            )

    def _use_wal(self) -> None:
        """Let readers and one writer work at the same time; the file keeps this setting."""
        deadline = time.monotonic() + self._busy_seconds
        mode = None
        while mode is None:
            try:
                mode = self.first("PRAGMA journal_mode = WAL")
            except StoreBusyError:
                # SQLite does not wait for its busy time while another process changes the mode.
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.01)
        if mode != ("wal",):
            raise StoreError(
                f"{self.path}: SQLite cannot keep a write-ahead log on this disk (journal mode "
                f"{mode[0]!r}); move the store to a local disk, or name another file with --store"
            )

    def _migrate(self) -> None:
        """Apply the next script, unless another process has already applied it."""
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
        """Count the scripts applied to the file."""
        return max(0, self._version() - self._first_version + 1)

    def _version(self) -> int:
        return self._number("PRAGMA user_version")

    def _number(self, sql: str) -> int:
        row = self.first(sql)
        return int(row[0]) if row else 0


def _check_kind(path: Path, *, create: bool) -> None:
    """Reject paths that cannot hold a store.

    Raises: StoreNotFoundError, if the file is missing and `create` is False; StoreError, if the
        path is not a file.
    """
    if not path.exists():
        if not create:
            raise StoreNotFoundError(
                f"{path} does not exist; make a store with `tourney run CONFIG`, or name another "
                "file with --store"
            )
    elif not path.is_file():
        from tourney.config.words import found_words  # noqa: PLC0415 - rarely needed

        raise StoreError(
            f"{path} is {found_words(path)}, not a file; name another file with --store"
        )


def _kind_of(error: sqlite3.Error) -> type[StoreError]:
    if _code(error) in _NO_ROOM:
        return StoreFullError
    return StoreBusyError if _code(error) in _BUSY else StoreError


def explain(error: sqlite3.Error, busy_seconds: float) -> str:
    """Describe an error of sqlite3: the problem, SQLite's message and the fix."""
    match _code(error):
        case code if code in _BUSY:
            problem = f"another process has locked the store for over {busy_seconds:g} s"
            fix = "wait until it ends, then try again"
        case sqlite3.SQLITE_NOTADB:
            problem = "this file is not a store"
            fix = "name another file with --store"
        case sqlite3.SQLITE_CORRUPT:
            return damaged_words(str(error))
        case code if code in _NO_ROOM:
            problem = "the disk is full or fails"
            fix = "all data stored before is safe; make room, then run `tourney resume`"
        case sqlite3.SQLITE_CANTOPEN:
            problem = "the file cannot be opened"
            fix = "make its folder, permit writing in it, or name another file with --store"
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_PERM:
            problem = "the file or its folder cannot be written"
            fix = "change the permissions, or name a copy in another folder with --store"
        case _ if isinstance(error, sqlite3.ProgrammingError) and "closed" in str(error):
            problem = "the store is closed"
            fix = "open it again, or read the data before you close it"
        case _:
            problem = "an unexpected error of SQLite"
            fix = "this is a bug of tourney; please report it"
    return f"{problem} ({error}); {fix}"


def damaged_words(found: str, *, can_open: bool = True) -> str:
    """Describe a damaged file and the fix, which depends on whether it can be opened at all."""
    if not can_open:
        return f"the store is damaged and cannot be opened: {found} (restore it from a backup)"
    return (
        f"the store is damaged: {found} (`tourney verify RUN --repair` keeps the sound results and "
        "plays the others again; restore the rest from a backup)"
    )


def _text(stored: bytes) -> str:
    """Read a text. Bytes that are not UTF-8 become escapes, so that checksums name the damage."""
    return stored.decode("utf-8", "backslashreplace")


def _faults(connection: sqlite3.Connection) -> Iterator[str]:
    """Find damaged pages, indexes and references of a file."""
    try:
        for (line,) in connection.execute("PRAGMA integrity_check"):
            if line != "ok":
                yield line
        for table, _, parent, _ in connection.execute("PRAGMA foreign_key_check"):
            yield f"a row of {table} refers to a missing row of {parent}"
    except sqlite3.Error as error:
        yield str(error)


def _code(error: BaseException | None) -> int:
    """Return SQLite's primary result code; SQLITE_ERROR for errors without one."""
    code: int = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    return code & 0xFF
