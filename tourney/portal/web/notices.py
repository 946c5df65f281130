"""The list of an account's notices, the switch for its mails, and the portal's mail server."""

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit
from tourney.portal.database import setting
from tourney.portal.mails import FIELDS, name_mail_server, server_of, try_server
from tourney.portal.notices import (
    LISTED,
    has_mails,
    mark_seen,
    notices_of,
    set_mails,
    try_again,
    unread,
    unsent,
)
from tourney.portal.web.pages import Page, RequestContext


async def notices(context: RequestContext) -> Response:
    """List the account's notices; the next visit shows them as read."""
    found = notices_of(context.database, context.account.id)
    answer = context.page(
        "notices.html",
        found=found,
        most=LISTED,
        is_on=bool(setting(context.database, "mail_server")),
        wants=has_mails(context.database, context.account.id),
    )
    if found and unread(context.database, context.account.id):
        mark_seen(context.database, context.account.id, found[0].id)
    return answer


async def notice(context: RequestContext) -> Response:
    """Go to the page that a notice is about."""
    number = context.request.path_params["notice"]
    own = notices_of(context.database, context.account.id, number)
    if not own:
        raise HTTPException(404)
    name, parts = own[0].page
    return context.go_to(name, **parts)


async def change_mails(context: RequestContext) -> Response:
    """Turn the account's mails on or off."""
    wanted = await context.field("mails")
    if wanted not in {"on", "off"}:
        raise PortalError("mails: choose on or off")
    set_mails(context.database, context.account.id, wanted=wanted == "on")
    return context.go_to("notices")


async def mail(context: RequestContext) -> Response:
    """Show the mail server, and the mails that could not be sent."""
    typed = {name: setting(context.database, f"mail_{name}") for name in FIELDS}
    return _mail_page(context, typed)


async def change_mail(context: RequestContext) -> Response:
    """Store the mail server; or, by the other buttons, test it or queue refused mails again."""
    typed = {name: (await context.field(name)).strip() for name in FIELDS}
    act = await context.field("act")
    if act not in {"try", "keep", "again"}:
        raise PortalError("mail: no action was chosen; use a button of the page")
    if act == "try":
        server = server_of(*(typed[name] for name in FIELDS))
        await run_in_threadpool(try_server, server)
        return _mail_page(context, typed, is_good=True)
    with context.database.transaction():
        if act == "again":
            count = try_again(context.database)
            audit.note(
                context.database, "mails tried again", account=context.account.id, count=count
            )
        else:
            name_mail_server(context.database, typed, context.account.id)
    return context.go_to("admin-mail")


def _mail_page(
    context: RequestContext, typed: dict[str, str], *, is_good: bool = False
) -> Response:
    return context.page(
        "admin-mail.html", typed=typed, is_good=is_good, mails=unsent(context.database)
    )


PAGES = (
    Page("/notices", "notices", "account", notices),
    Page("/notices/{notice:int}", "notice", "account", notice),
    Page("/notices", "notices-form", "account", change_mails, "POST"),
    Page("/admin/mail", "admin-mail", "admin", mail),
    Page("/admin/mail", "admin-mail-form", "admin", change_mail, "POST", is_grave=True),
)
