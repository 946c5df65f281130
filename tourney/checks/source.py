"""A submitted competitor: its files in memory, and its language.

Accepted are a Python file, a chart, a small package of pure Python, C++ files, or files of another
installed language; everything else is rejected with a reason. No code is run: the check finds out
whether it can play.
"""

import ast
import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from tourney.competitors.sources import digest_of
from tourney.config.words import joined
from tourney.errors import ChartError, SubmissionError
from tourney.plugins.language import Language, Texts
from tourney.plugins.loading import installed_languages, language_of
from tourney.plugins.source_files import check_path, files_at, texts_of

if TYPE_CHECKING:
    from tourney.sandbox.wire import Submitted

EXTRA = re.compile(r"(?P<name>.+\.(?:py|cpp|cc|cxx|h|hpp|toml))\.txt", re.IGNORECASE)
"""A name to which a mail program, or a system that hides endings, has added one."""
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
"""Other kinds of files that people submit, by suffix."""

REMEDIES = {
    "a header": "submit player.cpp, or the folder with both",
    "compiled code": "submit the source",
    "an archive": "unpack it and submit its files",
    "a notebook": "save its code as a file with .py",
}


A_TEST = re.compile(r"(?:.*/)?(test_[^/]*|[^/]*_test|tests?|conftest)\.py|(?:.*/)?tests?/.*")
READ_ME = re.compile(r"(?:.*/)?read[-_ ]?me(?:\.\w+)?", re.IGNORECASE)
MAKEFILE = re.compile(r"(?:.*/)?(?:gnu)?makefile(?:\.\w+)?|.*\.mk", re.IGNORECASE)
EDITORS = re.compile(
    r".*(?:~|#|\.(?:bak|orig|swp|tmp|iml|code-workspace|log))|(?:.*/)?nbproject/.*"
)
"""Files that editors leave next to a program."""
NOTES = (
    *(".txt", ".csv", ".json", ".yaml", ".yml", ".cfg", ".ini"),
    *(suffix for kind in ("a notebook", "a document", "a picture") for suffix in REFUSED[kind]),
)
"""Notes that people submit with a program; without a program, a .txt may be a chart."""

PROGRAMS = {
    "C++": (
        ".cpp",
        re.compile(r"^[ \t]*(?:#include[ \t]*[<\"]|using[ \t]+namespace[ \t])", re.MULTILINE),
    ),
    "Python": (
        ".py",
        re.compile(
            r"^(?:from[ \t]+[\w.]+[ \t]+import[ \t]|import[ \t]+[\w.]+[ \t]*$"
            r"|class[ \t]+\w+.*:|def[ \t]+\w+\()",
            re.MULTILINE,
        ),
    ),
}
"""Suffixes and first words of programs, which people submit with another suffix."""


@dataclass(frozen=True, slots=True)
class Source:
    """A submitted competitor."""

    kind: str  # the name of its language
    files: tuple[tuple[str, str], ...]  # (name, text), sorted by name; a package's have paths

    @property
    def language(self) -> Language:
        """The language, which reads and loads it."""
        return language_of(self.kind)

    @property
    def name(self) -> str:
        """Name of the file, or of a folder's main file."""
        return self.language.name_of(self.files)

    @property
    def is_folder(self) -> bool:
        """Whether its files are in a separate folder."""
        return len(self.files) > 1 or not self.language.stands_alone(self.name)

    @property
    def text(self) -> str:
        """The text of a single file; empty for several files: only a traceback names one."""
        return self.files[0][1] if len(self.files) == 1 else ""

    def place_of(self, call: str) -> str:
        """Return where it answers a question: "file:line" if known, else its file."""
        return self.language.place_of_call(call, self.files) or self.name

    def sandboxed(self) -> "Submitted":
        """Return the submission as it is sent to a sandboxed process."""
        return self.language.sandboxed(self.name, self.files)

    @property
    def digest(self) -> str:
        """Digest of its code, as runs use for entrants without options; 32 hex digits."""
        return digest_of(self.files, ()).hex()


def read_handed_in(path: Path) -> Source:
    """Read a submission or a stored copy.

    Args:
        path: A file, or the folder of a package.
    Raises: SubmissionError, if it cannot be read or cannot be a competitor.
    """
    return source_of(files_at(path))


def source_of(files: Mapping[str, bytes]) -> Source:
    """Identify the language of a submission.

    Args:
        files: Contents by name; names in a package are relative paths with '/'.
    Raises: SubmissionError, if it cannot be a competitor; ChartError, with a chart's faults.
    """
    if not files:
        raise SubmissionError("there is no readable file; submit the file of a competitor")
    files = {plain_name(name, files): content for name, content in files.items()}
    for name in files:
        check_path(name)
    found = _read(files) or _read(_without_notes(files))
    if not found:
        raise _refused(sorted(_without_notes(files) or files))
    return found


def _read(files: Mapping[str, bytes]) -> Source | None:
    """Read files in the first language that recognises them, if any does."""
    for kind, language in installed_languages().items():
        if language.recognises(files):
            wanted = {name: each for name, each in files.items() if language.wants(name)}
            texts = texts_of(wanted, language.fallback_encoding)
            try:
                return Source(kind, language.read(texts))
            except ChartError as error:
                raise _misnamed(texts) or error from None
    return None


