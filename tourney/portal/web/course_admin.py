"""Pages for staff: settings, roster, tournament file, and the activity log."""

from starlette.datastructures import UploadFile
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.assignments import why_game_stays
from tourney.portal.inbox import ROSTER, put
from tourney.portal.installed_names import USUAL_GAME
from tourney.portal.web import assignments
from tourney.portal.web.assignments import game_names
from tourney.portal.web.course_settings import form_values
from tourney.portal.web.folder_jobs import FOLDER, KINDS, begun, own_job
from tourney.portal.web.local_times import local_words, zone_of
from tourney.portal.web.pages import Page, RequestContext

GRADEBOOK_BYTES = 1_000_000
TOURNAMENT_BYTES = 400_000
"""Limit of a form with a tournament file: 100,000 characters, as browsers encode them."""


async def organise(context: RequestContext) -> Response:
    """Show all settings of the course."""
    recent = jobs.of_course(context.database, context.course.id, [*FOLDER], most=5)
    told = context.course.told
    return context.page(
        "organise.html",
        told=told,
        recent=recent,
        titles=FOLDER,
        games=game_names(context),
        usual=USUAL_GAME,
        game_stays=why_game_stays(context.database, context.course.id),
        fields=assignments.form_values(context),
        terms=form_values(context, told) if told else {},
        deadline=local_words(str(told["deadline"]), zone_of(told)) if told.get("deadline") else "",
    )


async def upload_roster(context: RequestContext) -> Response:
    """Receive a gradebook, and request a preview of its changes."""
    file = (await context.form()).get("gradebook")
    if not isinstance(file, UploadFile) or not file.filename:
        raise PortalError(
            "gradebook: no file was chosen; choose the export of your learning platform"
        )
    content, game = await file.read(), await context.field("game")
    if game and game not in game_names(context):
        raise PortalError(f"game: there is no game {game[:40]!r}; choose one of the list")
    payload = {
        "file": put(context.places, content, ROSTER).name,
        "shown": file.filename[:80],
        "game": game or USUAL_GAME,
        "title": context.course.title,
        "is_sure": False,
    }
    return begun(context, "roster", payload)


async def keep_roster(context: RequestContext) -> Response:
    """Save a previewed roster."""
    job = own_job(context, await context.number("job"))
    if job.kind != "roster" or job.result.get("status") != "shown":
        raise PortalError("roster: the preview has expired; upload the roster again")
    return begun(context, "roster", {**job.payload, "is_sure": True})


async def look_at_tournament(context: RequestContext) -> Response:
    """Request the tournament file."""
    return begun(context, "tournament", {})


async def change_tournament(context: RequestContext) -> Response:
    """Request a change of the tournament file."""
    text = (await context.field("text")).replace("\r\n", "\n").rstrip("\n")
    before = await context.field("before")
    if not text.strip() or not before:
        raise PortalError("tournament: the form is incomplete; reload the page and try again")
    new = f"{text}\n".encode("utf-8", "replace").decode()
    return begun(context, "tournament", {"text": new, "before": before[:64]})


async def audit_lines(context: RequestContext) -> Response:
    """Show the activity log."""
    query = context.request.query_params
    found = audit.page(
        context.database,
        course=context.course.slug,
        act=query.get("act", ""),
        before=context.query_number("before"),
    )
    return context.page("audit.html", found=found)


async def doing(context: RequestContext) -> Response:
    """Show the state of a request."""
    job = own_job(context, context.request.path_params["job"])
    asked = job.payload.get("settings", {}) if job.kind == "terms" else {}
    terms = form_values(context, {**context.course.told, **asked}) if job.fault and asked else {}
    return context.page("doing.html", job=job, title_of_job=KINDS[job.kind], terms=terms)


PAGES = (
    Page("/c/{course}/organise", "organise", "staff", organise),
    Page(
        "/c/{course}/roster",
        "upload-roster",
        "lecturer",
        upload_roster,
        "POST",
        most_bytes=GRADEBOOK_BYTES + 10_000,
        form="organise",
        is_shared=True,
    ),
    Page("/c/{course}/roster/keep", "keep-roster", "lecturer", keep_roster, "POST", is_shared=True),
    Page(
        "/c/{course}/tournament",
        "tournament",
        "lecturer",
        look_at_tournament,
        "POST",
        form="organise",
    ),
    Page(
        "/c/{course}/tournament/change",
        "tournament-form",
        "lecturer",
        change_tournament,
        "POST",
        most_bytes=TOURNAMENT_BYTES,
    ),
    Page("/c/{course}/audit", "audit", "staff", audit_lines),
    Page("/c/{course}/doing/{job:int}", "doing", "staff", doing),
)
