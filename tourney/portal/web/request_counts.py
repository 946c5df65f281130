"""Counts and log lines of requests: by page, never by address or content.

`Counted` wraps the application; `guard` notes the page and the account in the request's state.
"""

import logging
import time
from collections import Counter
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass, field
from typing import Any

from tourney.portal.logs import say

BOUNDS = (0.01, 0.05, 0.25, 1.0, 5.0)
"""Bounds in seconds of the histogram of durations."""
QUIET = frozenset({"health", "metrics"})
"""Pages that programs request often; logged only when they fail."""
FAILED, OWN_FAULT = 400, 500
LEFT = 499
"""Status for a client that left before the request was complete, as other servers use it."""

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]


@dataclass(slots=True)
class Tally:
    """Numbers and durations of requests since the start of the process."""

    requests: Counter[tuple[str, str]] = field(default_factory=Counter)  # by page and "2xx"
    within: Counter[float] = field(default_factory=Counter)  # by the bound of their duration
    seconds: float = 0.0

    def add(self, page: str, status: int, seconds: float) -> None:
        """Count a request."""
        self.requests[page, f"{status // 100}xx"] += 1
        self.within[next((each for each in BOUNDS if seconds <= each), float("inf"))] += 1
        self.seconds += seconds


class Counted:
    """Counts and logs answers, when they start."""

    def __init__(self, app: Callable[..., Awaitable[None]], tally: Tally) -> None:
        """Wrap the application, with a tally."""
        self._app = app
        self._tally = tally

    async def __call__(self, scope: Message, receive: object, send: Send) -> None:
        """Answer a request."""
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
        event = "client left early" if status == LEFT else "answered"
        say(event, level=logging.WARNING if is_odd else logging.INFO, **told)
