"""Downloads of all sources, of starter files and of a game's rules."""

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.portal import jobs
from tourney.portal.versions import KIND, Files, pack_sources, versions_of
from tourney.portal.web.own_account import zip_answer
from tourney.portal.web.pages import Page, RequestContext, note, section_of


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
    course = context.course
    return await zip_answer(
        f"{course.slug}-sources.zip",
        lambda file: pack_sources(context.places, course.id, file, names, is_all=is_all),
    )


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


def as_text(files: Files, mark: str = "") -> Response:
    """Give files as one download that browsers do not execute.

    Args:
        files: The files.
        mark: Prefix of the download's name, so that names differ.
    """
    single = len(files) == 1
    name = f"{mark}{mark and '-'}{PurePosixPath(files[0][0]).name}" if single else "source.txt"
    text = files[0][1] if single else "".join(f"===== {path}\n{text}\n" for path, text in files)
    ascii_name = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "_" for c in name)
    return Response(
        text,
        media_type="text/plain; charset=utf-8",
        headers={"content-disposition": f'attachment; filename="{ascii_name}"'},
    )


def material_of(context: RequestContext) -> Mapping[str, Any]:
    """Give the material that the checker has stored; empty before it has done so."""
    found = context.course.told.get("handout") or {}
    assert isinstance(found, dict)
    return {"rules": [], "contract": [], "limits": "", "starter": [], "problems": [], **found}


async def game(context: RequestContext) -> Response:
    """Show the material to the members of the course."""
    return context.page("game.html", material=material_of(context))


async def starter(context: RequestContext) -> Response:
    """Give one starter file as a download."""
    files = material_of(context).get("starter", [])
    number = int(context.request.path_params["number"])
    if number >= len(files):
        raise HTTPException(404)
    return as_text([files[number]])


PAGES = (
    Page(_PATH, "sources", "staff", sources),
    Page(f"{_PATH}/download", "sources-download", "staff", download, "POST", form="sources"),
    Page(f"{_PATH}/copies", "sources-copies", "staff", search, "POST", form="sources"),
    Page("/c/{course}/game", "game", "member", game),
    Page("/c/{course}/starter/{number:int}", "starter", "member", starter),
)
