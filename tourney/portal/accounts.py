"""Accounts, courses, and the roles of accounts in courses."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import MappingProxyType
from typing import Any, Literal
from unicodedata import normalize

from tourney.errors import PortalError
from tourney.portal.database import now
from tourney.sqlite.database import Database

Role = Literal["lecturer", "assistant", "student", "spectator"]
STAFF: tuple[Role, ...] = ("lecturer", "assistant")
LONGEST = 200
SLUG = re.compile(r"-*[a-z0-9][a-z0-9-]*")
LONGEST_SLUG = 40
LONGEST_TITLE = 80
"""Of a course; the name of its tournament has the same limit."""


@dataclass(frozen=True, slots=True)
class Course:
    """A course of the portal with one assignment, or one of the assignments of a course."""

    id: int
    slug: str
    title: str  # of the course, and of the assignment if it has one
    told: Mapping[str, object]  # settings that the checker last read; shared with other requests
    is_archived: bool
    home: int  # the first assignment of the course, which has the members and codes
    course_title: str
    assignment: str  # its title within the course; may be empty if it is the only one

    @property
    def is_first(self) -> bool:
        """Whether it is the first assignment of its course."""
        return self.id == self.home

    @property
    def people(self) -> Sequence[Mapping[str, Any]]:
        """The entries of its roster, as `course_jobs.told_of` gives them."""
        people = self.told.get("people", [])
        assert isinstance(people, list)
        return people

    @property
    def students(self) -> Sequence[Mapping[str, Any]]:
        """The entries of its roster, without excluded people."""
        return [each for each in self.people if not each["excluded"]]


@dataclass(frozen=True, slots=True)
class Membership:
    """The role of an account in a course."""

    course: int
    role: Role
    person: str = ""  # on the roster
    name: str = ""  # the player name


@dataclass(frozen=True, slots=True)
class Identity:
    """A person as an OpenID Connect provider describes them."""

    issuer: str
    subject: str
    name: str
    login: str  # suggested: the mail address at the provider


@dataclass(frozen=True, slots=True)
class Account:
    """An account that may sign in."""

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
        """Give the role in a course; `None` without one."""
        found = self.memberships.get(course)
        return found.role if found else None


def login_of(text: str) -> str:
    """Give a login in the form that is stored, so that no two logins look alike.

    >>> login_of("  Ada.Lovelace@Example.ORG ")
    'ada.lovelace@example.org'

    Raises: PortalError, if the text is not a valid login.
    """
    login = normalize("NFKC", text).strip().casefold()
    is_plain = login.isascii() and login.isprintable() and " " not in login
    if not login or len(login) > LONGEST or not is_plain:
        raise PortalError(
            f"login: {text[:40]!r} is not possible; use a mail address, or another name of Latin "
            "letters without spaces"
        )
    return login


def add_account(
    database: Database, login: str, name: str, password: str = "", *, is_admin: bool = False
) -> int:
    """Create an account; give its number.

    Args:
        database: The portal's.
        login: The name used to sign in.
        name: Shown to others of the course.
        password: Argon2 hash; empty if the person signs in with a provider.
        is_admin: Whether the account may create courses and manage accounts.
    Raises: PortalError, if the login is taken or invalid.
    """
    login = login_of(login)
    if database.first("SELECT 1 FROM accounts WHERE login = ?", (login,)):
        raise PortalError(f"login: {login!r} already has an account; sign in instead")
    if not name.strip() or len(name) > LONGEST or not name.isprintable():
        raise PortalError("name: use 1 to 200 printable characters")
    return database.insert(
        "INSERT INTO accounts (login, name, password, is_admin, made) VALUES (?, ?, ?, ?, ?)",
        (login, name.strip(), password, int(is_admin), now()),
    )


def account_for(database: Database, identity: Identity) -> int:
    """Return the account of a provider's identity, created if necessary.

    An existing login is no proof of identity: its owner signs in with the password and connects the
    provider there.

    Raises: PortalError, if the login that the provider suggests is taken or invalid.
    """
    known = (identity.issuer, identity.subject)
    row = database.first("SELECT account FROM identities WHERE issuer = ? AND subject = ?", known)
    if row:
        return int(row[0])
    number = add_account(database, identity.login, identity.name or identity.login)
    database.execute("INSERT INTO identities VALUES (?, ?, ?)", (*known, number))
    return number


def join_identity(database: Database, account: int, identity: Identity) -> None:
    """Let an identity of a provider sign in to an account; call it in a transaction.

    Raises: PortalError, if the identity belongs to another account, or the account already has an
        identity at the provider.
    """
    known = (identity.issuer, identity.subject)
    row = database.first("SELECT account FROM identities WHERE issuer = ? AND subject = ?", known)
    if row and row[0] != account:
        raise PortalError(
            "sign-in: this identity already belongs to another account; ask an administrator to "
            "remove the sign-in from that account"
        )
    if row or issuers_of(database, account) & {identity.issuer}:
        raise PortalError(
            "sign-in: your account already has another identity at this provider; remove it first"
        )
    database.execute("INSERT INTO identities VALUES (?, ?, ?)", (*known, account))


def issuers_of(database: Database, account: int) -> frozenset[str]:
    """Give the providers that can sign in to an account."""
    sql = "SELECT issuer FROM identities WHERE account = ?"
    return frozenset(issuer for (issuer,) in database.read(iter, sql, (account,)))


def account_by(database: Database, number: int) -> Account | None:
    """Find an account and its memberships; `None` if it is erased, locked or unknown.

    In an archived course only staff are members.
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
        "SELECT course, role, person, memberships.name FROM memberships "
        "JOIN courses ON courses.id = memberships.course "
        "WHERE account = ? AND removed IS NULL "
        "AND (archived IS NULL OR role IN ('lecturer', 'assistant'))",
        (number,),
    )
    memberships = {each[0]: Membership(*each) for each in members}
    return Account(
        row[0], row[1], row[2], bool(row[3]), bool(row[4]), MappingProxyType(memberships)
    )


