"""Pages to sign in and out, and for the first set-up."""

from typing import Any

from starlette.responses import RedirectResponse, Response

from tourney.errors import PortalError
from tourney.portal import audit, sessions
from tourney.portal.accounts import (
    account_by,
    account_for,
    add_account,
    join_identity,
    login_of,
)
from tourney.portal.browsers import LASTS_SECONDS, browser_cookie
from tourney.portal.codes import find_code, use_code
from tourney.portal.database import setting
from tourney.portal.guesses import Guess
from tourney.portal.limits import TooManyError
from tourney.portal.openid import FAILED, begin, complete
from tourney.portal.passwords import check_length
from tourney.portal.providers import provider_of
from tourney.portal.web.guard import way_back
from tourney.portal.web.pages import STRANGERS_BYTES, Page, RequestContext

WRONG = (
    "the login or the password is wrong; try again, or ask your lecturer for a link to choose a "
    "new password"
)


async def sign_in_form(asked: RequestContext) -> Response:
    """Show the form for login and password."""
    return _sign_in_again(asked, 200, "", back=asked.request.query_params.get("back", ""))


async def sign_in(asked: RequestContext) -> Response:
    """Start a session, if the password is right."""
    login, back = await asked.field("login"), await asked.field("back")
    row, browser = _account_of(asked, login), asked.known_browser
    is_trusted = row is not None and browser is not None and browser.account == row[0]
    guess = Guess(
        f"account {row[0]}" if row else f"login {login.strip().casefold()[:200]}",
        asked.address,
        is_known=row is not None,
        trusted=f"browser {browser.id}" if browser and is_trusted else "",
    )
    kept = str(row[1]) if row else ""
    try:
        is_right = await asked.site.passwords.is_right(guess, kept, await asked.field("password"))
    except TooManyError as error:
        answer = _sign_in_again(asked, error.status, str(error), back=back, login=login)
        answer.headers["retry-after"] = str(error.seconds)
        return answer
    if not is_right:
        return _sign_in_again(asked, 401, WRONG, back=back, login=login)
    assert row
    return signed_in(asked, int(row[0]), way_back(asked.site, back))


def _account_of(asked: RequestContext, login: str) -> tuple[Any, ...] | None:
    """Find the number and password hash of an account; None without one."""
    try:
        known = login_of(login)
    except PortalError:
        return None
    return asked.database.first(
        "SELECT id, password FROM accounts WHERE login = ? AND erased IS NULL", (known,)
    )


def _sign_in_again(
    asked: RequestContext, status: int, fault: str, *, back: str = "", login: str = ""
) -> Response:
    has_provider = bool(setting(asked.database, "openid_issuer"))
    told = {"back": back, "fault": fault, "login": login, "has_provider": has_provider}
    return asked.page("sign-in.html", status, **told)


def signed_in(
    asked: RequestContext, account: int, to: str, *, has_second: bool = False
) -> Response:
    """Start a session, and redirect the browser."""
    if account_by(asked.database, account) is None:
        raise PortalError("account: it is locked; ask an administrator")
    agent = asked.request.headers.get("user-agent", "")
    code = sessions.begin(asked.database, account, agent, has_second=has_second)
    audit.note(asked.database, "signed in", account=account)
    answer = RedirectResponse(to, 303)
    _keep_cookie(asked, answer, asked.site.cookie, code)
    _keep_browser(asked, answer, account, has_second=has_second)
    return answer


def _keep_browser(
    asked: RequestContext, answer: Response, account: int, *, has_second: bool
) -> None:
    """Remember the browser; one that has shown a second factor keeps that status."""
    known = asked.known_browser
    if known and known.account == account:
        has_second = has_second or known.has_second
    cookie = browser_cookie(asked.database, account, has_second=has_second)
    _keep_cookie(asked, answer, asked.site.browser_cookie, cookie, lasts=LASTS_SECONDS)


def _keep_cookie(
    asked: RequestContext, answer: Response, name: str, value: str, *, lasts: int | None = None
) -> None:
    answer.set_cookie(
        name,
        value,
        max_age=lasts,
        path="/",
        secure=asked.site.is_secure,
        httponly=True,
        samesite="lax",
    )


async def openid(asked: RequestContext) -> Response:
    """Redirect the browser to the provider, if there is one."""
    return await _to_provider(asked, way_back(asked.site, await asked.field("back")))


async def join_provider(asked: RequestContext) -> Response:
    """Redirect the browser to the provider, to connect it with the account."""
    assert asked.session
    return await _to_provider(asked, asked.link("account"), session=asked.session.id)


