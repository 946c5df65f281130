"""A competitor of your own: files to start from, and whether it may play."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path

from tourney.checks.baselines import known_beside
from tourney.checks.check import check_source
from tourney.checks.pools import ANY
from tourney.checks.report import CheckReport, Finding, Tell, tell_nobody
from tourney.checks.source import read_handed_in
from tourney.checks.starter_files import starting_files
from tourney.config.arguments import path_of
from tourney.config.model import TournamentConfig
from tourney.config.words import shortened, system_words
from tourney.errors import ConfinementError, SubmissionError
from tourney.execution.background_compile import is_there
from tourney.execution.engine_selection import compile_nothing
from tourney.notebook.tables import Tabular, facts_html
from tourney.plugins.loading import installed_plugins
from tourney.plugins.registry import Registry
from tourney.research.inputs import ConfigLike, GameLike, game_of
from tourney.sandbox.levels import Level, probe
from tourney.testing.games import check_game_alone
from tourney.tournament.catalog import catalog_of
from tourney.tournament.check_demands import demands_of, tournament_in
from tourney.tournament.tournament import config_of

GAME = "ve280"


@dataclass(frozen=True, slots=True, repr=False)
class Checked(Tabular):
    """What a check says of a competitor."""

    file: str  # empty where a game was checked by itself
    game: str  # or the tournament that it was checked for
    level: Level  # how well it was confined
    report: CheckReport

    @property
    def passed(self) -> bool:
        """Whether it may play."""
        return self.report.passed

    @property
    def findings(self) -> tuple[Finding, ...]:
        """What to mend, faults first."""
        return self.report.findings

    @property
    def title(self) -> str:
        """What was checked, and for which game."""
        return f"{Path(self.file).name} at {self.game}" if self.file else self.game

    def to_data(self) -> Mapping[str, object]:
        """Give it as JSON can hold it."""
        about = {"file": self.file, "game": self.game, "confinement": self.level.value}
        return {**about, **self.report.to_data()}

    def rows(self) -> Sequence[Mapping[str, object]]:
        """Give a row of each finding."""
        return [asdict(each) for each in self.findings]

    def columns(self) -> Sequence[str]:
        """Name what is told of a finding, also where there is none."""
        return tuple(each.name for each in fields(Finding))

    def __repr__(self) -> str:
        """Read `mine.py at ve280: passed`, or what to mend, a line each."""
        said = "passed" if self.passed else "failed"
        return "\n".join((f"{self.title}: {said}", *self._found()))

    def _found(self) -> list[str]:
        return [str(each) for each in self.findings]

    def _repr_html_(self) -> str:
        facts = [("File", Path(self.file).name), ("Game", self.game)]
        facts.append(("Check", "passed" if self.passed else "failed"))
        facts += [(each.what, each.told) for each in self.report.measured]
        facts += [("Warning" if each.is_warning else "Fault", str(each)) for each in self.findings]
        return facts_html(facts)


def check(
    file: str | Path,
    game: GameLike | None = None,
    *,
    tournament: ConfigLike | None = None,
    trust_submissions: bool = False,
    may_compile: bool = True,
    tell: Tell = tell_nobody,
) -> Checked:
    """Check a competitor before it is handed in: loaded, asked, and played in a short match.

    Args:
        file: Of Python or C++, a chart, or a folder of a package or a project; it is confined.
        game: The game it is for, as for `ev`; "ve280" by default.
        tournament: The tournament it is for, instead: its game, its wagers and its limits.
        trust_submissions: Whether your own file may run with all your rights.
        may_compile: Whether to wait for machine code where there is none yet, for a minute; else
            this process compiles nothing from then on, and is slower at long runs.
        tell: Told what is found out, line by line.
    Raises: TourneyError, if there is no such file or game, or players cannot be confined here.
    """
    asked_file = path_of(file=file)
    registry = installed_plugins()
    if tournament is None:
        demands, (text, asked) = ANY, game_of(game or GAME, registry)
    else:
        config = _tournament_of(tournament, registry)
        demands, text, asked = demands_of(config), config.name, config.game
    source = read_handed_in(asked_file)
    if not may_compile and not is_there(asked.rules.game):
        compile_nothing()
    level = level_of_own(trusts=trust_submissions)
    beside = known_beside(asked.rules, registry)
    report = check_source(source, asked.rules, beside, level, demands, tell=tell)
    return Checked(str(file), text, level, report)


def check_game(
    game: GameLike,
    *,
    trust_submissions: bool = False,
    may_compile: bool = True,
    tell: Tell = tell_nobody,
) -> Checked:
    """Check a game by itself, such as your own: what it owes to players and to the platform.

    The same cards and moves have to come to the same, alone, beside other tables, in another
    process and with a confined player; turns have to be such as can be asked.

    Args:
        game: As for `ev`.
        trust_submissions: Whether to leave out confinement where this system has none.
        may_compile: As for `check`.
        tell: Told what is found out, line by line.
    Raises: TourneyError, if there is no such game, or nobody can be confined here.
    """
    text, asked = game_of(game, installed_plugins())
    if not may_compile and not is_there(asked.rules.game):
        compile_nothing()
    level = level_of_own(trusts=trust_submissions)
    return Checked("", text, level, check_game_alone(asked.rules, level, tell))


def new_competitor(
    name: str,
    game: GameLike = GAME,
    *,
    learned: str | Path | None = None,
    folder: str | Path = ".",
) -> tuple[Path, ...]:
    """Write a competitor to start from, and its test; nothing is ever overwritten.

    Args:
        name: What it is called; words become the name of a file and of a class.
        game: The game it is for, as for `ev`.
        learned: What a program has learned, as `tourney.environments` writes it: a table becomes
            a chart, a network a class.
        folder: Where to write.
    Returns: The files, the competitor's first.
    Raises: TourneyError, if one is there already, or nothing can be called like that.
    """
    if not isinstance(name, str):
        raise SubmissionError(f"name: expected words such as 'bold', got {name!r}")
    to = path_of(folder=folder)
    if not to.is_dir():
        raise SubmissionError(f"{folder}: expected a folder, got none of that name; make it first")
    rules = game_of(game, installed_plugins())[1].rules
    texts = starting_files(name, rules, None if learned is None else path_of(learned=learned))
    return write_new({to / file: text for file, text in texts.items()})


def write_new(texts: Mapping[Path, str]) -> tuple[Path, ...]:
    """Write files, all or none.

    Raises: SubmissionError, if one is there already, or one cannot be written.
    """
    try:
        return _written_new(texts)
    except OSError as error:
        raise SubmissionError(
            f"{shortened(str(error.filename))}: expected a file that can be written, got an error "
            f"({system_words(error)}): choose another name or folder"
        ) from None


def _written_new(texts: Mapping[Path, str]) -> tuple[Path, ...]:
    if there := [file for file in texts if file.exists()]:
        raise SubmissionError(
            f"{there[0]}: expected no file of that name yet, got one, which is left as it is; "
            "choose another name, or move the file away"
        )
    for file, text in texts.items():
        with file.open("x", encoding="utf-8", newline="\n") as opened:
            opened.write(text)
    return tuple(texts)


def _tournament_of(tournament: ConfigLike, registry: Registry) -> TournamentConfig:
    """Read a tournament, whose competitors' files need not be here."""
    found = config_of(tournament, registry)
    return tournament_in(found, catalog_of(registry)) if isinstance(found, Path) else found


def level_of_own(*, trusts: bool) -> Level:
    """Give how well an author's own file is confined.

    Args:
        trusts: Whether its author says that it need not be.
    Raises: ConfinementError, if this machine cannot confine and nobody said so.
    """
    if trusts:
        return Level.UNSAFE
    level = probe()
    if level is Level.UNSAFE:
        raise ConfinementError(
            "expected a system that can confine players (Linux 5.13 or later, and no service "
            "manager that forbids the system calls seccomp and landlock_*), got another; "
            "if the file is your own, add --no-sandbox, and it runs with all your rights"
        )
    return level
