"""The submission rules of a class: `submissions.yaml` in its folder.

Without that file, defaults apply: the last version plays, and there is no deadline. The game has no
default, since a competitor cannot be checked without one. Late days and daily limits follow the
local time of the class: a day on which the clock is set back has 25 hours.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeAlias, get_args
from zoneinfo import ZoneInfo, available_timezones

from pydantic import Field

from tourney.config.documents import REFUSED, Faults, KeyPath, parse
from tourney.config.games import read_game
from tourney.config.model import Catalog, GameConfig
from tourney.config.scalars import Trap
from tourney.config.settings import Part, Settings, choice_type, left_out, text_type
from tourney.config.validation import read_settings
from tourney.config.words import closest, hint, near_zone, quoted, said, value_words
from tourney.course.extensions import (
    LOCAL_WORDS,
    MOMENT_WORDS,
    Extension,
    moment_in,
    read_extensions,
)
from tourney.course.late_days import Deadline
from tourney.course.records import RULES, Rule
from tourney.course.roster import Person, Roster
from tourney.course.roster_file import read_roster
from tourney.errors import ConfigError, SubmissionError
from tourney.game.words import counted

TERMS = "submissions.yaml"
MOST_BYTES = 100_000
LATE_WITHOUT_TIME = 1
"""Late days of a submission that a platform marks as late without a time."""
Warnings: TypeAlias = Literal["shown", "refused"]


@dataclass(frozen=True, slots=True)
class SubmissionRules:
    """The submission rules of a class."""

    game: GameConfig | None = None  # None if it is not named, or was not read
    rule: Rule = "last"  # which version plays
    per_day: int | None = None  # versions of one name in a day; None for any number
    deadline: datetime | None = None  # with its offset
    late_days: int = 0  # after the deadline, for students without another number on the roster
    roster: Roster | None = None  # students and their names; without it all names are free
    tournament: Path | None = None  # file of the tournament, if any
    warnings: Warnings = "shown"  # treatment of a compiler's warnings
    tests: GameConfig | None = None  # game with mutants that submitted tests run on, if any
    starter: Path | None = None  # file or folder with the course's starter code, if any
    time_zone: ZoneInfo | None = None  # of the class; None for the offset of the deadline
    grace_minutes: int = 0  # after each deadline, and each late day, that do not count
    group_deadlines: tuple[tuple[str, datetime], ...] = ()  # of groups of the roster
    extensions: tuple[Extension, ...] = ()  # of single students
    largest_team: int = 1  # that students may form on the portal; 1 for no teams

    @property
    def has_deadline(self) -> bool:
        """Whether there is a deadline, of the class or of a group."""
        return self.deadline is not None or bool(self.group_deadlines)

    @property
    def zone_words(self) -> str:
        """The name of the zone in which days are counted."""
        return str(self.time_zone or "UTC")

    def local(self, time: datetime) -> datetime:
        """Return a time as clocks of the class show it.

        >>> rules = SubmissionRules(time_zone=ZoneInfo("America/New_York"))
        >>> rules.local(datetime.fromisoformat("2026-12-02T01:00Z")).isoformat(" ", "minutes")
        '2026-12-01 20:00-05:00'
        """
        return time.astimezone(self.time_zone or UTC)

    def deadline_of(self, author: str, name: str) -> datetime | None:
        """Return the deadline of a student: the class's, their groups' or an extension.

        The latest one counts.
        """
        person = self.roster.author_of(author, name) if self.roster else None
        groups = person.groups if person else ()
        given = [until for group, until in self.group_deadlines if group in groups]
        usual = max(given, default=self.deadline)
        extended = [each.until for each in self.extensions_of(person, author)]
        return max((*extended, usual)) if usual and extended else usual

    def extensions_of(self, person: Person | None, author: str = "") -> tuple[Extension, ...]:
        """Return the extensions of a student; without a roster, those of an author."""
        own, roster = {author.casefold()}, self.roster
        if person:
            own.update((person.person.casefold(), *person.own_keys))
        return tuple(
            each
            for each in self.extensions
            if each.person.casefold() in own
            or (person and roster and roster.find(each.person) == person)
        )

    def late_days_at(self, time: datetime, author: str = "", name: str = "") -> int:
        """Count the days after the deadline of a student, begun ones included.

        Args:
            time: With its offset.
            author: The student; by default the deadline of the class counts.
            name: The name of the submission.

        >>> SubmissionRules(deadline=datetime.fromisoformat("2026-12-01T12:00Z")).late_days_at(
        ...     datetime.fromisoformat("2026-12-02T12:01Z"))
        2
        """
        deadline = self.deadline_of(author, name)
        if deadline is None:
            return 0
        return self._counted(deadline).late_days_at(time)

    def stated_late_days(self, author: str, name: str) -> int:
        """Count the late days of a submission that a platform marks as late without a time.

        It counts as one day after the deadline of the class.
        """
        if self.deadline is None:
            return LATE_WITHOUT_TIME if self.has_deadline else 0
        end = self._counted(self.deadline).end_of(LATE_WITHOUT_TIME)
        return self.late_days_at(end, author, name)

    def _counted(self, deadline: datetime) -> Deadline:
        """Return a deadline with the grace period and the time zone of the class."""
        return Deadline(deadline, self.grace_minutes, self.time_zone)

    def late_days_of(self, author: str, name: str) -> int:
        """Return the number of days that the author of a name may be late."""
        person = self.roster.author_of(author, name) if self.roster else None
        own = person.late_days if person else None
        return self.late_days if own is None else own

    def check_time(self, author: str, name: str, late_days: int) -> None:
        """Reject a late submission.

        Args:
            author: The author of the submission.
            name: The name to play under.
            late_days: Days after the deadline.
        Raises: SubmissionError, if the author has fewer late days.
        """
        allowed = self.late_days_of(author, name)
        if late_days <= allowed:
            return
        deadline = self.deadline_of(author, name)
        assert deadline is not None
        had = f" (up to {counted(allowed, 'day')} late are allowed)" if allowed else ""
        raise SubmissionError(
            f"The submission is {counted(late_days, 'day')} late; the deadline was "
            f"{deadline.isoformat(' ', 'minutes')}{had}. Ask the organiser."
        )

    def check_author(self, author: str, name: str) -> None:
        """Reject an author who may not submit under a name.

        Raises: SubmissionError, if there is a roster that does not allow it.
        """
        if self.roster is None:
            return
        person = self.roster.author_of(author, name)
        if person is None:
            raise SubmissionError(
                f"author {author!r} is not on the roster"
                f"{hint(self.roster.closest(author))}. "
                "Give your name as on the roster, with --author."
            )
        if person.excluded:
            raise SubmissionError(
                f"author {author!r}: {person.person} is excluded by the roster: "
                f"{person.excluded}. Ask the organiser."
            )
        if name not in person.names:
            raise SubmissionError(
                f"name {name!r}: {person.person} plays as {' or '.join(person.names)} on the "
                f"roster{hint(closest(name, person.names))}. "
                "Use that name, or ask the organiser."
            )


def read_terms(folder: Path, catalog: Catalog | None = None) -> SubmissionRules:
    """Read the submission rules of a folder.

    Args:
        folder: Folder of submissions.
        catalog: Known games; without it the game is not read.
    Raises: ConfigError, with every fault of the file and of its roster.
    """
    return read_terms_text(text_of_terms(folder), folder, catalog)


def text_of_terms(folder: Path) -> str:
    """Return the text of a folder's submission rules; empty without the file."""
    path = folder / TERMS
    if not path.is_file():
        return ""
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.read(MOST_BYTES)


