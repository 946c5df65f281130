"""What holds for the whole portal: its title, second factors, days, and the sign-in provider."""

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
    "staff": "lecturers, assistants and administrators show one",
    "off": "nobody has to show one",
}
"""Who shows a second factor, by the value of the setting."""


@dataclass(frozen=True, slots=True)
class Days:
    """A setting that is a number of days."""

    label: str
    default: int
    least: int
    most: int


_KEPT: Mapping[str, str] = {
    "keep_lines_days": "What finished checks have said",
    "keep_codes_days": "Codes and invites that were used or ran out",
    "keep_grades_days": "Gradebooks that were filled, and rosters that were shown",
    "keep_feedback_days": "What people are told of a final, after its end",
    "keep_accounts_days": "Accounts that are in no course",
}
DAYS: dict[str, Days] = {
    name: Days(label, KEPT[name], 0, LONGEST_DAYS) for name, label in _KEPT.items()
}
"""Settings of days that the form asks for, by name."""


async def settings(asked: RequestContext) -> Response:
    """Show the settings."""
    days = {name: setting(asked.database, name, str(each.default)) for name, each in DAYS.items()}
    return asked.page(
        "admin-settings.html",
        days=days,
        fields=DAYS,
        second=setting(asked.database, "second_factor", "staff"),
        policies=SECOND_FACTOR,
    )


async def change_settings(asked: RequestContext) -> Response:
    """Keep settings, all or none."""
    title, second = (await asked.field("portal_title")).strip(), await asked.field("second_factor")
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise PortalError(f"title: expected up to {LONGEST_TITLE} printable characters")
    if second not in SECOND_FACTOR:
        raise PortalError(f"second factor: expected {' or '.join(SECOND_FACTOR)}, got another")
    wanted = {"title": title, "second_factor": second}
    for name, each in DAYS.items():
        wanted[name] = str(_days(each, await asked.field(name)))
    with asked.database.transaction():
        for name, value in wanted.items():
            set_setting(asked.database, name, value)
        audit.note(asked.database, "settings changed", account=asked.account.id, to=wanted)
    return asked.go_to("admin-settings")


def _days(setting_of: Days, typed: str) -> int:
    typed = typed.strip()
    is_number = typed.isascii() and typed.isdecimal() and len(typed) <= len(str(setting_of.most))
    if not is_number or not setting_of.least <= int(typed) <= setting_of.most:
        raise PortalError(
            f"{setting_of.label}: expected {setting_of.least} to {setting_of.most} days, got "
            f"{typed[:40]!r}"
        )
    return int(typed)


async def provider(asked: RequestContext) -> Response:
    """Show which provider people sign in at."""
    kept = [setting(asked.database, f"openid_{name}") for name in _FIELDS]
    return _provider_page(asked, kept)


async def change_provider(asked: RequestContext) -> Response:
    """Keep a provider; or, by the other button, ask it what it can do."""
    typed = [(await asked.field(name)).strip() for name in _FIELDS]
    issuer, client, path = typed
    act = await asked.field("act")
    if act not in {"try", "keep"}:
        raise PortalError("provider: expected something to do with it, got nothing")
    if act == "try":
        said = await tried(check_provider(issuer, client, path))
        return _provider_page(asked, typed, said)
    with asked.database.transaction():
        name_provider(asked.database, issuer, client, path, asked.account.id)
    return asked.go_to("admin-provider")


_FIELDS = ("issuer", "client", "secret_file")


def _provider_page(asked: RequestContext, typed: list[str], said: tuple[str, ...] = ()) -> Response:
    told, here = dict(zip(_FIELDS, typed, strict=True)), asked.absolute("openid-answer")
    return asked.page("admin-provider.html", 200, **told, said=said, here=here)


PAGES = (
    Page("/admin/settings", "admin-settings", "admin", settings),
    Page("/admin/settings", "admin-settings-form", "admin", change_settings, "POST", is_grave=True),
    Page("/admin/provider", "admin-provider", "admin", provider),
    Page("/admin/provider", "admin-provider-form", "admin", change_provider, "POST", is_grave=True),
)
