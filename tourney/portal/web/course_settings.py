"""The form of a course's submission rules: deadline, limits, competing submission, tests.

The web process checks the typed values, so that a fault is shown above the form at once. The
checker then writes them into the course's folder.
"""

from collections.abc import Mapping
from typing import Any

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal.installed_names import games
from tourney.portal.web.folder_jobs import begun
from tourney.portal.web.local_times import (
    PASSED,
    offered_zones,
    parts_of,
    time_in,
    zone_called,
    zone_of,
)
from tourney.portal.web.pages import Page, RequestContext

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
    return begun(context, "terms", {"settings": settings})


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
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(most))
    if typed and not (is_number and least <= int(typed) <= most):
        raise PortalError(f"{label}: enter a number from {least} to {most}, not {typed[:40]!r}")
    return typed


PAGES = (
    Page("/c/{course}/terms", "change-terms", "lecturer", change_terms, "POST", form="organise"),
)
