"""The page of a course: deadline and state for a student, an overview for staff.

A final's progress is read from the board of the viewer's audience, so it stands still while results
are sealed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from starlette.responses import Response

from tourney.portal import boards, jobs, teams
from tourney.portal.accounts import course_of
from tourney.portal.assignments import own_rules_in
from tourney.portal.audit import lines
from tourney.portal.boards import Audience
from tourney.portal.class_overview import (
    RECENT,
    coming_finals,
    final_words,
    overview_of,
    status_of,
)
from tourney.portal.personal_rules import PersonalRules
from tourney.portal.web.course_admin import assignment_list
from tourney.portal.web.matches import requests_to
from tourney.portal.web.pages import Page, RequestContext, board_content, section_of

PLAYS = frozenset({"ready", "playing"})
"""States of a board whose run plays."""


@dataclass(frozen=True, slots=True)
class PlayingRun:
    """A run that plays, and its progress."""

    title: str
    run: int  # in the portal; 0 for practice
    said: Sequence[str]  # such as the batches played, and the time left


async def course(context: RequestContext) -> Response:
    """Show a course to its members."""
    if context.role == "student":
        return _for_student(context)
    if context.is_staff:
        return _for_staff(context)
    return context.page("course.html", **assignment_list(context), playing=[*_playing(context)])


def _playing(context: RequestContext) -> Iterator[PlayingRun]:
    """Give the runs of the course that play now."""
    audience: Audience = "staff" if context.is_staff else "course"
    course = context.database, context.course.id
    for run in boards.runs_of(*course, "final"):
        shown = {} if run.finished else board_content(context, run, audience)
        if shown.get("state") in PLAYS:
            yield PlayingRun(run.title, run.id, shown["said"])
    for job in jobs.of_course(*course, ["practice", "shoes"]):
        if job.state == "running":
            yield PlayingRun("Practice", 0, jobs.said(context.database, job.id))


def own_rules(context: RequestContext) -> PersonalRules:
    """Give the rules that apply to the student now."""
    return own_rules_in(context.database, context.account, context.course, datetime.now(UTC))


def _for_student(context: RequestContext) -> Response:
    own, rules = context.account.memberships[context.course.id], own_rules(context)
    status = status_of(context.database, context.course, own.person, own.name)
    home = course_of(context.database, context.course.home)
    course = context.database, context.course.id
    finals = boards.runs_of(*course, "final")
    return context.page(
        "course-student.html",
        **assignment_list(context),
        name=own.name,
        rules=rules,
        own=status,
        playing=[*_playing(context)],
        has_teams=teams.largest_team(home) > 1,
        team=teams.own_team(home, own),
        invitations=teams.received(context.database, home.id, context.account.id),
        requests=requests_to(context),
        finals=[(each, final_words(context.database, each, own.name)) for each in finals],
        scheduled=[each for each in coming_finals(*course) if each.not_before and not each.is_over],
        is_waiting=status.upload is not None and not status.upload.is_over,
    )


def _for_staff(context: RequestContext) -> Response:
    section = section_of(context)
    overview = overview_of(context.database, context.course)
    return context.page(
        "course-staff.html",
        **assignment_list(context),
        overview=overview,
        playing=[*_playing(context)],
        idle=[each for each in overview.idle if section.has(name=each.name)],
        section=section,
        actions=tuple(lines(context.database, course=context.course.slug, most=RECENT)),
        zone=str(context.course.told.get("time_zone") or ""),
    )


PAGES = (Page("/c/{course}", "course", "member", course),)
