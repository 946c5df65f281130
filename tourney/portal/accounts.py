"""People: accounts, courses, and who has which role in which course."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal
from unicodedata import normalize

from tourney.errors import PortalError
from tourney.portal.database import now
from tourney.sqlite.database import Database

Role = Literal["lecturer", "assistant", "student", "spectator"]
STAFF: tuple[Role, ...] = ("lecturer", "assistant")
LONGEST = 200
LONGEST_SLUG = 40
LONGEST_TITLE = 80
"""Of a course: its tournament is called so, too."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course of the portal."""

    id: int
    slug: str
    title: str
    told: Mapping[str, object]  # what the checker last read in its folder
    is_archived: bool = False


@dataclass(frozen=True, slots=True)
class Membership:
    """Somebody's part in a course."""

    course: int
    role: Role
    person: str = ""  # on the roster
    name: str = ""  # to play under


@dataclass(frozen=True, slots=True)
class Identity:
    """Somebody, as a provider of OpenID Connect says."""

    issuer: str
    subject: str
    name: str
    login: str  # their mail address there, to suggest


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    id: int
    login: str
    name: str
    is_admin: bool = False
    has_totp: bool = False
    memberships: Mapping[int, Membership] = field(default_factory=lambda: MappingProxyType({}))

    def is_staff_in(self, course: Course | None) -> bool:
        """Whether the account is a lecturer or an assistant of a course."""
        return course is not None and self.role_in(course.id) in STAFF

    @property
    def looks_after_others(self) -> bool:
        """Whether the account is an administrator, or staff of any course."""
        return self.is_admin or any(each.role in STAFF for each in self.memberships.values())

    def role_in(self, course: int) -> Role | None:
        """Give the role in a course; None for who has none."""
        found = self.memberships.get(course)
        return found.role if found else None


def login_of(text: str) -> str:
    """Give a login as it is kept, so that nobody has one that looks like another's.

    >>> login_of("  Ada.Lovelace@Example.ORG ")
    'ada.lovelace@example.org'

    Raises: PortalError, if it is none.
    """
    login = normalize("NFKC", text).strip().casefold()
    is_plain = login.isascii() and login.isprintable() and " " not in login
    if not login or len(login) > LONGEST or not is_plain:
        raise PortalError(
            "login: expected a mail address or another name of Latin letters without spaces, got "
            f"{text[:40]!r}"
        )
    return login


def add_account(
    database: Database, login: str, name: str, password: str = "", *, is_admin: bool = False
) -> int:
    """Make an account; give its number.

    Args:
        database: The portal's.
        login: What its owner signs in by.
        name: Shown to others of the course.
        password: Argon2 hash; empty for who signs in elsewhere.
        is_admin: Whether it may make courses and look after accounts.
    Raises: PortalError, if the login is taken or none.
    """
    login = login_of(login)
    if database.first("SELECT 1 FROM accounts WHERE login = ?", (login,)):
        raise PortalError(f"login: expected one that nobody has, got {login!r}; sign in instead")
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise PortalError("name: expected up to 200 printable characters")
    return database.insert(
        "INSERT INTO accounts (login, name, password, is_admin, made) VALUES (?, ?, ?, ?, ?)",
        (login, name.strip(), password, int(is_admin), now()),
    )


def account_for(database: Database, identity: Identity) -> int:
    """Give the account of somebody whom a provider knows, a new one for who has none.

    A login that an account has already is no proof: who has it signs in there, with its password.

    Raises: PortalError, if the login that the provider suggests is another's, or none.
    """
    known = (identity.issuer, identity.subject)
    row = database.first("SELECT account FROM identities WHERE issuer = ? AND subject = ?", known)
    if row:
        return int(row[0])
    number = add_account(database, identity.login, identity.name or identity.login)
    database.execute("INSERT INTO identities VALUES (?, ?, ?)", (*known, number))
    return number


