"""Pages of students' tests: the form, the bugs that each file catches, all results for staff."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import jobs
from tourney.portal.graded_tests import KIND, files_of, graded_of
from tourney.portal.web.downloads import as_text
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import section_of
from tourney.portal.web.submit import MOST_BYTES, name_of, take_in, waiting_jobs


async def tests(context: RequestContext) -> Response:
    """List the student's tests, with the form; to staff, all tests."""
    name = None if context.is_staff else name_of(context)
    found = () if name == "" else graded_of(context.database, context.course.id, name)
    section = section_of(context)
    return context.page(
        "tests.html",
        found=[each for each in found if section.has(name=each.name)],
        waiting=waiting_jobs(context, [KIND], section),
        game=_game(context),
        name=name or "",
        section=section,
    )


async def hand_in_tests(context: RequestContext) -> Response:
    """Receive a file of tests."""
    if not _game(context):
        raise PortalError("this course takes no tests; ask your lecturer")
    return await take_in(context, KIND)


async def source(context: RequestContext) -> Response:
    """Give the submitted test files."""
    number = int(context.request.path_params["job"])
    try:
        job = jobs.get(context.database, number)
    except PortalError:
        raise HTTPException(404) from None
    is_own = context.is_staff or job.account == context.account.id
    files = files_of(context.database, number)
    if job.course != context.course.id or not is_own or not files:
        raise HTTPException(404)
    return as_text(files, str(number))


def _game(context: RequestContext) -> str:
    """Give the game of the mutants; empty if the course takes no tests."""
    return str(context.course.told.get("tests") or "")


_TESTS = "/c/{course}/tests"
PAGES = (
    Page(_TESTS, "tests", "member", tests),
    Page(_TESTS, "tests-form", "student", hand_in_tests, "POST", most_bytes=MOST_BYTES),
    Page(f"{_TESTS}/{{job:int}}/source", "tests-source", "member", source),
)
