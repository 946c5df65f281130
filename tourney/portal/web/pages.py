"""The definition of a page of the portal, and the context of a request.

Every address is in one table, the `PAGES` of the modules in this package, with the accounts that
may request it. `guard` reads the table and rejects all other requests, so a page without a declared
audience cannot exist.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Literal
from zoneinfo import ZoneInfo

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData, UploadFile
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tourney.errors import PortalError
from tourney.portal.accounts import Account, Course, Role
from tourney.portal.browsers import KnownBrowser, find_browser
from tourney.portal.database import setting
from tourney.portal.guesses import SECOND_CODES, Guess, Line
from tourney.portal.limits import ASKED, ASKED_A_MINUTE, Buckets, Slots, source_of
from tourney.portal.notices import unread
from tourney.portal.passwords import Passwords
from tourney.portal.places import Places
from tourney.portal.sessions import Session, account_now
from tourney.sqlite.database import Database

Who = Literal["anybody", "account", "admin", "member", "student", "staff", "lecturer"]
"""Who may request a page: anyone; signed-in accounts; administrators; and of the course in the
address: its members, its students, its staff, its lecturers.
"""

ROLES: Mapping[Who, frozenset[Role]] = {
    "member": frozenset({"lecturer", "assistant", "student", "spectator"}),
    "student": frozenset({"student"}),
    "staff": frozenset({"lecturer", "assistant"}),
    "lecturer": frozenset({"lecturer"}),
}
FORM_BYTES = 64_000
"""Default size limit of a form."""


STRANGERS_BYTES = 8_000
"""Size limit of a form that needs no session."""
CODES_AT_ONCE = 100, 100
"""Simultaneous checks of second factors, which are cheap."""
PROVIDER_AT_ONCE = 8, 200, 30
"""Requests to the sign-in provider: simultaneous, waiting, and of one source."""
PROVIDER_BUSY = "too many people are signing in with the provider now"

SHARED = Path(__file__).parents[2] / "report/site/templates"
"""Folder of the templates of published pages; the portal uses some parts of them."""
OURS = re.compile('charset="?utf-8"?(?=;|$)')


class Counted(IntegerConvertor):
    """A number in an address, within the range of the database; longer ones match no address."""

    regex = "[0-9]{1,18}"


register_url_convertor("int", Counted())


@dataclass(frozen=True, slots=True)
class Page:
    """An address, its handler, and its audience."""

    path: str  # in Starlette's syntax; {course} is a course's slug
    name: str  # for links from other pages
    who: Who
    answer: "Callable[[RequestContext], Awaitable[Response]]"
    method: Literal["GET", "POST"] = "GET"
    is_grave: bool = False  # requires re-authentication
    purpose: str = ""  # purpose of the tokens that may request it; empty: no tokens
    before_second: bool = False  # open to staff before the second factor
    most_bytes: int = FORM_BYTES
    form: str = ""  # name of the page with this form, if that has another address
    is_light: bool = False  # requested often by scripts; does not count
    is_shared: bool = False  # about the whole course: answered for its first assignment

    @property
    def cost(self) -> int:
        """Cost of a request in the account's limit; forms cost more, because they cause work."""
        return 0 if self.is_light else 5 if self.method == "POST" else 1


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One permitted request."""

    request: Request
    site: "Site"
    session: Session | None
    of_course: Course | None
    refusal: str = ""  # reason for rejecting the form, shown above it again

    @property
    def database(self) -> Database:
        """The portal's database."""
        return self.site.database

    @property
    def places(self) -> Places:
        """The paths of the portal's folder."""
        return self.site.places

    @property
    def account(self) -> Account:
        """The account of the request, on pages that require one."""
        assert self.session
        return self.session.account

    @property
    def course(self) -> Course:
        """The course in the address, on pages of a course."""
        assert self.of_course
        return self.of_course

    @property
    def role(self) -> Role | None:
        """The account's role in the course of the address."""
        if self.session is None or self.of_course is None:
            return None
        return self.session.account.role_in(self.of_course.id)

    @property
    def is_staff(self) -> bool:
        """Whether the account is staff of the course of the address."""
        return self.role in ROLES["staff"]

    def keeps_role(self) -> bool:
        """Give whether the account still has its session and its role in the course."""
        if self.session is None:
            return True
        account = account_now(self.database, self.session)
        return account is not None and (
            self.of_course is None or account.role_in(self.of_course.id) == self.role
        )

    @property
    def address(self) -> str:
        """The client's address, from a trusted proxy or the connection."""
        client = self.request.client
        return client.host if client else ""

    @property
    def known_browser(self) -> KnownBrowser | None:
        """The account that has signed in before in this browser; `None` without one."""
        cookie = self.request.cookies.get(self.site.browser_cookie, "")
        return find_browser(self.database, cookie) if cookie else None

    @property
    def browser_or_source(self) -> str:
        """Give a key for the browser if it is known, else for its source."""
        browser = self.known_browser
        return f"browser {browser.id}" if browser else source_of(self.address)

    def guess_by_session(self) -> Guess:
        """Give the guess for the repeated password of a signed-in account."""
        assert self.session
        account = f"account {self.account.id} once more"
        return Guess(account, self.address, trusted=f"session {self.session.id}")

    @property
    def wants_json(self) -> bool:
        """Whether a program sends the request."""
        return "application/json" in self.request.headers.get("accept", "")

    def absolute(self, name: str, **parts: object) -> str:
        """Give the full public address of a page."""
        home = self.site.url or str(self.request.base_url).rstrip("/")
        return f"{home}{self.link(name, **parts)}"

    async def form(self) -> FormData:
        """Give the values of the form.

        Raises: PortalError, if it is not in UTF-8, as browsers send it.
        """
        if "charset" in OURS.sub("", self.request.headers.get("content-type", "").lower()):
            raise PortalError("form: it is not in UTF-8; send it in UTF-8")
        # The page's total limit applies before any limit of a part.
        return await self.request.form(max_files=1, max_fields=50, max_part_size=1 << 30)

    async def field(self, name: str) -> str:
        """Give one field of the form as text; empty if it is missing."""
        value = (await self.form()).get(name, "")
        return "" if isinstance(value, UploadFile) else value

    async def typed(self) -> list[tuple[str, str]]:
        """Give the names and texts of all fields but files, in order."""
        form = await self.form()
        return [(name, text) for name, text in form.multi_items() if isinstance(text, str)]

    async def number(self, name: str) -> int:
        """Give one field of the form as a number; 0, which is never used, if it is missing."""
        text = await self.field(name)
        return int(text) if re.fullmatch(Counted.regex, text) else 0

    def query_number(self, name: str) -> int:
        """Give a number of the address's query; 0 for any other text."""
        typed = self.request.query_params.get(name, "")
        return int(typed) if re.fullmatch(Counted.regex, typed) else 0

    def page(self, template: str, status: int = 200, **told: object) -> HTMLResponse:
        """Render a page."""
        return HTMLResponse(self.site.render(template, self, told), status)

    def go_to(self, name: str, **parts: object) -> RedirectResponse:
        """Redirect the browser to another page, by its name."""
        return RedirectResponse(self.link(name, **parts), 303)

    @staticmethod
    def go_back(path: str) -> RedirectResponse:
        """Redirect the browser to an address checked by `guard.way_back`."""
        return RedirectResponse(path, 303)

    def link(self, name: str, **parts: object) -> str:
        """Give the address of a page."""
        if self.of_course and "course" not in parts and self.site.is_in_course(name):
            parts["course"] = self.of_course.slug
        return str(self.request.app.url_path_for(name, **parts))


