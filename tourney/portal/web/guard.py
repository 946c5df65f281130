"""Access control of all pages, and the headers of all answers.

Permissions depend only on the session or token and on the tables of the database. A page that an
account may not see gives 404; one that it may see but not use gives 403.
"""

import logging
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from ipaddress import ip_address
from socket import gethostname
from urllib.parse import urlencode, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tourney.errors import PortalError, StoreBusyError, StoreError, StoreFullError
from tourney.portal import sessions
from tourney.portal.accounts import Account, Course, course_by, course_of
from tourney.portal.guesses import TooManyError
from tourney.portal.sessions import Session
from tourney.portal.web.forms import form_page, not_proved, refused_form
from tourney.portal.web.metrics import LEFT
from tourney.portal.web.pages import (
    ROLES,
    STRANGERS_BYTES,
    Page,
    RequestContext,
    Site,
    sentence,
    wants_json,
)

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "cache-control": "no-store",
}
"""Headers of all answers that do not set them otherwise."""
A_YEAR = "max-age=31536000"
OTHER_WAY = 405
MISDIRECTED = 421
MOST_DIGITS = 18
NO_ROOM = (
    "the portal's disk is full; inform your lecturer or an administrator, and try again later. "
    "Earlier submissions are not lost"
)
FAULT = (
    "the portal's database has a fault, which is not yours; inform your lecturer or an "
    "administrator, who finds the cause in the portal's log"
)
SIGNED_OUT = "you are signed out; nothing was submitted. Sign in, and submit again"
PASTED = "text"
"""The field of forms for pasted text, such as code."""

log = logging.getLogger("tourney.portal")


class _TooLargeError(Exception):
    """A request is larger than its page accepts."""


