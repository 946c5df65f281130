"""Codes that serve once: to join a course, to set the portal up, to choose a new password."""

from collections.abc import Iterable
from dataclasses import astuple, dataclass
from datetime import UTC, datetime, timedelta
from secrets import choice, token_urlsafe
from typing import Literal

from tourney.errors import PortalError
from tourney.portal.accounts import Role, add_member
from tourney.portal.database import hash_of, now, time_text
from tourney.sqlite.database import Database

LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Letters and digits that are not confused when a code is read aloud or typed."""
PARTS, PART = 4, 5
INVITE_LIFETIME = timedelta(days=60)


@dataclass(frozen=True, slots=True)
class Invite:
    """The role that a code gives, in the order of the columns of `invites`."""

    course: int
    role: Role
    person: str = ""
    name: str = ""


def make_invites(database: Database, invites: Iterable[Invite]) -> list[tuple[Invite, str]]:
    """Make a code for each invite, in a transaction of the caller.

    They end earlier codes of the same person.
    """
    made, expires = [], time_text(datetime.now(UTC) + INVITE_LIFETIME)
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
            (hash_of(code), *astuple(each), now(), expires),
        )
        made.append((each, code))
    return made


def find_invite(database: Database, code: str) -> Invite:
    """Give the invite of a code.

    Raises: PortalError, if the code is unknown, used or expired.
    """
    row = database.first(
        "SELECT course, role, person, name FROM invites "
        "WHERE hash = ? AND used IS NULL AND expires > ? "
        "AND course NOT IN (SELECT id FROM courses WHERE archived IS NOT NULL)",
        (hash_of(plain(code)), now()),
    )
    if row is None:
        raise PortalError("code: it is unknown, used or expired; ask your lecturer for a new one")
    return Invite(*row)


def use_invite(database: Database, code: str, account: int) -> Invite:
    """Give an account the role of a code, in a transaction of the caller.

    Raises: PortalError, if the code is not valid, or the account has a role in the course.
    """
    invite = find_invite(database, code)
    membership = database.first(
        "SELECT role FROM members WHERE course = ? AND account = ? AND removed IS NULL",
        (invite.course, account),
    )
    if membership:
        raise PortalError(f"code: you are already in this course, as {membership[0]}")
    add_member(
        database, invite.course, account, invite.role, person=invite.person, name=invite.name
    )
    database.execute(
        "UPDATE invites SET used = ?, account = ? WHERE hash = ?",
        (now(), account, hash_of(plain(code))),
    )
    return invite


def open_invites(database: Database, course: int) -> tuple[tuple[str, Invite, str, str], ...]:
    """Give the codes of a course that can still be used, the newest first.

    Returns: Hash, invite, time of its creation, and time of its end.
    """
    rows = database.read(
        tuple,
        "SELECT hash, course, role, person, name, made, expires FROM invites "
        "WHERE course = ? AND used IS NULL AND expires > ? ORDER BY made DESC, person, hash",
        (course, now()),
    )
    return tuple((row[0], Invite(*row[1:5]), row[5], row[6]) for row in rows)


def end_invite(database: Database, course: int, hashed: str) -> bool:
    """End a code, by its hash; give whether it could still be used."""
    sql = "UPDATE invites SET expires = :now WHERE hash = :hash AND course = :course "
    parameters = {"now": now(), "hash": hashed, "course": course}
    return bool(database.execute(f"{sql} AND used IS NULL AND expires > :now", parameters))


def plain(code: str) -> str:
    """Give a typed code in its original form.

    >>> plain(" ABCDE fghjk-mnpqr-stuvw ")
    'abcde-fghjk-mnpqr-stuvw'
    """
    return "-".join(code.lower().replace("-", " ").split())


Purpose = Literal["set-up", "reset"]
CODE_LIFETIME = timedelta(days=2)


def make_code(database: Database, purpose: Purpose, account: int | None = None) -> str:
    """Make and give a code, in a transaction of the caller; it ends earlier ones of its purpose."""
    code = token_urlsafe(32)
    database.execute(
        "UPDATE codes SET used = ? WHERE purpose = ? AND account IS ? AND used IS NULL",
        (now(), purpose, account),
    )
    database.execute(
        "INSERT INTO codes (hash, purpose, account, made, expires) VALUES (?, ?, ?, ?, ?)",
        (hash_of(code), purpose, account, now(), time_text(datetime.now(UTC) + CODE_LIFETIME)),
    )
    return code


def use_code(database: Database, code: str, purpose: Purpose) -> int | None:
    """Use up a code, in a transaction of the caller; give its account.

    Raises: PortalError, if the code is unknown, used or expired.
    """
    account = find_code(database, code, purpose)
    database.execute("UPDATE codes SET used = ? WHERE hash = ?", (now(), hash_of(code)))
    return account


def link_fault(database: Database, code: str, purpose: Purpose) -> str:
    """Give why the code of a link does not work; empty if it works."""
    try:
        find_code(database, code, purpose)
    except PortalError as error:
        return str(error)
    return ""


def find_code(database: Database, code: str, purpose: Purpose) -> int | None:
    """Give the account of a code without using it up.

    Codes have 256 random bits and are found by their hash, so guesses need no limit.

    Raises: PortalError, if the code is unknown, used or expired.
    """
    row = database.first(
        "SELECT account FROM codes WHERE hash = ? AND purpose = ? AND used IS NULL AND expires > ?",
        (hash_of(code), purpose, now()),
    )
    if row is None:
        raise PortalError("link: it was already used, or is older than two days; ask for a new one")
    return None if row[0] is None else int(row[0])
