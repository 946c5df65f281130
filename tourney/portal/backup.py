"""Backups: the portal's folder in one archive, taken while it is in use, and restored elsewhere.

SQLite copies the databases, so each is consistent. Versions of submissions appear atomically, so
their files are copied directly. portal.db is copied first: all work that it records as done is in
the later copies, and work done meanwhile is repeated with the same effect. Uploads are copied
before and after it, so that the uploads that it records as waiting are included.
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
"""Suffixes of SQLite's auxiliary files; their content is already in the copy of the database."""


def back_up(places: Places, to: Path) -> int:
    """Write a portal into an archive; give the number of files in it.

    Args:
        places: Of the portal, which may be in use.
        to: The archive, a new file that no other user may read.
    Raises: PortalError, if there is no portal, or the archive already exists.
    """
    if not places.database.is_file():
        raise PortalError(f"{places.root}: no portal in this folder; name the folder of one")
    try:
        descriptor = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        raise PortalError(f"{to} already exists; choose another name") from None
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
                with suppress(FileNotFoundError):  # it was a temporary file
                    archive.add(path, name, recursive=False)
            if path == places.database:
                _take_uploads(places, uploads)
                archive.add(uploads, places.inbox.name)
            count += 1
        file.flush()
    return count


def _take_uploads(places: Places, to: Path) -> None:
    """Copy files of the inbox that are not copied yet."""
    to.mkdir(exist_ok=True)
    for path in places.inbox.glob("*"):
        copy = to / path.name
        if not copy.exists():
            with suppress(FileNotFoundError):  # its job has finished
                shutil.copy2(path, copy)


def restore(archive: Path, places: Places) -> None:
    """Restore a portal from an archive.

    Args:
        archive: As `back_up` writes it.
        places: An empty folder, or a new one.
    Raises: PortalError, if the archive is not a backup, or the folder is not empty.
    """
    if places.root.exists() and any(places.root.iterdir()):
        raise PortalError(f"{places.root}: the folder is not empty; name a new folder")
    try:
        opened = tarfile.open(archive)  # noqa: SIM115 - closed below
    except (tarfile.TarError, EOFError) as error:
        raise PortalError(
            f"{archive}: this file is not an archive; name a backup of `tourney serve backup`"
        ) from error
    places.root.mkdir(parents=True, exist_ok=True, mode=0o700)
    with opened:
        _unpack(archive, opened, places)
    if not places.database.is_file():
        raise _in_vain(archive, places, "it is not a backup of a portal")
    places.make_private()
    try:
        open_database(places).close()
    except StoreDamagedError as error:
        raise _in_vain(archive, places, "its portal.db is damaged") from error


def _unpack(archive: Path, opened: tarfile.TarFile, places: Places) -> None:
    """Unpack an archive into a folder.

    Raises: PortalError, if the archive is incomplete or damaged, or the folder cannot be written.
    """
    try:
        for member in opened:
            _check(archive, member)
            member.mode &= ~OTHERS
            opened.extract(member, places.root, filter="data")
    except (tarfile.TarError, EOFError, zlib.error, OSError) as error:
        words = error.strerror if isinstance(error, OSError) else None  # gzip's errors have none
        fault = f"it could not be unpacked ({words})" if words else "it is incomplete or damaged"
        raise _in_vain(archive, places, fault) from error


def _in_vain(archive: Path, places: Places, fault: str) -> PortalError:
    """Give the error for an archive that was unpacked but is not a portal."""
    return PortalError(
        f"{archive}: {fault}; delete {places.root}, which is not a portal, and restore another "
        "backup"
    )


def _check(archive: Path, member: tarfile.TarInfo) -> None:
    """Reject members that are not plain files inside the folder."""
    name = PurePosixPath(member.name)
    if not (member.isfile() or member.isdir()) or name.is_absolute() or ".." in name.parts:
        raise PortalError(
            f"{archive}: {member.name[:80]!r} is not a plain file of a backup; name another archive"
        )


def _files(places: Places) -> Iterator[Path]:
    """Give the files of a portal, its database first, without its inbox."""
    yield places.database
    for path in sorted(places.root.rglob("*")):
        is_kept = path.name not in LEFT_OUT and not path.name.endswith(BESIDE)
        is_elsewhere = path == places.database or path.parent == places.inbox
        if path.is_file() and not path.is_symlink() and is_kept and not is_elsewhere:
            yield path


def _copy(path: Path, to: Path, *, is_portals: bool) -> None:
    """Copy a database in a consistent state."""
    opened = PortalDatabase if is_portals else open_store_database
    with closing(opened(path, create=False)) as database:
        database.copy_to(to)