def _misnamed(texts: Texts) -> SubmissionError | None:
    """Return the error for a program with the name of a chart."""
    for name, text in texts:
        for title, (suffix, words) in PROGRAMS.items():
            if words.search(text):
                renamed = PurePosixPath(name).with_suffix(suffix)
                return SubmissionError(
                    f"{name}: this looks like {title}, not like a chart; rename it to {renamed}"
                )
    return None


def _without_notes(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Leave out the files that people keep next to a single program."""
    kinds = kinds_of(files)
    kept = {name: each for name, each in files.items() if not why_aside(name, each, kinds)}
    return {name.rpartition("/")[2] if len(kept) == 1 else name: kept[name] for name in kept}


def kinds_of(names: Collection[str]) -> set[str]:
    """Return the suffixes of the files that may be competitors, except read-me files."""
    return {
        PurePosixPath(name).suffix.lower()
        for name in names
        if is_competitor(name) and not READ_ME.fullmatch(name)
    }


def why_aside(name: str, content: bytes, kinds: Collection[str]) -> str:
    """Return why a file is not a competitor; empty if it may be one.

    Args:
        name: Its relative path.
        content: Its content.
        kinds: Suffixes of the files that it was submitted with; see `kinds_of`.
    """
    suffix = PurePosixPath(name).suffix.lower()
    if A_TEST.fullmatch(name):
        return "a test, which does not compete"
    if EDITORS.fullmatch(name):
        return "left by an editor"
    if name.endswith("__init__.py") and not content.strip():
        return "an empty file"
    if kinds and MAKEFILE.fullmatch(name):
        return "a makefile, which does not compete"
    if kinds and READ_ME.fullmatch(name):
        return "a read-me, which does not compete"
    # With a program, all notes are ignored; with a chart, which is a .txt, all notes but .txt.
    is_note = suffix in NOTES and (suffix not in kinds or len(kinds) > 1)
    return "a note beside the competitor" if kinds and is_note else ""


def plain_name(name: str, others: Collection[str] = ()) -> str:
    """Give the name of a program without an extra `.txt`, unless another file has it.

    >>> plain_name("bold.py.txt"), plain_name("chart.txt")
    ('bold.py', 'chart.txt')
    """
    found = EXTRA.fullmatch(name)
    return found["name"] if found and found["name"] not in others else name


def is_competitor(path: str) -> bool:
    """Return whether a file of this name could be a competitor by itself."""
    return any(each.stands_alone(path) for each in installed_languages().values())


def is_whole(names: Collection[str]) -> bool:
    """Return whether files of these names belong together, like those of a package."""
    return whole_in(names) is not None


def whole_in(names: Collection[str]) -> Language | None:
    """Return the language of files that belong together; `None` if they do not."""
    for each in installed_languages().values():
        if (len(names) > 1 or each.main in names) and each.recognises(names):
            return each
    return None


def mains_in(names: Collection[str]) -> list[str]:
    """Return the files that make their folders competitors, such as each `player.cpp`."""
    languages = [each for each in installed_languages().values() if each.main]
    return [name for name in names if any(_is_main(name, each) for each in languages)]


def _is_main(name: str, language: Language) -> bool:
    """Return whether a path is a language's main file, with any of its suffixes."""
    path, main = PurePosixPath(name), PurePosixPath(language.main)
    is_spelt = path.stem.casefold() == main.stem and language.stands_alone(path.name)
    return path.name == language.main or is_spelt


def _few(names: Sequence[str]) -> str:
    return ", ".join([*names[:MOST_SHOWN], *(["…"] if len(names) > MOST_SHOWN else [])])


def _refused(names: list[str]) -> SubmissionError:
    """Return the error for files that cannot be a competitor."""
    known = installed_languages().values()
    if len(several := mains_in(names)) > 1:
        return SubmissionError(
            f"these are {len(several)} competitors ({_few(several)}); submit the folder of one"
        )
    if len(names) > 1:
        mains = " or ".join(sorted(f"a {each.main}" for each in known if each.main))
        return SubmissionError(
            f"these are {len(names)} files ({_few(names)}); submit one file, or a folder with "
            f"{mains}"
        )
    suffix = PurePosixPath(names[0]).suffix.lower()
    what = next((each for each, suffixes in REFUSED.items() if suffix in suffixes), "")
    remedy = REMEDIES.get(what, "submit the competitor alone")
    expected = joined([each.handed_in for each in known if each.handed_in])
    return SubmissionError(
        f"{names[0]}: expected {expected}, got {what or 'something else'}; {remedy}"
    )


def parsed(text: str) -> ast.Module:
    """Parse a Python file; a file with errors counts as empty."""
    try:
        with warnings.catch_warnings(action="ignore"):  # such as invalid escapes
            return ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):  # loading it reports the error
        return ast.Module([], [])


def lines_of_names(text: str) -> dict[str, int]:
    """Return the first line on which a Python file defines each of its names."""
    lines: dict[str, int] = {}
    for node in ast.walk(parsed(text)):
        match node:
            case (
                ast.arg(arg=name)
                | ast.FunctionDef(name=name)
                | ast.Name(id=name, ctx=ast.Store())
                | ast.Attribute(attr=name, ctx=ast.Store())
            ):
                lines[name] = min(lines.get(name, node.lineno), node.lineno)
    return lines
