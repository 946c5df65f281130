"""Reading what is handed in from the disk: a file, or a package's folder.

Follows no link and reads no more than a competitor may have, whatever lies there.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from tourney.errors import SubmissionError
from tourney.submissions.source import MOST_BYTES, MOST_FILES, Source, source_of

LEFT_OUT = frozenset({"__pycache__", "build", "dist", "node_modules", "venv"})
"""Folders that tools make; hidden ones are left out too."""


def read_handed_in(path: Path) -> Source:
    """Read what is handed in.

    Args:
        path: A file, or a folder with a package.
    Raises: SubmissionError, if it cannot be read or is nothing that could play.
    """
    if path.is_dir():
        return source_of(_folder(path))
    if not path.exists():
        raise SubmissionError(
            f"{path}: expected a file, got nothing of that name; check the spelling"
        )
    return source_of({path.name: _content(path)})


def read_kept(folder: Path) -> Source:
    """Read what was taken in before, from the folder that keeps it.

    Raises: SubmissionError, if it cannot be read.
    """
    return source_of(_folder(folder))


def _folder(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder, by their relative paths."""
    files: dict[str, bytes] = {}
    for path in _walk(folder):
        if len(files) == MOST_FILES:
            raise SubmissionError(
                f"{folder}: expected at most {MOST_FILES} files, got more; "
                "leave out what does not play"
            )
        files[path.relative_to(folder).as_posix()] = _content(path)
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """Give the files in a folder and its folders, but for what tools make."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if is_wanted(name))
        yield from (Path(place, name) for name in sorted(names) if is_wanted(name))


def is_wanted(name: str) -> bool:
    """Say whether a file or folder is the author's, not hidden and made by no tool."""
    is_made = name in LEFT_OUT or name.endswith((".egg-info", ".pyc"))
    return not is_made and not name.startswith(".")


def _content(path: Path) -> bytes:
    """Read a file of modest size."""
    if path.is_symlink() or not path.is_file():
        raise SubmissionError(
            f"{path}: expected a plain file, got a link or something else; hand in the file itself"
        )
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SubmissionError(
            f"{path}: expected a file that can be read, got: {error.strerror}"
        ) from error
    if len(content) > MOST_BYTES:
        raise SubmissionError(
            f"{path}: expected at most {MOST_BYTES:,} bytes, got more; make it shorter"
        )
    return content
