"""The web process: the application, its server, and how they end."""

import resource
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from socket import socket

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import Route

from tourney.portal.database import WEB_BUSY_SECONDS, open_database
from tourney.portal.health import keep_telling
from tourney.portal.places import Places
from tourney.portal.web import (
    boards,
    course_admin,
    courses,
    finals,
    grades,
    home,
    matches,
    metrics,
    mutants,
    own_account,
    own_data,
    portal_admin,
    settings,
    sign_in,
    submit,
    tokens,
)
from tourney.portal.web.admission import Admission
from tourney.portal.web.connections import Connection, Room
from tourney.portal.web.guard import (
    Guarded,
    Headers,
    Hosts,
    KnownHosts,
    names_of,
    say_what_failed,
)
from tourney.portal.web.live import Watcher
from tourney.portal.web.pages import Page, Site
from tourney.portal.web.request_counts import Counted, Tally
from tourney.portal.web.static_files import StaticFiles

SECONDS_TO_LEAVE = 2
"""That open streams have when the process ends."""
KEEP_ALIVE = 15
BACKLOG = 1024

STYLE = "report/site/static"
"""Where the style of published pages is, which the portal's share."""

PAGES: Sequence[Page] = (
    *home.PAGES,
    *sign_in.PAGES,
    *own_account.PAGES,
    *courses.PAGES,
    *course_admin.PAGES,
    *submit.PAGES,
    *mutants.PAGES,
    *boards.PAGES,
    *finals.PAGES,
    *grades.PAGES,
    *matches.PAGES,
    *tokens.PAGES,
    *metrics.PAGES,
    *portal_admin.PAGES,
    *settings.PAGES,
    *own_data.PAGES,
)
"""Every page of the portal."""


def application(places: Places, url: str = "", hosts: Hosts | None = None) -> Starlette:
    """Make the application, for the thread that calls.

    Args:
        places: The portal's folder.
        url: Where people reach it; empty on loopback.
        hosts: The names under which it answers; any, if a proxy reaches it by a socket.
    """
    names_of(PAGES)
    database = open_database(places, WEB_BUSY_SECONDS)
    database.execute("PRAGMA wal_autocheckpoint = 0")  # others do that, who keep nobody waiting
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


def main(places: Places, asked: Namespace) -> None:
    """Answer until a signal says to leave."""
    with suppress(ValueError, OSError):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    config = uvicorn.Config(
        application(places, asked.url, hosts_of(asked)),
        host=asked.host,
        port=asked.port,
        uds=asked.socket or None,
        access_log=False,
        server_header=False,
        log_config=None,
        log_level="warning",
        proxy_headers=bool(asked.proxy),
        forwarded_allow_ips=list(asked.proxy),
        timeout_graceful_shutdown=SECONDS_TO_LEAVE,
        timeout_keep_alive=KEEP_ALIVE,
        http=partial(Connection, room=Room()),  # type: ignore[arg-type]  # is called like the class
        ws="none",
        backlog=BACKLOG,
    )
    server = _Server(config, partial(keep_telling, places, asked.role))
    with suppress(KeyboardInterrupt):  # of the terminal; it has ended in order
        server.run()
    if not server.started:
        raise SystemExit(1)


def hosts_of(asked: Namespace) -> Hosts | None:
    """Give the names under which a portal answers; None for a socket."""
    if asked.socket:
        return None
    return Hosts(asked.port, asked.url, asked.host in {"127.0.0.1", "::1", "localhost"})


class _Server(uvicorn.Server):
    """A server that says when it answers."""

    def __init__(self, config: uvicorn.Config, has_begun: Callable[[], None]) -> None:
        """Take what to call then."""
        super().__init__(config)
        self._has_begun = has_begun

    async def startup(self, sockets: list[socket] | None = None) -> None:
        """Begin to answer."""
        await super().startup(sockets)
        self._has_begun()
