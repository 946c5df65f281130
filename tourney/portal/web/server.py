"""The web process: the application, its server, and their shutdown."""

import resource
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from hashlib import sha256
from mimetypes import guess_type
from pathlib import Path
from socket import socket

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tourney.portal.database import WEB_BUSY_SECONDS, open_database
from tourney.portal.places import Places
from tourney.portal.web import (
    boards,
    ceremony,
    course_admin,
    course_home,
    extensions,
    finals,
    grades,
    matches,
    metrics,
    notices,
    own_account,
    people,
    portal_admin,
    sign_in,
    sources,
    submit,
    version_pages,
)
from tourney.portal.web.admission import Admission
from tourney.portal.web.connections import Connection, Room
from tourney.portal.web.guard import (
    Guarded,
    Headers,
    Hosts,
    KnownHosts,
    say_what_failed,
)
from tourney.portal.web.live import Watcher
from tourney.portal.web.metrics import Counted, Tally
from tourney.portal.web.pages import Page, Site
from tourney.portal.worker import keep_telling

SECONDS_TO_LEAVE = 2
"""Time limit for open streams when the process ends."""
KEEP_ALIVE = 15
BACKLOG = 1024

STYLE = "report/site/static"
"""Folder of the style of published pages, which the portal's pages share."""

PAGES: Sequence[Page] = (
    *portal_admin.PAGES,
    *course_home.PAGES,
    *sign_in.PAGES,
    *own_account.PAGES,
    *course_admin.PAGES,
    *extensions.PAGES,
    *people.PAGES,
    *sources.PAGES,
    *submit.PAGES,
    *version_pages.PAGES,
    *boards.PAGES,
    *finals.PAGES,
    *ceremony.PAGES,
    *grades.PAGES,
    *matches.PAGES,
    *metrics.PAGES,
    *notices.PAGES,
)
"""All pages of the portal."""


def application(places: Places, url: str = "", hosts: Hosts | None = None) -> Starlette:
    """Make the application, for the calling thread.

    Args:
        places: The portal's folder.
        url: Public address; empty on loopback.
        hosts: The host names that it answers to; `None` for any, behind a proxy with a socket.
    """
    names = [page.name for page in PAGES]
    assert len(set(names)) == len(names), names
    database = open_database(places, WEB_BUSY_SECONDS)
    # Other processes do checkpoints, so that no request waits for one.
    database.execute("PRAGMA wal_autocheckpoint = 0")
    site = Site(places, database, PAGES, url.rstrip("/"))
    tally = Tally()
    routes = [
        Route(
            page.path,
            Guarded(site, page).__call__,
            methods=[page.method],
            name=page.name,
        )
        for page in PAGES
    ]
    here = Path(__file__).parent
    for name, folder in (("static", here / "static"), ("style", here.parents[1] / STYLE)):
        routes.append(Route(f"/{name}/{{name}}", StaticFiles(folder).__call__, name=name))
    made = Starlette(
        routes=routes,
        middleware=[
            Middleware(Counted, tally=tally),
            Middleware(Headers, is_secure=site.is_secure),
            *([Middleware(KnownHosts, hosts=hosts)] if hosts else []),
            Middleware(Admission, site=site),
        ],
        exception_handlers={HTTPException: say_what_failed},
    )
    made.state.site, made.state.tally = site, tally
    made.state.watcher = Watcher(site.database)
    made.state.views = boards.Views(site)
    return made


def main(places: Places, arguments: Namespace) -> None:
    """Answer requests until a signal ends the process."""
    with suppress(ValueError, OSError):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    config = uvicorn.Config(
        application(places, arguments.url, hosts_of(arguments)),
        host=arguments.host,
        port=arguments.port,
        uds=arguments.socket or None,
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        proxy_headers=bool(arguments.proxy),
        forwarded_allow_ips=list(arguments.proxy),
        timeout_graceful_shutdown=SECONDS_TO_LEAVE,
        timeout_keep_alive=KEEP_ALIVE,
        http=partial(Connection, room=Room()),  # type: ignore[arg-type]  # is called like the class
        ws="none",
        backlog=BACKLOG,
    )
    server = _Server(config, partial(keep_telling, places, arguments.role))
    with suppress(KeyboardInterrupt):  # Ctrl-C in the terminal, after an orderly end
        server.run()
    if not server.started:
        raise SystemExit(1)


def hosts_of(arguments: Namespace) -> Hosts | None:
    """Give the host names to which a portal answers; `None` for a socket."""
    if arguments.socket:
        return None
    return Hosts(arguments.port, arguments.url, arguments.host in {"127.0.0.1", "::1", "localhost"})


class StaticFiles:
    """Serves the files of a folder, as an endpoint of Starlette."""

    def __init__(self, folder: Path) -> None:
        """Read the files."""
        self._files: dict[str, tuple[bytes, str, str]] = {}  # content, kind and tag
        for path in filter(Path.is_file, folder.iterdir()):
            content, kind = path.read_bytes(), guess_type(path.name)[0] or "text/plain"
            self._files[path.name] = content, kind, f'"{sha256(content).hexdigest()[:32]}"'

    async def __call__(self, request: Request) -> Response:
        """Answer with a file, or with 304."""
        name = request.path_params["name"]
        if name not in self._files:
            raise HTTPException(404)
        content, kind, tag = self._files[name]
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, headers=headers, media_type=kind)


class _Server(uvicorn.Server):
    """A server that reports when it is ready."""

    def __init__(self, config: uvicorn.Config, has_begun: Callable[[], None]) -> None:
        """Store the function to call then."""
        super().__init__(config)
        self._has_begun = has_begun

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Start to answer."""
        await super().startup(sockets)
        self._has_begun()
