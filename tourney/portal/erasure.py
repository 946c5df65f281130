"""Erasing a person, and the daily sweep that removes expired data.

After `erase`, the account cannot sign in. Only its memberships still hold names: the checker needs
them for the course's folder, and deletes them afterwards (`folder_erasure`). The row of the account
stays, with its number only, because the audit log and other rows refer to it.

Expired sessions and tokens are removed at the next sweep; for other data the administrator sets
days. The audit log and commitments are only ever added to, and never removed.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.accounts import check_other_admin
from tourney.portal.database import now, setting, time_text
from tourney.portal.sessions import IDLE, LONGEST
from tourney.portal.worker import Context
from tourney.sqlite.database import Database

MEMBER = "erase"
"""The kind of job that erases a person from one course's folder."""
PRACTICE = "forget"
"""The kind of job that removes practice runs and matches of erased people."""

FOLDER = "folder"
"""The kind of job that reads what commands have changed in a folder."""

NAMING = "('roster', 'grades', 'extension', 'copies', 'team', 'folder')"
"""Kinds of jobs that name people of a course's roster, as a list in SQL."""

OF_THEIRS = """
    kind IN ('check', 'choose', 'tests') AND account = :account OR kind = 'match'
    AND EXISTS (SELECT 1 FROM json_each(payload, '$.accounts') WHERE value = :account)
"""
"""Jobs about a person's submissions and matches, not about a course."""

_OF_MEMBER = """
    EXISTS (
        SELECT 1 FROM memberships AS own WHERE own.account = :account AND own.course = {0}.course
        AND own.person = {0}.person AND own.person <> '' AND {0}.name IN (own.name, '')
    )
"""


def erase(database: Database, account: int, by: int | None) -> tuple[str, ...]:
    """Erase an account, in a transaction of the caller.

    Args:
        database: The portal's.
        account: The account to erase.
        by: The actor; `None` for the portal itself.
    Returns: Names of files in the inbox that no job needs any more; remove them afterwards.
    Raises: PortalError, if there is no such account, or it is the only administrator or the only
        lecturer of a course.
    """
    _check(database, account)
    parameters = {"account": account, "now": now()}
    sql = "SELECT course FROM members WHERE account = :account ORDER BY course"
    courses = [number for (number,) in database.read(iter, sql, parameters)]
    for table in ("identities", "codes", "sessions", "tokens", "notices", "invites"):
        database.execute(f"DELETE FROM {table} WHERE account = :account", parameters)  # noqa: S608 - names of ours
    for table in ("invites", "notices"):
        database.execute(f"DELETE FROM {table} WHERE {_OF_MEMBER.format(table)}", parameters)  # noqa: S608 - ours
    # The audit log refers to the row by its number, so the row stays.
    forgotten = f"UPDATE overrides SET person = '', name = '', because = '' WHERE {_OF_MEMBER}"  # noqa: S608 - ours
    database.execute(forgotten.format("overrides"), parameters)
    database.execute(
        "DELETE FROM answers WHERE EXISTS (SELECT 1 FROM memberships AS own JOIN runs "
        "ON runs.course = own.course WHERE own.account = :account "
        "AND runs.id = answers.run AND own.name = answers.name)",
        parameters,
    )
    for table in ("matches", "team_invites"):
        sql = f"DELETE FROM {table} WHERE account = :account OR mate = :account"  # noqa: S608 - ours
        database.execute(sql, parameters)
    files = drop_jobs(database, account)
    database.execute(
        "UPDATE accounts SET login = 'erased ' || id, name = 'erased account ' || id, "  # no login
        "password = '', totp = '', totp_last = 0, is_admin = 0, erased = :now WHERE id = :account",
        parameters,
    )
    audit.note(database, "account erased", account=by, of=account)
    for course in courses:
        audit.note(database, "member erased", account=by, course=course, of=account)
        jobs.insert(database, MEMBER, {}, course=course, account=account)
    return files


def ask_again(database: Database) -> None:
    """Retry the jobs of erasures that failed, for example because of a damaged roster."""
    database.execute(
        "UPDATE jobs SET state = 'queued', tries = 0 "
        "WHERE (kind IN (?, ?) OR kind = 'publish' AND json_extract(payload, '$.is_erasing')) "
        "AND (state = 'failed' OR state = 'done' AND json_extract(result, '$.status') = 'refused')",
        (MEMBER, PRACTICE),
    )


def drop_jobs(database: Database, account: int) -> tuple[str, ...]:
    """Remove the jobs of an account that no process works on; give their files in the inbox."""
    parameters = {"account": account, "now": now()}
    free = f"({OF_THEIRS}) AND (state <> 'running' OR lease < :now)"
    files = database.read(
        iter,
        f"SELECT json_extract(payload, '$.file') FROM jobs WHERE {free} "  # noqa: S608 - ours
        "AND kind IN ('check', 'tests')",
        parameters,
    )
    found = tuple(str(name) for (name,) in files)
    for table in ("lines", "tests"):
        sql = f"DELETE FROM {table} WHERE job IN (SELECT id FROM jobs WHERE {free})"  # noqa: S608 - likewise
        database.execute(sql, parameters)
    database.execute(f"DELETE FROM jobs WHERE {free}", parameters)  # noqa: S608 - likewise
    return found


