"""What an administrator does with accounts and courses, each act with its line in the audit log.

Acts are called in a transaction of the caller's. None of them leaves a portal without anybody who
could undo it: there is always an administrator, and no administrator is locked out.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tourney.errors import PortalError
from tourney.portal import audit, jobs, sessions
from tourney.portal.accounts import issuers_of
from tourney.portal.codes import make_code
from tourney.portal.database import now
from tourney.sqlite.database import Database

A_PAGE = 50
"""Accounts that are listed at once."""
KINDS: Mapping[str, str] = {
    "": "1",
    "administrators": "is_admin",
    "staff": "EXISTS (SELECT 1 FROM members WHERE account = accounts.id "
    "AND role IN ('lecturer', 'assistant'))",
    "locked": "locked IS NOT NULL",
}
"""Which accounts are listed, and what is true of them."""


@dataclass(frozen=True, slots=True)
class Profile:
    """What there is to know of an account to look after it."""

    id: int
    login: str
    name: str
    made: str
    is_admin: bool
    locked: str | None  # since when
    has_password: bool
    has_second: bool
    seen: str | None  # when its owner did something last
    sessions: int
    tokens: int
    issuers: tuple[str, ...]  # providers that it signs in at
    parts: tuple[tuple[str, str, str], ...]  # title and short name of a course, and the role there


def accounts(
    database: Database, words: str, kind: str, page: int
) -> tuple[tuple[tuple[Any, ...], ...], int]:
    """Find accounts.

    Args:
        database: The portal's.
        words: Part of a name or login, or a number; empty for everybody.
        kind: One of `KINDS`.
        page: Which `A_PAGE` of them, from 1.
    Returns: Of each (number, name, login, is_admin, locked, courses), by name; and how many there
        are on all pages.
    """
    part = words.strip().translate({ord(each): f"\\{each}" for each in "\\%_"})
    where = (
        f"erased IS NULL AND {KINDS[kind]} AND (name LIKE :part ESCAPE '\\' "
        "OR login LIKE :part ESCAPE '\\' OR CAST(id AS TEXT) = :words)"
    )
    about = {"part": f"%{part}%", "words": words.strip(), "most": A_PAGE}
    rows = database.read(
        iter,
        "SELECT id, name, login, is_admin, locked, "  # noqa: S608 - words of ours
        "(SELECT count(*) FROM members WHERE account = accounts.id) "
        f"FROM accounts WHERE {where} ORDER BY name, id LIMIT :most OFFSET :before",
        {**about, "before": (page - 1) * A_PAGE},
    )
    found = tuple(rows)
    count = database.first(f"SELECT count(*) FROM accounts WHERE {where}", about)  # noqa: S608 - likewise
    assert count
    return found, int(count[0])


def profile(database: Database, number: int) -> Profile | None:
    """Give what there is to know of an account; None if there is none, or it was erased."""
    who = {"account": number}
    row = database.first(
        "SELECT id, login, name, made, is_admin, locked, password <> '', totp <> '', "
        "(SELECT max(seen) FROM (SELECT seen FROM sessions WHERE account = :account "
        "UNION ALL SELECT seen FROM tokens WHERE account = :account "
        "UNION ALL SELECT time FROM audit WHERE account = :account)), "
        "(SELECT count(*) FROM sessions WHERE account = :account) "
        "FROM accounts WHERE id = :account AND erased IS NULL",
        who,
    )
    if row is None:
        return None
    parts = database.read(
        iter,
        "SELECT title, slug, role FROM members JOIN courses ON courses.id = members.course "
        "WHERE account = :account ORDER BY courses.id DESC",
        who,
    )
    return Profile(
        id=row[0],
        login=row[1],
        name=row[2],
        made=row[3],
        is_admin=bool(row[4]),
        locked=row[5],
        has_password=bool(row[6]),
        has_second=bool(row[7]),
        seen=row[8],
        sessions=row[9],
        tokens=len(sessions.tokens_of(database, number)),
        issuers=tuple(sorted(issuers_of(database, number))),
        parts=tuple(parts),
    )


def reset_code(database: Database, account: int, by: int | None) -> str:
    """Make the code of a link by which somebody chooses a new password; give it, once."""
    audit.note(database, "reset link made", account=by, of=account)
    return make_code(database, "reset", account)


def reset_second(database: Database, account: int, by: int | None) -> None:
    """Forget somebody's second factor, and end what they began with it: they set up another."""
    database.execute("UPDATE accounts SET totp = '', totp_last = 0 WHERE id = ?", (account,))
    sessions.end_everything(database, account)
    audit.note(database, "second factor reset", account=by, of=account)


def end_sessions(database: Database, account: int, by: int) -> None:
    """End all sessions and tokens of somebody."""
    sessions.end_everything(database, account)
    audit.note(database, "sessions ended", account=by, of=account)