def read_terms_text(text: str, folder: Path, catalog: Catalog | None = None) -> SubmissionRules:
    """Read submission rules from a text; otherwise like `read_terms`."""
    if not text.strip():
        return SubmissionRules()
    faults = Faults(str(folder / TERMS))
    data = parse(text, faults)
    if not isinstance(data, dict):
        faults.stop(faults.spots[()].place, "write settings such as 'per_day: 5'")
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
    values |= _times(data, values, folder, faults)
    for key in ("tournament", "starter"):
        if key in values:
            values[key] = folder / values[key]
    faults.raise_any()
    rule = values.pop("submission_rule", SubmissionRules().rule)
    return replace(SubmissionRules(), rule=rule, **values)


def _times(
    data: Mapping[Any, Any], values: Mapping[str, Any], folder: Path, faults: Faults
) -> dict[str, Any]:
    """Read the deadlines of the class, of groups and of students, in the time zone of the class."""
    found: dict[str, Any] = {}
    zone = found["time_zone"] = _zone_of(values.get("time_zone", ""), faults)
    if "deadline" in data:
        found["deadline"] = _moment(data["deadline"], ("deadline",), zone, faults)
    roster = values.get("roster")
    known = roster if isinstance(roster, Roster) else None
    if "group_deadlines" in data:
        given = data["group_deadlines"]
        found["group_deadlines"] = _group_deadlines(given, known or Roster(()), zone, faults)
    try:
        found["extensions"] = read_extensions(folder, zone, known)
    except ConfigError as error:
        faults.take(error)
    return found