@dataclass(frozen=True)
class Guarded:
    """A page behind its access control, as an endpoint of Starlette."""

    site: Site
    page: Page

    async def __call__(self, request: Request) -> Response:
        """Answer a request, or reject it with a reason."""
        request.state.page = self.page.name
        request = self._limited(request)
        try:
            answer = await self._answer(request)
        except _TooLargeError:
            words = (
                f"the form is larger than {self.page.most_bytes:,} bytes; go back and send a "
                "smaller file"
            )
            answer = self._says(request, 413, words)
        except ClientDisconnect:
            answer = Response(status_code=LEFT)  # the client has left
        except TooManyError as error:
            answer = self._says(request, error.status, str(error))
            answer.headers["retry-after"] = str(error.seconds)
        except PortalError as error:
            answer = self._says(request, 422, str(error))
        except StoreFullError:
            answer = self._says(request, 507, NO_ROOM, is_known=False)
        except StoreBusyError:
            words = "the portal is busy and could not do this; try again in a few seconds"
            answer = self._says(request, 503, words, is_known=False)
            answer.headers["retry-after"] = "5"
        except StoreError:
            log.exception("the database has a fault")
            answer = self._says(request, 500, FAULT, is_known=False)
        finally:
            await request.close()  # together with its upload
        return answer

    def _limited(self, request: Request) -> Request:
        """Give a request that reads no more than its page accepts."""
        taken = 0

        async def receive() -> Message:
            nonlocal taken
            message = await request.receive()
            taken += len(message.get("body", b""))
            if taken > self.page.most_bytes:
                raise _TooLargeError
            return message

        return Request(request.scope, receive)

    async def _answer(self, request: Request) -> Response:
        length = request.headers.get("content-length", "")
        is_long = len(length) > MOST_DIGITS  # Python refuses to parse numbers of that length
        if length.isdecimal() and (is_long or int(length) > self.page.most_bytes):
            raise _TooLargeError
        if self.page.method == "POST" and not _is_ours(request, self.site):
            return self._says(
                request, 403, "this form was sent from another site, or by an old browser"
            )
        session = self._session(request)
        if session:
            request.state.account = session.account.id
            self._count(session)
        course = self._course(request)
        if refused := await self._refused(request, session, course):
            return refused
        context = RequestContext(request, self.site, session, course)
        is_old = session is not None and not session.is_fresh
        if self.page.is_grave and is_old and (not_yet := await not_proved(context, self.page)):
            return not_yet
        try:
            return await self.page.answer(context)
        except TooManyError:
            raise
        except PortalError as error:
            with suppress(PortalError, HTTPException):  # also for a page that does not exist
                if again := await self._again(replace(context, refusal=str(error))):
                    return again
            raise

    async def _again(self, context: RequestContext) -> Response | None:
        """Answer a rejected form with its page, if the user may see it; else `None`."""
        page, session = form_page(context, self.page), context.session
        is_programs = wants_json(context.request) or (session is not None and session.by_token)
        if self.page.method != "POST" or page is None or is_programs:
            return None
        if Guarded(self.site, page).refused(context.request, session, context.of_course):
            return None
        return await refused_form(context, page)

    def _count(self, session: Session) -> None:
        """Count a request of an account.

        Raises: TooManyError, if the account exceeds its limit.
        """
        key, cost, asked = str(session.account.id), self.page.cost, self.site.asked
        if not asked.has_some(key, cost):
            raise TooManyError("too many requests in a short time", asked.wait(key, cost))
        asked.take(key, cost)

    def _session(self, request: Request) -> Session | None:
        """Find the session; a token counts only on pages for programs."""
        header = request.headers.get("authorization", "")
        if header:
            scheme, _, code = header.partition(" ")
            is_token = bool(self.page.purpose) and scheme.lower() == "bearer"
            return sessions.find_token(self.site.database, code.strip()) if is_token else None
        return browsers_session(request, self.site)

    def _course(self, request: Request) -> Course | None:
        slug = request.path_params.get("course")
        course = course_by(self.site.database, slug) if slug else None
        if course and self.page.is_shared:
            return course_of(self.site.database, course.home)
        return course

    def refused(
        self, request: Request, session: Session | None, course: Course | None
    ) -> Response | None:
        """Give the rejection of a request; `None` if it is allowed."""
        page = self.page
        if page.who != "anybody" and session is None:
            return self._sign_in(request)  # before the answer reveals which pages exist
        if "{course}" in page.path and course is None:
            return self._missing(request)
        if session is None:
            return None
        if session.by_token:
            return self._by_token(request, session, course)
        return self._by_role(request, session.account, course) or self._by_second(
            request, session, course
        )

    async def _refused(
        self, request: Request, session: Session | None, course: Course | None
    ) -> Response | None:
        """Give the rejection of a request, to a signed-out browser with its pasted text."""
        if session is None and self.page.who != "anybody" and _is_browsers_form(request):
            return await self._signed_out(request)
        return self.refused(request, session, course)

    def _by_role(
        self, request: Request, account: Account, course: Course | None
    ) -> Response | None:
        """Reject accounts without the role that the page requires."""
        who = self.page.who
        if who == "admin" and not account.is_admin:
            return self._missing(request)
        if who in ROLES:
            assert course
            role = account.role_in(course.id)
            if role is None:
                return self._missing(request)
            if role not in ROLES[who]:
                return self._says(request, 403, f"this page is for others: {who} of the course")
            if course.is_archived and self.page.method == "POST":
                return self._says(
                    request, 403, "this course is archived; an administrator can restore it"
                )
        return None

    def _by_token(
        self, request: Request, session: Session, course: Course | None
    ) -> Response | None:
        """Reject a token of another purpose, and of an owner without the permission."""
        if session.purpose != self.page.purpose:
            return self._says(request, 403, f"this token is for {session.purpose} only")
        if session.account.is_staff_in(course):
            return self._says(request, 403, "staff tokens do not work in their own course")
        return self._by_role(request, session.account, course)

    def _by_second(
        self, request: Request, session: Session, course: Course | None
    ) -> Response | None:
        """Ask staff and administrators for their second factor, unless they have shown it.

        The account's role decides, not the audience of the page: all pages of a course for its
        staff, and the own account for staff of any course and for administrators.
        """
        if session.has_second or not self.site.needs_second or self.page.before_second:
            return None
        account, who = session.account, self.page.who
        if course is not None:
            is_needed = account.is_staff_in(course)
        else:
            is_needed = who == "admin" or (who == "account" and account.looks_after_others)
        if not is_needed:
            return None
        if self.page.method == "POST" or wants_json(request):
            return self._says(request, 403, "show your second factor first")
        return _sent_to(request, "second", request.url.path)

    def _sign_in(self, request: Request) -> Response:
        if self.page.method == "POST" or wants_json(request):
            return self._says(request, 401, "sign in first, or send a valid token")
        return _sent_to(request, "sign-in", request.url.path)

    async def _signed_out(self, request: Request) -> Response:
        """Reject a browser's form, and repeat its pasted text, so that the user can copy it.

        Strangers may send only a small form; a browser that has signed in before may send all that
        the page accepts.
        """
        context, text = RequestContext(request, self.site, None, None), ""
        length = request.headers.get("content-length", "")
        is_small = length.isdecimal() and int(length) <= STRANGERS_BYTES
        if is_small or context.known_browser:
            # Without a readable form, the words alone are the answer.
            with suppress(PortalError, HTTPException, ClientDisconnect):
                text = await context.field(PASTED)
        return _refused_page(request, self.site, None, 401, SIGNED_OUT, text=text)

    def _missing(self, request: Request) -> Response:
        return self._says(request, 404, "there is no such page, or you may not see it")

    def _says(
        self, request: Request, status: int, words: str, *, is_known: bool = True
    ) -> Response:
        """Reject with a text; without a session lookup if that may fail again."""
        if wants_json(request):
            return JSONResponse({"error": words}, status)
        session = self._session(request) if is_known else None
        return _refused_page(request, self.site, session, status, words)


