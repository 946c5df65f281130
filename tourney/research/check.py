"""Your own competitor: new files, and the check that it may play."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from tourney.checks.check import check_source
from tourney.checks.pools import ANY
from tourney.checks.report import CheckReport, Finding, Tell, tell_nobody
from tourney.checks.source import Source, read_handed_in
from tourney.checks.starter_files import starting_files
from tourney.checks.trial_rounds import known_beside
from tourney.competitors.languages import GIVEN, GivenClass
from tourney.config.arguments import check_callable, path_of
from tourney.config.model import TournamentConfig
from tourney.config.words import shortened, system_words
from tourney.errors import ConfinementError, SubmissionError
from tourney.execution.background_compile import is_there
from tourney.execution.engine_selection import compile_nothing
from tourney.game.players import AnyPlayer, BasePlayer
from tourney.notebook.tables import Tabular, facts_html
from tourney.plugins.loading import installed_plugins, language_of
from tourney.plugins.registry import Registry
from tourney.research.inputs import ConfigLike, GameLike, game_of
from tourney.sandbox.levels import Level, probe
from tourney.testing.games import Update, check_game_alone, show_nothing
from tourney.tournament.catalog import catalog_of
from tourney.tournament.check_demands import demands_of, tournament_in
from tourney.tournament.tournament import config_of

GAME = "ve280"


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Tabular):
    """The result of a check."""

    file: str  # empty for the check of a game
    game: str  # or the tournament
    level: Level  # of the sandbox
    report: CheckReport

    @property
    def passed(self) -> bool:
        """Whether the competitor may play."""
        return self.report.passed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Its findings, faults first."""
        return self.report.findings

    @property
    def title(self) -> str:
        """The competitor and the game of the check."""
        return f"{Path(self.file).name} at {self.game}" if self.file else self.game

    def to_data(self) -> Mapping[str, object]:
        """Return the data for JSON."""
        about = {"file": self.file, "game": self.game, "confinement": self.level.value}
        return {**about, **self.report.to_data()}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Return a row for each finding."""
        return [asdict(each) for each in self.findings]

    def columns(self) -> Sequence[str]:
        """Return the names of the columns of `rows`."""
        return tuple(each.name for each in fields(Finding))

    def __repr__(self) -> str:
        """Write `mine.py at ve280: passed`, or the findings, a line each."""
        said = "passed" if self.passed else "failed"
        return "\n".join((f"{self.title}: {said}", *map(str, self.findings)))

    def _repr_html_(self) -> str:
        facts = [("File", Path(self.file).name), ("Game", self.game)]
        facts.append(("Check", "passed" if self.passed else "failed"))
        facts += [(each.what, each.told) for each in self.report.measured]
        facts += [("Warning" if each.is_warning else "Fault", str(each)) for each in self.findings]
        return facts_html(facts)


def check(
    file: str | Path | type[AnyPlayer] | AnyPlayer,
    game: GameLike | None = None,
    *,
    tournament: ConfigLike | None = None,
    trust_submissions: bool = False,
    may_compile: bool = True,
    tell: Tell = tell_nobody,
) -> Checked:
    """Check a competitor before submission: load it, ask it, and play a short match.

    Args:
        file: A file of Python or C++, a chart, or the folder of a package or a project; it runs in
            a sandbox. A class or a player of your program, such as a notebook, runs in the
            program, without the limits of a sandbox.
        game: Its game, as for `ev`; "ve280" by default.
        tournament: Its tournament, instead: the game, the wagers and the limits.
        trust_submissions: Run the file without a sandbox, with your permissions.
        may_compile: Wait up to a minute to compile missing machine code; otherwise this process
            compiles nothing from then on, and is slower at long runs.
        tell: Receives each line of results.
    Raises: TourneyError, if the file or the game does not exist, or no sandbox is available.
    """
    check_callable(tell=tell)
    own = isinstance(file, type | BasePlayer)
    asked_file = None if own else path_of(file=file)
    registry = installed_plugins()
    if tournament is None:
        demands, (text, asked) = ANY, game_of(game or GAME, registry)
    else:
        config = _tournament_of(tournament, registry)
        demands, text, asked = demands_of(config), config.name, config.game
    source = _source_of_class(file) if asked_file is None else read_handed_in(asked_file)
    if not may_compile and not is_there(asked.rules.game):
        compile_nothing()
    level = level_of_own(trusts=own or trust_submissions)
    beside = known_beside(asked.rules, registry)
    report = check_source(source, asked.rules, beside, level, demands, tell=tell)
    return Checked(source.name if own else str(file), text, level, report)


def _source_of_class(given: Any) -> Source:
    """Return a class or a player of the calling program as a source."""
    key = GivenClass.offer(given)
    return Source(GIVEN, language_of(GIVEN).sources(key, ()))


def check_game(
    game: GameLike,
    *,
    trust_submissions: bool = False,
    may_compile: bool = True,
    tell: Tell = tell_nobody,
    update: Update = show_nothing,
) -> Checked:
    """Check a game, such as your own.

    The same cards and moves must give the same results alone, interleaved with other tables, in
    another process and with a sandboxed player, and it must be possible to send every turn.

    Args:
        game: As for `ev`.
        trust_submissions: Run without a sandbox if this system cannot provide one.
        may_compile: As for `check`, like `tell`.
        update: Receives the numbers of played tables and of all tables to play.
    Raises: TourneyError, if the game does not exist, or no sandbox is available.
    """
    check_callable(tell=tell, update=update)
    text, asked = game_of(game, installed_plugins())
    if not may_compile and not is_there(asked.rules.game):
        compile_nothing()
    level = level_of_own(trusts=trust_submissions)
    return Checked("", text, level, check_game_alone(asked.rules, level, tell, update))


def new_competitor(
    name: str,
    game: GameLike = GAME,
    *,
    learned: str | Path | None = None,
    folder: str | Path = ".",
) -> tuple[Path, ...]:
    """Write the files of a new competitor and its test; existing files are kept.

    Args:
        name: Its name; words become the name of a file and of a class.
        game: Its game, as for `ev`.
        learned: A file of `tourney.environments`: a table becomes a chart, a network a class.
        folder: The folder for the files.
    Returns: The files, the competitor's first.
    Raises: TourneyError, if a file already exists, or the name is not possible.
    """
    if not isinstance(name, str):
        raise SubmissionError(f"name: expected words such as 'bold', got {name!r}")
    to = path_of(folder=folder)
    if not to.is_dir():
        raise SubmissionError(f"{folder} is not a folder; make it first")
    rules = game_of(game, installed_plugins())[1].rules
    texts = starting_files(name, rules, None if learned is None else path_of(learned=learned))
    return write_new({to / file: text for file, text in texts.items()})


def write_new(texts: Mapping[Path, str]) -> tuple[Path, ...]:
    """Write all files, or no file if one fails.

    Raises: SubmissionError, if a file already exists, or cannot be written.
    """
    try:
        return _written_new(texts)
    except OSError as error:
        raise SubmissionError(
            f"{shortened(str(error.filename))} cannot be written ({system_words(error)}); "
            "choose another name or folder"
        ) from None


def _written_new(texts: Mapping[Path, str]) -> tuple[Path, ...]:
    if there := [file for file in texts if file.exists()]:
        raise SubmissionError(
            f"{there[0]} already exists; choose another name, or move the file away"
        )
    for file, text in texts.items():
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    return tuple(texts)


def _tournament_of(tournament: ConfigLike, registry: Registry) -> TournamentConfig:
    """Read a tournament; the files of its competitors may be missing."""
    found = config_of(tournament, registry)
    return tournament_in(found, catalog_of(registry)) if isinstance(found, Path) else found


def level_of_own(*, trusts: bool) -> Level:
    """Return the sandbox for an author's own file.

    Args:
        trusts: Whether the author allows to run it without a sandbox.
    Raises: ConfinementError, if this machine has no sandbox and that is not allowed.
    """
    if trusts:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        raise ConfinementError(
            "this system has no sandbox, which needs Linux 5.13 or later, and no service manager "
            "that forbids the system calls seccomp and landlock_*; if the file is your own, add "
            "--no-sandbox, and it runs with your permissions"
        )
    return level