def forget_identities(database: Database, account: int, by: int) -> None:
    """Let nobody sign in with an account by what a provider says."""
    database.execute("DELETE FROM identities WHERE account = ?", (account,))
    audit.note(database, "identities forgotten", account=by, of=account)


def make_admin(database: Database, account: int, by: int) -> None:
    """Let somebody look after the portal.

    Raises: PortalError, if the account is locked.
    """
    if not database.execute(
        "UPDATE accounts SET is_admin = 1 WHERE id = ? AND locked IS NULL", (account,)
    ):
        raise PortalError("account: expected one that is not locked, got one that is; unlock it")
    audit.note(database, "administrator made", account=by, of=account)


def unmake_admin(database: Database, account: int, by: int) -> None:
    """Let somebody look after the portal no more.

    Raises: PortalError, if nobody else does.
    """
    others = "SELECT 1 FROM accounts WHERE is_admin AND erased IS NULL AND id <> ?"
    if not database.first(others, (account,)):
        raise PortalError(
            "account: expected a portal with another administrator, got one with none but this; "
            "make somebody else one first"
        )
    database.execute("UPDATE accounts SET is_admin = 0 WHERE id = ?", (account,))
    audit.note(database, "administrator unmade", account=by, of=account)


def lock(database: Database, account: int, by: int) -> None:
    """Let nobody sign in with an account, until it is unlocked.

    Raises: PortalError, if it is an administrator's.
    """
    if not database.execute(
        "UPDATE accounts SET locked = ? WHERE id = ? AND NOT is_admin", (now(), account)
    ):
        raise PortalError(
            "account: expected one that is no administrator's, got one that is; unmake it first"
        )
    sessions.end_everything(database, account)
    audit.note(database, "account locked", account=by, of=account)


def unlock(database: Database, account: int, by: int) -> None:
    """Let its owner sign in with an account again."""
    database.execute("UPDATE accounts SET locked = NULL WHERE id = ?", (account,))
    audit.note(database, "account unlocked", account=by, of=account)


ACTS: Mapping[str, Callable[[Database, int, int], None]] = {
    "second": reset_second,
    "sessions": end_sessions,
    "identities": forget_identities,
    "make-admin": make_admin,
    "unmake-admin": unmake_admin,
    "lock": lock,
    "unlock": unlock,
}
"""What is done with an account, by what a form calls it."""


def courses(database: Database) -> tuple[tuple[Any, ...], ...]:
    """Give of every course (number, slug, title, archived, members, jobs that wait, last run)."""
    rows = database.read(
        iter,
        "SELECT id, slug, title, archived, "  # noqa: S608 - words of ours
        "(SELECT count(*) FROM members WHERE course = courses.id), "
        f"(SELECT count(*) FROM jobs WHERE course = courses.id AND {_WAITS}), "
        "(SELECT max(made) FROM runs WHERE course = courses.id) "
        "FROM courses ORDER BY archived IS NOT NULL, id DESC",
    )
    return tuple(rows)


_WAITS = "state IN ('queued', 'running') AND NOT (state = 'queued' AND kind = 'shoes')"
"""Of a job; that shoes of practice are to be changed some day is nothing that anybody waits for."""


def archive(database: Database, course: int, by: int) -> None:
    """Put a course away: its staff can read it, and nothing in it changes.

    Raises: PortalError, if something in it is not done yet.
    """
    waiting = database.first(f"SELECT count(*) FROM jobs WHERE course = ? AND {_WAITS}", (course,))  # noqa: S608 - words of ours
    if waiting and waiting[0]:
        raise PortalError(
            f"course: expected one in which nothing waits, got one with {waiting[0]} jobs; let "
            "them be done, or cancel a final that is to start later"
        )
    _set_archived(database, course, now())
    database.execute(
        "UPDATE jobs SET state = 'replaced', finished = ? WHERE course = ? AND state = 'queued'",
        (now(), course),
    )
    audit.note(database, "course archived", account=by, course=course)


def bring_back(database: Database, course: int, by: int) -> None:
    """Let an archived course go on."""
    _set_archived(database, course, None)
    practised = "SELECT 1 FROM runs WHERE course = ? AND purpose = 'practice'"
    if database.first(practised, (course,)):
        jobs.insert(database, "practice", {}, course=course)  # which has shoes changed again, too
    audit.note(database, "course brought back", account=by, course=course)


def _set_archived(database: Database, course: int, when: str | None) -> None:
    sql = "UPDATE courses SET archived = ? WHERE id = ? AND (archived IS NULL) = ?"
    if not database.execute(sql, (when, course, when is not None)):
        raise PortalError("course: expected one of the list, got another, or it is so already")
