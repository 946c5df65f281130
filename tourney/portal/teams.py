"""Teams of a course as pages show them, and the invitations of students to teams.

The roster in the course's folder holds the teams; the checker changes it (`team_jobs`) and stores
the result in `courses.told`. Invitations are in portal.db only, and hold no names. A course with
several assignments has the same teams in all of them; it is given here by its first assignment.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tourney.errors import PortalError
from tourney.portal import jobs, notices
from tourney.portal.accounts import Course, Membership
from tourney.portal.database import now
from tourney.portal.jobs import Job
from tourney.portal.personal_rules import entry_of
from tourney.sqlite.database import Database

KIND = "team"
"""The kind of job that changes the teams of a roster."""
ASSIGNMENTS = "course IN (SELECT id FROM courses WHERE coalesce(home, id) = :course)"
"""Condition of SQL for the rows of all assignments of a course."""
OF_PEOPLE = ("members", "invites", "overrides", "notices")
"""Tables that name people of a roster."""
MOST_A_DAY = 20
"""Invitations of one account in a day (UTC)."""


@dataclass(frozen=True, slots=True)
class Invitation:
    """An invitation that has not ended, as one of its two students sees it."""

    id: int
    account: int  # that invites
    mate: int  # that is invited
    name: str  # player name of the other student
    job: Job | None  # that accepts it


@dataclass(frozen=True, slots=True)
class Candidate:
    """A student who may be invited."""

    account: int
    name: str  # player name


def largest_team(course: Course) -> int:
    """Give the number of students in the largest team; 1 if the course has no teams."""
    found = course.told.get("largest_team")
    return found if isinstance(found, int) else 1


def teams_of(course: Course) -> Mapping[str, Sequence[str]]:
    """Give the people of each team who are not excluded, by the name of the team."""
    found: dict[str, list[str]] = {}
    for each in course.students:
        if each.get("team"):
            found.setdefault(each["team"], []).append(each["person"])
    return dict(sorted(found.items()))


def own_team(course: Course, own: Membership) -> str:
    """Give the name of a member's team; empty without one."""
    return str(entry_of(course, own.person, own.name).get("team") or "")


def is_fixed(database: Database, course: int, name: str) -> bool:
    """Give whether a submission of a name plays in any assignment, so its students stay."""
    sql = f"SELECT 1 FROM versions WHERE {ASSIGNMENTS} AND name = :name AND plays"  # noqa: S608 - a constant
    return database.first(sql, {"course": course, "name": name}) is not None


def candidates(database: Database, course: Course, without: int) -> tuple[Candidate, ...]:
    """Give the students who have joined, have no team and no submission that plays.

    Args:
        database: The portal's.
        course: The course.
        without: An account to leave out.
    """
    free = {(each["person"], each["name"]) for each in course.students if not each.get("team")}
    rows = database.read(
        tuple,
        "SELECT account, person, members.name FROM members "  # noqa: S608 - a constant
        "JOIN accounts ON accounts.id = members.account WHERE course = :course "
        "AND role = 'student' AND removed IS NULL AND erased IS NULL AND account <> :account "
        f"AND members.name NOT IN (SELECT name FROM versions WHERE {ASSIGNMENTS} AND plays) "
        "ORDER BY members.name",
        {"course": course.id, "account": without},
    )
    return tuple(Candidate(account, name) for account, *who, name in rows if (*who, name) in free)


def invite(database: Database, course: Course, account: int, own: Membership, mate: int) -> None:
    """Store an invitation, in a transaction of the caller.

    Raises: PortalError, if the student may not invite this classmate.
    """
    check_allowed(course)
    entry = entry_of(course, own.person, own.name)
    if not entry or entry["excluded"]:
        raise PortalError("team: you are not on the roster of the course; ask your lecturer")
    if is_fixed(database, course.id, own.name):
        raise PortalError(
            "team: your submission plays already. A team is complete before its first submission "
            "that plays; ask your lecturer"
        )
    team = entry.get("team")
    if team and len(teams_of(course)[team]) >= largest_team(course):
        raise PortalError(f"team: yours is full; the largest team has {largest_team(course)}")
    if mate not in {each.account for each in candidates(database, course, account)}:
        raise PortalError("team: choose a classmate of the list; reload the page")
    if any(each.mate == mate for each in open_invitations(database, course.id, account)):
        raise PortalError("team: you have invited this classmate already")
    row = database.first(
        "SELECT count(*) FROM team_invites WHERE account = ? AND made >= ?", (account, now()[:10])
    )
    if row and row[0] >= MOST_A_DAY:
        raise PortalError(f"team: you have sent your {MOST_A_DAY} invitations of today (UTC)")
    database.execute(
        "INSERT INTO team_invites (course, account, mate, made) VALUES (?, ?, ?, ?)",
        (course.id, account, mate, now()),
    )
    notices.add(database, "team invitation", account=mate, course=course.id)


