"""Actions of administrators on accounts and courses, each with a line in the audit log.

Call them in a transaction. The portal always keeps an administrator who is not locked out, so every
action can be undone.
"""

from collections.abc import Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from typing import Any

from tourney.errors import PortalError
from tourney.portal import audit, jobs, notices, sessions
from tourney.portal.accounts import check_other_admin, issuers_of, login_of
from tourney.portal.database import now, open_database
from tourney.portal.invites import make_code
from tourney.portal.places import Places
from tourney.sqlite.database import Database

A_PAGE = 50
"""Accounts on a page of the list."""
KINDS: Mapping[str, str] = {
    "": "1",
    "administrators": "is_admin",
    "staff": "EXISTS (SELECT 1 FROM members WHERE account = accounts.id AND removed IS NULL "
    "AND role IN ('lecturer', 'assistant'))",
    "locked": "locked IS NOT NULL",
}
"""Kinds of accounts to list, with their SQL conditions."""


@dataclass(frozen=True, slots=True)
class Profile:
    """Facts about an account for administrators."""

    tokens: int
    issuers: tuple[str, ...]  # providers that can sign in to it
    parts: tuple[tuple[str, str, str], ...]  # title and short name of a course, and the role in it
    id: int
    login: str
    name: str
    made: str
    is_admin: bool
    locked: str | None  # since when
    has_password: bool
    has_second: bool
    seen: str | None  # last activity of its owner
    sessions: int


