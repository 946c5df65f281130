"""On what terms an organiser takes submissions in: `submissions.yaml` in their folder.

Without that file everything has its default: the last version plays, whenever it came. Only the
game has none, since a competitor cannot be checked without one.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias, get_args

from pydantic import BeforeValidator, Field
from pydantic_core import PydanticCustomError

from tourney.config.documents import Faults, parse
from tourney.config.games import read_game
from tourney.config.model import Catalog, GameConfig
from tourney.config.settings import Part, Settings, choice_type, expecting, left_out, text_type
from tourney.config.validation import read_settings
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
class SubmissionRules:
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
    starter: Path | None = None  # file or folder of what the course hands out; None if none is

    def late_days_at(self, time: datetime) -> int:
        """Count the days after the deadline, begun ones included.

        >>> SubmissionRules(deadline=datetime.fromisoformat("2026-12-01T12:00Z")).late_days_at(
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


def read_terms(folder: Path, catalog: Catalog | None = None) -> SubmissionRules:
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


def read_terms_text(text: str, folder: Path, catalog: Catalog | None = None) -> SubmissionRules:
    """Read terms that are at hand; for the rest see `read_terms`."""
    if not text.strip():
        return SubmissionRules()
    faults = Faults(str(folder / TERMS))
    data = parse(text, faults)
    if not isinstance(data, dict):
        faults.stop(faults.spots[()].place, "expected settings such as 'per_day: 5'")
    values = read_settings(TermsFile, data, (), faults)
    for key in ("game", "tests"):
        if catalog and key in data:
            values[key] = read_game(catalog, data[key], (key,), faults)
    if (tests := values.get("tests")) and tests.rules.game.mutants() is None:
        message = said("a game that has mutants for tests to catch", str(tests.rules.game))
        faults.note(("tests",), message)
    if "roster" in values:
        try:
            values["roster"] = read_roster(folder / values["roster"])
        except ConfigError as error:
            faults.take(error)
    for key in ("tournament", "starter"):
        if key in values:
            values[key] = folder / values[key]
    faults.raise_any()
    rule = values.pop("submission_rule", SubmissionRules().rule)
    return replace(SubmissionRules(), rule=rule, **values)


MOMENT_WORDS = "a time with its offset in quotes, such as '2026-12-01 23:59+01:00'"


def moment_of(data: Any) -> datetime:
    """Read a time that is the same for everybody.

    Raises: ValueError, if it is none, or has no offset.
    """
    try:
        moment = datetime.fromisoformat(data)
    except (TypeError, ValueError):
        raise PydanticCustomError("moment", "not a time") from None
    if moment.tzinfo is None:
        raise PydanticCustomError("offset", "no offset")
    return moment


RuleName: TypeAlias = choice_type(RULES)  # type: ignore[valid-type]  # made by a function
Treatment: TypeAlias = choice_type(get_args(Warnings))  # type: ignore[valid-type]  # made by a function
Days: TypeAlias = Annotated[int, Field(ge=0, le=1000)]
FileName: TypeAlias = text_type("a path", longest=1000)  # type: ignore[valid-type]  # made by a function


class TermsFile(Settings):
    """The terms."""

    game: Part = left_out()
    """what is played"""

    submission_rule: RuleName = left_out()
    """which version plays"""

    per_day: Annotated[int, Field(ge=1, le=1000)] = left_out()
    """versions of one name that are taken in a day"""

    deadline: Annotated[datetime, BeforeValidator(moment_of), expecting(MOMENT_WORDS)] = left_out()
    """until when submissions are taken"""

    late_days: Days = left_out()
    """days after the deadline that everybody has"""

    roster: FileName = left_out()
    """file of who may submit as whom"""

    warnings: Treatment = left_out()
    """what becomes of a compiler's warnings"""

    tournament: FileName = left_out()
    """file of the tournament that it is for"""

    starter: FileName = left_out()
    """file or folder of what the course hands out, which is no copy"""

    tests: Part = left_out()
    """game whose mutants tests that people hand in are tried on"""
