"""Pages for staff: settings, assignments, roster, tournament file, and the activity log.

The web process checks the typed values, so that a fault is shown above the form immediately. The
checker then writes them into the course's folder.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any

from starlette.datastructures import UploadFile
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.accounts import assignments_of, course_of
from tourney.portal.assignments import (
    AssignmentState,
    add_assignment,
    set_titles,
    states_for_others,
    states_for_student,
    why_game_stays,
)
from tourney.portal.database import USUAL_GAME, games
from tourney.portal.jobs import ROSTER, put
from tourney.portal.web.pages import (
    END_OF_DAY,
    FOLDER,
    KINDS,
    PASSED,
    Page,
    RequestContext,
    is_whole,
    local_words,
    note,
    offered_zones,
    own_job,
    parts_of,
    start_job,
    time_in,
    zone_called,
    zone_of,
)

NUMBERS = {
    "grace_minutes": ("grace period", 0, 1440),
    "late_days": ("late days per student", 0, 1000),
    "per_day": ("submissions per day", 1, 1000),
    "largest_team": ("students in the largest team", 1, 20),
}
"""Label, least and greatest value of the fields with numbers."""
RULES = {"last": "latest accepted", "best": "best in its check", "pinned": "student's choice"}
"""The rules for the competing submission, in words."""


def form_values(context: RequestContext, terms: Mapping[str, Any]) -> dict[str, Any]:
    """Give the values of the form, as `course-terms.html` shows them.

    Args:
        context: The request.
        terms: The present rules (`course_jobs.told_of`), or the texts of a rejected request.
    """
    zone = str(terms.get("time_zone") or "")
    date, time = parts_of(terms.get("deadline"), zone_of(terms))
    known = [each.name for each in games(context.database) if each.has_mutants]
    tests = str(terms.get("tests") or "")
    return {
        "time_zone": zone,
        "zones": offered_zones(),
        "date": date,
        "time": time,
        "asks_past": PASSED in context.refusal,
        "submission_rule": terms.get("submission_rule", "last"),
        "rules": RULES,
        "tests": tests,
        "games": known if not tests or tests in known else [tests, *known],
        **{name: terms.get(name) or "" for name in NUMBERS},
        "numbers": NUMBERS,
    }


async def change_terms(context: RequestContext) -> Response:
    """Request a change of the submission rules; fields that are not sent stay as they are."""
    form, settings = await context.form(), {}
    for name, (label, least, most) in NUMBERS.items():
        if name in form:
            settings[name] = _number((await context.field(name)).strip(), label, least, most)
    zone = zone_of(context.course.told)
    if "time_zone" in form:
        settings["time_zone"] = (await context.field("time_zone")).strip()
        zone = zone_called(settings["time_zone"])
    if "date" in form:
        settings["deadline"] = await _deadline(context, zone)
    if "submission_rule" in form:
        settings["submission_rule"] = await context.field("submission_rule")
        if settings["submission_rule"] not in RULES:
            raise PortalError(f"submission that competes: choose {', '.join(RULES.values())}")
    if "tests" in form:
        settings["tests"] = await _tests(context)
    if not settings:
        raise PortalError("settings: the form is empty; change at least one setting")
    return start_job(context, "terms", {"settings": settings})


async def _deadline(context: RequestContext, zone: Any) -> str:
    """Read the deadline; one that stays as it was may have passed."""
    before = context.course.told.get("deadline")
    typed = tuple([await context.field(name) for name in ("date", "time")])
    if before and typed == parts_of(str(before), zone):
        return str(before)
    deadline = await time_in(context, "deadline", zone)
    return deadline.isoformat() if deadline else ""


async def _tests(context: RequestContext) -> str:
    typed = (await context.field("tests")).strip()
    known = {each.name for each in games(context.database) if each.has_mutants}
    if typed and typed not in known | {str(context.course.told.get("tests") or "")}:
        raise PortalError(
            f"student tests: no game {typed[:40]!r} has mutants; choose one of the list"
        )
    return typed


def _number(typed: str, label: str, least: int, most: int) -> str:
    """Check a number; an empty text means the default.

    Raises: PortalError, if it is no whole number of the range.
    """
    if typed and not is_whole(typed, least, most):
        raise PortalError(f"{label}: enter a number from {least} to {most}, not {typed[:40]!r}")
    return typed


COPIED = ("time_zone", "grace_minutes", "late_days", "per_day", "submission_rule")
"""Settings that a new assignment takes from the one in the address."""


def game_names(context: RequestContext) -> list[str]:
    """Give the games to choose from; the usual one before the checker has stored the others."""
    return [each.name for each in games(context.database)] or [USUAL_GAME]


async def chosen_game(context: RequestContext) -> str:
    """Give the game that a form chooses.

    Raises: PortalError, if it is not installed.
    """
    game = await context.field("game")
    if game not in game_names(context):
        raise PortalError(f"game: there is no game {game[:40]!r}; choose one of the list")
    return game


def assignment_list(context: RequestContext) -> dict[str, Any]:
    """Give the values of the list of a course's assignments; with only one the list is empty."""
    found = assignments_of(context.database, context.course)
    states: tuple[AssignmentState, ...] = ()
    if len(found) > 1 and context.role == "student":
        states = states_for_student(context.database, context.account, found, datetime.now(UTC))
    elif len(found) > 1:
        states = states_for_others(context.database, found)
    return {"assignments": states}


