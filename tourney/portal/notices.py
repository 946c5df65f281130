"""Notices: events of one person, listed under Notices and sent by mail if the portal sends mails.

A notice states the event and names the page to look at. It never holds a code, a link that
gives access, the contents of a report or a mark, because mails pass through other machines. So a
notice of a password reset states that a link was made; the person who made it hands it over.

The table is also the queue of mails; see `notifier`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from zoneinfo import ZoneInfo

from tourney.portal.database import now, time_text
from tourney.sqlite.database import Database

Kind = Literal[
    "code",
    "reset",
    "password",
    "report",
    "deadline near",
    "deadline moved",
    "reveal",
    "team invitation",
    "team answer",
    "team change",
]
KINDS: Mapping[Kind, tuple[str, str]] = {
    "code": (
        "a code to join was made for you",
        "A code to join the course was made for you. Your lecturer hands it to you.",
    ),
    "reset": (
        "a password reset link was made",
        "A reset link was made for your account. The person who made it hands it to you.",
    ),
    "password": (
        "your password was changed",
        "Your password was changed. If this was not you, inform your lecturer at once.",
    ),
    "report": ("a check report is ready", "The check report on a submission is ready."),
    "deadline near": (
        "your deadline is in less than 24 hours",
        "Your deadline is in less than 24 hours: {until}.",
    ),
    "deadline moved": ("your deadline was changed", "Your deadline was changed. It is {until}."),
    "reveal": ("the results of {final} are revealed", "The results of {final} are revealed."),
    "team invitation": (
        "an invitation to a team",
        "A classmate invites you to a team. Accept or decline on the page of your team.",
    ),
    "team answer": (
        "an answer to your team invitation",
        "A classmate has {answer} your invitation to a team.",
    ),
    "team change": ("your team was changed", "Your team was changed."),
}
"""The subject and the sentence of each kind."""
LISTED = 200
"""Most notices on the page."""
MAIL_KEPT = timedelta(days=7)
"""A mail is given up when its notice is older."""
NO_ANSWER = "the mail server cannot be reached"
TRIES_TO_SHOW = 2
"""Failed tries of a mail after which staff see it."""


@dataclass(frozen=True, slots=True)
class Notice:
    """One event of one person."""

    id: int
    kind: Kind
    about: Mapping[str, Any]
    account: int | None
    course: int | None
    slug: str  # of the course; empty for the portal
    title: str  # of the course
    person: str
    name: str
    made: str
    seen: str | None
    tries: int

    @property
    def subject(self) -> str:
        """The event in a few words."""
        return KINDS[self.kind][0].format(final=self._final)

    @property
    def sentence(self) -> str:
        """The event in a sentence or two."""
        answer = str(self.about.get("answer", ""))
        return KINDS[self.kind][1].format(
            until=_until_words(self.about), answer=answer, final=self._final
        )

    @property
    def _final(self) -> str:
        return str(self.about.get("final", "a final"))

    @property
    def page(self) -> tuple[str, Mapping[str, object]]:
        """The page to look at: its name, and the parts of its address."""
        course: dict[str, object] = {"course": self.slug}
        match self.kind:
            case "code":
                return "join", {}
            case "reset" | "password":
                return "account", {}
            case "report":
                return "handed", {**course, "job": self.about["job"]}
            case "reveal":
                return "final", {**course, "run": self.about["run"]}
            case "deadline near" | "deadline moved":
                return "course", course
        return "team", course


def add(
    database: Database,
    kind: Kind,
    *,
    account: int | None = None,
    course: int | None = None,
    person: str = "",
    name: str = "",
    once: str | None = None,
    **about: object,
) -> None:
    """Add a notice, best in the transaction of its event.

    Args:
        database: The portal's.
        kind: The kind of event.
        account: The person's account; `None` for a person of the roster without one.
        course: The course; `None` for the portal.
        person: Name on the roster, of a person without an account.
        name: Player name of this person.
        once: A key; nothing is added if a notice already has it.
        **about: Details, without secrets.
    """
    database.execute(
        "INSERT INTO notices (account, course, person, name, kind, about, once, made) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (once) DO NOTHING",
        (account, course, person, name, kind, json.dumps(about), once, now()),
    )


def enrolled(database: Database, course: int) -> tuple[tuple[int, str, str], ...]:
    """Give the account, the name on the roster and the player name of a course's students."""
    rows = database.read(
        iter,
        "SELECT account, person, memberships.name FROM memberships "
        "JOIN accounts ON accounts.id = account WHERE course = ? AND role = 'student' "
        "AND removed IS NULL AND erased IS NULL ORDER BY account",
        (course,),
    )
    return tuple(rows)


def students(database: Database, course: int, name: str | None = None) -> tuple[int, ...]:
    """Give the accounts of a course's students, or of those who play under a name."""
    found = enrolled(database, course)
    return tuple(account for account, _, own in found if name is None or own == name)


