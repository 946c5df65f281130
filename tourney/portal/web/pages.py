"""What a page of the portal is, and what it is asked with.

Every address stands in one table, `PAGES` of the modules beside this one, with who may ask for it.
`guard` reads the table and lets nobody else through, so a page that says nothing cannot exist.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Literal

from jinja2 import Environment, PackageLoader, StrictUndefined
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
from tourney.portal.passwords import Passwords
from tourney.portal.places import Places
from tourney.portal.sessions import Session
from tourney.sqlite.database import Database

Who = Literal["anybody", "account", "admin", "member", "student", "staff", "lecturer"]
"""Who may ask: anybody at all; whoever is signed in; whoever looks after the portal; and of the
course in the address: its members, its students, its lecturers and assistants, its lecturers."""

ROLES: Mapping[Who, frozenset[Role]] = {
    "member": frozenset({"lecturer", "assistant", "student", "spectator"}),
    "student": frozenset({"student"}),
    "staff": frozenset({"lecturer", "assistant"}),
    "lecturer": frozenset({"lecturer"}),
}
FORM_BYTES = 64_000
"""Most that a form holds, where its page says nothing else."""


STRANGERS_BYTES = 8_000
"""Most that a form holds which may be sent without signing in."""
CODES_AT_ONCE = 100, 100
"""Second factors that are compared at once; that costs nothing."""
PROVIDER_AT_ONCE = 8, 200, 30
"""Questions to the sign-in provider at once, those that may wait, and those of one source."""
PROVIDER_BUSY = "too many people sign in at the provider at this moment"

OURS = re.compile('charset="?utf-8"?(?=;|$)')


class Counted(IntegerConvertor):
    """A number in an address, as large as the database has any; longer ones are no address."""

    regex = "[0-9]{1,18}"


register_url_convertor("int", Counted())


@dataclass(frozen=True, slots=True)
class Page:
    """An address, what answers it, and who may ask."""

    path: str  # as Starlette writes it; {course} is a course's slug
    name: str  # by which other pages link to it
    who: Who
    answer: "Callable[[RequestContext], Awaitable[Response]]"
    method: Literal["GET", "POST"] = "GET"
    is_grave: bool = False  # wants who asks to have shown just now who they are
    purpose: str = ""  # the purpose of the tokens with which programs may ask; empty for none
    before_second: bool = False  # open to staff that has not shown its second factor yet
    most_bytes: int = FORM_BYTES
    form: str = ""  # the page with this form, by its name, where that has another address
    is_light: bool = False  # programs and scripts ask often; it costs nobody anything

    @property
    def cost(self) -> int:
        """How much of what an account may ask one request takes: a form means work for others."""
        return 0 if self.is_light else 5 if self.method == "POST" else 1


@dataclass(frozen=True, slots=True)
class RequestContext:
    """One request, by somebody who may ask it."""

    request: Request
    site: "Site"
    session: Session | None
    of_course: Course | None
    refusal: str = ""  # of the form that was sent, which is shown again

    @property
    def database(self) -> Database:
        """The portal's."""
        return self.site.database

    @property
    def places(self) -> Places:
        """Where everything is."""
        return self.site.places

    @property
    def account(self) -> Account:
        """Who asks; only where the page says that somebody is signed in."""
        assert self.session
        return self.session.account

    @property
    def course(self) -> Course:
        """The course in the address; only where there is one."""
        assert self.of_course
        return self.of_course

    @property
    def role(self) -> Role | None:
        """What who asks is in the course of the address."""
        if self.session is None or self.of_course is None:
            return None
        return self.session.account.role_in(self.of_course.id)

    @property
    def is_staff(self) -> bool:
        """Whether who asks runs the course of the address."""
        return self.role in ROLES["staff"]

    @property
    def address(self) -> str:
        """Where the request comes from, as a trusted proxy says, or the connection."""
        client = self.request.client
        return client.host if client else ""

    @property
    def known_browser(self) -> KnownBrowser | None:
        """The account that has signed in before in the browser that asks; None for none."""
        cookie = self.request.cookies.get(self.site.browser_cookie, "")
        return find_browser(self.database, cookie) if cookie else None

    @property
    def browser_or_source(self) -> str:
        """Give a key for the browser that asks if the portal knows it, else for its source."""
        browser = self.known_browser
        return f"browser {browser.id}" if browser else source_of(self.address)

    def guess_by_session(self) -> Guess:
        """Say who guesses, for the password that somebody who is signed in types once more."""
        assert self.session
        account = f"account {self.account.id} once more"
        return Guess(account, self.address, trusted=f"session {self.session.id}")

    @property
    def wants_json(self) -> bool:
        """Whether a program asks."""
        return "application/json" in self.request.headers.get("accept", "")

    def absolute(self, name: str, **parts: object) -> str:
        """Give the whole address of a page, as it is reached from elsewhere."""
        home = self.site.url or str(self.request.base_url).rstrip("/")
        return f"{home}{self.link(name, **parts)}"

    async def form(self) -> FormData:
        """Give what was filled in.

        Raises: PortalError, if it is in other letters than browsers send: some cannot be written.
        """
        if "charset" in OURS.sub("", self.request.headers.get("content-type", "").lower()):
            raise PortalError("form: expected one in UTF-8, got another")
        # What a page takes in all holds before any part is too large.
        return await self.request.form(max_files=1, max_fields=50, max_part_size=1 << 30)

    async def field(self, name: str) -> str:
        """Give one field of the form as text; empty if it is not there."""
        value = (await self.form()).get(name, "")
        return "" if isinstance(value, UploadFile) else value

    async def typed(self) -> list[tuple[str, str]]:
        """Give the names and texts of all fields but files, in order."""
        form = await self.form()
        return [(name, text) for name, text in form.multi_items() if isinstance(text, str)]

    async def number(self, name: str) -> int:
        """Give one field of the form as the number of something; 0, which nothing has, if none."""
        text = await self.field(name)
        return int(text) if re.fullmatch(Counted.regex, text) else 0

    def query_number(self, name: str) -> int:
        """Give a number of the address's query; 0 for anything else."""
        typed = self.request.query_params.get(name, "")
        return int(typed) if re.fullmatch(Counted.regex, typed) else 0

    def page(self, template: str, status: int = 200, **told: object) -> HTMLResponse:
        """Make a page."""
        return HTMLResponse(self.site.render(template, self, told), status)

    def go_to(self, name: str, **parts: object) -> RedirectResponse:
        """Send the browser to another page, by its name."""
        return RedirectResponse(self.link(name, **parts), 303)

    @staticmethod
    def go_back(path: str) -> RedirectResponse:
        """Send the browser where it came from, as `guard.way_back` has it."""
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
        places: Where everything is.
        database: Opened by the thread that answers.
        pages: Every page there is.
        url: Where people reach the portal, as `https://cards.example.edu`; empty on loopback.
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
        """Whether browsers reach it by TLS, so that cookies may be kept to that."""
        return self.url.startswith("https://")

    @property
    def cookie(self) -> str:
        """The name of the session's cookie; with TLS one that no sibling's page can set."""
        return "__Host-tourney" if self.is_secure else "tourney"

    @property
    def browser_cookie(self) -> str:
        """The name of the cookie that stays in a browser in which somebody has signed in."""
        return f"{self.cookie}-browser"

    @property
    def needs_second(self) -> bool:
        """Whether staff has to show a second factor."""
        return setting(self.database, "second_factor", "staff") == "staff"

    def is_in_course(self, name: str) -> bool:
        """Say whether a page belongs to a course."""
        return "{course}" in next(each.path for each in self.pages if each.name == name)

    def part(self, template: str, **told: object) -> Markup:
        """Make a part of pages, which is the same for everybody."""
        return Markup(_templates().get_template(template).render(told))  # noqa: S704 - escaped there

    def render(self, template: str, asked: RequestContext, told: Mapping[str, object]) -> str:
        """Make the text of a page."""
        shared = {
            "title": setting(self.database, "title", "tourney"),
            "session": asked.session,
            "course": asked.of_course,
            "role": asked.role,
            "is_staff": asked.is_staff,
            "link": asked.link,
            "refusal": asked.refusal,
        }
        return _templates().get_template(template).render({**shared, **told})


@cache
def _templates() -> Environment:
    """Give the templates, which are compiled once in a process however many portals it has."""
    made = Environment(
        loader=PackageLoader("tourney.portal.web", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["moment"] = shown_time
    return made


def shown_time(text: str) -> str:
    """Give a time as pages show it: to the minute, and never without its zone.

    >>> shown_time("2026-05-01T12:00:00.000000+00:00"), shown_time("2026-05-01T14:00:00+02:00")
    ('2026-05-01 12:00 UTC', '2026-05-01 14:00+02:00')
    """
    time = datetime.fromisoformat(text)
    shown = time.replace(tzinfo=time.tzinfo if time.utcoffset() else None)
    return shown.isoformat(" ", "minutes") + ("" if time.utcoffset() else " UTC")
