"""The definition of a page of the portal, and the context of a request.

Every address is in one table, the `PAGES` of the modules in this package, with the accounts that
may request it. `guard` reads the table and rejects all other requests, so a page without a declared
audience cannot exist.
"""

import re
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, tzinfo
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal
from zoneinfo import ZoneInfo, available_timezones

from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.convertors import IntegerConvertor, register_url_convertor
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from tourney.config.words import hint, near_zone
from tourney.errors import PortalError
from tourney.portal import audit, boards, jobs
from tourney.portal.accounts import Account, Course, Membership, Role
from tourney.portal.boards import Audience, PortalRun
from tourney.portal.database import setting
from tourney.portal.guesses import (
    ASKED,
    ASKED_A_MINUTE,
    SECOND_CODES,
    Buckets,
    Guess,
    Line,
    Slots,
    source_of,
)
from tourney.portal.notices import unread
from tourney.portal.passwords import Passwords
from tourney.portal.personal_rules import left_words
from tourney.portal.places import Places
from tourney.portal.sessions import KnownBrowser, Session, account_now, find_browser
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
    def membership(self) -> Membership | None:
        """The account's membership of the course of the address; `None` without one."""
        if self.session is None or self.of_course is None:
            return None
        return self.account.memberships.get(self.of_course.id)

    @property
    def role(self) -> Role | None:
        """The account's role in the course of the address."""
        return self.membership.role if self.membership else None

    @property
    def player(self) -> str:
        """The account's player name in the course of the address; empty without one."""
        return self.membership.name if self.membership else ""

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

    async def is_password(self, typed: str) -> bool:
        """Give whether the signed-in account has this password.

        Raises: TooManyError, if the session has guessed wrong too often.
        """
        assert self.session
        number = self.account.id
        row = self.database.first("SELECT password FROM accounts WHERE id = ?", (number,))
        assert row
        guess = Guess(
            f"account {number} once more", self.address, trusted=f"session {self.session.id}"
        )
        return await self.site.passwords.is_right(guess, str(row[0]), typed)

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
        """Redirect the browser to an address of the portal, such as `guard.way_back` gives."""
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
            "refusal": sentence(context.refusal),
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
    made.filters |= {"moment": shown_time, "in_zone": in_zone, "which_hour": which_hour}
    made.globals |= {"left_words": left_words, "now": partial(datetime.now, UTC)}
    return made


def wants_json(request: Request) -> bool:
    """Give whether a program sends a request."""
    return "application/json" in request.headers.get("accept", "")


def sentence(text: str) -> str:
    """Begin a message with a capital letter, unless its first word is a name.

    >>> sentence("match: it has ended"), sentence("roster.csv has changed"), sentence("'x' is new")
    ('Match: it has ended', 'roster.csv has changed', "'x' is new")
    """
    first = re.match(r"[a-z]+(?:[:,;]? |$)", text)
    return text[0].upper() + text[1:] if first else text


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


FOLDER: Mapping[str, str] = {
    "roster": "Roster",
    "terms": "Deadline and limits",
    "tournament": "Tournament file",
    "extension": "Extension or waiver",
    "team": "Team",
    "assignment": "New assignment",
    "game": "Game",
}
"""Kinds of jobs that only concern the course's folder, each with the title of its page."""
KINDS: Mapping[str, str] = {**FOLDER, "grades": "Grades"}
"""Kinds of jobs shown to staff, likewise."""


def add_job(
    context: RequestContext, kind: str, payload: Mapping[str, object], *, not_before: str = ""
) -> int:
    """Record a job of the account for the course; give its number.

    Args:
        context: The request.
        kind: Of the job.
        payload: Its input, as JSON values.
        not_before: Its earliest start, in the format of `now()`; empty for immediately.
    """
    return jobs.insert(
        context.database,
        kind,
        payload,
        course=context.course.id,
        account=context.account.id,
        not_before=not_before,
    )


def start_job(context: RequestContext, kind: str, payload: Mapping[str, object]) -> Response:
    """Record a job, and go to the page that shows its state."""
    return context.go_to("doing", job=add_job(context, kind, payload))


def own_job(context: RequestContext, number: int) -> jobs.Job:
    """Give a job of the course.

    Raises: PortalError, if the course has no such job.
    """
    found = jobs.get(context.database, number)
    if found.course != context.course.id or found.kind not in KINDS:
        raise PortalError("job: this course has no such job")
    return found


def final_of(context: RequestContext) -> PortalRun:
    """Give the final in the address, in its present state."""
    number = context.request.path_params["run"]
    run = boards.run_by(context.database, context.course.id, number)
    if run is None or run.purpose != "final":
        raise HTTPException(404)
    return run


def board_content(context: RequestContext, run: PortalRun, audience: Audience) -> Mapping[str, Any]:
    """Give the last board of a run for an audience; empty before the first."""
    return boards.content_of(boards.board_of(context.database, run.id, audience))


def is_whole(typed: str, least: int, most: int) -> bool:
    """Give whether a text is a whole number of a range.

    >>> is_whole("20", 1, 20), is_whole("21", 1, 20), is_whole("", 1, 20)
    (True, False, False)
    """
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(most))
    return is_number and least <= int(typed) <= most


def note(context: RequestContext, act: str, **about: object) -> None:
    """Add a line to the activity log of the course, in the transaction of the action."""
    audit.note(context.database, act, account=context.account.id, course=context.course.id, **about)


