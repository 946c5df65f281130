"""Pages of a course's material: rules of the game, contract of a player, and starter files."""

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.portal.web.downloads import as_text
from tourney.portal.web.pages import Page, RequestContext


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
    Page("/c/{course}/game", "game", "member", game),
    Page("/c/{course}/starter/{number:int}", "starter", "member", starter),
)