@dataclass(frozen=True)
class Site:
    """A portal's pages, as one process answers them.

    Args:
        places: The portal's folder.
        database: Opened by the thread that answers.
        pages: All pages.
        url: Public address, such as `https://cards.example.edu`; empty on loopback.
    """

    places: Places
    database: Database
    pages: Sequence[Page]
    url: str = ""
    passwords: Passwords = field(default_factory=Passwords)
    second_codes: Line = field(default_factory=lambda: Line(SECOND_CODES, *CODES_AT_ONCE))
    provider: Slots = field(default_factory=lambda: Slots(*PROVIDER_AT_ONCE, PROVIDER_BUSY))
    asked: Buckets = field(default_factory=lambda: Buckets(ASKED, ASKED_A_MINUTE))

    @property
    def is_secure(self) -> bool:
        """Whether browsers use TLS, so that cookies can be restricted to it."""
        return self.url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; with TLS one that pages of sibling hosts cannot set."""
        return "__Host-tourney" if self.is_secure else "tourney"

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie for known browsers."""
        return f"{self.cookie}-browser"

    @property
    def needs_second(self) -> bool:
        """Whether staff must show a second factor."""
        return setting(self.database, "second_factor", "staff") == "staff"

    def is_in_course(self, name: str) -> bool:
        """Give whether a page belongs to a course."""
        return "{course}" in next(each.path for each in self.pages if each.name == name)

    def part(self, template: str, **values: object) -> Markup:
        """Render a part of a page that is the same for all users."""
        return Markup(_templates().get_template(template).render(values))  # noqa: S704 - escaped there

    def render(self, template: str, context: RequestContext, values: Mapping[str, object]) -> str:
        """Render a page."""
        shared = {
            "title": setting(self.database, "title", "tourney"),
            "session": context.session,
            "course": context.of_course,
            "role": context.role,
            "is_staff": context.is_staff,
            "link": context.link,
            "refusal": context.refusal,
            "unread": unread(self.database, context.account.id) if context.session else 0,
        }
        return _templates().get_template(template).render({**shared, **values})


@cache
def _templates() -> Environment:
    """Give the templates, compiled once per process."""
    made = Environment(
        loader=ChoiceLoader(
            [PackageLoader("tourney.portal.web", "templates"), FileSystemLoader(SHARED)]
        ),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["moment"] = shown_time
    made.filters["in_zone"] = in_zone
    return made


def shown_time(text: str) -> str:
    """Format a time for pages: to the minute, always with its zone.

    >>> shown_time("2026-05-01T12:00:00.000000+00:00"), shown_time("2026-05-01T14:00:00+02:00")
    ('2026-05-01 12:00 UTC', '2026-05-01 14:00+02:00')
    """
    time = datetime.fromisoformat(text)
    shown = time.replace(tzinfo=time.tzinfo if time.utcoffset() else None)
    return shown.isoformat(" ", "minutes") + ("" if time.utcoffset() else " UTC")


def in_zone(time: datetime | str, zone: str) -> datetime:
    """Give a time on the clocks of a class; without a zone, with its offset.

    >>> in_zone("2026-12-01T22:59:00.000000+00:00", "Europe/Berlin").isoformat()
    '2026-12-01T23:59:00+01:00'
    """
    moment = datetime.fromisoformat(time) if isinstance(time, str) else time
    return moment.astimezone(ZoneInfo(zone)) if zone else moment
