"""Reading a competitor's files from the disk, within limits of number and size.

Links are not followed. The language of the files is decided elsewhere.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from tourney.config.words import hint, near_file
from tourney.errors import SubmissionError

MOST_BYTES = 1_000_000  # of all files together
MOST_FILES = 100
LONGEST_PART = 100  # characters of a file's or folder's name

LEFT_OUT = frozenset({"__pycache__", "build", "dist", "node_modules", "venv"})
"""Folders made by tools, which are skipped like hidden ones."""


def files_at(path: Path) -> dict[str, bytes]:
    """Read a file, or all files of a folder by their relative paths.

    A file of a folder may be too large, because no competitor needs it: then its content is cut
    where `check_sizes` still rejects it.

    Raises: SubmissionError, if it cannot be read or exceeds the limits.
    """
    if path.is_dir():
        return _folder(path)
    if not path.exists():
        raise SubmissionError(f"{path} does not exist; check the spelling{hint(near_file(path))}")
    content = _content(path)
    check_sizes({str(path): content})
    return {path.name: content}


def check_sizes(files: Mapping[str, bytes]) -> None:
    """Reject files with more bytes than a competitor may have.

    Args:
        files: Contents by name.
    Raises: SubmissionError.
    """
    if large := next((name for name in files if len(files[name]) > MOST_BYTES), ""):
        raise SubmissionError(f"{large} has more than {MOST_BYTES:,} bytes; shorten it")
    size = sum(map(len, files.values()))
    if size > MOST_BYTES:
        raise SubmissionError(
            f"the files have {size:,} bytes; at most {MOST_BYTES:,} are allowed, so shorten them"
        )


def texts_of(
    files: Mapping[str, bytes], fallback_encoding: str = ""
) -> tuple[tuple[str, str], ...]:
    """Return files as text, sorted by name.

    Args:
        files: Contents by name; names in a folder are relative paths with '/'.
        fallback_encoding: Encoding of files that are not UTF-8; empty rejects them.
    Raises: SubmissionError, if they exceed the limits or one is not text.
    """
    if len(files) > MOST_FILES:
        raise SubmissionError(
            f"{len(files)} files are too many; at most {MOST_FILES} are allowed, so leave out "
            "files that are not needed"
        )
    check_sizes(files)
    return tuple((name, _text(name, files[name], fallback_encoding)) for name in sorted(files))


def check_path(name: str) -> None:
    """Reject a file name that some systems could not store.

    Args:
        name: A name, or a relative path with '/'.
    Raises: SubmissionError, if it leads outside, is hidden, or cannot be typed.
    """
    parts = name.split("/")
    if not all(_is_plain(part) for part in parts):
        shown = repr(name[:LONGEST_PART])
        raise SubmissionError(
            f"{shown}: the name of a file must consist of printable characters, must not be hidden "
            f"or have more than {LONGEST_PART} characters, and must not contain '..', ':' or '\\'; "
            "rename the file"
        )


def _is_plain(part: str) -> bool:
    return (
        0 < len(part) <= LONGEST_PART
        and part.isprintable()
        and part[0] != "."
        and part[-1] not in ". "
        and not set(part) & set('\\:*?"<>|')
    )


def _text(name: str, content: bytes, fallback_encoding: str) -> str:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        read = error.object  # the content without a byte-order mark
        if not fallback_encoding:
            line = read.count(b"\n", 0, error.start) + 1
            raise SubmissionError(
                f"{name}:{line}: the byte {read[error.start]:#04x} is not UTF-8 text; "
                "save the file as UTF-8"
            ) from error
        text = read.decode(fallback_encoding, "replace")
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SubmissionError(f"{name}:{line}: the file has a zero byte; save it as UTF-8 text")
    # Line ends of all systems become "\n", so that copying a file does not change its digest.
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _folder(folder: Path) -> dict[str, bytes]:
    """Read the files of a folder by their relative paths."""
    files: dict[str, bytes] = {}
    for path in _walk(folder):
        if len(files) == MOST_FILES:
            raise SubmissionError(
                f"{folder} has more than {MOST_FILES} files; leave out files that are not needed"
            )
        files[path.relative_to(folder).as_posix()] = _content(path)
    if not files:
        contents = (
            "only hidden files or files made by tools" if any(folder.iterdir()) else "no files"
        )
        raise SubmissionError(f"{folder} has {contents}; put the competitor's files there")
    return files


def _walk(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and its subfolders, except those made by tools."""
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if is_wanted(name))
        yield from (Path(place, name) for name in sorted(names) if is_wanted(name))


def walked_names(folder: Path) -> list[str]:
    """Return the relative paths of a folder's files, with '/' and without what tools made."""
    return [path.relative_to(folder).as_posix() for path in _walk(folder)]


def is_wanted(name: str) -> bool:
    """Return whether a file or folder is neither hidden nor made by a tool."""
    is_made = name in LEFT_OUT or name.endswith((".egg-info", ".pyc"))
    return not is_made and not name.startswith(".")


def _content(path: Path) -> bytes:
    """Read a file, up to a byte beyond the size limit."""
    if path.is_symlink() or not path.is_file():
        raise SubmissionError(f"{path} is a link or a special file; hand in the file itself")
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise SubmissionError(f"{path} cannot be read: {error.strerror}") from error
    return content
