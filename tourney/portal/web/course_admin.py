"""Pages for staff: roster, submission rules, waivers, invites, people, and the activity log."""

import json
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, get_args

from starlette.datastructures import UploadFile
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, jobs
from tourney.portal.accounts import Role, account_by
from tourney.portal.codes import make_code
from tourney.portal.database import time_text
from tourney.portal.inbox import ROSTER, put
from tourney.portal.invites import Invite, make_invites
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import people_of, section_of
from tourney.standings.data import csv_of

GRADEBOOK_BYTES = 1_000_000
KINDS = ("roster", "terms", "grades", "tournament")
"""Kinds of jobs shown to staff."""
FOLDER = ("roster", "terms", "tournament")
"""Kinds of jobs that only concern the course's folder."""
TOURNAMENT_BYTES = 400_000
"""Limit of a form with a tournament file: 100,000 characters, as browsers encode them."""
LIMITS = ("deadline", "per_day")
USUAL_GAME = "ve280,shuffle=uniform"
"""The default game, shuffled evenly so that results can be adjusted for luck."""


async def organise(context: RequestContext) -> Response:
    """Show all settings of the course."""
    recent = jobs.of_course(context.database, context.course.id, FOLDER, most=5)
    return context.page("organise.html", told=context.course.told, recent=recent)


async def upload_roster(context: RequestContext) -> Response:
    """Receive a gradebook, and request a preview of its changes."""
    file = (await context.form()).get("gradebook")
    if not isinstance(file, UploadFile) or not file.filename:
        raise PortalError(
            "gradebook: no file was chosen; choose the export of your learning platform"
        )
    content = await file.read()
    payload = {
        "file": put(context.places, content, ROSTER).name,
        "shown": file.filename[:80],
        "game": await context.field("game") or USUAL_GAME,
        "title": context.course.title,
        "is_sure": False,
    }
    return _begun(context, "roster", payload)


async def keep_roster(context: RequestContext) -> Response:
    """Save a previewed roster."""
    job = own_job(context, await context.number("job"))
    if job.kind != "roster" or job.result.get("status") != "shown":
        raise PortalError("roster: the preview has expired; upload the roster again")
    return _begun(context, "roster", {**job.payload, "is_sure": True})


async def change_terms(context: RequestContext) -> Response:
    """Request a change of the submission rules."""
    names = (
        *("time_zone", "deadline", "grace_minutes", "late_days", "per_day"),
        *("submission_rule", "tests"),
    )
    form = await context.form()
    settings = {name: str(form[name]) for name in names if name in form}
    if not settings:
        raise PortalError("terms: the form is empty; change at least one setting")
    return _begun(context, "terms", {"settings": settings})


async def look_at_tournament(context: RequestContext) -> Response:
    """Request the tournament file."""
    return _begun(context, "tournament", {})


async def change_tournament(context: RequestContext) -> Response:
    """Request a change of the tournament file."""
    text = (await context.field("text")).replace("\r\n", "\n").rstrip("\n")
    before = await context.field("before")
    if not text.strip() or not before:
        raise PortalError("tournament: the form is incomplete; reload the page and try again")
    new = f"{text}\n".encode("utf-8", "replace").decode()
    return _begun(context, "tournament", {"text": new, "before": before[:64]})


async def add_override(context: RequestContext) -> Response:
    """Waive a deadline or a limit for one person, with a reason."""
    form = await context.form()
    limits = [each for each in LIMITS if each in form]
    name, because = await context.field("name"), (await context.field("because")).strip()
    people = {each["name"]: each["person"] for each in people_of(context)}
    if name not in people or not limits or not because:
        raise PortalError("waiver: choose a student of the roster, a rule to waive, and a reason")
    try:
        until = datetime.fromisoformat(await context.field("until"))
        in_utc = time_text(until)
    except (ValueError, OverflowError):
        raise PortalError(
            "until: enter a time with its UTC offset, such as 2026-12-03 12:00+01:00"
        ) from None
    if until.tzinfo is None:
        raise PortalError("until: the UTC offset is missing; add one such as +01:00 after the time")
    with context.database.transaction():
        number = context.database.insert(
            "INSERT INTO overrides (course, person, name, limits, because, until) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (context.course.id, people[name], name, json.dumps(limits), because[:500], in_utc),
        )
        _note(context, "exception made", exception=number, limits=limits, until=str(until))
    return context.go_to("organise")


