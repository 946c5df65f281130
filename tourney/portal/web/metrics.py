"""`/metrics`: figures about the portal in the text format of Prometheus, for administrators.

Programs on this machine may read it, and programs with an administrator's metrics token. Behind a
proxy every request comes from this machine, so a request that was passed on, or was sent to another
host name, is rejected.

`Counted` wraps the application; `guard` notes the page and the account in the request's state.
"""

import logging
import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from ipaddress import ip_address
from itertools import accumulate

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tourney.portal.database import now
from tourney.portal.logs import say
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.worker import not_well, starts

BOUNDS = (0.01, 0.05, 0.25, 1.0, 5.0)
"""Bounds in seconds of the histogram of durations."""
QUIET = frozenset({"health", "metrics"})
"""Pages that programs request often; logged only when they fail."""
FAILED, OWN_FAULT = 400, 500
LEFT = 499
"""Status for a client that left before the request was complete, as other servers use it."""


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

    def __init__(self, app: ASGIApp, tally: Tally) -> None:
        """Wrap the application, with a tally."""
        self._app, self._tally = app, tally

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
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


KIND = "text/plain; version=0.0.4; charset=utf-8"
PASSED_ON = ("forwarded", "via", "x-forwarded-for", "x-forwarded-host", "x-real-ip")
"""Headers that proxies add; forging one can only reduce access."""
Sample = tuple[str, float]
"""A name with its labels, and a value."""


async def metrics(context: RequestContext) -> Response:
    """Give all figures."""
    is_admins = (
        context.session is not None and context.session.by_token and context.account.is_admin
    )
    if not is_admins and not _is_direct(context.request):
        raise HTTPException(404)
    lines = []
    for name, kind, samples in _families(context):
        lines += [f"# TYPE tourney_{name} {kind}"]
        lines += [f"tourney_{each} {value:.10g}" for each, value in samples]
    return PlainTextResponse("\n".join((*lines, "")), media_type=KIND)


def _is_direct(request: Request) -> bool:
    """Give whether a program on this machine sent the request directly."""
    if request.client is None or any(name in request.headers for name in PASSED_ON):
        return False
    host = request.headers.get("host", "").rpartition(":")[0] or request.headers.get("host", "")
    return _is_loopback(request.client.host) and _is_loopback(host.strip("[]"))


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _families(context: RequestContext) -> Iterator[tuple[str, str, list[Sample]]]:
    """Give the name, kind and samples of each figure."""
    yield from _of_requests(context.request.app.state.tally)
    streams = context.request.app.state.watcher.streams.total()
    yield "open_streams", "gauge", [("open_streams", streams)]
    yield from _of_jobs(context)
    ill = not_well(context.database)
    begun = starts(context.database)
    well = [(_label("process_well", process=role), float(role not in ill)) for role in begun]
    yield "process_well", "gauge", well
    name = "process_starts_total"
    yield name, "counter", [(_label(name, process=role), float(n)) for role, n in begun.items()]
    file = context.places.database
    log = file.with_name(f"{file.name}-wal")
    size = sum(each.stat().st_size for each in (file, log) if each.exists())
    yield "database_bytes", "gauge", [("database_bytes", size)]
    free = shutil.disk_usage(context.places.root).free
    yield "disk_free_bytes", "gauge", [("disk_free_bytes", free)]


def _of_requests(tally: Tally) -> Iterator[tuple[str, str, list[Sample]]]:
    counted = [
        (_label("requests_total", page=page or "none", status=status), float(count))
        for (page, status), count in sorted(tally.requests.items())
    ]
    yield "requests_total", "counter", counted
    bounds = (*BOUNDS, float("inf"))
    sums = list(accumulate(tally.within[each] for each in bounds))
    name = "request_seconds"
    buckets: list[Sample] = [
        (_label(f"{name}_bucket", le=f"{bound:g}".replace("inf", "+Inf")), count)
        for bound, count in zip(bounds, sums, strict=True)
    ]
    yield name, "histogram", [*buckets, (f"{name}_sum", tally.seconds), (f"{name}_count", sums[-1])]


def _of_jobs(context: RequestContext) -> Iterator[tuple[str, str, list[Sample]]]:
    read = context.database.read
    states = read(iter, "SELECT kind, state, count(*) FROM jobs GROUP BY state, kind")
    counted = [(_label("jobs", kind=kind, state=state), float(n)) for kind, state, n in states]
    yield "jobs", "gauge", sorted(counted)
    oldest = read(
        iter,
        "SELECT kind, (julianday(:now) - julianday(min(max(received, not_before)))) * 86400 "
        "FROM jobs WHERE state = 'queued' AND not_before <= :now GROUP BY kind",
        {"now": now()},
    )
    name = "oldest_waiting_seconds"
    yield name, "gauge", sorted((_label(name, kind=kind), max(0.0, age)) for kind, age in oldest)


def _label(name: str, **labels: str) -> str:
    """Name a sample; values are fixed words, so escaping is not necessary."""
    pairs = ",".join(f'{key}="{value}"' for key, value in labels.items())
    return f"{name}{{{pairs}}}"


PAGES = (Page("/metrics", "metrics", "anybody", metrics, purpose="metrics"),)
