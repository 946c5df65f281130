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
    """What one competitor is called, such as "a chart"."""
    handed_in: str = ""
    """What people hand in, such as "a chart (.txt)"; empty if they cannot."""
    entered_as: str = ""
    """What the path means that an entrant gives under the language's name; empty if none can."""
    takes_options: bool = True
    """Whether an entrant may give options."""
    takes_patterns: bool = False
    """Whether the path may be a pattern that fits several files."""
    takes_folders: bool = False
    """Whether the path may be that of a folder."""
    runs_code: bool = True
    """Whether its competitors are programs, which may do anything if they are not confined."""
    is_installed: bool = False
    """Whether its programs were installed here by whoever runs them, and so are trusted."""
    is_built: bool = False
    """Whether a compiler makes programs of its files, so that another one makes others."""
    is_confinable: bool = True
    """Whether a process that is shut in can play it; if not, only whoever trusts it plays it."""
    game: str = ""
    """The only game that its competitors play; empty if they play any."""
    main: str = ""
    """The file that makes a folder a competitor; empty where only a single file is one."""
    remedies: Mapping[str, str] = MappingProxyType({})
    """What to do about a verdict, by its cause or by what was asked, in the language's words."""

    @property
    def brings_code(self) -> bool:
        """Whether its competitors are programs that nobody has installed."""
        return self.runs_code and not self.is_installed

    # What is handed in.

    def recognises(self, names: Collection[str]) -> bool:
        """Say whether files of these names are of it; no two languages may claim the same."""
        return bool(self.main) and self.main in names

    def stands_alone(self, name: str) -> bool:
        """Say whether a single file of this name is a competitor, without a folder."""
        return not self.main and self.recognises([name])

    def wants(self, name: str) -> bool:
        """Say whether a file of this name, in a folder of it, belongs to the competitor."""
        return True

    def name_of(self, files: Texts) -> str:
        """Give the file by which messages name the competitor; empty if there are no files."""
        names = [name for name, _ in files]
        return self.main if self.main in names else next(iter(names), "")

    def read(self, files: Texts) -> Texts:
        """Give what is kept of files that it recognises.

        Raises: SubmissionError or ChartError, with what is wrong, where, and a remedy.
        """
        return files

    def read_path(self, path: Path) -> Texts:
        """Read what an entrant names.

        Raises: TourneyError, if it cannot be read or is none of it.
        """
        found = {name: each for name, each in files_at(path).items() if self.wants(name)}
        files = texts_of(found)
        if fault := self.fault_of(files):
            raise SubmissionError(f"{path}: {fault}")
        return self.read(files)

    def fault_of(self, files: Texts) -> str:
        """Say why files cannot be of it, however they are called; empty if they can."""
        return ""

    # What is known without running anything.

    def sources(self, name: str, files: Texts) -> Texts:
        """Give all that decides how it plays here, for the digest.

        Raises: PluginError, if something of it is not here.
        """
        return files

    def build(self, files: Texts) -> BuildReport:
        """Make what has to be made of files before they can be played.

        Raises: SubmissionError, with what is wrong with them; ConfinementError, if it cannot be
            made here.
        """
        return BuildReport()

    def distribution(self, name: str, files: Texts) -> str:
        """Give the package it was installed with, or else what it was built with; may be empty."""
        return ""

    def place(self, name: str) -> str:
        """Give "module:name" of its class; empty where the files say which one is meant."""
        return ""

    def promises(self, name: str) -> bool:
        """Say whether to ask its players what they declare, so that machine code may play them."""
        return False

    def misfit(self, name: str, files: Texts, rules: Any) -> str:
        """Say why it cannot play by some rules; empty if it can, or if nobody knows yet.

        Raises: ChartError, with the faults of a chart.
        """
        if self.game in {"", rules.game.name}:
            return ""
        return f"expected a player of {rules.game}, got {self.title}, which does not play it"

    def place_of_call(self, call: str, files: Texts) -> str:
        """Find where a competitor answers a question, as "file:line"; empty if nobody knows."""
        return ""

    def shape(self, files: Texts) -> str:
        """Write files without what changes nothing, to be compared; empty if that is unknown."""
        return ""

    # Players of this process.

    @abstractmethod
    def load(self, name: str, files: Texts) -> type[AnyPlayer]:
        """Give the class of its players, as if nobody had played with it before.

        What this runs, it runs with all rights of this process. Of a program that is loaded
        twice, neither class knows what the other one keeps.

        Raises: PluginError or ChartError, if there is none.
        """

    def known(self, name: str, files: Texts) -> type[AnyPlayer] | None:
        """Give the class, if that takes nobody's code to run; None if it does."""
        return None if self.runs_code else self.load(name, files)

    # Players of a process that is shut in.

    @abstractmethod
    def sandboxed(self, name: str, files: Texts, options: str = "", place: str = "") -> "Submitted":
        """Give what such a process is sent, which makes the players there.

        Args:
            name: As above.
            files: As above.
            options: Of the entrant, as JSON; empty for none.
            place: What `place` said where the run began.
        Raises: PluginError, if it cannot be confined.
        """

    def explaining(self, files: Texts) -> Texts | None:
        """Give files that say what a class in them lacks to be a player; None if none can.

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