def accept(database: Database, course: Course, account: int, number: int) -> None:
    """Request the job that accepts an invitation, in a transaction of the caller.

    Raises: PortalError, if the invitation has ended, or is being accepted.
    """
    check_allowed(course)
    found = _open(database, course.id, account, number)
    if found.mate != account:
        raise PortalError("team: only the invited classmate can accept; reload the page")
    if found.job and not found.job.is_over:
        raise PortalError("team: you have accepted this invitation; reload the page")
    job = ask(database, course.id, account, {"act": "join", "invite": number})
    database.execute("UPDATE team_invites SET job = ? WHERE id = ?", (job, number))


def end_invitation(database: Database, course: int, account: int, number: int) -> None:
    """Decline an invitation, or withdraw an own one, in a transaction of the caller.

    Raises: PortalError, if it has ended, or is being accepted.
    """
    found = _open(database, course, account, number)
    if found.job and not found.job.is_over:
        raise PortalError("team: the invitation is being accepted; reload the page")
    how = "declined" if found.mate == account else "withdrawn"
    database.execute("UPDATE team_invites SET ended = ? WHERE id = ?", (how, number))
    if how == "declined":
        notices.add(database, "team answer", account=found.account, course=course, answer=how)


def ask(database: Database, course: int, account: int, payload: Mapping[str, Any]) -> int:
    """Request a change of teams, in a transaction of the caller; give the job's number.

    Raises: PortalError, if another change of the account waits.
    """
    waiting = last_change(database, course, account)
    if waiting and not waiting.is_over:
        raise PortalError("team: your last request is still being recorded; reload the page")
    return jobs.insert(database, KIND, payload, course=course, account=account)


def last_change(database: Database, course: int, account: int) -> Job | None:
    """Give the last requested change of teams of an account."""
    row = database.first(
        "SELECT max(id) FROM jobs WHERE course = ? AND account = ? AND kind = ?",
        (course, account, KIND),
    )
    return jobs.get(database, row[0]) if row and row[0] else None


def open_invitations(database: Database, course: int, account: int) -> tuple[Invitation, ...]:
    """Give the invitations of and to an account that have not ended, newest first."""

    def read(rows: Iterable[tuple[Any, ...]]) -> Iterator[Invitation]:
        for number, inviter, mate, name, job in rows:
            known = jobs.these(database, f"[{job}]") if job else ()
            yield Invitation(number, inviter, mate, name, next(iter(known), None))

    return tuple(
        database.read(
            read,
            "SELECT team_invites.id, team_invites.account, mate, members.name, job "
            "FROM team_invites JOIN members ON members.course = team_invites.course "
            "AND members.account = iif(mate = :account, team_invites.account, mate) "
            "WHERE team_invites.course = :course AND ended = '' AND removed IS NULL "
            "AND (team_invites.account = :account OR mate = :account) "
            "ORDER BY team_invites.id DESC LIMIT 100",
            {"course": course, "account": account},
        )
    )


def received(database: Database, course: int, account: int) -> list[Invitation]:
    """Give the invitations to an account that it has not answered."""
    found = open_invitations(database, course, account)
    return [each for each in found if each.mate == account and each.job is None]


def check_allowed(course: Course) -> None:
    """Reject changes by students in a course without teams.

    Raises: PortalError, if the lecturer does not allow teams.
    """
    if largest_team(course) < 2:  # noqa: PLR2004 - a team has two students
        raise PortalError("team: this course has no teams; ask your lecturer")


def follow_teams(database: Database, course: int, people: Sequence[Mapping[str, Any]]) -> None:
    """Give members and codes of a roster's teams the name of the team, also after edits by hand.

    Call it in a transaction. Students whose name on the roster is not unique stay as they are.
    """
    times = Counter(each["person"] for each in people)
    for each in people:
        if each.get("team") and times[each["person"]] == 1:
            rename_player(database, course, each["person"], None, each["name"])


def rename_player(database: Database, course: int, person: str, old: str | None, new: str) -> None:
    """Give a student another player name, in a transaction of the caller.

    Args:
        database: The portal's.
        course: The course.
        person: Name on the roster.
        old: The earlier player name; `None` for any.
        new: The new one.
    """
    for table in OF_PEOPLE:
        database.execute(
            f"UPDATE {table} SET name = :new WHERE {ASSIGNMENTS} AND person = :person "  # noqa: S608 - a table of this list
            "AND name <> :new AND (:old IS NULL OR name = :old)",
            {"course": course, "person": person, "old": old, "new": new},
        )


def _open(database: Database, course: int, account: int, number: int) -> Invitation:
    own = open_invitations(database, course, account)
    found = next((each for each in own if each.id == number), None)
    if found is None:
        raise PortalError("team: this invitation has ended; reload the page")
    return found
