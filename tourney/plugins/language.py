"""What a language of competitors owes the platform: all that is asked of an entrant's sources.

A competitor has one language, and whoever needs to know something of it asks that object: no
other module tells one language from another. Languages come in through a hook, like everything
that has a name, and the built-in ones are in `competitors.languages`.

What is stored or handed in names a language and decides nothing by it: whether competitors are
programs, and have to be confined, says the object that is installed here. Leaves out how well
programs are shut in (see `tourney.tournament.sandbox_level`), and what differs from game to game.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping
from pathlib import Path, PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tourney.errors import SubmissionError
from tourney.game.contracts import AnyPlayer
from tourney.plugins.source_files import files_at, texts_of

if TYPE_CHECKING:
    from tourney.sandbox.wire import Submitted

Texts: TypeAlias = tuple[tuple[str, str], ...]
"""Files as (name, text), sorted by name; names in a folder are relative paths with '/'."""


class BuildReport(NamedTuple):
    """What came of building a competitor; empty of one that needs none."""

    words: str = ""  # in one line
    warnings: tuple[tuple[str, str, str], ...] = ()  # ("file:line", what is said of it, a remedy)


class Language(ABC):
    """How sources become players: those of this process, or those of one that is shut in.

    `name` is everywhere what a run calls the competitor's source, such as the name of its file,
    and `files` are the texts that it consists of.
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
    """Whether its competitors are programs, which may do anything if they are not confined."""
    is_installed: bool = False
    """Whether its programs were installed by the user who runs them, and are therefore trusted."""
    is_built: bool = False
    """Whether a compiler makes programs of its files, so that another one makes others."""
    is_confinable: bool = True
    """Whether a sandboxed process can play it; if not, it needs `--no-sandbox`."""
    game: str = ""
    """The only game that its competitors play; empty if they play any."""
    main: str = ""
    """The file that makes a folder a competitor; empty where only a single file is one."""
    remedies: Mapping[str, str] = MappingProxyType({})
    """Advice for verdicts in the language's terms, by cause or by call."""

    @property
    def brings_code(self) -> bool:
        """Whether its competitors are programs that are not installed."""
        return self.runs_code and not self.is_installed

    # What is handed in.

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
        """Give the file by which messages name the competitor; empty if there are no files."""
        names = [name for name, _ in files]
        return self.main if self.main in names else next(iter(names), "")

    def read(self, files: Texts) -> Texts:
        """Return the part of the files that is stored.

        Raises: SubmissionError or ChartError, with what is wrong, where, and a remedy.
        """
        return files

    def read_path(self, path: Path) -> Texts:
        """Read the path of an entrant.

        Raises: TourneyError, if it cannot be read or is none of it.
        """
        found = {name: each for name, each in files_at(path).items() if self.wants(name)}
        files = texts_of(found)
        if fault := self.fault_of(files):
            raise SubmissionError(f"{path}: {fault}")
        return self.read(files)

    def fault_of(self, files: Texts) -> str:
        """Explain why files cannot be in this language, whatever their names; empty if they can."""
        return ""

    # What is known without running anything.

    def sources(self, name: str, files: Texts) -> Texts:
        """Give all that decides how it plays here, for the digest.

        Raises: PluginError, if something of it is not here.
        """
        return files

    def build(self, files: Texts) -> BuildReport:
        """Build files before they are played.

        Raises: SubmissionError, with what is wrong with them; ConfinementError, if it cannot be
            made here.
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
        return f"expected a player of {rules.game}, got {self.title}, which does not play it"

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

        What this runs, it runs with all rights of this process. Of a program that is loaded
        twice, neither class knows what the other one keeps.

        Raises: PluginError or ChartError, if there is none.
        """

    def known(self, name: str, files: Texts) -> type[AnyPlayer] | None:
        """Return the class if no code has to run for it; otherwise None."""
        return None if self.runs_code else self.load(name, files)

    # Players of a process that is shut in.

    @abstractmethod
    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> "Submitted":
        """Return the data from which a sandboxed process makes the players.

        Args:
            name: As above.
            files: As above.
            options: Of the entrant, as JSON; empty for none.
            place: What `place` said where the run began.
        Raises: PluginError, if it cannot be confined.
        """

    def explaining(self, files: Texts) -> Texts | None:
        """Return files that report the missing parts of a player's class; None if not supported.

        They are sent once more after no player was found in the process.
        """
        return None


class OneFile(Language):
    """A language whose competitors are single files, known by their suffix."""

    suffix: str
    """With its dot, in small letters."""

    def recognises(self, names: Collection[str]) -> bool:
        """Say whether there is one file, with the suffix."""
        return [PurePosixPath(name).suffix.lower() for name in names] == [self.suffix]

    def fault_of(self, files: Texts) -> str:
        """Say if it is not one file."""
        return "" if len(files) == 1 else f"expected the text of 1 file, got {len(files)}"
