"""What is counted and logged of requests: by page, never by address, and by nothing that was sent.

`Counted` stands around the application; `guard` notes which page it is and who asks in the
request's state.
"""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from tourney.portal.logs import say

BOUNDS = (0.01, 0.05, 0.25, 1.0, 5.0)
"""Seconds that divide requests by how long they took."""
QUIET = frozenset({"health", "metrics"})
"""Pages that programs ask for all the time; logged only when they fail."""
FAILED, OWN_FAULT = 400, 500
LEFT = 499
"""As other servers count it where whoever asked has left before all was sent."""

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]


@dataclass(slots=True)
class Tally:
    """How many requests there were since the process began, and how long they took."""

    requests: Counter[tuple[str, str]] = field(default_factory=Counter)  # by page and "2xx"
    within: Counter[float] = field(default_factory=Counter)  # by the bound they are within
    seconds: float = 0.0

    def add(self, page: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests[page, f"{status // 100}xx"] += 1
        self.within[next((each for each in BOUNDS if seconds <= each), float("inf"))] += 1
        self.seconds += seconds


class Counted:
    """Counts and logs what the application answers, when it begins to."""

    def __init__(self, app: Callable[..., Awaitable[None]], tally: Tally) -> None:
        """Take the application, and where to count."""
        self._app = app
        self._tally = tally

    async def __call__(self, scope: Message, receive: object, send: Send) -> None:
        """Answer."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun, state = time.perf_counter(), scope.setdefault("state", {})
        has_begun = False

        async def counted(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                self._note(state, message["status"], time.perf_counter() - begun)
            await send(message)

        try:
            await self._app(scope, receive, counted)
        except Exception:
            if not has_begun:
                self._note(state, OWN_FAULT, time.perf_counter() - begun)
            raise

    def _note(self, state: Message, status: int, seconds: float) -> None:
        page = str(state.get("page", ""))
        self._tally.add(page, status, seconds)
        has_failed = status >= FAILED
        if not has_failed and (not page or page in QUIET):
            return
        told: dict[str, object] = {"page": page, "status": status, "ms": round(1000 * seconds, 1)}
        if has_failed and "account" in state:
            told["account"] = state["account"]
        is_odd = has_failed and status != LEFT
        event = "left before all was sent" if status == LEFT else "answered"
        say(event, level=logging.WARNING if is_odd else logging.INFO, **told)
