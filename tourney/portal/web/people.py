"""Pages of members, codes to join a course, password resets, and teams."""

from collections.abc import Mapping
from functools import partial
from typing import Any, get_args

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import notices, teams
from tourney.portal.accounts import Membership, Role, account_by, remove_member
from tourney.portal.class_overview import not_joined
from tourney.portal.database import now
from tourney.portal.invites import Invite, end_invite, make_code, make_invites, open_invites
from tourney.portal.web.pages import Page, RequestContext, note, section_of, start_job
from tourney.standings.data import csv_of


async def make_codes(context: RequestContext) -> Response:
    """Give join codes as a file: for missing people of the roster or a section, or for one."""
    role = _role_of(await context.field("role"))
    only = (await context.field("person"), await context.field("name"))
    typed = await context.field("section")
    section = section_of(context, typed=typed)
    groups = {each["name"]: "; ".join(each["groups"]) for each in context.course.people}
    if role == "student":
        if typed != section.chosen:
            raise PortalError(f"section: no section is called {typed[:40]!r}; reload the page")
        wanted = [
            Invite(context.course.id, "student", each["person"], each["name"])
            for each in not_joined(context.database, context.course)
            if only in {("", ""), (each["person"], each["name"])} and section.has(name=each["name"])
        ]
        if not wanted and only != ("", ""):
            raise PortalError(
                f"codes: {only[0]} ({only[1]}) has joined, or is not on the roster; reload the page"
            )
        if not wanted:
            raise PortalError("codes: all of these students have joined; reload the page")
    else:
        if context.role != "lecturer":
            raise PortalError("role: only lecturers can invite staff and spectators")
        wanted = [Invite(context.course.id, role)]
    with context.database.transaction():
        made = make_invites(context.database, wanted)
        for each in wanted:
            _notify(context, each)
        note(context, "codes made", role=role, count=len(made))
    rows = [(each.person, each.name, groups.get(each.name, ""), code) for each, code in made]
    sheet = csv_of([("person", "plays as", "section", "code"), *rows])
    answer = Response(f"\ufeff{sheet}", media_type="text/csv")  # the mark tells Excel of UTF-8
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
    found: Role | None = next((role for role in get_args(Role) if role == typed), None)
    if found is None:
        raise PortalError("role: choose student, assistant, lecturer or spectator")
    return found


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
    missing = [each for each in absent if section.has(name=each["name"])]
    shown = [row for row in rows if section.has(person=row[4], name=row[5])]
    made = open_invites(context.database, context.course.id)
    return context.page(
        "people.html",
        rows=shown,
        missing=missing,
        section=section,
        codes={(each.person, each.name): (code, *at) for code, each, *at in made if each.person},
        others=[each for each in made if not each[1].person],
        join=context.absolute("join"),
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
    if account.looks_after_others:
        raise PortalError(
            "account: lecturers can reset students and spectators only; ask an administrator"
        )
    with context.database.transaction():
        code = make_code(context.database, "reset", account.id)
        notices.add(context.database, "reset", account=account.id, course=context.course.id)
        note(context, "reset link made", of=account.id)
    link = f"{context.absolute('reset')}?code={code}"
    return context.page("reset-link.html", link_to_send=link, about=account)


LONGEST_NAME = 40


async def team(context: RequestContext) -> Response:
    """Show the student's team, the invitations, and the classmates to invite."""
    own, course = _own(context), context.course
    name = teams.own_team(course, own)
    members = teams.teams_of(course).get(name, ())
    is_fixed = teams.is_fixed(context.database, course.id, own.name)
    most = teams.largest_team(course)
    invited = teams.open_invitations(context.database, course.id, context.account.id)
    asked = {each.mate for each in invited}
    free = teams.candidates(context.database, course, context.account.id)
    return context.page(
        "team.html",
        team=name,
        members=members,
        most=most,
        is_fixed=is_fixed,
        can_invite=most > 1 and not is_fixed and len(members) < most,
        received=[each for each in invited if each.mate == context.account.id],
        sent=[each for each in invited if each.account == context.account.id],
        free=[each for each in free if each.account not in asked],
        last=teams.last_change(context.database, course.id, context.account.id),
    )


async def invite(context: RequestContext) -> Response:
    """Invite a classmate."""
    mate = await context.number("mate")
    with context.database.transaction():
        teams.invite(context.database, context.course, context.account.id, _own(context), mate)
        note(context, "team invitation sent", of=mate)
    return context.go_to("team")


async def accept(context: RequestContext) -> Response:
    """Accept an invitation."""
    with context.database.transaction():
        teams.accept(context.database, context.course, context.account.id, _number(context))
    return context.go_to("team")


async def end(context: RequestContext) -> Response:
    """Decline an invitation, or withdraw an own one."""
    with context.database.transaction():
        teams.end_invitation(
            context.database, context.course.id, context.account.id, _number(context)
        )
    return context.go_to("team")


async def leave(context: RequestContext) -> Response:
    """Leave the own team."""
    teams.check_allowed(context.course)
    if not teams.own_team(context.course, _own(context)):
        raise PortalError("team: you are in no team; reload the page")
    with context.database.transaction():
        teams.ask(context.database, context.course.id, context.account.id, {"act": "leave"})
    return context.go_to("team")


async def all_teams(context: RequestContext) -> Response:
    """Show all teams to staff, with the form to change one."""
    return context.page(
        "teams.html",
        teams=teams.teams_of(context.course),
        most=teams.largest_team(context.course),
        students=context.course.students,
        longest=LONGEST_NAME,
    )


async def set_team(context: RequestContext) -> Response:
    """Request that a student is put into a team, or taken out."""
    typed, key = (await context.field("team")).strip(), await context.field("whom")
    person = next((each for each in context.course.students if _key(each) == key), None)
    if person is None:
        raise PortalError("team: choose a student of the roster")
    if len(typed) > LONGEST_NAME or not typed.isprintable():
        raise PortalError(f"team: use at most {LONGEST_NAME} printable characters")
    asked = {"act": "set", "person": person["person"], "name": person["name"], "team": typed}
    return start_job(context, teams.KIND, asked)


def _key(person: Mapping[str, Any]) -> str:
    return f"{person['person']} ({person['name']})"


def _own(context: RequestContext) -> Membership:
    return context.account.memberships[context.course.id]


def _number(context: RequestContext) -> int:
    return int(context.request.path_params["invite"])


_PEOPLE, _TEAM = "/c/{course}/people", "/c/{course}/team"
_INVITE = f"{_TEAM}/{{invite:int}}"
_on_people = partial(Page, method="POST", form="people", is_shared=True)
_on_team = partial(Page, method="POST", form="team", is_shared=True)
PAGES = (
    Page(_PEOPLE, "people", "staff", people, is_shared=True),
    _on_people("/c/{course}/codes", "make-codes", "staff", make_codes),
    _on_people(f"{_PEOPLE}/reset", "reset-link", "staff", reset_link, is_grave=True),
    _on_people(f"{_PEOPLE}/remove", "remove-member", "lecturer", remove, is_grave=True),
    _on_people(f"{_PEOPLE}/end-code", "end-code", "staff", end_code),
    Page(_TEAM, "team", "student", team, is_shared=True),
    _on_team(f"{_TEAM}/invite", "team-invite", "student", invite),
    _on_team(f"{_INVITE}/accept", "team-accept", "student", accept),
    _on_team(f"{_INVITE}/end", "team-end", "student", end),
    _on_team(f"{_TEAM}/leave", "team-leave", "student", leave),
    Page("/c/{course}/teams", "teams", "staff", all_teams, is_shared=True),
    Page("/c/{course}/teams", "teams-form", "staff", set_team, "POST", is_shared=True),
)