async def say_what_failed(request: Request, error: Exception) -> Response:
    """Answer errors of Starlette, such as an unknown address, with the portal's own texts."""
    assert isinstance(error, HTTPException)
    words = {
        404: "there is no such page, or you may not see it",
        OTHER_WAY: "this address does not accept this method",
    }.get(error.status_code, error.detail)
    site, session = request.app.state.site, None
    headers, ways = error.headers, {page.method for page in _pages_at(site, request.url.path)}
    # Starlette's own header lists one page's methods only.
    if error.status_code == OTHER_WAY and ways:
        headers = {"allow": ", ".join(sorted(ways | ({"HEAD"} if "GET" in ways else set())))}
    if wants_json(request):
        return JSONResponse({"error": words}, error.status_code, headers=headers)
    with suppress(StoreError):  # then it is answered as without a session
        session = browsers_session(request, site)
    answer = _refused_page(request, site, session, error.status_code, words)
    answer.headers.update(headers or {})
    return answer


def browsers_session(request: Request, site: Site) -> Session | None:
    """Find the session of a browser's cookie, once per request; `None` without one."""
    kept = request.scope.setdefault("state", {})
    if "session" not in kept:
        code = request.cookies.get(site.cookie, "")
        kept["session"] = sessions.find(site.database, code) if code else None
    found: Session | None = kept["session"]
    return found


HEADINGS = {403: "No access", 404: "Page not found"}
"""Headings for readers of a page; others wanted something done."""


def _refused_page(
    request: Request,
    site: Site,
    session: Session | None,
    status: int,
    words: str,
    *,
    text: str = "",
) -> Response:
    """Show a rejection on a page, with a link back to the sent form and its text to copy."""
    back = ""
    if request.method == "POST":
        back = way_back(site, _came_from(request) or request.url.path).rstrip("/")
    heading = (request.method == "GET" and HEADINGS.get(status)) or "Not done"
    context = RequestContext(request, site, session, None)
    told = {"words": sentence(words), "back": back, "text": text, "heading": heading}
    return context.page("refused.html", status, **told)


def _came_from(request: Request) -> str:
    """Give the path of the page with the sent form, from the Referer; empty without one."""
    try:
        return urlsplit(request.headers.get("referer", "")).path
    except ValueError:
        return ""


def way_back(site: Site, path: str) -> str:
    """Give an address to return to if it is a page of this portal; else the home page.

    So a sign-in link cannot redirect to another site.
    """
    return path if any(page.method == "GET" for page in _pages_at(site, path)) else "/"


def _pages_at(site: Site, path: str) -> Iterator[Page]:
    """Give the pages of an address, one per method."""
    return (page for page in site.pages if _pattern(page.path).match(path))


