"""The deadline, the daily limit and the waivers of one student.

The checker reads the rules in the course's folder and stores them in `courses.told`, with the
deadline of each student. It decides about uploads; these rules predict its decision.

A waiver is never deleted, because lines of the audit log refer to it; it is ended by its time.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo
from typing import Any, Literal
from zoneinfo import ZoneInfo

from tourney.course.late_days import Deadline
from tourney.portal import jobs
from tourney.portal.accounts import Course
from tourney.portal.database import now
from tourney.sqlite.database import Database


@dataclass(frozen=True, slots=True)
class Waiver:
    """Rules that do not hold for one person."""

    id: int
    person: str  # on the roster
    name: str  # the player name
    limits: tuple[str, ...]  # names of the waived rules
    because: str
    until: str  # in the format of `database.now`

    @property
    def is_over(self) -> bool:
        """Whether it no longer applies to new submissions."""
        return self.until <= now()


_COLUMNS = "id, person, name, limits, because, until"


def waivers_of(database: Database, course: int) -> tuple[Waiver, ...]:
    """Give the waivers of a course, the latest end first, without those of erased people."""
    return tuple(
        database.read(
            _waivers,
            f"SELECT {_COLUMNS} FROM overrides WHERE course = ? AND person <> '' "  # noqa: S608 - columns of ours
            "ORDER BY until DESC, id DESC",
            (course,),
        )
    )


def waive(database: Database, course: int, waiver: Waiver) -> int:
    """Store a waiver, in place of the person's present one for the same rules; give its number.

    Call it in a transaction. The `id` of the given waiver does not matter.
    """
    limits = json.dumps(list(waiver.limits))
    own = (course, waiver.person, waiver.name, limits, now())
    row = database.first(
        "SELECT id FROM overrides WHERE course = ? AND person = ? AND name = ? AND limits = ? "
        "AND until > ?",
        own,
    )
    if row:
        database.execute(
            "UPDATE overrides SET because = ?, until = ? WHERE id = ?",
            (waiver.because, waiver.until, row[0]),
        )
        return int(row[0])
    return database.insert(
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (*own[:4], waiver.because, waiver.until),
    )


def end_waiver(database: Database, course: int, number: int) -> bool:
    """End a waiver now; give whether there was one that applied."""
    sql = "UPDATE overrides SET until = :now WHERE id = :id AND course = :course AND until > :now"
    return bool(database.execute(sql, {"now": now(), "id": number, "course": course}))


def lifted(
    database: Database, course: int, person: str, name: str, received: str
) -> tuple[tuple[str, ...], str]:
    """Give the waived limits of a person, with reasons.

    Args:
        database: The portal's.
        course: Its course.
        person: On the roster, where two people may have the same name.
        name: The player name, which is unique.
        received: Time of the submission, in the format of `database.now`.
    """
    moment = datetime.fromisoformat(received)
    holding = sorted(
        (
            each
            for each in waivers_of(database, course)
            if (each.person, each.name) == (person, name)
            and moment <= datetime.fromisoformat(each.until)
        ),
        key=lambda each: each.id,
    )
    limits = sorted({limit for each in holding for limit in each.limits})
    return tuple(limits), "; ".join(each.because for each in holding)


def lifted_until(
    database: Database, course: int, person: str, name: str, limit: str
) -> datetime | None:
    """Give the time until which a limit is waived for a person; `None` if it was never waived."""
    rows = database.read(
        iter,
        "SELECT until FROM overrides WHERE course = ? AND person = ? AND name = ? "
        "AND EXISTS (SELECT 1 FROM json_each(limits) WHERE value = ?)",
        (course, person, name, limit),
    )
    return max((datetime.fromisoformat(until) for (until,) in rows), default=None)


def _waivers(rows: Iterable[tuple[Any, ...]]) -> Iterator[Waiver]:
    for number, person, name, limits, because, until in rows:
        yield Waiver(number, person, name, tuple(json.loads(limits)), because, until)


State = Literal["none", "open", "late", "waived", "over"]
"""No deadline; before it; within the late days; waived for the student; a submission is refused."""
MINUTE, HOUR, DAY = 60, 3600, 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonalRules:
    """The rules for a submission of one student at one time."""

    state: State = "none"
    deadline: datetime | None = None  # of the student
    of_class: datetime | None = None
    closes: datetime | None = None  # the latest time of an accepted submission
    grace_minutes: int = 0
    late_days: int = 0  # that the student may be late
    late_now: int = 0  # days by which a submission would be late now
    waived_until: datetime | None = None
    per_day: int | None = None  # None for no limit
    left_today: int | None = None
    time_zone: str = ""  # name of the class's zone; may be empty

    @property
    def is_open(self) -> bool:
        """Whether the deadline allows a submission now."""
        return self.state != "over"

    @property
    def is_extended(self) -> bool:
        """Whether the student has another deadline than the class."""
        return self.deadline != self.of_class

    def seconds_left(self, moment: datetime) -> int | None:
        """Give the seconds from a time until the time that counts; `None` without one."""
        return None if self.ends is None else int((self.ends - moment).total_seconds())

    @property
    def accepts_until(self) -> datetime | None:
        """The latest time of an accepted submission, with grace period, late days and waiver."""
        known = [each for each in (self.closes, self.waived_until) if each]
        return max(known, default=None)

    @property
    def ends(self) -> datetime | None:
        """The time that counts for the student now: the deadline, or the end of the late days."""
        ends = {"open": self.deadline, "late": self.closes, "waived": self.waived_until}
        return ends.get(self.state)


def rules_of(
    database: Database, course: Course, person: str, name: str, moment: datetime
) -> PersonalRules:
    """Give the rules for a student.

    Args:
        database: The portal's.
        course: Its course.
        person: Name on the roster.
        name: The player name.
        moment: The time of the submission, with its offset.
    """
    told, received = course.told, moment.astimezone(UTC).isoformat()
    own = entry_of(course, person, name)
    limits, _ = lifted(database, course.id, person, name, received)
    zone = str(told.get("time_zone") or "")
    per_day = _number(told.get("per_day")) if "per_day" not in limits else None
    left = None
    if per_day is not None:
        used = jobs.count_today(database, "check", course.id, name, zone or "UTC")
        left = max(0, per_day - used)
    of_class = _time(told.get("deadline"))
    time = _time(own.get("deadline")) or of_class
    if time is None:
        return PersonalRules(per_day=per_day, left_today=left, time_zone=zone)
    waived = lifted_until(database, course.id, person, name, "deadline")
    is_waived = "deadline" in limits
    deadline = Deadline(time, _number(told.get("grace_minutes")) or 0, zone_of(zone))
    allowed = _number(own.get("late_days"))
    allowed = _number(told.get("late_days")) or 0 if allowed is None else allowed
    late_now = deadline.late_days_at(moment)
    return PersonalRules(
        state=_state(late_now, allowed, is_waived=is_waived),
        deadline=time,
        of_class=of_class,
        closes=deadline.closes(allowed).astimezone(zone_of(zone) or time.tzinfo),
        grace_minutes=deadline.grace_minutes,
        late_days=allowed,
        late_now=late_now,
        waived_until=waived if is_waived else None,
        per_day=per_day,
        left_today=left,
        time_zone=zone,
    )


def entry_of(course: Course, person: str, name: str) -> Mapping[str, Any]:
    """Give a student's entry of the roster; empty if they are not on it."""
    found = (each for each in course.people if (each["person"], each["name"]) == (person, name))
    return next(found, {})


