"""Pages of teams: a student's own team with its invitations, and all teams for staff."""

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import teams
from tourney.portal.accounts import Membership
from tourney.portal.web.folder_jobs import begun, note
from tourney.portal.web.pages import Page, RequestContext
from tourney.portal.web.sections import people_of

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
        students=[(at, each) for at, each in enumerate(people_of(context)) if not each["excluded"]],
        longest=LONGEST_NAME,
    )


async def set_team(context: RequestContext) -> Response:
    """Request that a student is put into a team, or taken out."""
    typed, people = (await context.field("team")).strip(), people_of(context)
    key = await context.field("whom")
    person = next((each for each in people if _key(each) == key and not each["excluded"]), None)
    if person is None:
        raise PortalError("team: choose a student of the roster")
    if len(typed) > LONGEST_NAME or not typed.isprintable():
        raise PortalError(f"team: use at most {LONGEST_NAME} printable characters")
    asked = {"act": "set", "person": person["person"], "name": person["name"], "team": typed}
    return begun(context, teams.KIND, asked)


def _key(person: dict[str, object]) -> str:
    return f"{person['person']} ({person['name']})"


def _own(context: RequestContext) -> Membership:
    return context.account.memberships[context.course.id]


def _number(context: RequestContext) -> int:
    return int(context.request.path_params["invite"])


_TEAM = "/c/{course}/team"
_INVITE = f"{_TEAM}/{{invite:int}}"
PAGES = (
    Page(_TEAM, "team", "student", team, is_shared=True),
    Page(f"{_TEAM}/invite", "team-invite", "student", invite, "POST", form="team", is_shared=True),
    Page(
        f"{_INVITE}/accept", "team-accept", "student", accept, "POST", form="team", is_shared=True
    ),
    Page(f"{_INVITE}/end", "team-end", "student", end, "POST", form="team", is_shared=True),
    Page(f"{_TEAM}/leave", "team-leave", "student", leave, "POST", form="team", is_shared=True),
    Page("/c/{course}/teams", "teams", "staff", all_teams, is_shared=True),
    Page("/c/{course}/teams", "teams-form", "staff", set_team, "POST", is_shared=True),
)
