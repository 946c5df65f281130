"""Requests of staff that become jobs on the course's folder, and lines of the activity log."""

from collections.abc import Mapping

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.web.pages import RequestContext

FOLDER: Mapping[str, str] = {
    "roster": "Roster",
    "terms": "Deadline and limits",
    "tournament": "Tournament file",
    "extension": "Extension or waiver",
    "team": "Team",
    "assignment": "New assignment",
    "game": "Game",
}
"""Kinds of jobs that only concern the course's folder, each with the title of its page."""
KINDS: Mapping[str, str] = {**FOLDER, "grades": "Grades"}
"""Kinds of jobs shown to staff, likewise."""


def begun(context: RequestContext, kind: str, payload: dict[str, object]) -> Response:
    """Record a request, and go to the page that shows its state."""
    job = jobs.add(
        context.database, kind, payload, course=context.course.id, account=context.account.id
    )
    return context.go_to("doing", job=job.id)


def own_job(context: RequestContext, number: int) -> jobs.Job:
    """Give a job of the course.

    Raises: PortalError, if the course has no such job.
    """
    found = jobs.get(context.database, number)
    if found.course != context.course.id or found.kind not in KINDS:
        raise PortalError("job: this course has no such job")
    return found


def note(context: RequestContext, act: str, **about: object) -> None:
    """Add a line to the activity log of the course, in the transaction of the action."""
    audit.note(context.database, act, account=context.account.id, course=context.course.id, **about)
