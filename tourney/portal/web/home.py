"""The first page, and whether the portal is well."""

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tourney.portal.accounts import Course, courses
from tourney.portal.health import not_well
from tourney.portal.web.pages import Page, RequestContext


async def home(asked: RequestContext) -> Response:
    """Show the courses of whoever asks; to others, what this is."""
    own: tuple[Course, ...] = ()
    if asked.session:
        found = (each for each in courses(asked.database) if asked.account.role_in(each.id))
        own = tuple(sorted(found, key=lambda each: each.is_archived))
    return asked.page("home.html", own=own)


async def health(asked: RequestContext) -> Response:
    """Say whether all processes are well, and else which are not: nothing else, to anybody."""
    absent = not_well(asked.database)
    if absent:
        return JSONResponse({"status": "not well", "not_seen": absent}, 503)
    return JSONResponse({"status": "ok"})


async def robots(asked: RequestContext) -> Response:
    """Keep what is for people out of search engines."""
    del asked
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


PAGES = (
    Page("/", "home", "anybody", home),
    Page("/healthz", "health", "anybody", health),
    Page("/robots.txt", "robots", "anybody", robots),
)
