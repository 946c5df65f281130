"""Reading a competitor's files from the disk, and what kinds of files are read at all.

Follows no link and reads no more than a competitor may have, whatever lies there. Which language
they are of is not known here.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tourney.errors import SubmissionError

MOST_BYTES = 1_000_000  # of all files together
MOST_FILES = 100
LONGEST_PART = 100  # characters of a file's or folder's name

LEFT_OUT = frozenset({"__pycache__", "build", "dist", "node_modules", "venv"})
"""Folders that tools make; hidden ones are left out too."""


def files_at(path: Path) -> dict[str, bytes]:
    """Read a file, or all files of a folder by their relative paths.

    Raises: SubmissionError, if it cannot be read or is too much.
    """
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise SubmissionError(
            f"{path}: expected a file, got nothing of that name; check the spelling"
        )
    return {path.name: _content(path)}


def texts_of(files: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Give files as text, sorted by name.

    Args:
        files: Contents by name; names in a folder are relative paths with '/'.
    Raises: SubmissionError, if there is too much, or one of them is no text.
    """
    if len(files) > MOST_FILES:
        raise SubmissionError(
            f"expected at most {MOST_FILES} files, got {len(files)}; leave out what does not play"
        )
    size = sum(map(len, files.values()))
    if size > MOST_BYTES:
        raise SubmissionError(
            f"expected at most {MOST_BYTES:,} bytes, got {size:,}; make it shorter"
        )
    return tuple((name, _text(name, files[name])) for name in sorted(files))


def check_path(name: str) -> None:
    """Refuse the name of a file that could not be kept under it on every system.

    Args:
        name: A name, or a relative path with '/'.
    Raises: SubmissionError, if it leads elsewhere, is hidden, or cannot be typed.
    """
    parts = name.split("/")
    if not all(_is_plain(part) for part in parts):
        shown = repr(name[:LONGEST_PART])
        raise SubmissionError(
            f"{shown}: expected a file's name of printable characters, not hidden and without "
            "'..', ':' or '\\'; rename the file"
        )


def _is_plain(part: str) -> bool:
    return (
        0 < len(part) <= LONGEST_PART
        and part.isprintable()
        and part[0] != "."
        and part[-1] not in ". "
        and not set(part) & set('\\:*?"<>|')
    )


def _text(name: str, content: bytes) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        read = error.object  # what is left without a mark at its beginning
        line = read.count(b"\n", 0, error.start) + 1
        raise SubmissionError(
            f"{name}:{line}: expected UTF-8 text, got the byte {read[error.start]:#04x}; "
            "save the file as UTF-8"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SubmissionError(f"{name}:{line}: expected text, got a zero byte; save it as UTF-8")
    # As an editor of any system has it, so that a file is the same however it travelled.
    return text.replace("\r\n", "\n").replace("\r", "\n")


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
    if not files:
        got = "only what is hidden or made by tools" if any(folder.iterdir()) else "an empty one"
        raise SubmissionError(f"{folder}: expected a folder with files of a competitor, got {got}")
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
