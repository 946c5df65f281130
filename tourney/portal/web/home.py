"""The home page, the form for a new course, and the health check."""

from datetime import UTC, datetime

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tourney.portal import audit
from tourney.portal.accounts import add_course, add_member
from tourney.portal.assignments import courses_of
from tourney.portal.health import not_well
from tourney.portal.personal_rules import left_words
from tourney.portal.web.pages import Page, RequestContext


async def home(context: RequestContext) -> Response:
    """Show the account's courses; to visitors, a description."""
    if context.session is None:
        return context.page("home.html", own=())
    moment = datetime.now(UTC)
    return context.page(
        "home.html",
        own=courses_of(context.database, context.account, moment),
        moment_now=moment,
        left_words=left_words,
    )


async def new_course_form(context: RequestContext) -> Response:
    """Show the form for a new course."""
    return context.page("new-course.html")


async def new_course(context: RequestContext) -> Response:
    """Create a course, with its creator as lecturer."""
    slug, title = (await context.field("slug")).strip(), (await context.field("title")).strip()
    with context.database.transaction():
        number = add_course(context.database, slug, title or slug)
        add_member(context.database, number, context.account.id, "lecturer")
        audit.note(
            context.database, "course made", account=context.account.id, course=number, slug=slug
        )
    return context.go_to("course", course=slug)


async def health(context: RequestContext) -> Response:
    """Report whether all processes are healthy, with the names of the others and nothing else."""
    absent = not_well(context.database)
    if absent:
        return JSONResponse({"status": "not well", "not_seen": absent}, 503)
    return JSONResponse({"status": "ok"})


async def robots(context: RequestContext) -> Response:
    """Exclude the portal's pages from search engines."""
    del context
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


PAGES = (
    Page("/", "home", "anybody", home),
    Page("/new-course", "new-course", "admin", new_course_form),
    Page("/new-course", "new-course-form", "admin", new_course, "POST"),
    Page("/healthz", "health", "anybody", health),
    Page("/robots.txt", "robots", "anybody", robots),
)
