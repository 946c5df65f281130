"""What is handed in, as files in memory, and which kind of competitor it is.

A single file of Python, a chart, or a small package of pure Python; all else is refused with a
reason. Reads no Python: whether it can play is for the check to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Literal

from tourney.errors import SubmissionError
from tourney.players import read_chart
from tourney.plugins import digest_of
from tourney.submissions.packages import check_package

Kind = Literal["file", "chart", "package"]
"""A file of Python, a chart, or a package with a `pyproject.toml`."""

MOST_BYTES = 1_000_000  # of all files together
MOST_FILES = 100
LONGEST_PART = 100  # characters of a file's or folder's name
PROJECT = "pyproject.toml"

REFUSED = {
    "C++, which is planned": (".cpp", ".cc", ".cxx", ".c", ".h", ".hpp", ".hh"),
    "compiled code": (".pyc", ".pyo", ".pyd", ".so", ".dll", ".dylib", ".exe", ".o", ".a"),
    "an archive": (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".whl", ".jar"),
    "a notebook": (".ipynb",),
    "a document": (".pdf", ".doc", ".docx", ".odt", ".rtf", ".md", ".html"),
    "a picture": (".png", ".jpg", ".jpeg", ".gif", ".heic"),
    "another language": (".java", ".js", ".ts", ".rs", ".go", ".rb", ".cs", ".kt", ".m", ".r"),
}
"""What else people hand in, by its suffixes."""

REMEDIES = {
    "C++, which is planned": "write it in Python for now",
    "compiled code": "hand in the source",
    "an archive": "unpack it and hand in what is in it, or take in a whole class with --zip",
    "a notebook": "save its code as a file with .py",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A competitor as it was handed in."""

    kind: Kind
    files: tuple[tuple[str, str], ...]  # (name, text), sorted by name; a package's have paths

    @property
    def name(self) -> str:
        """The file's name, or that of the package's project file."""
        return PROJECT if self.kind == "package" else self.files[0][0]

    @property
    def digest(self) -> str:
        """Name what it does, as a run does for entrants without options; 32 hex digits."""
        return digest_of(self.files, ()).hex()


def source_of(files: Mapping[str, bytes]) -> Source:
    """Find out what was handed in.

    Args:
        files: Contents by name; names in a package are relative paths with '/'.
    Raises: SubmissionError, if it is nothing that could play; ChartError, with a chart's faults.
    """
    if not files:
        raise SubmissionError("expected a competitor's file, got none that can be read")
    for name in files:
        check_path(name)
    if PROJECT in files:
        return Source("package", check_package(_texts(files)))
    if len(files) > 1:
        names = ", ".join(sorted(files)[:3])
        raise SubmissionError(
            f"expected one file, or a package with a {PROJECT}, got {len(files)} files ({names}"
            f"{', …' if len(files) > 3 else ''}); hand in one file"  # noqa: PLR2004 - as shown
        )
    (name,) = files
    suffix = PurePosixPath(name).suffix.lower()
    if suffix not in {".py", ".txt"}:
        raise _refused(name, suffix)
    texts = _texts(files)
    if suffix == ".py":
        return Source("file", texts)
    read_chart(texts[0][1], name)
    return Source("chart", texts)


def _refused(name: str, suffix: str) -> SubmissionError:
    """Say why something is nothing that could play."""
    what = next((each for each, suffixes in REFUSED.items() if suffix in suffixes), "")
    remedy = REMEDIES.get(what, "hand in the competitor alone")
    return SubmissionError(
        f"{name}: expected a file of Python (.py), a chart (.txt) or a package's folder, "
        f"got {what or 'something else'}; {remedy}"
    )


def _texts(files: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Give files as text.

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
        line = content.count(b"\n", 0, error.start) + 1
        raise SubmissionError(
            f"{name}:{line}: expected UTF-8 text, got the byte {content[error.start]:#04x}; "
            "save the file as UTF-8"
        ) from error
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise SubmissionError(f"{name}:{line}: expected text, got a zero byte; save it as UTF-8")
    # As an editor of any system has it, so that a file is the same however it travelled.
    return text.replace("\r\n", "\n").replace("\r", "\n")
