"""What is handed in, as files in memory, and which language it is written in.

A single file of Python, a chart, a small package of pure Python, files of C++, or what else a
language that is installed recognises; all else is refused with a reason. Reads no code: whether it
can play is for the check to say.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tourney.competitors.sources import digest_of
from tourney.config.words import joined
from tourney.errors import SubmissionError
from tourney.plugins.language import Language
from tourney.plugins.loading import installed_languages, language_of
from tourney.plugins.source_files import check_path, files_at, texts_of

if TYPE_CHECKING:
    from tourney.sandbox.wire import Submitted

MOST_SHOWN = 3  # names of files that a message shows

REFUSED = {
    "a header": (".h", ".hpp", ".hh", ".hxx"),
    "compiled code": (".pyc", ".pyo", ".pyd", ".so", ".dll", ".dylib", ".exe", ".o", ".a"),
    "an archive": (".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".7z", ".rar", ".whl", ".jar"),
    "a notebook": (".ipynb",),
    "a document": (".pdf", ".doc", ".docx", ".odt", ".rtf", ".md", ".html"),
    "a picture": (".png", ".jpg", ".jpeg", ".gif", ".heic"),
    "another language": (
        ".java",
        ".js",
        ".ts",
        ".rs",
        ".go",
        ".rb",
        ".cs",
        ".kt",
        ".m",
        ".r",
        ".c",
    ),
}
"""What else people hand in, by its suffixes."""

REMEDIES = {
    "a header": "hand in player.cpp, or the folder with both",
    "compiled code": "hand in the source",
    "an archive": "unpack it and hand in what is in it, or take in a whole class with --zip",
    "a notebook": "save its code as a file with .py",
}


@dataclass(frozen=True, slots=True)
class Source:
    """A competitor as it was handed in."""

    kind: str  # the name of its language
    files: tuple[tuple[str, str], ...]  # (name, text), sorted by name; a package's have paths

    @property
    def language(self) -> Language:
        """What reads and loads it."""
        return language_of(self.kind)

    @property
    def name(self) -> str:
        """The name of the file, or of that which makes a folder a competitor."""
        return self.language.name_of(self.files)

    @property
    def is_folder(self) -> bool:
        """Whether its files lie in a folder of their own."""
        return len(self.files) > 1 or not self.language.stands_alone(self.name)

    @property
    def text(self) -> str:
        """The text that is meant; empty of several files, of which only a traceback says."""
        return self.files[0][1] if len(self.files) == 1 else ""

    def place_of(self, call: str) -> str:
        """Say where it answers a question, as well as is known: "file:line", or its file."""
        return self.language.place_of_call(call, self.files) or self.name

    def sandboxed(self) -> "Submitted":
        """Give what a process that is shut in is sent."""
        return self.language.sandboxed(self.name, self.files)

    @property
    def digest(self) -> str:
        """Name what it does, as a run does for entrants without options; 32 hex digits."""
        return digest_of(self.files, ()).hex()


def read_handed_in(path: Path) -> Source:
    """Read what is handed in, or was kept of it.

    Args:
        path: A file, or a folder with a package.
    Raises: SubmissionError, if it cannot be read or is nothing that could play.
    """
    return source_of(files_at(path))


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
    for kind, language in installed_languages().items():
        if language.recognises(files):
            wanted = {name: each for name, each in files.items() if language.wants(name)}
            texts = texts_of(wanted, language.fallback_encoding)
            return Source(kind, language.read(texts))
    raise _refused(sorted(files))


def is_competitor(path: str) -> bool:
    """Say whether a file of this name could be a competitor by itself."""
    return any(each.stands_alone(path) for each in installed_languages().values())


def is_whole(names: Collection[str]) -> bool:
    """Say whether files of these names belong together, as those of a package."""
    return whole_in(names) is not None


def whole_in(names: Collection[str]) -> Language | None:
    """Give the language of files that belong together; None if they do not."""
    for each in installed_languages().values():
        if (len(names) > 1 or each.main in names) and each.recognises(names):
            return each
    return None


def _refused(names: list[str]) -> SubmissionError:
    """Say why something is nothing that could play."""
    known = installed_languages().values()
    if len(names) > 1:
        mains = " or ".join(sorted(f"a {each.main}" for each in known if each.main))
        more = ", …" if len(names) > MOST_SHOWN else ""
        return SubmissionError(
            f"expected one file, or a folder with {mains}, got {len(names)} files "
            f"({', '.join(names[:MOST_SHOWN])}{more}); hand in one file"
        )
    suffix = PurePosixPath(names[0]).suffix.lower()
    what = next((each for each, suffixes in REFUSED.items() if suffix in suffixes), "")
    remedy = REMEDIES.get(what, "hand in the competitor alone")
    expected = joined([each.handed_in for each in known if each.handed_in])
    return SubmissionError(
        f"{names[0]}: expected {expected}, got {what or 'something else'}; {remedy}"
    )