def add_member(
    database: Database, course: int, account: int, role: Role, *, person: str = "", name: str = ""
) -> None:
    """Give an account a role in a course, in place of its earlier one.

    Removed members who were the same person of the roster lose that: it was not them.
    """
    if person:
        database.execute(
            "UPDATE members SET person = '', name = '' WHERE course = ? AND person = ? "
            "AND name = ? AND account <> ? AND removed IS NOT NULL",
            (course, person, name, account),
        )
    database.execute(
        "INSERT OR REPLACE INTO members (course, account, role, person, name, made) "
        "VALUES (?, ?, ?, ?, ?, ?)",
        (course, account, role, person, name, now()),
    )


def remove_member(database: Database, course: int, account: int) -> None:
    """Remove an account from a course, in a transaction of the caller.

    Submissions and results stay; the roster decides whether they compete.

    Raises: PortalError, if it is no member, or the only lecturer.
    """
    lecturers = (
        "SELECT 1 FROM members JOIN accounts ON accounts.id = members.account "
        "WHERE course = ? AND account <> ? AND role = 'lecturer' AND removed IS NULL "
        "AND erased IS NULL"
    )
    if not database.first(lecturers, (course, account)):
        raise PortalError(
            "member: the course would have no lecturer; let another person join as lecturer first"
        )
    if not database.execute(
        "UPDATE members SET removed = ? WHERE course = ? AND account = ? AND removed IS NULL",
        (now(), course, account),
    ):
        raise PortalError("member: this account is not in the course; reload the page")


def check_other_admin(database: Database, account: int) -> None:
    """Check that an account is not the only administrator.

    Raises: PortalError, if it is.
    """
    others = "SELECT 1 FROM accounts WHERE is_admin AND erased IS NULL AND id <> ?"
    if not database.first(others, (account,)):
        raise PortalError(
            "account: this is the only administrator; make another account an administrator first"
        )


def add_course(database: Database, slug: str, title: str) -> int:
    """Create a course; give its number.

    Raises: PortalError, if the short name is taken, or it or the title is invalid.
    """
    check_title(title)
    check_slug(database, slug)
    return database.insert(
        "INSERT INTO courses (slug, title, made) VALUES (?, ?, ?)", (slug, title, now())
    )


def check_title(title: str) -> None:
    """Check the title of a course or an assignment.

    Raises: PortalError, if it is invalid.
    """
    if not title.strip() or len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(
            f"title: {title[:40]!r} is not possible; use 1 to {LONGEST_TITLE} printable characters"
        )


def check_slug(database: Database, slug: str) -> None:
    """Check a new short name.

    Raises: PortalError, if it is invalid or taken.
    """
    if not SLUG.fullmatch(slug) or len(slug) > LONGEST_SLUG:
        raise PortalError(
            f"short name: {slug[:50]!r} is not possible; use up to 40 lower-case letters, digits "
            "and '-'"
        )
    if database.first("SELECT 1 FROM courses WHERE slug = ?", (slug,)):
        raise PortalError(f"short name: another course has {slug!r}; choose another one")


def course_by(database: Database, slug: str) -> Course | None:
    """Find a course by its short name."""
    found = database.read(_courses, f"{_COURSES} WHERE each.slug = ?", (slug,))
    return next(iter(tuple(found)), None)


def course_of(database: Database, number: int) -> Course:
    """Give a course by its number.

    Raises: PortalError, if there is no such course.
    """
    for course in database.read(_courses, f"{_COURSES} WHERE each.id = ?", (number,)):
        return course
    raise PortalError(f"course: the portal has no course {number}")


def assignments_of(database: Database, course: Course) -> tuple[Course, ...]:
    """Give the assignments of a course, the oldest first; it may be any of them."""
    sql = f"{_COURSES} WHERE home.id = ? ORDER BY each.id"
    return tuple(database.read(_courses, sql, (course.home,)))


def courses(database: Database) -> tuple[Course, ...]:
    """Give all assignments of all courses, newest first."""
    return tuple(database.read(_courses, f"{_COURSES} ORDER BY each.id DESC"))


_COURSES = (
    "SELECT each.id, each.slug, home.title || iif(each.assignment = '', '', ': ') "
    "|| each.assignment, each.told, each.archived IS NOT NULL, home.id, home.title, "
    "each.assignment FROM courses AS each JOIN courses AS home "
    "ON home.id = coalesce(each.home, each.id)"
)


def _courses(rows: Iterable[tuple[Any, ...]]) -> Iterable[Course]:
    for number, slug, title, told, is_archived, *rest in rows:
        yield Course(number, slug, title, _decoded(told), bool(is_archived), *rest)


@lru_cache(maxsize=32)
def _decoded(told: str) -> Mapping[str, object]:
    """Decode the settings of a course, which hold its whole class.

    Every request needs them, and every stream keeps them. They are shared: change only a copy.
    """
    settings: Mapping[str, object] = json.loads(told)
    return settings
