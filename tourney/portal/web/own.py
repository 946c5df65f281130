"""What people do with their own account: password, second factor, sessions, joining a course."""

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, sessions
from tourney.portal.accounts import add_account, issuers_of
from tourney.portal.codes import use_code
from tourney.portal.database import setting
from tourney.portal.invites import find_invite, use_invite
from tourney.portal.limits import TOO_OFTEN
from tourney.portal.passwords import hash_password, is_password
from tourney.portal.second import SECRET, link_of, new_secret, step_of, use_second
from tourney.portal.web.account import signed_in
from tourney.portal.web.guard import way_back
from tourney.portal.web.pages import Asked, Page


async def account(asked: Asked) -> Response:
    """Show what there is of one's own: sessions, second factor."""
    rows = asked.database.read(
        iter,
        "SELECT id, made, seen, agent FROM sessions WHERE account = ? ORDER BY seen DESC",
        (asked.account.id,),
    )
    issuers = sorted(issuers_of(asked.database, asked.account.id))
    provider = setting(asked.database, "openid_issuer")
    return asked.page("account.html", rows=tuple(rows), issuers=issuers, provider=provider)


async def end_session(asked: Asked) -> Response:
    """End one of one's own sessions, or all others."""
    assert asked.session
    chosen = await asked.field("session")
    if not chosen:
        raise PortalError("session: expected one of yours, got none")
    sessions.end(asked.database, asked.account.id, chosen)
    return asked.go_to("account")


async def change_password(asked: Asked) -> Response:
    """Change the password, and end every session but this one begun anew."""
    key, number = f"account {asked.account.id}", asked.account.id
    row = asked.database.first("SELECT password FROM accounts WHERE id = ?", (number,))
    assert row
    assert asked.session
    if not asked.site.guesses.may_try(key, asked.address):
        raise PortalError(TOO_OFTEN)
    if not await is_password(str(row[0]), await asked.field("old")):
        asked.site.guesses.was_wrong(key, asked.address)
        raise PortalError("old password: expected yours, got another")
    hashed = await hash_password(await asked.field("new"))
    with asked.database.transaction():
        _set_password(asked, number, hashed)
    return signed_in(asked, number, asked.link("account"), has_second=asked.session.has_second)


def _set_password(asked: Asked, account: int, hashed: str) -> None:
    """Keep a new password; whoever was signed in is so no more, and no token counts any more."""
    asked.database.execute("UPDATE accounts SET password = ? WHERE id = ?", (hashed, account))
    sessions.end_everything(asked.database, account)
    audit.note(asked.database, "password changed", account=account)


async def reset_form(asked: Asked) -> Response:
    """Ask for a new password; whoever has a link from the staff is asked."""
    return asked.page("reset.html", code=asked.request.query_params.get("code", ""))


async def reset(asked: Asked) -> Response:
    """Keep a new password."""
    code, hashed = await asked.field("code"), await hash_password(await asked.field("password"))
    with asked.database.transaction():
        number = use_code(asked.database, code, "reset")
        assert number
        _set_password(asked, number, hashed)
    return asked.go_to("sign-in")


async def second_form(asked: Asked) -> Response:
    """Ask for the code of the second factor, or how to set one up."""
    back = asked.request.query_params.get("back", "")
    return _second_page(asked, back)


def _second_page(
    asked: Asked, back: str, fault: str = "", status: int = 200, *, shown: str = ""
) -> Response:
    """Ask for a code; who has no second factor yet is told a secret to keep, or the one shown."""
    secret = link = ""
    if not asked.account.has_totp:
        secret = shown if SECRET.fullmatch(shown) else new_secret()
        link = link_of(secret, asked.account.login, setting(asked.database, "title", "tourney"))
    return asked.page("second.html", status, secret=secret, link_of=link, back=back, fault=fault)


async def second(asked: Asked) -> Response:
    """Take a code: it sets a second factor up, or shows it."""
    assert asked.session
    back, code, secret = [await asked.field(each) for each in ("back", "code", "secret")]
    key, number = f"second {asked.account.id}", asked.account.id
    if not asked.site.guesses.may_try(key, asked.address):
        return _second_page(asked, back, TOO_OFTEN, 429, shown=secret)
    with asked.database.transaction():
        if not asked.account.has_totp and secret and step_of(secret, code) is not None:
            sql = "UPDATE accounts SET totp = ? WHERE id = ? AND totp = ''"
            asked.database.execute(sql, (secret, number))
            audit.note(asked.database, "second factor set up", account=number)
        is_right = use_second(asked.database, number, code)
    if not is_right:
        asked.site.guesses.was_wrong(key, asked.address)
        fault = "expected the six digits that your app shows now, not used before; got others"
        return _second_page(asked, back, fault, 422, shown=secret)
    sessions.end(asked.database, number, asked.session.id)
    return signed_in(asked, number, way_back(asked.site, back), has_second=True)


async def join_form(asked: Asked) -> Response:
    """Ask for an invite's code, and who joins, unless somebody is signed in."""
    return asked.page("join.html", code=asked.request.query_params.get("code", ""))


async def join(asked: Asked) -> Response:
    """Let somebody into a course by a code: with a new account, or the one that is signed in."""
    code, key = await asked.field("code"), f"join {asked.address}"
    if not asked.site.guesses.of_network.has_some(key):
        raise PortalError(TOO_OFTEN)
    try:
        find_invite(asked.database, code)
    except PortalError:
        asked.site.guesses.of_network.take(key)
        raise
    hashed = "" if asked.session else await hash_password(await asked.field("password"))
    login, name = await asked.field("login"), await asked.field("name")
    with asked.database.transaction():
        number = (
            asked.account.id if asked.session else add_account(asked.database, login, name, hashed)
        )
        invite = use_invite(asked.database, code, number)
        audit.note(asked.database, "joined", account=number, course=invite.course, role=invite.role)
    return asked.go_to("home") if asked.session else signed_in(asked, number, "/")


PAGES = (
    Page("/account", "account", "account", account),
    Page("/account/session", "end-session", "account", end_session, "POST", form="account"),
    Page(
        "/account/password", "change-password", "account", change_password, "POST", form="account"
    ),
    Page("/reset", "reset", "anybody", reset_form),
    Page("/reset", "reset-form", "anybody", reset, "POST"),
    Page("/account/second", "second", "account", second_form, before_second=True),
    Page("/account/second", "second-form", "account", second, "POST", before_second=True),
    Page("/join", "join", "anybody", join_form),
    Page("/join", "join-form", "anybody", join, "POST"),
)
