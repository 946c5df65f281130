"""What people do with their own account: password, second factor, sessions, joining a course."""

from time import time

from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, sessions
from tourney.portal.accounts import add_account, issuers_of
from tourney.portal.codes import find_code, use_code
from tourney.portal.database import hash_of, setting
from tourney.portal.guesses import Guess
from tourney.portal.invites import find_invite, plain, use_invite
from tourney.portal.limits import TooManyError
from tourney.portal.passwords import check_length
from tourney.portal.two_factor import SECRET, link_of, new_secret, step_of, use_second
from tourney.portal.web.guard import way_back
from tourney.portal.web.pages import STRANGERS_BYTES, Page, RequestContext
from tourney.portal.web.sign_in import signed_in


async def account(asked: RequestContext) -> Response:
    """Show what there is of one's own: sessions, second factor."""
    rows = asked.database.read(
        iter,
        "SELECT id, made, seen, agent FROM sessions WHERE account = ? ORDER BY seen DESC",
        (asked.account.id,),
    )
    issuers = sorted(issuers_of(asked.database, asked.account.id))
    provider = setting(asked.database, "openid_issuer")
    return asked.page("account.html", rows=tuple(rows), issuers=issuers, provider=provider)


async def end_session(asked: RequestContext) -> Response:
    """End one of one's own sessions, or all others."""
    assert asked.session
    chosen = await asked.field("session")
    if not chosen:
        raise PortalError("session: expected one of yours, got none")
    sessions.end(asked.database, asked.account.id, chosen)
    return asked.go_to("account")


async def change_password(asked: RequestContext) -> Response:
    """Change the password, and end every session but this one begun anew."""
    number = asked.account.id
    row = asked.database.first("SELECT password FROM accounts WHERE id = ?", (number,))
    assert row
    assert asked.session
    old, new = await asked.field("old"), await asked.field("new")
    check_length(new)
    if not await asked.site.passwords.is_right(asked.guess_by_session(), str(row[0]), old):
        raise PortalError("old password: expected yours, got another")
    hashed = await asked.site.passwords.hash(new, f"account {number}", asked.address)
    with asked.database.transaction():
        _set_password(asked, number, hashed)
    return signed_in(asked, number, asked.link("account"), has_second=asked.session.has_second)


def _set_password(asked: RequestContext, account: int, hashed: str) -> None:
    """Keep a new password; whoever was signed in is so no more, and no token counts any more."""
    asked.database.execute("UPDATE accounts SET password = ? WHERE id = ?", (hashed, account))
    sessions.end_everything(asked.database, account)
    audit.note(asked.database, "password changed", account=account)


async def reset_form(asked: RequestContext) -> Response:
    """Ask for a new password; whoever has a link from the staff is asked."""
    return asked.page("reset.html", code=asked.request.query_params.get("code", ""))


async def reset(asked: RequestContext) -> Response:
    """Keep a new password."""
    code, password = await asked.field("code"), await asked.field("password")
    check_length(password)
    whose = f"account {find_code(asked.database, code, 'reset')}"  # before the password is hashed
    hashed = await asked.site.passwords.hash(password, whose, asked.address)
    with asked.database.transaction():
        number = use_code(asked.database, code, "reset")
        assert number
        _set_password(asked, number, hashed)
    return asked.go_to("sign-in")


async def second_form(asked: RequestContext) -> Response:
    """Ask for the code of the second factor, or how to set one up."""
    back = asked.request.query_params.get("back", "")
    return _second_page(asked, back)


def _second_page(
    asked: RequestContext, back: str, fault: str = "", status: int = 200, *, shown: str = ""
) -> Response:
    """Ask for a code; who has no second factor yet is told a secret to keep, or the one shown."""
    secret = link = ""
    if not asked.account.has_totp:
        secret = shown if SECRET.fullmatch(shown) else new_secret()
        link = link_of(secret, asked.account.login, setting(asked.database, "title", "tourney"))
    return asked.page("second.html", status, secret=secret, link_of=link, back=back, fault=fault)


async def second(asked: RequestContext) -> Response:
    """Take a code: it sets a second factor up, or shows it."""
    assert asked.session
    back, code, secret = [await asked.field(each) for each in ("back", "code", "secret")]
    number, sent = asked.account.id, time()
    browser = asked.known_browser
    is_trusted = browser is not None and browser.account == number and browser.has_second
    trusted = f"browser {browser.id}" if browser and is_trusted else ""
    try:
        guess = Guess(f"account {number}", asked.address, trusted=trusted)
        async with asked.site.second_codes.turn(guess) as turn:
            is_right = _use_second(asked, secret, code, sent)
            if not is_right:
                turn.was_wrong()
    except TooManyError as error:
        answer = _second_page(asked, back, str(error), error.status, shown=secret)
        answer.headers["retry-after"] = str(error.seconds)
        return answer
    if not is_right:
        fault = "expected the six digits that your app shows now, not used before; got others"
        return _second_page(asked, back, fault, 422, shown=secret)
    sessions.end(asked.database, number, asked.session.id)
    return signed_in(asked, number, way_back(asked.site, back), has_second=True)


def _use_second(asked: RequestContext, secret: str, code: str, sent: float) -> bool:
    """Use a code up, and keep the secret of who has none yet; say whether the code was right.

    Args:
        asked: By whom.
        secret: As the form had it.
        code: What was typed.
        sent: When, in seconds since 1970; the code may have waited for its turn since.
    """
    number = asked.account.id
    with asked.database.transaction():
        if not asked.account.has_totp and secret and step_of(secret, code, sent) is not None:
            sql = "UPDATE accounts SET totp = ? WHERE id = ? AND totp = ''"
            if asked.database.execute(sql, (secret, number)):
                audit.note(asked.database, "second factor set up", account=number)
        return use_second(asked.database, number, code, sent)


async def join_form(asked: RequestContext) -> Response:
    """Ask for an invite's code, and who joins, unless somebody is signed in."""
    return asked.page("join.html", code=asked.request.query_params.get("code", ""))


async def join(asked: RequestContext) -> Response:
    """Let somebody into a course by a code: with a new account, or the one that is signed in."""
    code, password = await asked.field("code"), await asked.field("password")
    find_invite(asked.database, code)  # before a password is hashed
    hashed, whose = "", f"invite {hash_of(plain(code))}"
    if not asked.session:
        hashed = await asked.site.passwords.hash(password, whose, asked.address)
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
    Page("/reset", "reset-form", "anybody", reset, "POST", most_bytes=STRANGERS_BYTES),
    Page("/account/second", "second", "account", second_form, before_second=True),
    Page("/account/second", "second-form", "account", second, "POST", before_second=True),
    Page("/join", "join", "anybody", join_form),
    Page("/join", "join-form", "anybody", join, "POST", most_bytes=STRANGERS_BYTES),
)
