"""On what terms an organiser takes submissions in: `submissions.yaml` in their folder.

Without that file everything has its default: the last version plays, whenever it came. Only the
game has none, since a competitor cannot be checked without one.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import Field

from tourney.config import Catalog, GameConfig
from tourney.config.located import Entries, Faults, Tree
from tourney.config.parsing import parse
from tourney.config.reading import read_game
from tourney.config.settings import Setting, read_settings, setting
from tourney.config.typed import INVALID, Typed, choice_of, text_of, typed_from
from tourney.config.words import closest, said
from tourney.course.records import RULES, Rule
from tourney.course.roster import Roster
from tourney.course.roster_file import read_roster
from tourney.errors import ConfigError, SubmissionError

TERMS = "submissions.yaml"
MOST_BYTES = 100_000
A_DAY = timedelta(days=1)
Warnings: TypeAlias = Literal["shown", "refused"]


@dataclass(frozen=True, slots=True)
class Terms:
    """What an organiser asks of those who hand in."""

    game: GameConfig | None = None  # that is to be played; None if nobody has said, or asked
    rule: Rule = "last"  # which version plays
    per_day: int | None = None  # versions of one name in a day of UTC; None for any number
    deadline: datetime | None = None  # with its offset; None if there is none
    late_days: int = 0  # after the deadline, for people without a number of their own
    roster: Roster | None = None  # who may submit as whom; None if anybody may
    tournament: Path | None = None  # file of the one that it is for; None if none is named
    warnings: Warnings = "shown"  # what becomes of those of a compiler
    tests: GameConfig | None = None  # whose mutants tests are tried on; None if none are taken

    def late_days_at(self, time: datetime) -> int:
        """Count the days after the deadline, begun ones included.

        >>> Terms(deadline=datetime.fromisoformat("2026-12-01T12:00Z")).late_days_at(
        ...     datetime.fromisoformat("2026-12-02T12:01Z"))
        2
        """
        if self.deadline is None or time <= self.deadline:
            return 0
        return -((self.deadline - time) // A_DAY)

    def late_days_of(self, author: str, name: str) -> int:
        """Give how many days late somebody may be who hands in under a name."""
        person = self.roster.author_of(author, name) if self.roster else None
        own = person.late_days if person else None
        return self.late_days if own is None else own

    def check_time(self, author: str, name: str, late_days: int) -> None:
        """Refuse what comes too late.

        Args:
            author: Who hands it in.
            name: What it shall play under.
            late_days: Days after the deadline.
        Raises: SubmissionError, if that is more than the author has.
        """
        allowed = self.late_days_of(author, name)
        if late_days <= allowed:
            return
        assert self.deadline is not None
        had = f" or up to {days_words(allowed)} late" if allowed else ""
        raise SubmissionError(
            f"deadline: expected a submission until {self.deadline.isoformat(' ', 'minutes')}"
            f"{had}, got one {days_words(late_days)} late; ask the organiser"
        )

    def check_author(self, author: str, name: str) -> None:
        """Refuse who may not submit under a name.

        Raises: SubmissionError, if there is a roster and it does not say so.
        """
        if self.roster is None:
            return
        person = self.roster.author_of(author, name)
        if person is None:
            raise SubmissionError(
                f"author {author!r}: expected somebody on the roster, got nobody of that name"
                f"{meant_words(self.roster.closest(author))}; "
                "give your name as the organiser has it, with --author"
            )
        if person.excluded:
            raise SubmissionError(
                f"author {author!r}: expected somebody who takes part, got {person.person}, who is "
                f"excluded by the roster: {person.excluded}; ask the organiser"
            )
        if name not in person.names:
            raise SubmissionError(
                f"name {name!r}: expected {' or '.join(person.names)} for {person.person}, as the "
                f"roster says, got another{meant_words(closest(name, person.names))}; "
                "write it like that, or ask the organiser"
            )


def meant_words(meant: str | None) -> str:
    """Suggest what was probably meant, if anything was.

    >>> meant_words("Ada"), meant_words(None)
    (" (did you mean 'Ada'?)", '')
    """
    return f" (did you mean {meant!r}?)" if meant else ""


def days_words(days: int) -> str:
    """Say a number of days.

    >>> days_words(1), days_words(2)
    ('1 day', '2 days')
    """
    return "1 day" if days == 1 else f"{days} days"


def read_terms(folder: Path, catalog: Catalog | None = None) -> Terms:
    """Read the terms of a folder of submissions.

    Args:
        folder: Where.
        catalog: What games there are; without it nobody asks for the game.
    Raises: ConfigError, with every fault of the file and of the roster it names.
    """
    return read_terms_text(text_of_terms(folder), folder, catalog)


def text_of_terms(folder: Path) -> str:
    """Give the terms of a folder as they are written; empty if it has none."""
    path = folder / TERMS
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read(MOST_BYTES)


def read_terms_text(text: str, folder: Path, catalog: Catalog | None = None) -> Terms:
    """Read terms that are at hand; for the rest see `read_terms`."""
    if not text.strip():
        return Terms()
    faults = Faults(str(folder / TERMS))
    tree = parse(text, faults)
    if not isinstance(tree, Entries):
        faults.stop(tree.place, "expected settings such as 'per_day: 5'")
    values = read_settings(tree, _settings(folder, catalog), faults)
    faults.raise_any()
    rule = values.pop("submission_rule", Terms().rule)
    return replace(Terms(), rule=rule, **values)


def _settings(folder: Path, catalog: Catalog | None) -> tuple[Setting, ...]:
    count = typed_from(Annotated[int, Field(ge=1, le=1000)])
    days = typed_from(Annotated[int, Field(ge=0, le=1000)])
    moment = Typed({"type": "string"}, moment_of, MOMENT_WORDS)
    return (
        Setting("game", "what is played", partial(read_game, catalog) if catalog else _ignored),
        setting("submission_rule", "which version plays", choice_of(RULES)),
        setting("per_day", "versions of one name that are taken in a day", count),
        setting("deadline", "until when submissions are taken", moment),
        setting("late_days", "days after the deadline that everybody has", days),
        Setting("roster", "file of who may submit as whom", partial(_read_roster, folder)),
        setting("warnings", "what becomes of a compiler's warnings", choice_of(get_args(Warnings))),
        Setting("tournament", "file of the tournament that it is for", partial(_path, folder)),
        Setting("tests", TESTS, partial(_read_tested, catalog) if catalog else _ignored),
    )


TESTS = "game whose mutants tests that people hand in are tried on"


MOMENT_WORDS = "a time with its offset in quotes, such as '2026-12-01 23:59+01:00'"


def moment_of(data: Any) -> datetime:
    """Read a time that is the same for everybody.

    Raises: ValueError, if it is none, or has no offset.
    """
    if not isinstance(data, str):
        raise ValueError("no text")  # noqa: TRY004 - convert raises ValueError alone
    moment = datetime.fromisoformat(data)
    if moment.tzinfo is None:
        raise ValueError("no offset")
    return moment


def _ignored(tree: Tree, faults: Faults) -> Any:
    """Read nothing, for who does not ask."""
    del tree, faults
    return INVALID


def _read_tested(catalog: Catalog, tree: Tree, faults: Faults) -> Any:
    game = read_game(catalog, tree, faults)
    if isinstance(game, GameConfig) and game.rules.game.mutants() is None:
        faults.note(tree, said("a game that has mutants for tests to catch", str(game.rules.game)))
        return INVALID
    return game


def _read_roster(folder: Path, tree: Tree, faults: Faults) -> Any:
    path = _path(folder, tree, faults)
    try:
        return read_roster(path) if isinstance(path, Path) else path
    except ConfigError as error:
        faults.take(error)
        return INVALID


def _path(folder: Path, tree: Tree, faults: Faults) -> Any:
    name = text_of("a path", longest=1000).read(tree, faults)
    return folder / name if isinstance(name, str) else name
