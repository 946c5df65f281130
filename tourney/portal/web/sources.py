"""Pages for staff: all sources as one download, and submissions that equal each other."""

from tempfile import TemporaryFile

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response

from tourney.portal import jobs
from tourney.portal.sources import KIND, pack_sources
from tourney.portal.versions import versions_of
from tourney.portal.web.folder_jobs import note
from tourney.portal.web.own_data import zip_answer
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import section_of


async def sources(context: RequestContext) -> Response:
    """Show the download of all sources, and the last search for copies."""
    asked = jobs.of_course(context.database, context.course.id, [KIND], most=1)
    latest = {
        each.name: each.id
        for each in reversed(versions_of(context.database, context.course.id, None))
    }
    return context.page(
        "sources.html",
        section=section_of(context),
        job=asked[0] if asked else None,
        latest=latest,
        count=len(latest),
    )


async def download(context: RequestContext) -> Response:
    """Give the sources of all students, or of a section, as a zip."""
    section = await context.field("section")
    known = section_of(context, typed=section)
    names = frozenset(known.names) if known.chosen else None
    is_all = await context.field("versions") == "all"
    with context.database.transaction():
        note(context, "sources downloaded", section=known.chosen, all_versions=is_all)
    file = TemporaryFile()  # noqa: SIM115 - closed when it is sent
    course = context.course
    await run_in_threadpool(
        lambda: pack_sources(context.places, course.id, file, names, is_all=is_all)
    )
    return zip_answer(file, f"{course.slug}-sources.zip")


async def search(context: RequestContext) -> Response:
    """Request a search for copies."""
    with context.database.transaction():
        note(context, "copies searched")
        jobs.insert(
            context.database,
            KIND,
            {},
            course=context.course.id,
            account=context.account.id,
            replaces=True,
        )
    return context.go_to("sources")


_PATH = "/c/{course}/sources"
PAGES = (
    Page(_PATH, "sources", "staff", sources),
    Page(f"{_PATH}/download", "sources-download", "staff", download, "POST", form="sources"),
    Page(f"{_PATH}/copies", "sources-copies", "staff", search, "POST", form="sources"),
)