def _moment(data: Any, key: KeyPath, zone: ZoneInfo | None, faults: Faults) -> datetime | None:
    """Read a time with its offset; a fault is noted if it is not one.

    A date without quotes and without a time is a fault, since the day may begin or end there.
    """
    has_time = isinstance(data, Trap) and ":" in data.raw
    try:
        return moment_in(data.raw if has_time else data, zone)
    except ValueError:
        if data is not REFUSED:
            expected = LOCAL_WORDS if zone else f"{MOMENT_WORDS} (or name a time_zone)"
            got = value_words(data, faults.raw(key, data), bare=True)
            faults.note(key, said(expected, got))
        return None


def _zone_of(name: str, faults: Faults) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (OSError, ValueError, KeyError):
        meant = near_zone(name, sorted(available_timezones()))
        expected = "the name of a time zone, such as America/New_York"
        faults.note(("time_zone",), said(expected, quoted(name), meant=meant))
        return None


def _group_deadlines(
    data: Any, roster: Roster, zone: ZoneInfo | None, faults: Faults
) -> tuple[tuple[str, datetime], ...]:
    key = ("group_deadlines",)
    if data is REFUSED:
        return ()
    if not isinstance(data, Mapping):
        faults.note(key, 'write times by group, such as {"001": "2026-12-01 23:59+01:00"}')
        return ()
    known = {group for person in roster.people for group in person.groups}
    for group in data:
        if str(group) not in known:
            expected = "a group of the roster"
            meant = closest(str(group), sorted(known))
            faults.note((*key, group), said(expected, quoted(str(group)), meant=meant))
    read = (
        (str(group), _moment(each, (*key, group), zone, faults)) for group, each in data.items()
    )
    return tuple((group, moment) for group, moment in read if moment)


RuleName: TypeAlias = choice_type(RULES)  # type: ignore[valid-type]  # made by a function
Treatment: TypeAlias = choice_type(get_args(Warnings))  # type: ignore[valid-type]  # made by a function
Days: TypeAlias = Annotated[int, Field(ge=0, le=1000)]
FileName: TypeAlias = text_type("a path", longest=1000)  # type: ignore[valid-type]  # made by a function


ZoneName: TypeAlias = text_type("the name of a time zone")  # type: ignore[valid-type]  # made by a function


class TermsFile(Settings):
    """The settings of the file."""

    keys_shown_by: ClassVar[str] = "docs/how-to/take-in-submissions.md"

    game: Part = left_out()
    """the game"""

    submission_rule: RuleName = left_out()
    """which version plays"""

    per_day: Annotated[int, Field(ge=1, le=1000)] = left_out()
    """versions of one name that are accepted in a day"""

    time_zone: ZoneName = left_out()
    """time zone of the class"""

    deadline: Part = left_out()
    """deadline of submissions"""

    group_deadlines: Part = left_out()
    """deadlines of single groups"""

    grace_minutes: Annotated[int, Field(ge=0, le=1440)] = left_out()
    """minutes after a deadline that do not count"""

    late_days: Days = left_out()
    """late days of each student"""

    roster: FileName = left_out()
    """file of the roster"""

    warnings: Treatment = left_out()
    """treatment of a compiler's warnings"""

    tournament: FileName = left_out()
    """file of the tournament"""

    starter: FileName = left_out()
    """file or folder of starter code, which does not count as a copy"""

    largest_team: Annotated[int, Field(ge=1, le=20)] = left_out()
    """students of the largest team that students may form"""

    tests: Part = left_out()
    """game with mutants that submitted tests run on"""