def _check(database: Database, account: int) -> None:
    """Reject the erasure of the last administrator, and of a course's only lecturer."""
    row = database.first("SELECT is_admin, erased FROM accounts WHERE id = ?", (account,))
    if row is None or row[1]:
        raise PortalError("account: there is no such account, or it is already erased")
    if row[0]:
        check_other_admin(database, account)
    alone = database.first(
        "SELECT title FROM members JOIN courses ON courses.id = members.course "
        "WHERE account = :account AND role = 'lecturer' "
        "AND members.removed IS NULL AND NOT EXISTS ("
        "SELECT 1 FROM members AS other JOIN accounts ON accounts.id = other.account "
        "WHERE other.course = members.course AND other.role = 'lecturer' "
        "AND other.account <> :account AND other.removed IS NULL AND erased IS NULL)",
        {"account": account},
    )
    if alone:
        raise PortalError(
            f"{alone[0]}: this account is the only lecturer; let another person join as lecturer "
            "first, with a code from People and codes"
        )


KIND = "sweep"
A_DAY = timedelta(days=1)
LONGEST_DAYS = 3650
KEPT: Mapping[str, int] = {
    "keep_lines_days": 180,
    "keep_codes_days": 30,
    "keep_grades_days": 30,
    "keep_feedback_days": 365,
    "keep_notices_days": 180,
    "keep_accounts_days": 0,
}
"""Default days of retention: lines of finished jobs; used or expired codes and invites; filled
gradebooks, previewed rosters, requested extensions and found copies, with all their names;
feedback, after the end of a final; notices; and accounts without a course, after their last
activity. 0 keeps the data as long as the portal.
"""
_NAMING_JOBS = f"SELECT id FROM jobs WHERE kind IN {NAMING} AND finished < :before"  # noqa: S608 - ours
_EXPIRED: Mapping[str, tuple[str, ...]] = {
    "keep_lines_days": ("lines WHERE job IN (SELECT id FROM jobs WHERE finished < :before)",),
    "keep_codes_days": (
        "codes WHERE used < :before OR expires < :before",
        "invites WHERE used < :before OR expires < :before",
    ),
    "keep_grades_days": (
        f"lines WHERE job IN ({_NAMING_JOBS})",
        f"jobs WHERE id IN ({_NAMING_JOBS})",
    ),
    "keep_feedback_days": ("answers WHERE run IN (SELECT id FROM runs WHERE finished < :before)",),
    "keep_notices_days": ("notices WHERE made < :before",),
}
"""The expired rows of each entry of `KEPT`, in SQL; `_erase_unseen` has those of accounts."""


def days(database: Database, name: str) -> int:
    """Give the days of retention of an entry of `KEPT`; 0 means as long as the portal."""
    return int(setting(database, name, str(KEPT[name])))


def sweep(context: Context) -> Mapping[str, object]:
    """Remove expired data, and schedule the next sweep."""
    database, moment = context.database, datetime.now(UTC)
    with database.transaction():
        ask_again(database)
        _end_what_is_over(database, moment)
        for name, expired in _EXPIRED.items():
            if kept := days(database, name):
                for rows in expired:
                    before = {"before": time_text(moment - kept * A_DAY)}
                    database.execute(f"DELETE FROM {rows}", before)  # noqa: S608 - rows of ours
        sql = "DELETE FROM jobs WHERE kind IN (?, ?) AND state IN ('done', 'replaced')"
        database.execute(sql, (KIND, FOLDER))
    if kept := days(database, "keep_accounts_days"):
        _erase_unseen(context, time_text(moment - kept * A_DAY))
    jobs.sweep(context.places, database)
    # Otherwise the data would stay in the write-ahead log.
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    ask(database, time_text(moment + A_DAY))
    return {"status": "swept"}


def ask(database: Database, not_before: str = "") -> None:
    """Schedule a sweep, replacing a waiting one; the checker does this at its start."""
    with database.transaction():
        database.execute("DELETE FROM jobs WHERE kind = ? AND state = 'queued'", (KIND,))
        jobs.insert(database, KIND, {}, not_before=not_before)


def _end_what_is_over(database: Database, moment: datetime) -> None:
    """Remove expired sessions, tokens and sign-ins."""
    database.execute(
        "DELETE FROM sessions WHERE seen < ? OR made < ?",
        (time_text(moment - IDLE), time_text(moment - LONGEST)),
    )
    for table in ("tokens", "sign_ins"):
        database.execute(f"DELETE FROM {table} WHERE expires < ?", (time_text(moment),))  # noqa: S608 - names of ours


def _erase_unseen(context: Context, before: str) -> None:
    """Erase accounts without a course that were inactive since a time."""
    database = context.database
    rows = database.read(
        iter,
        "SELECT id FROM accounts WHERE erased IS NULL AND is_admin = 0 AND made < :before "
        "AND NOT EXISTS (SELECT 1 FROM members WHERE account = accounts.id AND removed IS NULL) "
        "AND NOT EXISTS (SELECT 1 FROM audit WHERE account = accounts.id AND time >= :before) "
        "AND NOT EXISTS (SELECT 1 FROM sessions WHERE account = accounts.id) "
        "AND NOT EXISTS (SELECT 1 FROM tokens WHERE account = accounts.id AND seen >= :before)",
        {"before": before},
    )
    for (number,) in tuple(rows):
        with suppress(PortalError), database.transaction():  # another process erased it
            erase(database, number, None)
