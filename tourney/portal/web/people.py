"""Pages for staff: the members of a course, codes to join it, and password resets."""

from typing import get_args

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import notices
from tourney.portal.accounts import Role, account_by, remove_member
from tourney.portal.class_overview import not_joined
from tourney.portal.codes import make_code
from tourney.portal.database import now
from tourney.portal.invites import Invite, end_invite, make_invites, open_invites
from tourney.portal.web.folder_jobs import note
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import section_of
from tourney.standings.data import csv_of


async def make_codes(context: RequestContext) -> Response:
    """Give join codes as a file: for all missing people of the roster, or for one person."""
    role = _role_of(await context.field("role"))
    only = (await context.field("person"), await context.field("name"))
    if role == "student":
        wanted = [
            Invite(context.course.id, "student", each["person"], each["name"])
            for each in not_joined(context.database, context.course)
            if only in {("", ""), (each["person"], each["name"])}
        ]
        if not wanted:
            raise PortalError("codes: all students of the roster have joined; reload the page")
    else:
        if context.role != "lecturer":
            raise PortalError("role: only lecturers can invite staff and spectators")
        wanted = [Invite(context.course.id, role)]
    with context.database.transaction():
        made = make_invites(context.database, wanted)
        for each in wanted:
            _notify(context, each)
        note(context, "codes made", role=role, count=len(made))
    rows = [(each.person, each.name, code) for each, code in made]
    answer = Response(csv_of([("person", "plays as", "code"), *rows]), media_type="text/csv")
    answer.headers["content-disposition"] = 'attachment; filename="codes.csv"'
    return answer


def _notify(context: RequestContext, invite: Invite) -> None:
    """Notify a person of the roster of a code, at most once a day."""
    if not invite.person:
        return
    person, name = invite.person, invite.name
    once = f"code {invite.course} {person!r} {name!r} {now()[:10]}"
    notices.add(context.database, "code", course=invite.course, person=person, name=name, once=once)


def _role_of(typed: str) -> Role:
    for role in get_args(Role):
        if role == typed:
            found: Role = role
            return found
    raise PortalError("role: choose student, assistant, lecturer or spectator")


async def people(context: RequestContext) -> Response:
    """Show the members, and the people of the roster who have not joined."""
    rows = tuple(
        context.database.read(
            iter,
            "SELECT accounts.id, accounts.name, accounts.login, members.role, members.person, "
            "members.name FROM members JOIN accounts ON accounts.id = members.account "
            "WHERE course = ? AND erased IS NULL AND removed IS NULL "
            "ORDER BY members.role, accounts.name",
            (context.course.id,),
        )
    )
    section = section_of(context)
    absent = not_joined(context.database, context.course)
    missing = [each for each in absent if section.has(person=each["person"])]
    shown = [row for row in rows if section.has(person=row[4], name=row[5])]
    made = open_invites(context.database, context.course.id)
    return context.page(
        "people.html",
        rows=shown,
        missing=missing,
        section=section,
        codes={(each.person, each.name): rest for _, each, *rest in made if each.person},
        others=[each for each in made if not each[1].person],
        hashes={(each.person, each.name): hashed for hashed, each, *_ in made if each.person},
        reset="",
        join=context.absolute("join"),
        about=None,
        me=context.account.id,
        mails=notices.unsent(context.database, context.course.id),
    )


async def remove(context: RequestContext) -> Response:
    """Remove a member from the course."""
    number = await context.number("account")
    with context.database.transaction():
        remove_member(context.database, context.course.id, number)
        note(context, "member removed", of=number)
    return context.go_to("home" if number == context.account.id else "people")


async def end_code(context: RequestContext) -> Response:
    """End a code that has not been used."""
    chosen = await context.field("code")
    found = {each[0]: each[1] for each in open_invites(context.database, context.course.id)}
    invite = found.get(chosen)
    if invite is None:
        raise PortalError("code: it has been used or has ended already; reload the page")
    if invite.role != "student" and context.role != "lecturer":
        raise PortalError("code: only lecturers can end codes of staff and spectators")
    with context.database.transaction():
        end_invite(context.database, context.course.id, chosen)
        note(context, "code ended", role=invite.role)
    return context.go_to("people")


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
        notices.add(context.database, "reset", account=account.id, course=context.course.id)
        note(context, "reset link made", of=account.id)
    link = f"{context.absolute('reset')}?code={code}"
    return context.page("people.html", rows=(), missing=(), reset=link, about=account)


_PEOPLE = "/c/{course}/people"
PAGES = (
    Page(
        "/c/{course}/codes",
        "make-codes",
        "staff",
        make_codes,
        "POST",
        form="people",
        is_shared=True,
    ),
    Page(_PEOPLE, "people", "staff", people, is_shared=True),
    Page(
        f"{_PEOPLE}/reset",
        "reset-link",
        "staff",
        reset_link,
        "POST",
        is_grave=True,
        form="people",
        is_shared=True,
    ),
    Page(
        f"{_PEOPLE}/remove",
        "remove-member",
        "lecturer",
        remove,
        "POST",
        is_grave=True,
        form="people",
        is_shared=True,
    ),
    Page(
        f"{_PEOPLE}/end-code",
        "end-code",
        "staff",
        end_code,
        "POST",
        form="people",
        is_shared=True,
    ),
)
