"""Pages of administrators: accounts, courses, and the activity log of all courses."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import admin_actions, audit
from tourney.portal.admin_actions import A_PAGE, ACTS, KINDS, Profile, profile, reset_code
from tourney.portal.web.pages import Page, RequestContext

LARGEST = 2**62
"""Largest number in an address; SQLite holds little larger ones."""


async def accounts(context: RequestContext) -> Response:
    """List accounts, all or those that match a search."""
    query = context.request.query_params
    words, kind, page = (
        query.get("words", "")[:200],
        query.get("kind", ""),
        context.query_number("page"),
    )
    kind, page = kind if kind in KINDS else "", max(1, min(page, LARGEST // A_PAGE))
    found, count = admin_actions.accounts(context.database, words, kind, page)
    return context.page(
        "admin-accounts.html",
        found=found,
        count=count,
        words=words,
        kind=kind,
        kinds=tuple(KINDS),
        page=page,
        pages=max(1, -(-count // A_PAGE)),
    )


async def account(context: RequestContext) -> Response:
    """Show an account."""
    return context.page("admin-account.html", about=_profile(context), reset="")


async def change_account(context: RequestContext) -> Response:
    """Do the action of a pressed button on an account."""
    about, act = _profile(context), await context.field("act")
    if act == "reset":
        with context.database.transaction():
            code = reset_code(context.database, about.id, context.account.id)
        reset = f"{context.absolute('reset')}?code={code}"
        return context.page("admin-account.html", about=about, reset=reset)
    if act not in ACTS:
        raise PortalError("account: no action was chosen; use a button of the page")
    with context.database.transaction():
        ACTS[act](context.database, about.id, context.account.id)
    return context.go_to("admin-account", account=about.id)


def _profile(context: RequestContext) -> Profile:
    number = context.request.path_params["account"]
    found = profile(context.database, number) if number < LARGEST else None
    if found is None:
        raise HTTPException(404)
    return found


async def courses(context: RequestContext) -> Response:
    """List all courses, with their activity."""
    return context.page("admin-courses.html", found=admin_actions.courses(context.database))


async def change_course(context: RequestContext) -> Response:
    """Archive or restore a course."""
    course, act = await context.number("course"), await context.field("act")
    if act not in {"archive", "bring-back"} or not course:
        raise PortalError("course: no course or action was chosen; use a button of the page")
    change = admin_actions.archive if act == "archive" else admin_actions.bring_back
    with context.database.transaction():
        change(context.database, course, context.account.id)
    return context.go_to("admin-courses")


async def audit_lines(context: RequestContext) -> Response:
    """Show the activity log of one or all courses."""
    query = context.request.query_params
    course, act = query.get("course", ""), query.get("act", "")
    before = context.query_number("before")
    found = audit.page(context.database, course=course, act=act, before=before)
    slugs = context.database.read(iter, "SELECT slug FROM courses ORDER BY slug")
    return context.page(
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