def accounts(
    database: Database, words: str, kind: str, page: int
) -> tuple[tuple[tuple[Any, ...], ...], int]:
    """Find accounts.

    Args:
        database: The portal's.
        words: Part of a name or login, or a number; empty for all.
        kind: One of `KINDS`.
        page: Page of `A_PAGE` accounts, from 1.
    Returns: (number, name, login, is_admin, locked, courses) of each account, by name; and the
        number of accounts on all pages.
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
        "(SELECT count(*) FROM members WHERE account = accounts.id AND removed IS NULL) "
        f"FROM accounts WHERE {where} ORDER BY name, id LIMIT :most OFFSET :before",
        {**about, "before": (page - 1) * A_PAGE},
    )
    found = tuple(rows)
    count = database.first(f"SELECT count(*) FROM accounts WHERE {where}", about)  # noqa: S608 - likewise
    assert count
    return found, int(count[0])


def profile(database: Database, number: int) -> Profile | None:
    """Give the facts about an account; `None` if it is unknown or erased."""
    parameters = {"account": number}
    row = database.first(
        "SELECT id, login, name, made, is_admin, locked, password <> '', totp <> '', "
        "(SELECT max(seen) FROM (SELECT seen FROM sessions WHERE account = :account "
        "UNION ALL SELECT seen FROM tokens WHERE account = :account "
        "UNION ALL SELECT time FROM audit WHERE account = :account)), "
        "(SELECT count(*) FROM sessions WHERE account = :account) "
        "FROM accounts WHERE id = :account AND erased IS NULL",
        parameters,
    )
    if row is None:
        return None
    parts = database.read(
        iter,
        "SELECT title, slug, role FROM members JOIN courses ON courses.id = members.course "
        "WHERE account = :account AND removed IS NULL ORDER BY courses.id DESC",
        parameters,
    )
    tokens, issuers = sessions.tokens_of(database, number), issuers_of(database, number)
    return Profile(len(tokens), tuple(sorted(issuers)), tuple(parts), *row)


def reset_code(database: Database, account: int, by: int | None) -> str:
    """Make and give the code of a link to choose a new password."""
    audit.note(database, "reset link made", account=by, of=account)
    notices.add(database, "reset", account=account)
    return make_code(database, "reset", account)


def _reset_second(database: Database, account: int) -> None:
    database.execute("UPDATE accounts SET totp = '', totp_last = 0 WHERE id = ?", (account,))
    sessions.end_everything(database, account)


def _forget_identities(database: Database, account: int) -> None:
    database.execute("DELETE FROM identities WHERE account = ?", (account,))


def _make_admin(database: Database, account: int) -> None:
    if not database.execute(
        "UPDATE accounts SET is_admin = 1 WHERE id = ? AND locked IS NULL", (account,)
    ):
        raise PortalError(
            "account: a locked account cannot become an administrator; unlock it first"
        )


def _unmake_admin(database: Database, account: int) -> None:
    check_other_admin(database, account)
    database.execute("UPDATE accounts SET is_admin = 0 WHERE id = ?", (account,))


def _lock(database: Database, account: int) -> None:
    """Block all sign-ins to an account until it is unlocked."""
    if not database.execute(
        "UPDATE accounts SET locked = ? WHERE id = ? AND NOT is_admin", (now(), account)
    ):
        raise PortalError(
            "account: an administrator cannot be locked; remove the administrator role first"
        )
    sessions.end_everything(database, account)


def _unlock(database: Database, account: int) -> None:
    database.execute("UPDATE accounts SET locked = NULL WHERE id = ?", (account,))


ACTS: Mapping[str, tuple[Callable[[Database, int], None], str]] = {
    "second": (_reset_second, "second factor reset"),
    "sessions": (sessions.end_everything, "sessions ended"),
    "identities": (_forget_identities, "identities forgotten"),
    "make-admin": (_make_admin, "administrator made"),
    "unmake-admin": (_unmake_admin, "administrator unmade"),
    "lock": (_lock, "account locked"),
    "unlock": (_unlock, "account unlocked"),
}
"""Actions on accounts and their lines in the audit log, by their names in forms."""


def change_account(database: Database, act: str, account: int, by: int | None) -> None:
    """Do one of `ACTS` on an account.

    Raises: PortalError, if a locked account would become an administrator, an administrator would
        be locked, or no administrator would be left.
    """
    change, words = ACTS[act]
    change(database, account)
    audit.note(database, words, account=by, of=account)


def courses(database: Database) -> tuple[tuple[Any, ...], ...]:
    """Give every course, each with the sums of its assignments.

    Returns: Number, slug, title, archived, assignments, members, waiting jobs, last run.
    """
    own = "IN (SELECT id FROM courses WHERE coalesce(home, id) = course.id)"
    rows = database.read(
        iter,
        "SELECT id, slug, title, archived, "  # noqa: S608 - words of ours
        "(SELECT count(*) FROM courses WHERE coalesce(home, id) = course.id), "
        "(SELECT count(*) FROM members WHERE members.course = course.id AND removed IS NULL), "
        f"(SELECT count(*) FROM jobs WHERE jobs.course {own} AND {_WAITS}), "
        f"(SELECT max(made) FROM runs WHERE runs.course {own}) "
        "FROM courses AS course WHERE home IS NULL ORDER BY archived IS NOT NULL, id DESC",
    )
    return tuple(rows)


_WAITS = "state IN ('queued', 'running') AND NOT (state = 'queued' AND kind = 'shoes')"
"""SQL condition of waiting jobs, without the scheduled change of practice shoes."""


def archive(database: Database, course: int, by: int) -> None:
    """Archive a course with all its assignments: its staff can read it, and nothing changes.

    Raises: PortalError, if it has unfinished jobs, or the number is not that of a course.
    """
    own = "course IN (SELECT id FROM courses WHERE coalesce(home, id) = ?)"
    waiting = database.first(f"SELECT count(*) FROM jobs WHERE {own} AND {_WAITS}", (course,))  # noqa: S608 - words of ours
    if waiting and waiting[0]:
        raise PortalError(
            f"course: {waiting[0]} jobs are not finished; wait for them, or cancel a final that is "
            "scheduled for later"
        )
    _set_archived(database, course, now())
    database.execute(
        f"UPDATE jobs SET state = 'replaced', finished = ? WHERE {own} AND state = 'queued'",  # noqa: S608 - words of ours
        (now(), course),
    )
    audit.note(database, "course archived", account=by, course=course)


def bring_back(database: Database, course: int, by: int) -> None:
    """Restore an archived course with all its assignments."""
    _set_archived(database, course, None)
    practised = database.read(
        tuple,
        "SELECT DISTINCT course FROM runs JOIN courses ON courses.id = runs.course "
        "WHERE coalesce(home, courses.id) = ? AND purpose = 'practice' ORDER BY course",
        (course,),
    )
    for (assignment,) in practised:
        # It also schedules the next change of shoes.
        jobs.insert(database, "practice", {}, course=assignment)
    audit.note(database, "course brought back", account=by, course=course)


def _set_archived(database: Database, course: int, when: str | None) -> None:
    sql = "UPDATE courses SET archived = ? WHERE coalesce(home, id) = ? AND (archived IS NULL) = ?"
    if not database.execute(sql, (when, course, when is not None)):
        raise PortalError(
            "course: it is not in the list, or already in this state; reload the page"
        )


def set_up_link(places: Places, address: str) -> str:
    """Make a new link for the first set-up; give '' if an administrator exists."""
    with closing(open_database(places)) as database:
        if database.first("SELECT 1 FROM accounts WHERE is_admin = 1"):
            return ""
        with database.transaction():
            return f"{address}/set-up?code={make_code(database, 'set-up')}"


def reset_link(places: Places, login: str, address: str, *, with_second: bool) -> str:
    """Make a link to choose a new password for any account.

    Args:
        places: Of the portal, which may be in use.
        login: Of the account.
        address: Public address of the portal.
        with_second: Whether to reset the second factor, too.
    Raises: PortalError, if there is no portal or no such account.
    """
    if not places.database.is_file():
        raise PortalError(f"{places.root}: no portal in this folder; name the folder of one")
    with closing(open_database(places)) as database, database.transaction():
        sql = "SELECT id FROM accounts WHERE login = ? AND erased IS NULL"
        row = database.first(sql, (login_of(login),))
        if row is None:
            raise PortalError(f"--login: no account has the login {login!r}")
        if with_second:
            change_account(database, "second", row[0], None)
        return f"{address.rstrip('/')}/reset?code={reset_code(database, row[0], None)}"
