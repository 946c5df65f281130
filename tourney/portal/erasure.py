"""Erasing a person: immediately from portal.db, and by jobs from the folders of courses.

After `erase`, the account cannot sign in. Only its memberships still hold names: the checker needs
them for the course's folder, and deletes them afterwards (`folder_erasure`). The row of the account
stays, with its number only, because the audit log and other rows refer to it.
"""

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.database import now
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
    courses = [
        number
        for (number,) in database.read(
            iter, "SELECT course FROM members WHERE account = ? ORDER BY course", (account,)
        )
    ]
    parameters = {"account": account}
    for table in ("identities", "codes", "sessions", "tokens", "notices"):
        database.execute(f"DELETE FROM {table} WHERE account = :account", parameters)  # noqa: S608 - names of ours
    database.execute("DELETE FROM invites WHERE account = :account", parameters)
    database.execute(f"DELETE FROM invites WHERE {_OF_MEMBER.format('invites')}", parameters)  # noqa: S608 - ours
    database.execute(f"DELETE FROM notices WHERE {_OF_MEMBER.format('notices')}", parameters)  # noqa: S608 - ours
    # The audit log refers to the row by its number, so the row stays.
    forgotten = f"UPDATE overrides SET person = '', name = '', because = '' WHERE {_OF_MEMBER}"  # noqa: S608 - ours
    database.execute(forgotten.format("overrides"), parameters)
    database.execute(
        "DELETE FROM answers WHERE EXISTS (SELECT 1 FROM memberships AS own JOIN runs "
        "ON runs.course = own.course WHERE own.account = :account "
        "AND runs.id = answers.run AND own.name = answers.name)",
        parameters,
    )
    database.execute("DELETE FROM matches WHERE account = :account OR mate = :account", parameters)
    invites = "DELETE FROM team_invites WHERE account = :account OR mate = :account"
    database.execute(invites, parameters)
    files = drop_jobs(database, account)
    database.execute(
        "UPDATE accounts SET login = 'erased ' || id, name = 'erased account ' || id, "  # no login
        "password = '', totp = '', totp_last = 0, is_admin = 0, erased = :now WHERE id = :account",
        {**parameters, "now": now()},
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
    others = "SELECT 1 FROM accounts WHERE is_admin = 1 AND erased IS NULL AND id <> ?"
    if row[0] and not database.first(others, (account,)):
        raise PortalError(
            "account: this is the only administrator; make another account an administrator first"
        )
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
