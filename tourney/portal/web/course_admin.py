"""A course for who runs it: roster, terms, exceptions, invites, people, and what was done."""

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
"""Of jobs whose state staff looks at."""
FOLDER = ("roster", "terms", "tournament")
"""Of jobs that are about the course's folder alone."""
TOURNAMENT_BYTES = 400_000
"""Of a form with a tournament's file: of 100,000 characters, as browsers write them."""
LIMITS = ("deadline", "per_day")
USUAL_GAME = "ve280,shuffle=uniform"
"""Shuffled so that the luck of the cards can be taken out of results."""


async def organise(asked: RequestContext) -> Response:
    """Show everything that can be set."""
    recent = jobs.of_course(asked.database, asked.course.id, FOLDER, most=5)
    return asked.page("organise.html", told=asked.course.told, recent=recent)


async def upload_roster(asked: RequestContext) -> Response:
    """Take a gradebook, and have it said what it would change."""
    file = (await asked.form()).get("gradebook")
    if not isinstance(file, UploadFile) or not file.filename:
        raise PortalError("gradebook: expected the export of your learning platform, got no file")
    content = await file.read()
    payload = {
        "file": put(asked.places, content, ROSTER).name,
        "shown": file.filename[:80],
        "game": await asked.field("game") or USUAL_GAME,
        "title": asked.course.title,
        "is_sure": False,
    }
    return _begun(asked, "roster", payload)


async def keep_roster(asked: RequestContext) -> Response:
    """Keep a roster that was shown."""
    job = own_job(asked, await asked.number("job"))
    if job.kind != "roster" or job.result.get("status") != "shown":
        raise PortalError("roster: expected one that was shown, got none; upload it again")
    return _begun(asked, "roster", {**job.payload, "is_sure": True})


async def change_terms(asked: RequestContext) -> Response:
    """Have terms written."""
    names = ("deadline", "late_days", "per_day", "submission_rule", "tests")
    form = await asked.form()
    settings = {name: str(form[name]) for name in names if name in form}
    if not settings:
        raise PortalError("terms: expected something to set, got nothing")
    return _begun(asked, "terms", {"settings": settings})


async def look_at_tournament(asked: RequestContext) -> Response:
    """Have the tournament's file read."""
    return _begun(asked, "tournament", {})


async def change_tournament(asked: RequestContext) -> Response:
    """Have the tournament's file written anew."""
    text = (await asked.field("text")).replace("\r\n", "\n").rstrip("\n")
    before = await asked.field("before")
    if not text.strip() or not before:
        raise PortalError("tournament: expected its file and what it was before, got nothing")
    new = f"{text}\n".encode("utf-8", "replace").decode()
    return _begun(asked, "tournament", {"text": new, "before": before[:64]})


async def add_override(asked: RequestContext) -> Response:
    """Let a deadline or a limit not hold for one person, for a reason."""
    form = await asked.form()
    limits = [each for each in LIMITS if each in form]
    name, because = await asked.field("name"), (await asked.field("because")).strip()
    people = {each["name"]: each["person"] for each in people_of(asked)}
    if name not in people or not limits or not because:
        raise PortalError(
            "exception: expected somebody of the roster, what does not hold, and the reason"
        )
    try:
        until = datetime.fromisoformat(await asked.field("until"))
        in_utc = time_text(until)
    except (ValueError, OverflowError):
        raise PortalError(
            "until: expected a time with its offset, such as 2026-12-03 12:00+01:00"
        ) from None
    if until.tzinfo is None:
        raise PortalError("until: expected an offset such as +01:00 after the time, got none")
    with asked.database.transaction():
        number = asked.database.insert(
            "INSERT INTO overrides (course, person, name, limits, because, until) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (asked.course.id, people[name], name, json.dumps(limits), because[:500], in_utc),
        )
        _note(asked, "exception made", exception=number, limits=limits, until=str(until))
    return asked.go_to("organise")


