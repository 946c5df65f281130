"""A portal's folder in one file, taken while it is in use, and put back elsewhere.

Databases are copied by SQLite itself, so each is whole; versions of submissions appear whole or not
at all, so files are copied as they stand. portal.db comes first: whatever it says was done is there
in what is copied after it, and what was done meanwhile is done again, to the same effect. What was
uploaded is taken before and after it, so that what it says waits is there, too.
"""

import os
import shutil
import tarfile
import zlib
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from tourney.errors import PortalError, StoreDamagedError
from tourney.portal.database import PortalDatabase, open_database
from tourney.portal.places import OTHERS, Places
from tourney.store.migrations import open_database as open_store_database

LEFT_OUT = frozenset({"serve.lock", ".lock"})
BESIDE = ("-wal", "-shm")
"""Ends of the names of what SQLite keeps beside a database; it is in the copy already."""


def back_up(places: Places, to: Path) -> int:
    """Write a portal into an archive; give how many files are in it.

    Args:
        places: Of the portal, which may be in use.
        to: The archive, a new file that nobody else may read.
    Raises: PortalError, if there is no portal, or such a file already.
    """
    if not places.database.is_file():
        raise PortalError(f"{places.root}: expected the folder of a portal, got none")
    try:
        descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise PortalError(f"{to}: expected a name that is free, got a file; it stays") from None
    count = 0
    with (
        os.fdopen(descriptor, "wb") as file,
        tarfile.open(fileobj=file, mode="w:gz") as archive,
        TemporaryDirectory(dir=to.parent, prefix=".backup-") as beside,
    ):
        uploads = Path(beside) / "inbox"
        _take_uploads(places, uploads)
        for path in _files(places):
            name = path.relative_to(places.root).as_posix()
            if path.suffix == ".db":
                copy = Path(beside) / "copy.db"
                _copy(path, copy, is_portals=path == places.database)
                archive.add(copy, name)
                copy.unlink()
            else:
                with suppress(FileNotFoundError):  # one that was being written
                    archive.add(path, name, recursive=False)
            if path == places.database:
                _take_uploads(places, uploads)
                archive.add(uploads, places.inbox.name)
            count += 1
        file.flush()
    return count


def _take_uploads(places: Places, to: Path) -> None:
    """Copy what lies in the inbox and was not copied yet."""
    to.mkdir(exist_ok=True)
    for path in places.inbox.glob("*"):
        copy = to / path.name
        if not copy.exists():
            with suppress(FileNotFoundError):  # its job is over
                shutil.copy2(path, copy)


def restore(archive: Path, places: Places) -> None:
    """Put a portal back, or into another folder.

    Args:
        archive: As `back_up` writes it.
        places: A folder with nothing in it, or none yet.
    Raises: PortalError, if the archive is none, or the folder has something in it.
    """
    if places.root.exists() and any(places.root.iterdir()):
        raise PortalError(f"{places.root}: expected an empty folder, got one with files in it")
    try:
        opened = tarfile.open(archive)  # noqa: SIM115 - closed below
    except (tarfile.TarError, EOFError) as error:
        raise PortalError(
            f"{archive}: expected what `tourney serve backup` writes, got a file that is no "
            "archive; name a backup"
        ) from error
    places.root.mkdir(parents=True, exist_ok=True, mode=0o700)
    with opened:
        _unpack(archive, opened, places)
    if not places.database.is_file():
        raise _in_vain(archive, places, "an archive of others")
    places.make_private()
    try:
        open_database(places).close()
    except StoreDamagedError as error:
        raise _in_vain(archive, places, "one whose portal.db is damaged") from error


def _unpack(archive: Path, opened: tarfile.TarFile, places: Places) -> None:
    """Put what is in an archive into a folder.

    Raises: PortalError, if it is cut short or damaged, or cannot be written there.
    """
    try:
        for member in opened:
            _check(archive, member)
            member.mode &= ~OTHERS
            opened.extract(member, places.root, filter="data")
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        words = error.strerror if isinstance(error, OSError) else None  # gzip's own have none
        got = f"'{words}' on the way" if words else "one that is cut short or damaged"
        raise _in_vain(archive, places, got) from error


def _in_vain(archive: Path, places: Places, got: str) -> PortalError:
    """Say why what was put into a folder is no portal, and what to do."""
    return PortalError(
        f"{archive}: expected what `tourney serve backup` writes, got {got}; delete "
        f"{places.root}, which is no portal, and restore another backup"
    )


def _check(archive: Path, member: tarfile.TarInfo) -> None:
    """Refuse what is no plain file, or lies outside."""
    name = PurePosixPath(member.name)
    if not (member.isfile() or member.isdir()) or name.is_absolute() or ".." in name.parts:
        raise PortalError(f"{archive}: expected plain files, got {member.name[:80]!r}")


def _files(places: Places) -> Iterator[Path]:
    """Give the files of a portal but its inbox, its database first."""
    yield places.database
    for path in sorted(places.root.rglob("*")):
        is_kept = path.name not in LEFT_OUT and not path.name.endswith(BESIDE)
        is_elsewhere = path == places.database or path.parent == places.inbox
        if path.is_file() and not path.is_symlink() and is_kept and not is_elsewhere:
            yield path


def _copy(path: Path, to: Path, *, is_portals: bool) -> None:
    """Copy a database as it is at one moment."""
    opened = PortalDatabase if is_portals else open_store_database
    with closing(opened(path, create=False)) as database:
        database.copy_to(to)
