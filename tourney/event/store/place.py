"""Where the file lies that was opened, and whether it still lies there.

A file that is deleted or replaced lives on for those who have it open: SQLite goes on writing, and
all of it is lost in the end.
"""

from itertools import count
from pathlib import Path
from tempfile import gettempdir

from tourney.errors import StoreLost

Identity = tuple[int, int] | None
"""Device and number of a file; None if there is none."""


class Place:
    """A store's file and its write-ahead log, as they were when it was opened."""

    def __init__(self, path: Path, *, is_read_only: bool = False) -> None:
        """Look at them.

        Args:
            path: The file.
            is_read_only: Whether it is open for reading, which does not keep the log in its place.
        Raises: StoreLost, if they have gone already.
        """
        self._path = path.absolute()
        self._files: tuple[Path, ...] = (self._path,)
        if not is_read_only:
            self._files += (Path(f"{path.resolve()}-wal"),)
        self._opened = tuple(map(_identity, self._files))
        if not self._opened[0]:
            raise _lost(path, None)

    def check(self) -> None:
        """Make sure that they are still the same.

        Raises: StoreLost.
        """
        for file, opened in zip(self._files, self._opened, strict=True):
            found = _identity(file)
            if opened and found != opened:
                raise _lost(file, found)

    def beside(self) -> Path:
        """Make an empty file with a new name, beside the store if its folder is there."""
        folder = self._path.parent if self._path.parent.is_dir() else Path(gettempdir())
        for number in count(1):
            path = folder / f"{self._path.stem}.saved-{number}{self._path.suffix}"
            try:
                path.touch(exist_ok=False)
            except FileExistsError:
                continue
            return path
        raise AssertionError  # there is always another number


def _lost(file: Path, found: Identity) -> StoreLost:
    got = "another file of that name" if found else "none: it was deleted or moved"
    return StoreLost(f"{file}: expected the file that was opened, got {got}")


def _identity(path: Path) -> Identity:
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    return found.st_dev, found.st_ino
