"""The web process: the application, its server, and how they end."""

import logging
import resource
from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from tourney.portal.database import WEB_BUSY_SECONDS, open_database
from tourney.portal.places import Places
from tourney.portal.web import (
    account,
    boards,
    courses,
    finals,
    grades,
    handing,
    home,
    matches,
    organising,
    own,
    tokens,
)
from tourney.portal.web.guard import Guarded, Headers, names_of, say_what_failed
from tourney.portal.web.live import Watcher
from tourney.portal.web.pages import Page, Site

SECONDS_TO_LEAVE = 2
"""That open streams have when the process ends."""
KEEP_ALIVE = 15
BACKLOG = 1024

STYLE = "show/site/static"
"""Where the style of published pages is, which the portal's share."""

PAGES: Sequence[Page] = (
    *home.PAGES,
    *account.PAGES,
    *own.PAGES,
    *courses.PAGES,
    *organising.PAGES,
    *handing.PAGES,
    *boards.PAGES,
    *finals.PAGES,
    *grades.PAGES,
    *matches.PAGES,
    *tokens.PAGES,
)
"""Every page of the portal."""


def application(places: Places, url: str = "") -> Starlette:
    """Make the application, for the thread that calls.

    Args:
        places: The portal's folder.
        url: Where people reach it; empty on loopback.
    """
    names_of(PAGES)
    site = Site(places, open_database(places, WEB_BUSY_SECONDS), PAGES, url.rstrip("/"))
    routes: list[BaseRoute] = [
        Route(
            page.path,
            Guarded(site, page).__call__,
            methods=[page.method],
            name=page.name,
            max_body_size=page.most_bytes,
        )
        for page in PAGES
    ]
    here = Path(__file__).parent
    for name, folder in (("static", here / "static"), ("style", here.parents[1] / STYLE)):
        routes.append(Mount(f"/{name}", StaticFiles(directory=folder), name=name))
    made = Starlette(
        routes=routes,
        middleware=[Middleware(Headers, is_secure=site.is_secure)],
        exception_handlers={HTTPException: say_what_failed},
    )
    made.state.site = site
    made.state.watcher = Watcher(site.database)
    return made


def main(places: Places, asked: Namespace) -> None:
    """Answer until a signal says to leave."""
    logging.basicConfig(level=logging.INFO)
    with suppress(ValueError, OSError):
        most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    uvicorn.run(
        application(places, asked.url),
        host=asked.host,
        port=asked.port,
        uds=asked.socket or None,
        access_log=False,
        server_header=False,
        log_level="warning",
        proxy_headers=bool(asked.proxy),
        forwarded_allow_ips=list(asked.proxy),
        timeout_graceful_shutdown=SECONDS_TO_LEAVE,
        timeout_keep_alive=KEEP_ALIVE,
        backlog=BACKLOG,
    )
