"""The home page, the page of a course, and the health check."""

from starlette.responses import JSONResponse, PlainTextResponse, Response

from tourney.portal import audit
from tourney.portal.accounts import Course, add_course, add_member, courses
from tourney.portal.health import not_well
from tourney.portal.web.pages import Page, RequestContext


async def home(asked: RequestContext) -> Response:
    """Show the account's courses; to visitors, a description."""
    own: tuple[Course, ...] = ()
    if asked.session:
        found = (each for each in courses(asked.database) if asked.account.role_in(each.id))
        own = tuple(sorted(found, key=lambda each: each.is_archived))
    return asked.page("home.html", own=own)


async def new_course_form(asked: RequestContext) -> Response:
    """Show the form for a new course."""
    return asked.page("new-course.html")


async def new_course(asked: RequestContext) -> Response:
    """Create a course, with its creator as lecturer."""
    slug, title = (await asked.field("slug")).strip(), (await asked.field("title")).strip()
    with asked.database.transaction():
        number = add_course(asked.database, slug, title or slug)
        add_member(asked.database, number, asked.account.id, "lecturer")
        audit.note(
            asked.database, "course made", account=asked.account.id, course=number, slug=slug
        )
    return asked.go_to("course", course=slug)


async def course(asked: RequestContext) -> Response:
    """Show a course to its members."""
    return asked.page("course.html")


async def health(asked: RequestContext) -> Response:
    """Report whether all processes are healthy, with the names of the others and nothing else."""
    absent = not_well(asked.database)
    if absent:
        return JSONResponse({"status": "not well", "not_seen": absent}, 503)
    return JSONResponse({"status": "ok"})


async def robots(asked: RequestContext) -> Response:
    """Exclude the portal's pages from search engines."""
    del asked
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


PAGES = (
    Page("/", "home", "anybody", home),
    Page("/new-course", "new-course", "admin", new_course_form),
    Page("/new-course", "new-course-form", "admin", new_course, "POST"),
    Page("/c/{course}", "course", "member", course),
    Page("/healthz", "health", "anybody", health),
    Page("/robots.txt", "robots", "anybody", robots),
)