async def make_codes(context: RequestContext) -> Response:
    """Give join codes as a file: for all missing people of the roster, or for one person."""
    role = _role_of(await context.field("role"))
    if role == "student":
        joined = set(
            context.database.read(
                iter, "SELECT person, name FROM members WHERE course = ?", (context.course.id,)
            )
        )
        wanted = [
            Invite(context.course.id, "student", each["person"], each["name"])
            for each in _not_in(joined, people_of(context))
            if not each["excluded"]
        ]
    else:
        if context.role != "lecturer":
            raise PortalError("role: only lecturers can invite staff and spectators")
        wanted = [Invite(context.course.id, role)]
    with context.database.transaction():
        made = make_invites(context.database, wanted)
        _note(context, "codes made", role=role, count=len(made))
    rows = [(each.person, each.name, code) for each, code in made]
    answer = Response(csv_of([("person", "plays as", "code"), *rows]), media_type="text/csv")
    answer.headers["content-disposition"] = 'attachment; filename="codes.csv"'
    return answer


def _role_of(typed: str) -> Role:
    for role in get_args(Role):
        if role == typed:
            found: Role = role
            return found
    raise PortalError("role: choose student, assistant, lecturer or spectator")


def _not_in(
    joined: Collection[tuple[str, str]], listed: Sequence[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Give the people of a roster who are not members, by person and name (names may repeat)."""
    count = Counter(each["person"] for each in listed)
    persons = {person for person, _ in joined if count[person] == 1}  # even if they were renamed
    for each in listed:
        if each["person"] not in persons and (each["person"], each["name"]) not in joined:
            yield each


async def people(context: RequestContext) -> Response:
    """Show the members, and the people of the roster who have not joined."""
    rows = tuple(
        context.database.read(
            iter,
            "SELECT accounts.id, accounts.name, accounts.login, members.role, members.person, "
            "members.name FROM members JOIN accounts ON accounts.id = members.account "
            "WHERE course = ? AND erased IS NULL ORDER BY members.role, accounts.name",
            (context.course.id,),
        )
    )
    joined, section = {row[4:] for row in rows}, section_of(context)
    missing = [
        each
        for each in _not_in(joined, people_of(context))
        if not each["excluded"] and section.has(person=each["person"])
    ]
    shown = [row for row in rows if section.has(person=row[4], name=row[5])]
    return context.page(
        "people.html", rows=shown, missing=missing, section=section, reset="", about=None
    )


async def reset_link(context: RequestContext) -> Response:
    """Make a link for a student or spectator of the course to choose a new password."""
    account = account_by(context.database, await context.number("account"))
    if account is None or account.role_in(context.course.id) is None:
        raise PortalError("account: this course has no such member")
    is_staff = account.is_admin or any(
        each.role in {"lecturer", "assistant"} for each in account.memberships.values()
    )
    if is_staff:
        raise PortalError(
            "account: lecturers can reset students and spectators only; ask an administrator"
        )
    with context.database.transaction():
        code = make_code(context.database, "reset", account.id)
        _note(context, "reset link made", of=account.id)
    link = f"{context.absolute('reset')}?code={code}"
    return context.page("people.html", rows=(), missing=(), reset=link, about=account)


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
    return context.page("doing.html", job=job)


def own_job(context: RequestContext, number: int) -> jobs.Job:
    """Give a job of the course.

    Raises: PortalError, if the course has no such job.
    """
    found = jobs.get(context.database, number)
    if found.course != context.course.id or found.kind not in KINDS:
        raise PortalError("job: this course has no such job")
    return found


def _begun(context: RequestContext, kind: str, payload: dict[str, object]) -> Response:
    job = jobs.add(
        context.database, kind, payload, course=context.course.id, account=context.account.id
    )
    return context.go_to("doing", job=job.id)


def _note(context: RequestContext, act: str, **about: object) -> None:
    audit.note(context.database, act, account=context.account.id, course=context.course.id, **about)


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
    ),
    Page("/c/{course}/roster/keep", "keep-roster", "lecturer", keep_roster, "POST"),
    Page("/c/{course}/terms", "change-terms", "lecturer", change_terms, "POST", form="organise"),
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
    Page("/c/{course}/exceptions", "add-override", "staff", add_override, "POST", form="organise"),
    Page("/c/{course}/codes", "make-codes", "staff", make_codes, "POST", form="people"),
    Page("/c/{course}/people", "people", "staff", people),
    Page(
        "/c/{course}/people/reset",
        "reset-link",
        "staff",
        reset_link,
        "POST",
        is_grave=True,
        form="people",
    ),
    Page("/c/{course}/audit", "audit", "staff", audit_lines),
    Page("/c/{course}/doing/{job:int}", "doing", "staff", doing),
)