def zone_of(name: str) -> tzinfo | None:
    """Give the time zone of a class; `None` without a name."""
    return ZoneInfo(name) if name else None


def left_words(seconds: float) -> str:
    """Describe the time that is left, in two units.

    >>> left_words(200_000), left_words(7_300), left_words(61), left_words(5)
    ('2 days 7 hours left', '2 hours 1 minute left', '1 minute left', 'less than a minute left')
    """
    days, rest = divmod(int(seconds), DAY)
    hours, rest = divmod(rest, HOUR)
    counts = ((days, "day"), (hours, "hour"), (rest // MINUTE, "minute"))
    first = next((at for at, (count, _) in enumerate(counts) if count), None)
    if first is None:
        return "less than a minute left"
    words = [
        f"{count} {unit}{'' if count == 1 else 's'}" for count, unit in counts[first : first + 2]
    ]
    return f"{' '.join(each for each in words if not each.startswith('0 '))} left"


def _state(late_now: int, allowed: int, *, is_waived: bool) -> State:
    if not late_now:
        return "open"
    if late_now <= allowed:
        return "late"
    return "waived" if is_waived else "over"


def _time(value: object) -> datetime | None:
    return datetime.fromisoformat(value) if isinstance(value, str) and value else None


def _number(value: object) -> int | None:
    return value if isinstance(value, int) else None