def join_identity(database: Database, account: int, identity: Identity) -> None:
    """Let an account be signed in with by whoever a provider says somebody is.

    Called in a transaction.

    Raises: PortalError, if it is another account's, or this account has another at the provider.
    """
    known = (identity.issuer, identity.subject)
    row = database.first("SELECT account FROM identities WHERE issuer = ? AND subject = ?", known)
    if row and row[0] != account:
        raise PortalError(
            "sign-in: expected somebody whom no other account here belongs to, got one who has "
            "signed in with another; ask who looks after the portal to take it off there"
        )
    if row or issuers_of(database, account) & {identity.issuer}:
        raise PortalError("sign-in: expected an account that has none there yet, got one that has")
    database.execute("INSERT INTO identities VALUES (?, ?, ?)", (*known, account))


def issuers_of(database: Database, account: int) -> frozenset[str]:
    """Give the providers that an account is signed in with at."""
    sql = "SELECT issuer FROM identities WHERE account = ?"
    return frozenset(issuer for (issuer,) in database.read(iter, sql, (account,)))


def account_by(database: Database, number: int) -> Account | None:
    """Find an account by number, with its memberships; None if nobody can sign in with it.

    An archived course has no members but its staff.
    """
    row = database.first(
        "SELECT id, login, name, is_admin, totp <> '' FROM accounts "
        "WHERE id = ? AND erased IS NULL AND locked IS NULL",
        (number,),
    )
    if row is None:
        return None
    members = database.read(
        iter,
        "SELECT course, role, person, members.name FROM members "
        "JOIN courses ON courses.id = members.course "
        "WHERE account = ? AND (archived IS NULL OR role IN ('lecturer', 'assistant'))",
        (number,),
    )
    memberships = {each[0]: Membership(*each) for each in members}
    return Account(
        row[0], row[1], row[2], bool(row[3]), bool(row[4]), MappingProxyType(memberships)
    )


def add_member(
    database: Database, course: int, account: int, role: Role, *, person: str = "", name: str = ""
) -> None:
    """Give somebody a role in a course, in place of what they had."""
    database.execute(
        "INSERT OR REPLACE INTO members (course, account, role, person, name, made) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (course, account, role, person, name, now()),
    )


def add_course(database: Database, slug: str, title: str) -> int:
    """Make a course; give its number.

    Raises: PortalError, if the slug is taken or none, or a tournament could not have the title.
    """
    if not title.strip() or len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(
            f"title: expected 1 to {LONGEST_TITLE} printable characters, got {title[:40]!r}"
        )
    if (
        not slug.isascii()
        or not slug.replace("-", "").isalnum()
        or slug != slug.lower()
        or len(slug) > LONGEST_SLUG
    ):
        raise PortalError(
            f"short name: expected up to 40 lower-case letters, digits and '-', got {slug[:50]!r}"
        )
    if database.first("SELECT 1 FROM courses WHERE slug = ?", (slug,)):
        raise PortalError(f"short name: expected one that no course has, got {slug!r}")
    return database.insert(
        "INSERT INTO courses (slug, title, made) VALUES (?, ?, ?)", (slug, title, now())
    )


def course_by(database: Database, slug: str) -> Course | None:
    """Find a course by what stands in addresses."""
    found = database.read(_courses, f"{_COURSES} WHERE slug = ?", (slug,))
    return next(iter(tuple(found)), None)


def course_of(database: Database, number: int) -> Course:
    """Give a course by its number.

    Raises: PortalError, if there is none.
    """
    for course in database.read(_courses, f"{_COURSES} WHERE id = ?", (number,)):
        return course
    raise PortalError(f"course: expected one of the portal, got {number}")


def courses(database: Database) -> tuple[Course, ...]:
    """Give all courses, newest first."""
    return tuple(database.read(_courses, f"{_COURSES} ORDER BY id DESC"))


_COURSES = "SELECT id, slug, title, told, archived IS NOT NULL FROM courses"


def _courses(rows: Iterable[tuple[Any, ...]]) -> Iterable[Course]:
    for number, slug, title, told, is_archived in rows:
        yield Course(number, slug, title, json.loads(told), bool(is_archived))
