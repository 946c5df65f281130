"""Codes by which people join a course: one for each, and each serves once."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import choice

from tourney.errors import PortalError
from tourney.portal.accounts import Role, add_member
from tourney.portal.database import hash_of, now, time_text
from tourney.sqlite.database import Database

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Those that nobody takes for others when a code is read aloud or typed."""
PARTS, PART = 4, 5
LASTS = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Invite:
    """What a code lets somebody be."""

    course: int
    role: Role
    person: str = ""
    name: str = ""


def make_invites(database: Database, invites: Iterable[Invite]) -> list[tuple[Invite, str]]:
    """Make a code for each; give them, for the only time. Earlier ones of a person end.

    Called in a transaction.
    """
    made = []
    for each in invites:
        code = "-".join("".join(choice(LETTERS) for _ in range(PART)) for _ in range(PARTS))
        if each.person:
            database.execute(
                "UPDATE invites SET expires = ? WHERE course = ? AND person = ? "
                "AND name = ? AND used IS NULL",
                (now(), each.course, each.person, each.name),
            )
        database.execute(
            "INSERT INTO invites (hash, course, role, person, name, made, expires) "
            "VALUES (?, ?, ?, ?, ?, ?, ?)",
            (
                hash_of(code),
                each.course,
                each.role,
                each.person,
                each.name,
                now(),
                time_text(datetime.now(UTC) + LASTS),
            ),
        )
        made.append((each, code))
    return made


def find_invite(database: Database, code: str) -> Invite:
    """Give what a code lets somebody be.

    Raises: PortalError, if it is none, was used, or is too old.
    """
    row = database.first(
        "SELECT course, role, person, name FROM invites "
        "WHERE hash = ? AND used IS NULL AND expires > ? "
        "AND course NOT IN (SELECT id FROM courses WHERE archived IS NOT NULL)",
        (hash_of(plain(code)), now()),
    )
    if row is None:
        raise PortalError(
            "code: expected one that was not used yet, got another; ask your lecturer for a new one"
        )
    return Invite(*row)


def use_invite(database: Database, code: str, account: int) -> Invite:
    """Let an account be what a code says, within a transaction of the caller.

    Raises: PortalError, if the code will not do, or the account has a role in the course.
    """
    invite = find_invite(database, code)
    there = database.first(
        "SELECT role FROM members WHERE course = ? AND account = ?", (invite.course, account)
    )
    if there:
        raise PortalError(f"code: expected a course that you are not in, got one as its {there[0]}")
    add_member(
        database, invite.course, account, invite.role, person=invite.person, name=invite.name
    )
    database.execute(
        "UPDATE invites SET used = ?, account = ? WHERE hash = ?",
        (now(), account, hash_of(plain(code))),
    )
    return invite


def plain(code: str) -> str:
    """Give a code as it was made, however it was typed.

    >>> plain(" ABCDE fghjk-mnpqr-stuvw ")
    'abcde-fghjk-mnpqr-stuvw'
    """
    return "-".join(code.lower().replace("-", " ").split())