@cache
def _pattern(path: str) -> re.Pattern[str]:
    return compile_path(path)[0]


def _is_ours(request: Request, site: Site) -> bool:
    """Give whether a form was sent from a page of this portal, or by a program with a token."""
    if "authorization" in request.headers:
        return True  # browsers never add one themselves
    kind = request.headers.get("sec-fetch-site")
    if kind is not None:
        return kind == "same-origin"
    origin = request.headers.get("origin")
    if origin is None:
        return False
    ours = site.url or f"http://{request.headers.get('host', '')}"
    try:
        return urlsplit(origin)[:2] == urlsplit(ours)[:2]
    except ValueError:  # an invalid header
        return False


def _sent_to(request: Request, name: str, back: str) -> Response:
    return RedirectResponse(f"{request.app.url_path_for(name)}?{urlencode({'back': back})}", 303)


def _is_browsers_form(request: Request) -> bool:
    is_programs = "authorization" in request.headers or wants_json(request)
    return request.method == "POST" and not is_programs


class Headers:
    """Adds security headers to every answer."""

    def __init__(self, app: ASGIApp, *, is_secure: bool) -> None:
        """Wrap the application; `is_secure` means that it is reached by TLS."""
        self._app = app
        self._own = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
        if is_secure:
            self._own.append((b"strict-transport-security", A_YEAR.encode()))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                there = list(message.get("headers", ()))
                names = {name for name, _ in there}
                message["headers"] = there + [each for each in self._own if each[0] not in names]
            await send(message)

        await self._app(scope, receive, with_headers)


LOOPBACK = ("127.0.0.1", "[::1]", "localhost")


@dataclass(frozen=True)
class Hosts:
    """The host names to which a portal answers, so that foreign names cannot reach it.

    Browsers send a foreign name if it was made to point to this machine (DNS rebinding). Loopback
    names always work, for a proxy and for health checks on this machine.

    Args:
        port: The port of the portal.
        url: Its public address; empty if not given.
        is_loopback: Whether it listens on loopback only.
    """

    port: int
    url: str = ""
    is_loopback: bool = True

    def serves(self, host: str) -> bool:
        """Give whether a request to a host, with its port, is answered."""
        name, port = self._split(host.lower())
        if name in LOOPBACK:
            return port in {str(self.port), ""}
        if self.url:
            return host.lower() in self._of_url()
        if self.is_loopback or port not in {str(self.port), ""}:
            return False
        return name == gethostname().lower() or _is_address(name)

    @property
    def words(self) -> str:
        """List the names, for people."""
        names = [f"{name}:{self.port}" for name in LOOPBACK]
        if self.url:
            names.insert(0, urlsplit(self.url).netloc)
        elif not self.is_loopback:
            names = [f"the IP addresses of this machine, {gethostname()}", *names]
        return ", ".join(names)

    def _of_url(self) -> set[str]:
        parts = urlsplit(self.url.lower())
        usual = {"http": 80, "https": 443}[parts.scheme]
        name = parts.netloc.removesuffix(f":{usual}")
        return {name, f"{name}:{usual}"} if parts.port in {None, usual} else {name}

    @staticmethod
    def _split(host: str) -> tuple[str, str]:
        if host.startswith("["):
            name, end, port = host.partition("]")
            return f"{name}{end}", port.removeprefix(":")
        name, _, port = host.partition(":")
        return name, port


def _is_address(name: str) -> bool:
    is_bracketed = name.startswith("[") and name.endswith("]")
    try:
        return bool(ip_address(name[1:-1] if is_bracketed else name))
    except ValueError:
        return False


class KnownHosts:
    """Rejects requests to other hosts, before any other processing."""

    def __init__(self, app: ASGIApp, *, hosts: Hosts) -> None:
        """Wrap the application with its host names."""
        self._app, self._hosts = app, hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or reject a request."""
        if scope["type"] == "http":
            named = [value for name, value in scope["headers"] if name == b"host"]
            if len(named) != 1 or not self._hosts.serves(named[0].decode("latin-1")):
                words = f"This portal answers only as {self._hosts.words}.\n"
                await PlainTextResponse(words, MISDIRECTED)(scope, receive, send)
                return
        await self._app(scope, receive, send)
