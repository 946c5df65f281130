"""Atomic writes: after a crash a file is either old or new.

Also a lock that ends with the process that holds it.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

UNFINISHED = ".unfinished-"
"""Prefix of the names of files that are not completely written."""


LOCK = ".lock"
"""Lock file of a folder."""


@contextmanager
def only_one(folder: Path) -> Iterator[None]:
    """Lock a folder, and remove files that a killed process left behind."""
    with (folder / LOCK).open("ab", buffering=0) as file:
        _lock(file.fileno())
        # Searching a large class is slow, so a non-empty lock marks an interrupted change.
        if os.fstat(file.fileno()).st_size:
            for left in folder.rglob(f"{UNFINISHED}*"):
                shutil.rmtree(left, ignore_errors=True) if left.is_dir() else left.unlink()
        else:
            file.write(b"changing")
        yield  # closing the file ends the lock, as the end of the process does
        file.truncate(0)


def write_whole(path: Path, text: str, encoding: str = "utf-8", mode: int = 0o666) -> None:
    """Write a file completely, or leave it unchanged.

    Args:
        path: The file.
        text: Its content; line ends are kept.
        encoding: Its encoding.
        mode: Permissions, limited by the umask.
    """
    unfinished = path.with_name(f"{UNFINISHED}{token_hex(8)}")
    _write(unfinished, text, encoding, mode)
    unfinished.replace(path)
    _settle(path.parent)


def write_folder(folder: Path, files: Mapping[str, str]) -> None:
    """Write a new folder with all its files, or nothing.

    Args:
        folder: The new folder; its parent exists.
        files: Texts by relative path with '/'.
    """
    unfinished = folder.with_name(f"{UNFINISHED}{token_hex(8)}")
    for name, text in files.items():
        path = unfinished / name
        path.parent.mkdir(parents=True, exist_ok=True)
        _write(path, text)
    for place, _, _ in os.walk(unfinished):
        _settle(Path(place))
    unfinished.replace(folder)
    _settle(folder.parent)


def remove_folder(folder: Path) -> None:
    """Remove a folder completely, or leave it unchanged."""
    leaving = folder.with_name(f"{UNFINISHED}{token_hex(8)}")
    folder.replace(leaving)
    _settle(folder.parent)
    shutil.rmtree(leaving)


def _write(path: Path, text: str, encoding: str = "utf-8", mode: int = 0o666) -> None:
    """Write a new file and sync it to disk."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    with os.fdopen(descriptor, "w", encoding=encoding, newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())


def _settle(folder: Path) -> None:
    """Sync the entries of a folder to disk."""
    if sys.platform == "win32":
        return  # Windows cannot open folders, and needs no sync
    entry = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(entry)
    finally:
        os.close(entry)


if sys.platform == "win32":
    import msvcrt

    def _lock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)  # the same byte for all processes
        while True:
            try:
                return msvcrt.locking(file, msvcrt.LK_LOCK, 1)
            except OSError:  # it gives up after ten seconds; we do not
                continue
else:
    import fcntl

    def _lock(file: int) -> None:
        fcntl.flock(file, fcntl.LOCK_EX)
