"""Grades of a final: upload a gradebook, preview the changes, download the filled file."""

import re
from pathlib import Path

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal.jobs import ROSTER, put
from tourney.portal.web.course_admin import GRADEBOOK_BYTES, gradebook_of
from tourney.portal.web.pages import Page, RequestContext, final_of, own_job, start_job

POINTS = re.compile(r"[0-9]{1,5}(\.[0-9]{1,2})?")
PROFIT = re.compile(r"[+-]?[0-9]{1,5}(\.[0-9]{1,6})?")
BETWEEN, BEATS = "profit between", "beats"
SCHEMES = {
    "rank": "rank: evenly from the first rank to the last; equal entrants get equal points",
    "place": "place: evenly from the first place to the last",
    "profit": "profit: evenly from the lowest profit to the highest",
    BETWEEN: "profit between two values (enter them below)",
    BEATS: "better than one entrant: all points, half if not clear, else none (choose it below)",
}
"""Marking schemes, in words."""
ABSENT = ("", "0", "blank", "EX")


async def make_grades(context: RequestContext) -> Response:
    """Request the grades of a final."""
    run = final_of(context)
    shown, content = await gradebook_of(context)
    names = ("column", "points", "least", "absent")
    wanted = {name: (await context.field(name)).strip()[:200] for name in names}
    wanted["by"] = await _scheme(context)
    for name in ("points", "least"):
        if wanted[name] and not POINTS.fullmatch(wanted[name]):
            raise PortalError(
                f"{name}: {wanted[name][:40]!r} is not a number; enter one such as 12.5"
            )
    if wanted["absent"] not in ABSENT:
        raise PortalError(
            f"absent: {wanted['absent'][:40]!r} is not possible; choose 0, blank, EX or nothing"
        )
    payload = {
        **wanted,
        "least": wanted["least"] or "0",
        "run": run.id,
        "file": put(context.places, content, ROSTER).name,
        "shown": shown,
    }
    return start_job(context, "grades", payload)


async def _scheme(context: RequestContext) -> str:
    """Read the marking scheme, in the words of `tourney grades`.

    Raises: PortalError, if it is not of the list, or its fields are incomplete.
    """
    by, low, high, entrant = [
        (await context.field(name)).strip() for name in ("by", "low", "high", "entrant")
    ]
    if by not in SCHEMES:
        raise PortalError("marking scheme: choose one of the list")
    if by == BETWEEN:
        if not (PROFIT.fullmatch(low) and PROFIT.fullmatch(high)):
            raise PortalError(
                "marking scheme: enter the profits for no points and for all points, such as "
                "-0.05 and 0.02"
            )
        return f"profit:{low}:{high}"
    if by == BEATS and not entrant:
        raise PortalError("marking scheme: choose the entrant that has to be beaten")
    return f"beats:{entrant[:200]}" if by == BEATS else by


async def gradebook(context: RequestContext) -> Response:
    """Give the filled gradebook; all other bytes are those of the upload."""
    job = own_job(context, context.request.path_params["job"])
    if job.kind != "grades" or "text" not in job.result:
        raise PortalError("grades: there is no filled gradebook; request the grades again")
    shown = Path(str(job.payload["shown"]))
    name = re.sub(r"[^A-Za-z0-9_.-]", "-", f"{shown.stem}-grades{shown.suffix}")
    content = str(job.result["text"]).encode(str(job.result["encoding"]))
    headers = {
        "content-disposition": f'attachment; filename="{name}"',
        "cache-control": "no-store",
    }
    return Response(content, headers=headers, media_type="text/csv")


PAGES = (
    Page(
        "/c/{course}/final/{run:int}/grades",
        "make-grades",
        "lecturer",
        make_grades,
        "POST",
        most_bytes=GRADEBOOK_BYTES + 10_000,
        form="final-control",
    ),
    Page("/c/{course}/grades/{job:int}", "gradebook", "lecturer", gradebook),
)