async def leave_provider(asked: RequestContext) -> Response:
    """Remove a provider's sign-in from an account with a password."""
    number, issuer = asked.account.id, await asked.field("issuer")
    with asked.database.transaction():
        if not asked.database.first(
            "SELECT 1 FROM accounts WHERE id = ? AND password <> ''", (number,)
        ):
            raise PortalError(
                "sign-in: without a password you could no longer sign in; first ask for a link to "
                "choose one"
            )
        sql = "DELETE FROM identities WHERE account = ? AND issuer = ?"
        if not asked.database.execute(sql, (number, issuer)):
            raise PortalError("provider: your account does not use it; reload the page")
        audit.note(asked.database, "identity left", account=number, issuer=issuer)
    return asked.go_to("account")


async def _to_provider(asked: RequestContext, back: str, *, session: str = "") -> Response:
    provider = provider_of(asked.database)
    if provider is None:
        raise PortalError("sign-in: this portal has no sign-in provider; use your password")
    here = asked.absolute("openid-answer")
    async with asked.site.provider.slot(asked.browser_or_source):
        to, begun = await begin(asked.database, provider, back, here, session=session)
    # No redirect by 303: browsers apply `form-action` to the final target of a form, too.
    answer = asked.page("openid.html", to=to, issuer=provider.issuer)
    _keep_cookie(asked, answer, f"{asked.site.cookie}-openid", begun)
    return answer


async def openid_answer(asked: RequestContext) -> Response:
    """Take the provider's answer, and sign its account in."""
    provider = provider_of(asked.database)
    cookie = f"{asked.site.cookie}-openid"
    if provider is None or cookie not in asked.request.cookies:
        raise PortalError(FAILED)
    async with asked.site.provider.slot(asked.browser_or_source):
        identity, back, session = await complete(
            asked.database,
            provider,
            asked.request.query_params,
            asked.request.cookies[cookie],
            asked.absolute("openid-answer"),
        )
    if session and (asked.session is None or asked.session.id != session):
        raise PortalError(FAILED)
    with asked.database.transaction():
        if session:
            number = asked.account.id
            join_identity(asked.database, number, identity)
            audit.note(asked.database, "identity joined", account=number, issuer=identity.issuer)
        else:
            number = account_for(asked.database, identity)
    return asked.go_back(back) if session else signed_in(asked, number, back)


async def sign_out(asked: RequestContext) -> Response:
    """End the session."""
    assert asked.session
    sessions.end(asked.database, asked.account.id, asked.session.id)
    answer = RedirectResponse("/", 303)
    answer.delete_cookie(
        asked.site.cookie, path="/", secure=asked.site.is_secure, httponly=True, samesite="lax"
    )
    return answer


async def set_up_form(asked: RequestContext) -> Response:
    """Show the set-up form, to the holder of the first start's link."""
    return asked.page("set-up.html", code=asked.request.query_params.get("code", ""))


async def set_up(asked: RequestContext) -> Response:
    """Create the first account."""
    code, password = await asked.field("code"), await asked.field("password")
    check_length(password)
    find_code(asked.database, code, "set-up")  # checked before the costly hash
    hashed = await asked.site.passwords.hash(password, "portal", asked.address)
    with asked.database.transaction():
        use_code(asked.database, code, "set-up")
        account = add_account(
            asked.database,
            await asked.field("login"),
            await asked.field("name"),
            hashed,
            is_admin=True,
        )
        audit.note(asked.database, "portal set up", account=account)
    return signed_in(asked, account, "/")


PAGES = (
    Page("/sign-in", "sign-in", "anybody", sign_in_form),
    Page("/sign-in", "sign-in-form", "anybody", sign_in, "POST", most_bytes=STRANGERS_BYTES),
    Page(
        "/sign-in/openid",
        "openid",
        "anybody",
        openid,
        "POST",
        form="sign-in",
        most_bytes=STRANGERS_BYTES,
    ),
    Page("/sign-in/openid", "openid-answer", "anybody", openid_answer),
    Page(
        "/account/provider",
        "join-provider",
        "account",
        join_provider,
        "POST",
        is_grave=True,
        form="account",
    ),
    Page(
        "/account/provider/leave",
        "leave-provider",
        "account",
        leave_provider,
        "POST",
        is_grave=True,
        form="account",
    ),
    Page("/sign-out", "sign-out", "account", sign_out, "POST", before_second=True),
    Page("/set-up", "set-up", "anybody", set_up_form),
    Page("/set-up", "set-up-form", "anybody", set_up, "POST", most_bytes=STRANGERS_BYTES),
)
