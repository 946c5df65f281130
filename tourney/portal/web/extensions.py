"""Pages for staff: extensions and waivers of students and of whole sections.

An extension is a later deadline; the checker writes it into the course's folder. A waiver sets
aside the daily limit of submissions until a time; it is stored in the portal only. Granting again
changes the present one.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal.database import time_text
from tourney.portal.personal_rules import Waiver, end_waiver, waive, waivers_of
from tourney.portal.web.pages import (
    PASSED,
    Page,
    RequestContext,
    local_words,
    note,
    parts_of,
    start_job,
    time_in,
    zone_of,
)

LONGEST_REASON = 500
LATER, NO_LIMIT = "deadline", "per_day"
KINDS = {LATER: "Later deadline", NO_LIMIT: "No daily limit"}
"""Kinds of exceptions that can be granted, with their words."""
WAIVED = {LATER: "Deadline waived", NO_LIMIT: KINDS[NO_LIMIT]}
"""Words of a waiver's rules. The portal grants no waivers of deadlines any more, but shows them."""


@dataclass(frozen=True, slots=True)
class Exemption:
    """An extension or a waiver, as the page lists it."""

    key: str  # by which a form ends it
    whom: str  # the value of the student or section in the form
    shown: str  # the student or section
    kind: str  # of `KINDS`
    words: str
    until: str  # ISO time
    because: str

    @property
    def is_over(self) -> bool:
        """Whether it has ended."""
        return datetime.fromisoformat(self.until) <= datetime.now(UTC)


async def extensions(context: RequestContext) -> Response:
    """List extensions and waivers, with the form to grant or change one."""
    told, zone = context.course.told, zone_of(context.course.told)
    granted = list(_granted(context))
    change = context.request.query_params.get("change", "")
    chosen = next((each for each in granted if each.key == change), None)
    day, clock = parts_of(chosen.until if chosen else None, zone)
    return context.page(
        "extensions.html",
        granted=[(each, local_words(each.until, zone)) for each in granted],
        chosen=chosen,
        date=day,
        time=clock,
        zone=str(zone),
        deadline=local_words(str(told["deadline"]), zone) if told.get("deadline") else "",
        kinds=KINDS,
        sections=_sections(context),
        students=[(_key(each), _shown(each)) for each in context.course.students],
        asks_past=PASSED in context.refusal,
    )


async def grant(context: RequestContext) -> Response:
    """Grant or change an extension or a waiver of a student or a section."""
    whom, kind = await context.field("whom"), await context.field("kind")
    people, is_section = _chosen(context, whom), whom.startswith(_SECTION)
    if kind not in KINDS:
        raise PortalError("extension: choose a later deadline, or no daily limit")
    because = (await context.field("because")).strip()[:LONGEST_REASON]
    if not because and not (is_section and kind == LATER):
        raise PortalError("reason: enter why; it is recorded with the student")
    until = await time_in(context, "until", zone_of(context.course.told))
    if until is None:
        raise PortalError("until: enter the date on which it ends")
    if kind == NO_LIMIT:
        return _waive(context, people, because, until)
    usual = str(context.course.told.get("deadline") or "")
    if not usual and not is_section:
        raise PortalError("extension: the course has no deadline; set one in the course settings")
    if usual and not is_section and until <= datetime.fromisoformat(usual):
        raise PortalError(
            "until: this is not later than the deadline of the course, "
            f"{local_words(usual, zone_of(context.course.told))}; enter a later time"
        )
    return _ask(context, whom, until.isoformat(), because)


async def end(context: RequestContext) -> Response:
    """End an extension or a waiver."""
    key = await context.field("key")
    found = next((each for each in _granted(context) if each.key == key), None)
    if found is None or found.is_over:
        raise PortalError("extension: it has ended already; reload the page")
    if not key.startswith(_WAIVER):
        return _ask(context, found.whom, "", "")
    number = int(key.removeprefix(_WAIVER))
    with context.database.transaction():
        if not end_waiver(context.database, context.course.id, number):
            raise PortalError("waiver: it has ended already; reload the page")
        note(context, "waiver ended", exception=number)
    return context.go_to("extensions")


_SECTION, _STUDENT, _WAIVER = "section ", "student ", "waiver "


def _ask(context: RequestContext, whom: str, until: str, because: str) -> Response:
    """Request that the checker changes a deadline in the course's folder; '' as time ends it."""
    first, *_ = _chosen(context, whom)
    of = {"person": first["person"], "name": first["name"]}
    if whom.startswith(_SECTION):
        of = {"section": whom.removeprefix(_SECTION)}
    return start_job(context, "extension", {"until": until, "because": because, **of})


def _waive(
    context: RequestContext, people: Sequence[Mapping[str, Any]], because: str, until: datetime
) -> Response:
    with context.database.transaction():
        for each in people:
            waiver = Waiver(0, each["person"], each["name"], (NO_LIMIT,), because, time_text(until))
            number = waive(context.database, context.course.id, waiver)
            note(
                context,
                "waiver granted",
                exception=number,
                limits=[NO_LIMIT],
                until=until.isoformat(),
            )
    return context.go_to("extensions")


def _granted(context: RequestContext) -> Iterator[Exemption]:
    """Give extensions of sections and of students, then waivers."""
    told: Mapping[str, Any] = context.course.told
    later = LATER, KINDS[LATER]
    for section, until in told.get("group_deadlines", {}).items():
        key = f"{_SECTION}{section}"
        yield Exemption(key, key, _section_words(section), *later, until, "")
    for each in told.get("extensions", ()):
        key = _key(each)
        yield Exemption(key, key, _shown(each), *later, each["until"], each["reason"])
    for waiver in waivers_of(context.database, context.course.id):
        each = {"person": waiver.person, "name": waiver.name}
        words = ", ".join(WAIVED[limit] for limit in waiver.limits)
        key, reason = f"{_WAIVER}{waiver.id}", waiver.because
        yield Exemption(key, _key(each), _shown(each), NO_LIMIT, words, waiver.until, reason)


def _chosen(context: RequestContext, whom: str) -> list[Mapping[str, Any]]:
    """Give the chosen student, or the students of the chosen section.

    Raises: PortalError, if there is no such student or section.
    """
    found = [
        each
        for each in context.course.students
        if _key(each) == whom or whom in {f"{_SECTION}{group}" for group in each["groups"]}
    ]
    if not found:
        raise PortalError("extension: choose a student or a section of the roster")
    return found


def _sections(context: RequestContext) -> list[tuple[str, str]]:
    groups = {name for each in context.course.students for name in each["groups"]}
    return [(f"{_SECTION}{each}", _section_words(each)) for each in sorted(groups)]


def _section_words(section: str) -> str:
    """Name a section.

    >>> _section_words("001"), _section_words("Section 1")
    ('Section 001', 'Section 1')
    """
    return section if section.casefold().startswith("section") else f"Section {section}"


def _key(person: Mapping[str, Any]) -> str:
    """Give the value of a student in forms; two students of the same name play under others."""
    return f"{_STUDENT}{_shown(person)}"


def _shown(person: Mapping[str, Any]) -> str:
    plays = person["name"]
    return f"{person['person']} ({plays})" if plays != person["person"] else str(plays)


_PATH = "/c/{course}/extensions"
PAGES = (
    Page(_PATH, "extensions", "staff", extensions),
    Page(_PATH, "extensions-form", "staff", grant, "POST"),
    Page(f"{_PATH}/end", "extension-end", "staff", end, "POST", form="extensions"),
)
