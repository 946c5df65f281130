"""The interface of a language of competitors.

Each competitor has one language, and all code that depends on the language calls this object.
Languages are provided by a hook; the built-in ones are in `competitors.languages`.

Stored runs and submissions only name a language. Whether its competitors are programs and need a
sandbox is decided by the object that is installed here. The level of the sandbox is decided in
`tourney.tournament.sandbox_level`.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tourney.errors import SubmissionError
from tourney.game.players import AnyPlayer
from tourney.plugins.source_files import files_at, texts_of

if TYPE_CHECKING:
    from tourney.sandbox.wire import Submitted

Texts: TypeAlias = tuple[tuple[str, str], ...]
"""Files as (name, text), sorted by name; names in a folder are relative paths with '/'."""


class BuildReport(NamedTuple):
    """The result of building a competitor; empty if its language needs no build."""

    words: str = ""  # in one line
    warnings: tuple[tuple[str, str, str], ...] = ()  # ("file:line", the problem, a remedy)
    remarks: tuple[tuple[str, str, str], ...] = ()  # alike: advice that no course can refuse


class Language(ABC):
    """How sources become players, in this process or in a sandboxed one.

    In all methods, `name` is the name of the competitor's source in a run, such as its file's, and
    `files` are its texts.
    """

    title: str
    """The noun for one competitor, such as "a chart"."""
    handed_in: str = ""
    """The noun for a submission, such as "a chart (.txt)"; empty if submission is not possible."""
    entered_as: str = ""
    """The meaning of the path in a configuration; empty if entrants have no path."""
    takes_options: bool = True
    """Whether an entrant may give options."""
    takes_patterns: bool = False
    """Whether the path may be a pattern that fits several files."""
    takes_folders: bool = False
    """Whether the path may be that of a folder."""
    runs_code: bool = True
    """Whether its competitors are programs, which could do anything without a sandbox."""
    is_installed: bool = False
    """Whether its programs were installed by the user who runs them, and are therefore trusted."""
    is_built: bool = False
    """Whether a compiler builds its files, so that results depend on the compiler."""
    is_confinable: bool = True
    """Whether a sandboxed process can play it; if not, it needs `--no-sandbox`."""
    game: str = ""
    """The only game that its competitors play; empty if they play any."""
    fallback_encoding: str = ""
    """The encoding of files that are not UTF-8; empty to reject them."""
    main: str = ""
    """The file that makes a folder a competitor; empty where only a single file is one."""
    remedies: Mapping[str, str] = MappingProxyType({})
    """Advice for verdicts in the language's terms, by cause or by call."""

    @property
    def brings_code(self) -> bool:
        """Whether its competitors are programs that are not installed."""
        return self.runs_code and not self.is_installed

    # Submissions.

    def recognises(self, names: Collection[str]) -> bool:
        """Return whether it reads files of these names; no two languages may claim the same
        names.
        """
        return bool(self.main) and self.main in names

    def stands_alone(self, name: str) -> bool:
        """Return whether a single file of this name is a competitor, without a folder."""
        return not self.main and self.recognises([name])

    def wants(self, name: str) -> bool:
        """Return whether a file of this name in a competitor's folder belongs to the competitor."""
        return True

    def name_of(self, files: Texts) -> str:
        """Return the file by which messages name the competitor; empty if there are no files."""
        names = [name for name, _ in files]
        return self.main if self.main in names else next(iter(names), "")

    def read(self, files: Texts) -> Texts:
        """Return the part of the files that is stored.

        Raises: SubmissionError or ChartError, with the problem, the place and a remedy.
        """
        return files

    def read_path(self, path: Path) -> Texts:
        """Read the files at the path of an entrant.

        Raises: TourneyError, if it cannot be read or is not in this language.
        """
        found = {name: each for name, each in files_at(path).items() if self.wants(name)}
        files = texts_of(found, self.fallback_encoding)
        if fault := self.fault_of(files):
            raise SubmissionError(f"{path}: {fault}")
        return self.read(files)

    def fault_of(self, files: Texts) -> str:
        """Explain why files cannot be in this language, whatever their names; empty if they can."""
        return ""

    # Facts that are known without running code.

    def sources(self, name: str, files: Texts) -> Texts:
        """Return all sources that decide how it plays here, for the digest.

        Raises: PluginError, if a part is missing here.
        """
        return files

    def build(self, files: Texts) -> BuildReport:
        """Build files before they are played.

        Raises: SubmissionError, with the faults in the files; ConfinementError, if programs cannot
            be built here.
        """
        return BuildReport()

    def distribution(self, name: str, files: Texts) -> str:
        """Return the package that installed it, or the tool that built it; may be empty."""
        return ""

    def place(self, name: str) -> str:
        """Return "module:name" of its class; empty if the files determine it."""
        return ""

    def promises(self, name: str) -> bool:
        """Return whether its players declare their decisions, so that machine code can play
        them.
        """
        return False

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Explain why it cannot play by these rules; empty if it can, or if that is not known yet.

        Raises: ChartError, with the faults of a chart.
        """
        if self.game in {"", rules.game.name}:
            return ""
        return f"{self.title} does not play {rules.game}"

    def place_of_call(self, call: str, files: Texts) -> str:
        """Find the place of a competitor's answer as "file:line"; empty if it is not known."""
        return ""

    def shape(self, files: Texts) -> str:
        """Return the files without parts that change nothing, for comparison; empty if not
        supported.
        """
        return ""

    # Players of this process.

    @abstractmethod
    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Return the class of its players, newly loaded.

        Its code runs with all permissions of this process. Loading a program twice gives two
        classes that share no data.

        Raises: PluginError or ChartError, if there is no such class.
        """

    def known(self, name: str, files: Texts) -> type[AnyPlayer] | None:
        """Return the class if no code has to run for it; otherwise `None`."""
        return None if self.runs_code else self.load(name, files)

    # Players of a sandboxed process.

    @abstractmethod
    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> "Submitted":
        """Return the data from which a sandboxed process makes the players.

        Args:
            name: As above.
            files: As above.
            options: Options of the entrant, as JSON; empty without options.
            place: The result of `place` where the run began.
        Raises: PluginError, if it cannot run in a sandbox.
        """


class OneFile(Language):
    """A language whose competitors are single files, recognised by their suffix."""

    suffix: str
    """With its dot, in lower case."""

    def recognises(self, names: Collection[str]) -> bool:
        """Return whether there is one file, with the suffix."""
        return [PurePosixPath(name).suffix.lower() for name in names] == [self.suffix]

    def fault_of(self, files: Texts) -> str:
        """Report if there is not exactly one file."""
        return "" if len(files) == 1 else f"expected the text of 1 file, got {len(files)}"
