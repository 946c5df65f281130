"""The home page, and pages of administrators: accounts, courses, activity log."""

from collections.abc import Mapping
from datetime import UTC, datetime

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, PlainTextResponse, Response

from tourney.errors import PortalError
from tourney.portal import admin_actions, audit
from tourney.portal.accounts import add_course, add_member
from tourney.portal.admin_actions import A_PAGE, ACTS, KINDS, Profile, profile, reset_code
from tourney.portal.assignments import courses_of
from tourney.portal.database import set_setting, setting
from tourney.portal.erasure import LONGEST_DAYS, days
from tourney.portal.providers import check_provider, name_provider, tried
from tourney.portal.web.pages import Page, RequestContext, is_whole
from tourney.portal.worker import not_well

LARGEST = 2**62
"""Largest offset of a page; SQLite holds little larger ones."""


async def accounts(context: RequestContext) -> Response:
    """List accounts, all or those that match a search."""
    query = context.request.query_params
    words, kind = query.get("words", "")[:200], query.get("kind", "")
    kind = kind if kind in KINDS else ""
    page = max(1, min(context.query_number("page"), LARGEST // A_PAGE))
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
        admin_actions.change_account(context.database, act, about.id, context.account.id)
    return context.go_to("admin-account", account=about.id)


def _profile(context: RequestContext) -> Profile:
    found = profile(context.database, context.request.path_params["account"])
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


async def home(context: RequestContext) -> Response:
    """Show the account's courses; to visitors, a description."""
    if context.session is None:
        return context.page("home.html", own=())
    own = courses_of(context.database, context.account, datetime.now(UTC))
    return context.page("home.html", own=own)


async def new_course_form(context: RequestContext) -> Response:
    """Show the form for a new course."""
    return context.page("new-course.html")


async def new_course(context: RequestContext) -> Response:
    """Create a course, with its creator as lecturer."""
    slug, title = (await context.field("slug")).strip(), (await context.field("title")).strip()
    with context.database.transaction():
        number = add_course(context.database, slug, title or slug)
        add_member(context.database, number, context.account.id, "lecturer")
        audit.note(
            context.database, "course made", account=context.account.id, course=number, slug=slug
        )
    return context.go_to("course", course=slug)


async def health(context: RequestContext) -> Response:
    """Report whether all processes are healthy, with the names of the others and nothing else."""
    absent = not_well(context.database)
    if absent:
        return JSONResponse({"status": "not well", "not_seen": absent}, 503)
    return JSONResponse({"status": "ok"})


async def robots(context: RequestContext) -> Response:
    """Exclude the portal's pages from search engines."""
    del context
    return PlainTextResponse("User-agent: *\nDisallow: /\n")


LONGEST_TITLE = 100
SECOND_FACTOR: Mapping[str, str] = {
    "staff": "required for lecturers, assistants and administrators",
    "off": "not required",
}
"""Policies for the second factor, by the value of the setting."""


DAYS: Mapping[str, str] = {
    "keep_lines_days": "Keep lines of check reports",
    "keep_codes_days": "Keep used or expired codes and invites",
    "keep_grades_days": "Keep filled gradebooks and previewed rosters",
    "keep_feedback_days": "Keep feedback on a final, after its end",
    "keep_notices_days": "Keep notices",
    "keep_accounts_days": "Keep inactive accounts without a course",
}
"""Labels of the settings in days, by name."""


async def settings(context: RequestContext) -> Response:
    """Show the settings."""
    return context.page(
        "admin-settings.html",
        days={name: days(context.database, name) for name in DAYS},
        labels=DAYS,
        longest=LONGEST_DAYS,
        second=setting(context.database, "second_factor", "staff"),
        policies=SECOND_FACTOR,
    )


async def change_settings(context: RequestContext) -> Response:
    """Store all settings, or reject all."""
    title, second = (
        (await context.field("portal_title")).strip(),
        await context.field("second_factor"),
    )
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(f"title: use 1 to {LONGEST_TITLE} printable characters")
    if second not in SECOND_FACTOR:
        raise PortalError(f"second factor: choose {' or '.join(SECOND_FACTOR)}")
    wanted = {"title": title, "second_factor": second}
    for name, label in DAYS.items():
        wanted[name] = str(_days(label, (await context.field(name)).strip()))
    with context.database.transaction():
        for name, value in wanted.items():
            set_setting(context.database, name, value)
        audit.note(context.database, "settings changed", account=context.account.id, to=wanted)
    return context.go_to("admin-settings")


def _days(label: str, typed: str) -> int:
    if not is_whole(typed, 0, LONGEST_DAYS):
        raise PortalError(f"{label}: use 0 to {LONGEST_DAYS} days, not {typed[:40]!r}")
    return int(typed)


async def provider(context: RequestContext) -> Response:
    """Show the sign-in provider."""
    kept = [setting(context.database, f"openid_{name}") for name in _FIELDS]
    return _provider_page(context, kept)


async def change_provider(context: RequestContext) -> Response:
    """Store a provider; or, by the other button, test it."""
    typed = [(await context.field(name)).strip() for name in _FIELDS]
    issuer, client, path = typed
    act = await context.field("act")
    if act not in {"try", "keep"}:
        raise PortalError("provider: no action was chosen; use a button of the page")
    if act == "try":
        abilities = await tried(check_provider(issuer, client, path))
        return _provider_page(context, typed, abilities)
    with context.database.transaction():
        name_provider(context.database, issuer, client, path, context.account.id)
    return context.go_to("admin-provider")


_FIELDS = ("issuer", "client", "secret_file")


def _provider_page(
    context: RequestContext, typed: list[str], abilities: tuple[str, ...] = ()
) -> Response:
    fields, address = dict(zip(_FIELDS, typed, strict=True)), context.absolute("openid-answer")
    return context.page("admin-provider.html", 200, **fields, abilities=abilities, here=address)


PAGES = (
    Page("/admin/accounts", "admin-accounts", "admin", accounts),
    Page(_ACCOUNT, "admin-account", "admin", account),
    Page(_ACCOUNT, "admin-account-form", "admin", change_account, "POST", is_grave=True),
    Page("/admin/courses", "admin-courses", "admin", courses),
    Page("/admin/courses", "admin-courses-form", "admin", change_course, "POST", is_grave=True),
    Page("/admin/audit", "admin-audit", "admin", audit_lines),
    Page("/", "home", "anybody", home),
    Page("/new-course", "new-course", "admin", new_course_form),
    Page("/new-course", "new-course-form", "admin", new_course, "POST"),
    Page("/healthz", "health", "anybody", health),
    Page("/robots.txt", "robots", "anybody", robots),
    Page("/admin/settings", "admin-settings", "admin", settings),
    Page("/admin/settings", "admin-settings-form", "admin", change_settings, "POST", is_grave=True),
    Page("/admin/provider", "admin-provider", "admin", provider),
    Page("/admin/provider", "admin-provider-form", "admin", change_provider, "POST", is_grave=True),
)