async def make_codes(asked: RequestContext) -> Response:
    """Give codes to join by, as a file: for all of the roster who have not joined, or for one."""
    role = _role_of(await asked.field("role"))
    if role == "student":
        joined = set(
            asked.database.read(
                iter, "SELECT person, name FROM members WHERE course = ?", (asked.course.id,)
            )
        )
        wanted = [
            Invite(asked.course.id, "student", each["person"], each["name"])
            for each in _not_in(joined, people_of(asked))
            if not each["excluded"]
        ]
    else:
        if asked.role != "lecturer":
            raise PortalError("role: expected a lecturer to invite staff, got an assistant")
        wanted = [Invite(asked.course.id, role)]
    with asked.database.transaction():
        made = make_invites(asked.database, wanted)
        _note(asked, "codes made", role=role, count=len(made))
    rows = [(each.person, each.name, code) for each, code in made]
    answer = Response(csv_of([("person", "plays as", "code"), *rows]), media_type="text/csv")
    answer.headers["content-disposition"] = 'attachment; filename="codes.csv"'
    return answer


def _role_of(typed: str) -> Role:
    for role in get_args(Role):
        if role == typed:
            found: Role = role
            return found
    raise PortalError("role: expected student, assistant, lecturer or spectator, got another")


def _not_in(
    joined: Collection[tuple[str, str]], listed: Sequence[Mapping[str, Any]]
) -> Iterator[Mapping[str, Any]]:
    """Give who of a roster is no member, by person and name: two may be called the same."""
    count = Counter(each["person"] for each in listed)
    persons = {person for person, _ in joined if count[person] == 1}  # even if they are renamed
    for each in listed:
        if each["person"] not in persons and (each["person"], each["name"]) not in joined:
            yield each


async def people(asked: RequestContext) -> Response:
    """Show who is in the course, and who of the roster has not joined."""
    rows = tuple(
        asked.database.read(
            iter,
            "SELECT accounts.id, accounts.name, accounts.login, members.role, members.person, "
            "members.name FROM members JOIN accounts ON accounts.id = members.account "
            "WHERE course = ? AND erased IS NULL ORDER BY members.role, accounts.name",
            (asked.course.id,),
        )
    )
    joined, section = {row[4:] for row in rows}, section_of(asked)
    missing = [
        each
        for each in _not_in(joined, people_of(asked))
        if not each["excluded"] and section.has(person=each["person"])
    ]
    shown = [row for row in rows if section.has(person=row[4], name=row[5])]
    return asked.page(
        "people.html", rows=shown, missing=missing, section=section, reset="", about=None
    )


async def reset_link(asked: RequestContext) -> Response:
    """Make a link by which a student or spectator of the course chooses a new password."""
    account = account_by(asked.database, await asked.number("account"))
    if account is None or account.role_in(asked.course.id) is None:
        raise PortalError("account: expected somebody of this course, got another")
    is_staff = account.is_admin or any(
        each.role in {"lecturer", "assistant"} for each in account.memberships.values()
    )
    if is_staff:
        raise PortalError(
            "account: expected a student or spectator; ask the administrator for staff"
        )
    with asked.database.transaction():
        code = make_code(asked.database, "reset", account.id)
        _note(asked, "reset link made", of=account.id)
    link = f"{asked.absolute('reset')}?code={code}"
    return asked.page("people.html", rows=(), missing=(), reset=link, about=account)


async def audit_lines(asked: RequestContext) -> Response:
    """Show who did what."""
    query = asked.request.query_params
    found = audit.page(
        asked.database,
        course=asked.course.slug,
        act=query.get("act", ""),
        before=asked.query_number("before"),
    )
    return asked.page("audit.html", found=found)


async def doing(asked: RequestContext) -> Response:
    """Show how something stands that was asked for."""
    job = own_job(asked, asked.request.path_params["job"])
    return asked.page("doing.html", job=job)


def own_job(asked: RequestContext, number: int) -> jobs.Job:
    """Give a job of the course.

    Raises: PortalError, if it is none.
    """
    found = jobs.get(asked.database, number)
    if found.course != asked.course.id or found.kind not in KINDS:
        raise PortalError("job: expected one of this course, got another")
    return found


def _begun(asked: RequestContext, kind: str, payload: dict[str, object]) -> Response:
    job = jobs.add(asked.database, kind, payload, course=asked.course.id, account=asked.account.id)
    return asked.go_to("doing", job=job.id)


def _note(asked: RequestContext, act: str, **about: object) -> None:
    audit.note(asked.database, act, account=asked.account.id, course=asked.course.id, **about)


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
