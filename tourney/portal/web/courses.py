"""Courses: making one, and the page of one."""

from starlette.responses import Response

from tourney.portal import audit
from tourney.portal.accounts import add_course, add_member
from tourney.portal.web.pages import Page, RequestContext


async def new_course_form(asked: RequestContext) -> Response:
    """Ask for a title."""
    return asked.page("new-course.html")


async def new_course(asked: RequestContext) -> Response:
    """Make a course; whoever makes it is its lecturer."""
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


PAGES = (
    Page("/new-course", "new-course", "admin", new_course_form),
    Page("/new-course", "new-course-form", "admin", new_course, "POST"),
    Page("/c/{course}", "course", "member", course),
)
