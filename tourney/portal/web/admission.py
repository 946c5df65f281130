"""Priority of requests: known users are answered before strangers.

Known requests are those with a session or a token, and those from a known browser, within the
limits of an account. Requests of strangers start one at a time, in turn by source, and known
requests are served in between. So a flood of strangers delays a known request by at most one of
theirs.
"""

import asyncio
from collections import Counter, OrderedDict, deque
from contextlib import ExitStack, suppress
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tourney.errors import StoreError
from tourney.portal import sessions
from tourney.portal.guesses import source_of
from tourney.portal.sessions import find_browser
from tourney.portal.web.guard import browsers_session
from tourney.portal.web.pages import Site

OF_ONE = 100
"""Simultaneous requests of one account or known browser."""
OF_SOURCE, OF_STRANGERS = 400, 1000
"""Strangers' requests in progress or waiting: of one source, and in all."""
BODY_SECONDS = 15.0
"""Time limit for a stranger's form."""
AGAIN_SECONDS = 5
IGNORED = frozenset({b"range", b"if-range"})
"""Headers that the portal ignores: it sends no parts of files."""


@dataclass(frozen=True, slots=True)
class Asker:
    """The source of a request: the key for its limits, and whether it is known."""

    key: str
    is_known: bool


class Turns:
    """Releases one waiting request in each round of the event loop, in turn by key."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        self._round: asyncio.Handle | None = None

    async def turn(self, key: str) -> None:
        """Wait for the next turn of a key."""
        loop = asyncio.get_running_loop()
        if self._round is None:  # no request had a turn in this round
            self._round = loop.call_soon(self._next, loop)
            return
        future = loop.create_future()
        self._waiting.setdefault(key, deque()).append(future)
        await future

    def _next(self, loop: asyncio.AbstractEventLoop) -> None:
        self._round = None
        while self._waiting and self._round is None:
            key, futures = self._waiting.popitem(last=False)
            future = futures.popleft()
            if futures:
                self._waiting[key] = futures  # to the end of the queue
            if not future.done():
                future.set_result(None)
                self._round = loop.call_soon(self._next, loop)


class Admission:
    """ASGI middleware that decides the order of requests."""

    def __init__(self, app: ASGIApp, site: Site) -> None:
        """Wrap the application of a site."""
        self._app, self._site = app, site
        self._turns = Turns()
        self._busy: Counter[str] = Counter()
        self._strangers = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["headers"] = [each for each in scope["headers"] if each[0] not in IGNORED]
        asker = self._asker(Request(scope))
        if self._busy[asker.key] >= (OF_ONE if asker.is_known else OF_SOURCE):
            refused = _refusal(429, "too many simultaneous requests from you")
            await refused(scope, receive, send)
        elif not asker.is_known and self._strangers >= OF_STRANGERS:
            await _refusal(503, "too many requests now")(scope, receive, send)
        else:
            await self._admit(asker, scope, receive, send)

    async def _admit(self, asker: Asker, scope: Scope, receive: Receive, send: Send) -> None:
        with ExitStack() as counted:
            self._count(asker, 1)
            counted.callback(self._count, asker, -1)

            async def sent(message: Message) -> None:
                if message["type"] == "http.response.start" and _is_stream(message):
                    counted.close()  # streams have separate limits
                await send(message)

            if not asker.is_known:
                await self._turns.turn(asker.key)
                receive = self._slowly(asker.key, receive)
            await self._app(scope, receive, sent)

    def _count(self, asker: Asker, by: int) -> None:
        self._busy[asker.key] += by
        if not self._busy[asker.key]:
            del self._busy[asker.key]
        if not asker.is_known:
            self._strangers += by

    def _slowly(self, key: str, receive: Receive) -> Receive:
        """Receive a stranger's form in a limited time, each piece in its turn."""
        loop = asyncio.get_running_loop()
        deadline, is_whole = loop.time() + BODY_SECONDS, False

        async def received() -> Message:
            nonlocal is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(deadline):
                    message = await receive()
            except TimeoutError:
                return {"type": "http.disconnect"}
            is_whole = not message.get("more_body")
            if message.get("body"):
                await self._turns.turn(key)
            return message

        return received

    def _asker(self, request: Request) -> Asker:
        site = self._site
        with suppress(StoreError):  # without the database it counts as a stranger's
            if account := self._account(request):
                return Asker(f"account {account}", is_known=site.asked.has_some(str(account)))
            cookie = request.cookies.get(site.browser_cookie, "")
            if cookie and (browser := find_browser(site.database, cookie)):
                key = f"browser {browser.id}"
                is_known = site.asked.has_some(key)
                site.asked.take(key)
                return Asker(key, is_known)
        host = request.client.host if request.client else ""
        return Asker(f"from {source_of(host)}", is_known=False)

    def _account(self, request: Request) -> int | None:
        scheme, _, code = request.headers.get("authorization", "").partition(" ")
        if scheme:
            return sessions.account_of_token(self._site.database, code.strip())
        session = browsers_session(request, self._site)
        return session.account.id if session else None


def _is_stream(message: Message) -> bool:
    kinds = (value for name, value in message["headers"] if name == b"content-type")
    return next(kinds, b"").startswith(b"text/event-stream")


def _refusal(status: int, words: str) -> Response:
    """Reject a request with minimal work."""
    text = f"{words}; try again in {AGAIN_SECONDS} seconds\n"
    return PlainTextResponse(text, status, {"retry-after": str(AGAIN_SECONDS)})
