"""Pages of the own account: password, second factor, sessions, tokens, joining a course."""

from time import time

from starlette.exceptions import HTTPException
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
    """Show the account's sessions and second factor."""
    rows = asked.database.read(
        iter,
        "SELECT id, made, seen, agent FROM sessions WHERE account = ? ORDER BY seen DESC",
        (asked.account.id,),
    )
    issuers = sorted(issuers_of(asked.database, asked.account.id))
    provider = setting(asked.database, "openid_issuer")
    return asked.page("account.html", rows=tuple(rows), issuers=issuers, provider=provider)


async def end_session(asked: RequestContext) -> Response:
    """End one of the account's sessions, or all others."""
    assert asked.session
    chosen = await asked.field("session")
    if not chosen:
        raise PortalError("session: you have no such session; reload the page")
    sessions.end(asked.database, asked.account.id, chosen)
    return asked.go_to("account")


async def change_password(asked: RequestContext) -> Response:
    """Change the password, end all sessions, and start this one again."""
    number = asked.account.id
    row = asked.database.first("SELECT password FROM accounts WHERE id = ?", (number,))
    assert row
    assert asked.session
    old, new = await asked.field("old"), await asked.field("new")
    check_length(new)
    if not await asked.site.passwords.is_right(asked.guess_by_session(), str(row[0]), old):
        raise PortalError("old password: it is wrong; type it again")
    hashed = await asked.site.passwords.hash(new, f"account {number}", asked.address)
    with asked.database.transaction():
        _set_password(asked, number, hashed)
    return signed_in(asked, number, asked.link("account"), has_second=asked.session.has_second)


def _set_password(asked: RequestContext, account: int, hashed: str) -> None:
    """Store a new password; all sessions and tokens of the account end."""
    asked.database.execute("UPDATE accounts SET password = ? WHERE id = ?", (hashed, account))
    sessions.end_everything(asked.database, account)
    audit.note(asked.database, "password changed", account=account)


async def reset_form(asked: RequestContext) -> Response:
    """Show the form for a new password, to the holder of a reset link."""
    return asked.page("reset.html", code=asked.request.query_params.get("code", ""))


async def reset(asked: RequestContext) -> Response:
    """Store a new password."""
    code, password = await asked.field("code"), await asked.field("password")
    check_length(password)
    whose = f"account {find_code(asked.database, code, 'reset')}"  # checked before the costly hash
    hashed = await asked.site.passwords.hash(password, whose, asked.address)
    with asked.database.transaction():
        number = use_code(asked.database, code, "reset")
        assert number
        _set_password(asked, number, hashed)
    return asked.go_to("sign-in")


async def second_form(asked: RequestContext) -> Response:
    """Ask for the code of the second factor, or show how to set one up."""
    back = asked.request.query_params.get("back", "")
    return _second_page(asked, back)


def _second_page(
    asked: RequestContext, back: str, fault: str = "", status: int = 200, *, shown: str = ""
) -> Response:
    """Ask for a code; without a second factor, show a new secret or the given one."""
    secret = link = ""
    if not asked.account.has_totp:
        secret = shown if SECRET.fullmatch(shown) else new_secret()
        link = link_of(secret, asked.account.login, setting(asked.database, "title", "tourney"))
    return asked.page("second.html", status, secret=secret, link_of=link, back=back, fault=fault)


async def second(asked: RequestContext) -> Response:
    """Take a code, to set up a second factor or to show it."""
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
        fault = (
            "the code is wrong or was already used; enter the six digits that your app shows now"
        )
        return _second_page(asked, back, fault, 422, shown=secret)
    sessions.end(asked.database, number, asked.session.id)
    return signed_in(asked, number, way_back(asked.site, back), has_second=True)


def _use_second(asked: RequestContext, secret: str, code: str, sent: float) -> bool:
    """Use up a code, and store the secret of a new second factor; give whether the code was right.

    Args:
        asked: The request.
        secret: From the form.
        code: The typed code.
        sent: Time of the request, in seconds since 1970; the code may have waited since.
    """
    number = asked.account.id
    with asked.database.transaction():
        if not asked.account.has_totp and secret and step_of(secret, code, sent) is not None:
            sql = "UPDATE accounts SET totp = ? WHERE id = ? AND totp = ''"
            if asked.database.execute(sql, (secret, number)):
                audit.note(asked.database, "second factor set up", account=number)
        return use_second(asked.database, number, code, sent)


async def join_form(asked: RequestContext) -> Response:
    """Ask for an invite's code, and for a name and login without a session."""
    return asked.page("join.html", code=asked.request.query_params.get("code", ""))


async def join(asked: RequestContext) -> Response:
    """Add an account to a course by a code: a new one, or the one that is signed in."""
    code, password = await asked.field("code"), await asked.field("password")
    find_invite(asked.database, code)  # checked before the costly hash
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


async def tokens(asked: RequestContext) -> Response:
    """List the account's tokens, with the form for a new one."""
    return _tokens_page(asked)


async def make_token(asked: RequestContext) -> Response:
    """Make a token, and show it once."""
    title, chosen = await asked.field("title"), await asked.field("purpose")
    purpose = next((each for each in _purposes(asked) if each == chosen), None)
    if chosen and purpose is None:
        raise PortalError(f"purpose: choose one of {', '.join(_purposes(asked))}")
    with asked.database.transaction():
        code = sessions.add_token(
            asked.database, asked.account.id, title, purpose or _purposes(asked)[0]
        )
        audit.note(asked.database, "token made", account=asked.account.id)
    return _tokens_page(asked, code)


async def end_token(asked: RequestContext) -> Response:
    """End one of the account's tokens."""
    with asked.database.transaction():
        token = str(asked.request.path_params["token"])
        if not sessions.end_token(asked.database, asked.account.id, token):
            raise HTTPException(404)
        audit.note(asked.database, "token ended", account=asked.account.id)
    return asked.go_to("tokens")


def _tokens_page(asked: RequestContext, code: str = "") -> Response:
    own = sessions.tokens_of(asked.database, asked.account.id)
    return asked.page("tokens.html", tokens=own, code=code, purposes=_purposes(asked))


def _purposes(asked: RequestContext) -> tuple[sessions.Purpose, ...]:
    """Give the purposes that a token of the account may have; the first is the default."""
    return sessions.PURPOSES if asked.account.is_admin else sessions.PURPOSES[:1]


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
    Page("/account/tokens", "tokens", "account", tokens),
    Page("/account/tokens", "make-token", "account", make_token, "POST", is_grave=True),
    Page("/account/tokens/{token}/end", "end-token", "account", end_token, "POST", form="tokens"),
)