@dataclass(frozen=True, slots=True)
class Section:
    """The filter of a page."""

    known: tuple[str, ...]  # all sections
    chosen: str  # one of them; empty for all
    persons: Collection[str]  # people of the roster in it
    names: Collection[str]  # their player names

    def has(self, *, person: str = "", name: str = "") -> bool:
        """Give whether a person is in the filtered section."""
        return not self.chosen or person in self.persons or name in self.names


def section_of(
    context: RequestContext, known: Collection[str] | None = None, typed: str | None = None
) -> Section:
    """Give the section in the address: `?section=`.

    Args:
        context: The request.
        known: All sections; those of the roster by default.
        typed: The section of a form, in place of the one in the address.
    """
    people = context.course.people
    found = {group for each in people for group in each["groups"]} if known is None else known
    typed = context.request.query_params.get("section", "") if typed is None else typed
    chosen = typed if typed in found else ""
    own = [each for each in people if chosen in each["groups"]]
    return Section(
        tuple(sorted(found)),
        chosen,
        frozenset(each["person"] for each in own),
        frozenset(each["name"] for each in own),
    )


END_OF_DAY = "23:59"
"""Default time of day of a deadline."""
PASSED = "has already passed"
"""Words of the question whether a past time is meant; the form then shows a box to confirm it."""
PAST = "past"
"""Name of that box."""


@cache
def zone_names() -> frozenset[str]:
    """Give the names of all time zones."""
    return frozenset(available_timezones())


def offered_zones() -> list[str]:
    """Give the names of time zones that a form offers: those of places, and UTC."""
    return sorted(each for each in zone_names() if "/" in each or each == "UTC")


def zone_called(name: str) -> tzinfo:
    """Give a time zone; UTC for an empty name.

    Raises: PortalError, if there is no such zone.
    """
    if name and name not in zone_names():
        meant = hint(near_zone(name, offered_zones()))
        raise PortalError(
            f"time zone: there is no zone {name[:40]!r}{meant}; choose one of the list, such as "
            "America/New_York"
        )
    return ZoneInfo(name) if name else UTC


def zone_of(told: Mapping[str, object]) -> tzinfo:
    """Give the time zone of a course; UTC without one."""
    return zone_called(str(told.get("time_zone") or ""))


def parts_of(text: str | None, zone: tzinfo) -> tuple[str, str]:
    """Give an ISO time as a date and a time of day, as forms hold them.

    >>> parts_of("2026-12-01T23:59:00+01:00", UTC), parts_of(None, UTC)
    (('2026-12-01', '22:59'), ('', '23:59'))
    """
    if not text:
        return "", END_OF_DAY
    local = datetime.fromisoformat(text).astimezone(zone).replace(tzinfo=None)
    return local.date().isoformat(), local.time().isoformat("minutes")


def local_words(text: str, zone: tzinfo) -> str:
    """Give an ISO time in words, with the name of the zone; of an hour that comes twice, which one.

    >>> local_words("2026-12-01T23:59:00+01:00", ZoneInfo("America/New_York"))
    '2026-12-01 17:59 (America/New_York)'
    >>> local_words("2026-11-01T06:30:00+00:00", ZoneInfo("America/New_York"))
    '2026-11-01 01:30 EST (America/New_York)'
    """
    local = datetime.fromisoformat(text).astimezone(zone)
    return f"{' '.join(parts_of(text, zone))}{which_hour(local)} ({zone})"


def which_hour(local: datetime) -> str:
    """Give the short name of the clock's offset in an hour that comes twice; else nothing."""
    other = local.replace(fold=1 - local.fold)
    return f" {local:%Z}" if other.utcoffset() != local.utcoffset() else ""


def time_on(local: datetime, zone: tzinfo, label: str) -> datetime:
    """Give the time at which clocks of a zone show a local time; of two, the second.

    Raises: PortalError, if the clocks skip that hour.
    """
    both = [local.replace(tzinfo=zone, fold=fold) for fold in (0, 1)]
    found = max(both, key=lambda each: each.astimezone(UTC))
    shown = found.astimezone(UTC).astimezone(zone).replace(tzinfo=None)
    if shown != local:
        raise PortalError(
            f"{label}: clocks in {zone} skip {local:%H:%M} on {local:%Y-%m-%d}, when they go "
            f"forward; enter another time, such as {shown:%H:%M}"
        )
    return found


async def time_in(context: RequestContext, label: str, zone: tzinfo) -> datetime | None:
    """Read the fields `date` and `time` of a form; `None` if the date is empty.

    Args:
        context: The request.
        label: Of the fields, for messages.
        zone: Zone of the times. Of an hour that its clock repeats, the second counts.
    Raises: PortalError, if it is no time of that zone, or it has passed and the form does not
        confirm that.
    """
    day = (await context.field("date")).strip()
    clock = (await context.field("time")).strip() or END_OF_DAY
    if not day:
        return None
    try:
        local = datetime.combine(date.fromisoformat(day), time.fromisoformat(clock))
        found = time_on(local, zone, label)
        shown = local_words(found.isoformat(), zone)
    except (ValueError, OverflowError):
        raise PortalError(
            f"{label}: enter a date such as 2026-12-01 and a time such as {END_OF_DAY}"
        ) from None
    if found < datetime.now(UTC) and not await context.field(PAST):
        raise PortalError(
            f"{label}: {shown} {PASSED}. Enter a later time, or confirm below that you mean it"
        )
    return found
