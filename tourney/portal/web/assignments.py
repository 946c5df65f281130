"""Pages of lecturers for the assignments of a course: a new one, titles, and the game."""

from datetime import UTC, datetime
from typing import Any

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
from tourney.portal.installed_names import USUAL_GAME, games
from tourney.portal.personal_rules import left_words
from tourney.portal.web.folder_jobs import begun, note
from tourney.portal.web.local_times import END_OF_DAY, PASSED, time_in, zone_of
from tourney.portal.web.pages import Page, RequestContext

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
    found, moment = assignments_of(context.database, context.course), datetime.now(UTC)
    states: tuple[AssignmentState, ...] = ()
    if len(found) > 1 and context.role == "student":
        states = states_for_student(context.database, context.account, found, moment)
    elif len(found) > 1:
        states = states_for_others(context.database, found)
    return {"assignments": states, "moment_now": moment, "left_words": left_words}


def form_values(context: RequestContext) -> dict[str, Any]:
    """Give the values of the fields for a game and a deadline."""
    return {
        "games": game_names(context),
        "usual": USUAL_GAME,
        "zone": str(zone_of(_rules(context))),
        "end_of_day": END_OF_DAY,
        "asks_past": PASSED in context.refusal,
    }


def _rules(context: RequestContext) -> dict[str, Any]:
    """Give the rules of the assignment in the address; of the first one if it has none yet."""
    course = context.course
    return dict(course.told or course_of(context.database, course.home).told)


async def new_assignment(context: RequestContext) -> Response:
    """Show the form for a new assignment."""
    first, *_ = assignments_of(context.database, context.course)
    return context.page("new-assignment.html", fields=form_values(context), first=first)


async def make_assignment(context: RequestContext) -> Response:
    """Create an assignment with the rules of the one in the address, and request its folder."""
    payload = await _set_up_payload(context)
    with context.database.transaction():
        number = add_assignment(
            context.database,
            context.course,
            (await context.field("short")).strip(),
            await context.field("assignment"),
            await context.field("first"),
        )
        made = course_of(context.database, number)
        audit.note(
            context.database,
            "assignment made",
            account=context.account.id,
            course=number,
            slug=made.slug,
        )
        job = jobs.insert(
            context.database, "assignment", payload, course=number, account=context.account.id
        )
    return context.go_to("doing", course=made.slug, job=job)


async def set_up(context: RequestContext) -> Response:
    """Request the folder of an assignment again, after a fault."""
    if context.course.told:
        raise PortalError("assignment: it is set up already; reload the page")
    if context.course.is_first:
        raise PortalError("assignment: the course has no roster yet; upload it first")
    return begun(context, "assignment", await _set_up_payload(context))


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
    return begun(context, "game", {"game": await chosen_game(context)})


_NEW = "/c/{course}/assignments/new"
PAGES = (
    Page(_NEW, "new-assignment", "lecturer", new_assignment),
    Page(_NEW, "new-assignment-form", "lecturer", make_assignment, "POST"),
    Page("/c/{course}/set-up", "set-up-assignment", "lecturer", set_up, "POST", form="organise"),
    Page("/c/{course}/titles", "change-titles", "lecturer", change_titles, "POST", form="organise"),
    Page(
        "/c/{course}/change-game", "change-game", "lecturer", change_game, "POST", form="organise"
    ),
)