def assignment_form_values(context: RequestContext) -> dict[str, Any]:
    """Give the values of the fields for a game and a deadline."""
    return {
        "games": game_names(context),
        "usual": USUAL_GAME,
        "zone": str(zone_of(_rules(context))),
        "end_of_day": END_OF_DAY,
        "asks_past": PASSED in context.refusal,
    }


def _rules(context: RequestContext) -> dict[str, Any]:
    """Give the rules of the assignment in the address; before it has rules, of the first one."""
    course = context.course
    return dict(course.told or course_of(context.database, course.home).told)


async def new_assignment(context: RequestContext) -> Response:
    """Show the form for a new assignment."""
    first, *_ = assignments_of(context.database, context.course)
    return context.page("new-assignment.html", fields=assignment_form_values(context), first=first)


async def make_assignment(context: RequestContext) -> Response:
    """Create an assignment with the rules of the one in the address, and request its folder."""
    payload, short = await _set_up_payload(context), (await context.field("short")).strip()
    title, first = await context.field("assignment"), await context.field("first")
    database, account = context.database, context.account.id
    with database.transaction():
        number = add_assignment(database, context.course, short, title, first)
        made = course_of(database, number)
        audit.note(database, "assignment made", account=account, course=number, slug=made.slug)
        job = jobs.insert(database, "assignment", payload, course=number, account=account)
    return context.go_to("doing", course=made.slug, job=job)


async def set_up(context: RequestContext) -> Response:
    """Request the folder of an assignment again, after a fault."""
    if context.course.told:
        raise PortalError("assignment: it is set up already; reload the page")
    if context.course.is_first:
        raise PortalError("assignment: the course has no roster yet; upload it first")
    return start_job(context, "assignment", await _set_up_payload(context))


async def _set_up_payload(context: RequestContext) -> dict[str, object]:
    game, rules = await chosen_game(context), _rules(context)
    deadline = await time_in(context, "deadline", zone_of(rules))
    copied = {name: rules.get(name) for name in COPIED}
    settings = {name: "" if value is None else str(value) for name, value in copied.items()}
    settings["deadline"] = deadline.isoformat() if deadline else ""
    return {"game": game, "settings": settings}


async def change_titles(context: RequestContext) -> Response:
    """Change the title of the course, and that of the assignment."""
    title, assignment = await context.field("title"), await context.field("assignment")
    with context.database.transaction():
        set_titles(context.database, context.course, title, assignment)
        note(context, "titles changed", title=title.strip(), assignment=assignment.strip())
    return context.go_to("organise")


