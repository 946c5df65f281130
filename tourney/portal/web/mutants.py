"""Tests that students hand in: the form, what each file catches, and everybody's for staff."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import jobs
from tourney.portal.graded_tests import KIND, files_of, graded_of
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import section_of
from tourney.portal.web.submit import MOST_BYTES, as_text, name_of, take_in, waiting_jobs


async def tests(asked: RequestContext) -> Response:
    """List one's own tests, and ask for more; to whoever runs the course, everybody's."""
    name = None if asked.is_staff else name_of(asked)
    found = () if name == "" else graded_of(asked.database, asked.course.id, name)
    section = section_of(asked)
    return asked.page(
        "tests.html",
        found=[each for each in found if section.has(name=each.name)],
        waiting=waiting_jobs(asked, [KIND], section),
        game=_game(asked),
        name=name or "",
        section=section,
    )


async def hand_in_tests(asked: RequestContext) -> Response:
    """Take a file of tests."""
    if not _game(asked):
        raise PortalError("expected a course that takes tests, got one that does not")
    return await take_in(asked, KIND)


async def source(asked: RequestContext) -> Response:
    """Give what was handed in as tests."""
    number = int(asked.request.path_params["job"])
    try:
        job = jobs.get(asked.database, number)
    except PortalError:
        raise HTTPException(404) from None
    is_own = asked.is_staff or job.account == asked.account.id
    files = files_of(asked.database, number)
    if job.course != asked.course.id or not is_own or not files:
        raise HTTPException(404)
    return as_text(files, str(number))


def _game(asked: RequestContext) -> str:
    """Give whose mutants tests are tried on; empty if the course takes none."""
    return str(asked.course.told.get("tests") or "")


_TESTS = "/c/{course}/tests"
PAGES = (
    Page(_TESTS, "tests", "member", tests),
    Page(_TESTS, "tests-form", "student", hand_in_tests, "POST", most_bytes=MOST_BYTES),
    Page(f"{_TESTS}/{{job:int}}/source", "tests-source", "member", source),
)
