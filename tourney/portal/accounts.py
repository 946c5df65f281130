"""People: accounts, courses, and who has which role in which course."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal
from unicodedata import normalize

from tourney.errors import PortalError
from tourney.event.store import Database
from tourney.portal.database import now

Role = Literal["lecturer", "assistant", "student", "spectator"]
STAFF: tuple[Role, ...] = ("lecturer", "assistant")
LONGEST = 200
LONGEST_SLUG = 40


@dataclass(frozen=True, slots=True)
class Course:
    """A course of the portal."""

    id: int
    slug: str
    title: str
    told: Mapping[str, object]  # what the checker last read in its folder


@dataclass(frozen=True, slots=True)
class Membership:
    """Somebody's part in a course."""

    course: int
    role: Role
    person: str = ""  # on the roster
    name: str = ""  # to play under


@dataclass(frozen=True, slots=True)
class Account:
    """Somebody who may sign in."""

    id: int
    login: str
    name: str
    is_admin: bool = False
    has_totp: bool = False
    memberships: Mapping[int, Membership] = field(default_factory=lambda: MappingProxyType({}))

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


def account_by(database: Database, number: int) -> Account | None:
    """Find an account by number, with its memberships; None if it is erased."""
    row = database.first(
        "SELECT id, login, name, is_admin, totp <> '' FROM accounts "
        "WHERE id = ? AND erased IS NULL",
        (number,),
    )
    if row is None:
        return None
    members = database.read(
        iter, "SELECT course, role, person, name FROM members WHERE account = ?", (number,)
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

    Raises: PortalError, if the slug is taken or none.
    """
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
    found = database.read(
        _courses, "SELECT id, slug, title, told FROM courses WHERE slug = ?", (slug,)
    )
    return next(iter(tuple(found)), None)


def course_of(database: Database, number: int) -> Course:
    """Give a course by its number.

    Raises: PortalError, if there is none.
    """
    found = database.read(
        _courses, "SELECT id, slug, title, told FROM courses WHERE id = ?", (number,)
    )
    for course in found:
        return course
    raise PortalError(f"course: expected one of the portal, got {number}")


def courses(database: Database) -> tuple[Course, ...]:
    """Give all courses, newest first."""
    return tuple(
        database.read(_courses, "SELECT id, slug, title, told FROM courses ORDER BY id DESC")
    )


def _courses(rows: Iterable[tuple[object, ...]]) -> Iterable[Course]:

    for number, slug, title, told in rows:
        yield Course(int(str(number)), str(slug), str(title), json.loads(str(told)))