async def change_game(context: RequestContext) -> Response:
    """Request another game for an assignment without submissions."""
    if not context.course.told:
        raise PortalError("game: the course has no roster yet; upload it first")
    if reason := why_game_stays(context.database, context.course.id):
        raise PortalError(f"game: {reason}")
    return start_job(context, "game", {"game": await chosen_game(context)})


_NEW = "/c/{course}/assignments/new"


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
        fields=assignment_form_values(context),
        terms=form_values(context, told) if told else {},
        deadline=local_words(str(told["deadline"]), zone_of(told)) if told.get("deadline") else "",
    )


async def upload_roster(context: RequestContext) -> Response:
    """Receive a gradebook, and request a preview of its changes."""
    shown, content = await gradebook_of(context)
    game = await chosen_game(context) if await context.field("game") else USUAL_GAME
    payload = {
        "file": put(context.places, content, ROSTER).name,
        "shown": shown,
        "game": game,
        "title": context.course.title,
        "is_sure": False,
    }
    return start_job(context, "roster", payload)


async def gradebook_of(context: RequestContext) -> tuple[str, bytes]:
    """Give the name and content of an uploaded gradebook.

    Raises: PortalError, if no file was chosen.
    """
    file = (await context.form()).get("gradebook")
    if not isinstance(file, UploadFile) or not file.filename:
        raise PortalError(
            "gradebook: no file was chosen; choose the export of your learning platform"
        )
    return file.filename[:80], await file.read()


async def keep_roster(context: RequestContext) -> Response:
    """Save a previewed roster."""
    job = own_job(context, await context.number("job"))
    if job.kind != "roster" or job.result.get("status") != "shown":
        raise PortalError("roster: the preview has expired; upload the roster again")
    last, *_ = jobs.of_course(context.database, context.course.id, ["roster"], most=1)
    if last.payload.get("preview") == job.id and not last.fault:  # the button was pressed twice
        return context.go_to("doing", job=last.id)
    return start_job(context, "roster", {**job.payload, "is_sure": True, "preview": job.id})


async def look_at_tournament(context: RequestContext) -> Response:
    """Request the tournament file."""
    return start_job(context, "tournament", {})


async def change_tournament(context: RequestContext) -> Response:
    """Request a change of the tournament file."""
    text = (await context.field("text")).replace("\r\n", "\n").rstrip("\n")
    before = await context.field("before")
    if not text.strip() or not before:
        raise PortalError("tournament: the form is incomplete; reload the page and try again")
    new = f"{text}\n".encode("utf-8", "replace").decode()
    return start_job(context, "tournament", {"text": new, "before": before[:64]})


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


_on_organise = partial(Page, method="POST", form="organise")
PAGES = (
    Page("/c/{course}/organise", "organise", "staff", organise),
    _on_organise(
        "/c/{course}/roster",
        "upload-roster",
        "lecturer",
        upload_roster,
        most_bytes=GRADEBOOK_BYTES + 10_000,
        is_shared=True,
    ),
    Page("/c/{course}/roster/keep", "keep-roster", "lecturer", keep_roster, "POST", is_shared=True),
    _on_organise("/c/{course}/tournament", "tournament", "lecturer", look_at_tournament),
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
    Page(_NEW, "new-assignment", "lecturer", new_assignment),
    Page(_NEW, "new-assignment-form", "lecturer", make_assignment, "POST"),
    _on_organise("/c/{course}/set-up", "set-up-assignment", "lecturer", set_up),
    _on_organise("/c/{course}/titles", "change-titles", "lecturer", change_titles),
    _on_organise("/c/{course}/change-game", "change-game", "lecturer", change_game),
    _on_organise("/c/{course}/terms", "change-terms", "lecturer", change_terms),
)