def add_moved_deadlines(
    database: Database, course: int, before: Mapping[str, Any], after: Mapping[str, Any]
) -> None:
    """Add a notice for each student whose own deadline differs between two readings of a folder.

    The mail of an earlier notice that still waits is dropped, because its time is out of date.

    Args:
        database: The portal's, in a transaction of the caller.
        course: The course.
        before: The earlier settings, as `course_jobs.told_of` gives them.
        after: The new ones.
    """
    earlier, later = _deadlines(before), _deadlines(after)
    zone = str(after.get("time_zone") or "")
    for account, person, name in enrolled(database, course):
        who = (person, name)
        if who not in earlier or who not in later or _same(earlier[who], later[who]):
            continue
        database.execute(
            "UPDATE notices SET mail = 'none' WHERE account = ? AND course = ? "
            "AND kind IN ('deadline moved', 'deadline near') AND mail = 'waiting'",
            (account, course),
        )
        until = later[who]
        add(database, "deadline moved", account=account, course=course, until=until, zone=zone)


def notices_of(database: Database, account: int, number: int | None = None) -> tuple[Notice, ...]:
    """Give the latest notices of an account, newest first; or one of them, however old."""
    return tuple(
        database.read(
            read,
            f"{SELECT} WHERE notices.account = :account AND (:number IS NULL OR "
            "notices.id = :number) ORDER BY notices.id DESC LIMIT :most",
            {"account": account, "number": number, "most": LISTED},
        )
    )


def unread(database: Database, account: int) -> int:
    """Count the notices that an account has not seen."""
    row = database.first(
        "SELECT count(*) FROM notices WHERE account = ? AND seen IS NULL", (account,)
    )
    return int(row[0]) if row else 0


def mark_seen(database: Database, account: int, newest: int) -> None:
    """Record that the list showed the notices of an account up to a number."""
    database.execute(
        "UPDATE notices SET seen = ? WHERE account = ? AND seen IS NULL AND id <= ?",
        (now(), account, newest),
    )


def has_mails(database: Database, account: int) -> bool:
    """Give whether an account gets mails."""
    row = database.first("SELECT has_mails FROM accounts WHERE id = ?", (account,))
    return bool(row and row[0])


def set_mails(database: Database, account: int, *, wanted: bool) -> None:
    """Turn the mails of an account on or off."""
    database.execute("UPDATE accounts SET has_mails = ? WHERE id = ?", (int(wanted), account))


@dataclass(frozen=True, slots=True)
class Unsent:
    """Mails of a course or of the portal that could not be sent."""

    waiting: int  # that are tried again
    fault: str  # of the last failed try of these
    failed: Sequence[str]  # names of the people whose mail was given up, latest first


def unsent(database: Database, course: int | None = None) -> Unsent:
    """Give the mails that keep failing, of a course or of the whole portal."""
    where = "(:course IS NULL OR notices.course = :course)"
    parameters = {
        "course": course,
        "tries": TRIES_TO_SHOW,
        "since": time_text(datetime.now(UTC) - 2 * MAIL_KEPT),
    }
    row = database.first(
        f"SELECT count(*), max(not_before || ' ' || fault) FROM notices WHERE {where} "  # noqa: S608 - ours
        "AND mail = 'waiting' AND tries >= :tries",
        parameters,
    )
    failed = database.read(
        iter,
        "SELECT coalesce(accounts.name, person) || ': ' || fault FROM notices "  # noqa: S608 - ours
        f"LEFT JOIN accounts ON accounts.id = notices.account WHERE {where} "
        "AND mail = 'failed' AND notices.made >= :since "
        "GROUP BY 1 ORDER BY max(notices.id) DESC LIMIT 20",
        parameters,
    )
    assert row
    return Unsent(row[0], (row[1] or "").partition(" ")[2], tuple(words for (words,) in failed))


def try_again(database: Database) -> int:
    """Queue the mails again that the server has refused; give their number."""
    return database.execute(
        "UPDATE notices SET mail = 'waiting', tries = 0, not_before = '', fault = '' "
        "WHERE mail = 'failed' AND made >= ?",
        (time_text(datetime.now(UTC) - MAIL_KEPT),),
    )


SELECT = """
SELECT notices.id, kind, about, notices.account, notices.course, coalesce(courses.slug, '') AS slug,
coalesce(home.title || iif(courses.assignment = '', '', ': ') || courses.assignment, '') AS title,
person, name, notices.made, seen, tries
FROM notices LEFT JOIN courses ON courses.id = notices.course
LEFT JOIN courses AS home ON home.id = coalesce(courses.home, courses.id)
"""
"""The columns that `read` expects, in the order of the fields of `Notice`."""


def read(rows: Iterable[tuple[Any, ...]]) -> Iterator[Notice]:
    """Read notices from rows of `SELECT`."""
    for number, kind, about, *rest in rows:
        yield Notice(number, kind, json.loads(about), *rest)


def _deadlines(told: Mapping[str, Any]) -> dict[tuple[str, str], str | None]:
    return {
        (each["person"], each["name"]): each.get("deadline")
        for each in told.get("people", ())
        if not each["excluded"]
    }


def _same(one: str | None, other: str | None) -> bool:
    """Give whether two ISO times are the same moment, in whatever zone."""
    if one is None or other is None:
        return one == other
    return datetime.fromisoformat(one) == datetime.fromisoformat(other)


def _until_words(about: Mapping[str, Any]) -> str:
    until, zone = about.get("until"), str(about.get("zone") or "")
    if not until:
        return "no longer set"
    local = datetime.fromisoformat(until).astimezone(ZoneInfo(zone) if zone else UTC)
    return f"{local:%Y-%m-%d %H:%M} ({zone or 'UTC'})"
