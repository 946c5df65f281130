"""Pages of administrators: accounts, courses, and the activity log of all courses."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import admin_actions, audit
from tourney.portal.admin_actions import A_PAGE, ACTS, KINDS, Profile, profile, reset_code
from tourney.portal.web.pages import Page, RequestContext

LARGEST = 2**62
"""Largest number in an address; SQLite holds little larger ones."""


async def accounts(asked: RequestContext) -> Response:
    """List accounts, all or those that match a search."""
    query = asked.request.query_params
    words, kind, page = (
        query.get("words", "")[:200],
        query.get("kind", ""),
        asked.query_number("page"),
    )
    kind, page = kind if kind in KINDS else "", max(1, min(page, LARGEST // A_PAGE))
    found, count = admin_actions.accounts(asked.database, words, kind, page)
    return asked.page(
        "admin-accounts.html",
        found=found,
        count=count,
        words=words,
        kind=kind,
        kinds=tuple(KINDS),
        page=page,
        pages=max(1, -(-count // A_PAGE)),
    )


async def account(asked: RequestContext) -> Response:
    """Show an account."""
    return asked.page("admin-account.html", about=_profile(asked), reset="")


async def change_account(asked: RequestContext) -> Response:
    """Do the action of a pressed button on an account."""
    about, act = _profile(asked), await asked.field("act")
    if act == "reset":
        with asked.database.transaction():
            code = reset_code(asked.database, about.id, asked.account.id)
        reset = f"{asked.absolute('reset')}?code={code}"
        return asked.page("admin-account.html", about=about, reset=reset)
    if act not in ACTS:
        raise PortalError("account: no action was chosen; use a button of the page")
    with asked.database.transaction():
        ACTS[act](asked.database, about.id, asked.account.id)
    return asked.go_to("admin-account", account=about.id)


def _profile(asked: RequestContext) -> Profile:
    number = asked.request.path_params["account"]
    found = profile(asked.database, number) if number < LARGEST else None
    if found is None:
        raise HTTPException(404)
    return found


async def courses(asked: RequestContext) -> Response:
    """List all courses, with their activity."""
    return asked.page("admin-courses.html", found=admin_actions.courses(asked.database))


async def change_course(asked: RequestContext) -> Response:
    """Archive or restore a course."""
    course, act = await asked.number("course"), await asked.field("act")
    if act not in {"archive", "bring-back"} or not course:
        raise PortalError("course: no course or action was chosen; use a button of the page")
    change = admin_actions.archive if act == "archive" else admin_actions.bring_back
    with asked.database.transaction():
        change(asked.database, course, asked.account.id)
    return asked.go_to("admin-courses")


async def audit_lines(asked: RequestContext) -> Response:
    """Show the activity log of one or all courses."""
    query = asked.request.query_params
    course, act = query.get("course", ""), query.get("act", "")
    before = asked.query_number("before")
    found = audit.page(asked.database, course=course, act=act, before=before)
    slugs = asked.database.read(iter, "SELECT slug FROM courses ORDER BY slug")
    return asked.page(
        "admin-audit.html",
        found=found,
        course_chosen=course,
        slugs=[name for (name,) in slugs],
    )


_ACCOUNT = "/admin/accounts/{account:int}"
PAGES = (
    Page("/admin/accounts", "admin-accounts", "admin", accounts),
    Page(_ACCOUNT, "admin-account", "admin", account),
    Page(_ACCOUNT, "admin-account-form", "admin", change_account, "POST", is_grave=True),
    Page("/admin/courses", "admin-courses", "admin", courses),
    Page("/admin/courses", "admin-courses-form", "admin", change_course, "POST", is_grave=True),
    Page("/admin/audit", "admin-audit", "admin", audit_lines),
)
