"""Settings of the portal: its title, second factors, retention, and the sign-in provider."""

from collections.abc import Mapping
from dataclasses import dataclass

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.database import set_setting, setting
from tourney.portal.providers import check_provider, name_provider, tried
from tourney.portal.retention import KEPT, LONGEST_DAYS
from tourney.portal.web.pages import Page, RequestContext

LONGEST_TITLE = 100
SECOND_FACTOR: Mapping[str, str] = {
    "staff": "required for lecturers, assistants and administrators",
    "off": "not required",
}
"""Policies for the second factor, by the value of the setting."""


@dataclass(frozen=True, slots=True)
class Days:
    """A setting in days."""

    label: str
    default: int
    least: int
    most: int


_KEPT: Mapping[str, str] = {
    "keep_lines_days": "Keep lines of check reports",
    "keep_codes_days": "Keep used or expired codes and invites",
    "keep_grades_days": "Keep filled gradebooks and previewed rosters",
    "keep_feedback_days": "Keep feedback on a final, after its end",
    "keep_notices_days": "Keep notices",
    "keep_accounts_days": "Keep inactive accounts without a course",
}
DAYS: dict[str, Days] = {
    name: Days(label, KEPT[name], 0, LONGEST_DAYS) for name, label in _KEPT.items()
}
"""Settings in days of the form, by name."""


async def settings(context: RequestContext) -> Response:
    """Show the settings."""
    days = {name: setting(context.database, name, str(each.default)) for name, each in DAYS.items()}
    return context.page(
        "admin-settings.html",
        days=days,
        fields=DAYS,
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
    for name, each in DAYS.items():
        wanted[name] = str(_days(each, await context.field(name)))
    with context.database.transaction():
        for name, value in wanted.items():
            set_setting(context.database, name, value)
        audit.note(context.database, "settings changed", account=context.account.id, to=wanted)
    return context.go_to("admin-settings")


def _days(setting_of: Days, typed: str) -> int:
    typed = typed.strip()
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(setting_of.most))
    if not is_number or not setting_of.least <= int(typed) <= setting_of.most:
        raise PortalError(
            f"{setting_of.label}: use {setting_of.least} to {setting_of.most} days, not "
            f"{typed[:40]!r}"
        )
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
    Page("/admin/settings", "admin-settings", "admin", settings),
    Page("/admin/settings", "admin-settings-form", "admin", change_settings, "POST", is_grave=True),
    Page("/admin/provider", "admin-provider", "admin", provider),
    Page("/admin/provider", "admin-provider-form", "admin", change_provider, "POST", is_grave=True),
)
