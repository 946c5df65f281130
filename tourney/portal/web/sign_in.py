"""Pages to sign in and out, and for the first set-up."""

from functools import partial
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
from tourney.portal.database import setting
from tourney.portal.guesses import Guess, TooManyError
from tourney.portal.invites import Purpose, find_code, link_fault, use_code
from tourney.portal.passwords import check_length
from tourney.portal.providers import FAILED, begin, complete, provider_of
from tourney.portal.sessions import BROWSER_COOKIE_SECONDS, browser_cookie
from tourney.portal.web.guard import way_back
from tourney.portal.web.pages import STRANGERS_BYTES, Page, RequestContext, sentence

WRONG = (
    "the login or the password is wrong; try again, or ask your lecturer for a link to choose a "
    "new password"
)


async def sign_in_form(context: RequestContext) -> Response:
    """Show the form for login and password."""
    return _sign_in_again(context, 200, "", back=context.request.query_params.get("back", ""))


async def sign_in(context: RequestContext) -> Response:
    """Start a session, if the password is right."""
    login, back = await context.field("login"), await context.field("back")
    row, browser = _account_of(context, login), context.known_browser
    is_trusted = row is not None and browser is not None and browser.account == row[0]
    guess = Guess(
        f"account {row[0]}" if row else f"login {login.strip().casefold()[:200]}",
        context.address,
        is_known=row is not None,
        trusted=f"browser {browser.id}" if browser and is_trusted else "",
    )
    kept = str(row[1]) if row else ""
    try:
        is_right = await context.site.passwords.is_right(
            guess, kept, await context.field("password")
        )
    except TooManyError as error:
        answer = _sign_in_again(context, error.status, str(error), back=back, login=login)
        answer.headers["retry-after"] = str(error.seconds)
        return answer
    if not is_right:
        return _sign_in_again(context, 401, WRONG, back=back, login=login)
    assert row
    return signed_in(context, int(row[0]), way_back(context.site, back))


def _account_of(context: RequestContext, login: str) -> tuple[Any, ...] | None:
    """Find the number and password hash of an account; `None` without one."""
    try:
        known = login_of(login)
    except PortalError:
        return None
    return context.database.first(
        "SELECT id, password FROM accounts WHERE login = ? AND erased IS NULL", (known,)
    )


def _sign_in_again(
    context: RequestContext, status: int, fault: str, *, back: str = "", login: str = ""
) -> Response:
    has_provider = bool(setting(context.database, "openid_issuer"))
    told = {"back": back, "fault": sentence(fault), "login": login, "has_provider": has_provider}
    return context.page("sign-in.html", status, **told)


def signed_in(
    context: RequestContext, account: int, to: str, *, has_second: bool = False
) -> Response:
    """Start a session, and redirect the browser."""
    if account_by(context.database, account) is None:
        raise PortalError("account: it is locked; ask an administrator")
    agent = context.request.headers.get("user-agent", "")
    code = sessions.begin(context.database, account, agent, has_second=has_second)
    audit.note(context.database, "signed in", account=account)
    answer = RedirectResponse(to, 303)
    _keep_cookie(context, answer, context.site.cookie, code)
    _keep_browser(context, answer, account, has_second=has_second)
    return answer


def _keep_browser(
    context: RequestContext, answer: Response, account: int, *, has_second: bool
) -> None:
    """Remember the browser; one that has shown a second factor keeps that status."""
    known = context.known_browser
    if known and known.account == account:
        has_second = has_second or known.has_second
    cookie = browser_cookie(context.database, account, has_second=has_second)
    _keep_cookie(context, answer, context.site.browser_cookie, cookie, lasts=BROWSER_COOKIE_SECONDS)


def _keep_cookie(
    context: RequestContext, answer: Response, name: str, value: str, *, lasts: int | None = None
) -> None:
    answer.set_cookie(
        name,
        value,
        max_age=lasts,
        path="/",
        secure=context.site.is_secure,
        httponly=True,
        samesite="lax",
    )


async def openid(context: RequestContext) -> Response:
    """Redirect the browser to the provider, if there is one."""
    return await _to_provider(context, way_back(context.site, await context.field("back")))


async def join_provider(context: RequestContext) -> Response:
    """Redirect the browser to the provider, to connect it with the account."""
    assert context.session
    return await _to_provider(context, context.link("account"), session=context.session.id)


async def leave_provider(context: RequestContext) -> Response:
    """Remove a provider's sign-in from an account with a password."""
    number, issuer = context.account.id, await context.field("issuer")
    with context.database.transaction():
        if not context.database.first(
            "SELECT 1 FROM accounts WHERE id = ? AND password <> ''", (number,)
        ):
            raise PortalError(
                "sign-in: without a password you could no longer sign in; first ask for a link to "
                "choose one"
            )
        sql = "DELETE FROM identities WHERE account = ? AND issuer = ?"
        if not context.database.execute(sql, (number, issuer)):
            raise PortalError("provider: your account does not use it; reload the page")
        audit.note(context.database, "identity left", account=number, issuer=issuer)
    return context.go_to("account")


async def _to_provider(context: RequestContext, back: str, *, session: str = "") -> Response:
    provider = provider_of(context.database)
    if provider is None:
        raise PortalError("sign-in: this portal has no sign-in provider; use your password")
    address = context.absolute("openid-answer")
    async with context.site.provider.slot(context.browser_or_source):
        to, begun = await begin(context.database, provider, back, address, session=session)
    # No redirect by 303: browsers apply `form-action` to the final target of a form, too.
    answer = context.page("openid.html", to=to, issuer=provider.issuer)
    _keep_cookie(context, answer, f"{context.site.cookie}-openid", begun)
    return answer


async def openid_answer(context: RequestContext) -> Response:
    """Take the provider's answer, and sign its account in."""
    provider = provider_of(context.database)
    cookie = f"{context.site.cookie}-openid"
    if provider is None or cookie not in context.request.cookies:
        raise PortalError(FAILED)
    async with context.site.provider.slot(context.browser_or_source):
        identity, back, session = await complete(
            context.database,
            provider,
            context.request.query_params,
            context.request.cookies[cookie],
            context.absolute("openid-answer"),
        )
    if session and (context.session is None or context.session.id != session):
        raise PortalError(FAILED)
    with context.database.transaction():
        if session:
            number = context.account.id
            join_identity(context.database, number, identity)
            audit.note(context.database, "identity joined", account=number, issuer=identity.issuer)
        else:
            number = account_for(context.database, identity)
    return context.go_back(back) if session else signed_in(context, number, back)


async def sign_out(context: RequestContext) -> Response:
    """End the session."""
    assert context.session
    sessions.end(context.database, context.account.id, context.session.id)
    answer = RedirectResponse("/", 303)
    delete_session_cookie(context, answer)
    return answer


def delete_session_cookie(context: RequestContext, answer: Response) -> None:
    """Let the browser forget its session."""
    answer.delete_cookie(
        context.site.cookie, path="/", secure=context.site.is_secure, httponly=True, samesite="lax"
    )


async def linked_form(context: RequestContext, purpose: Purpose) -> Response:
    """Show the form of a link with a code, for the set-up or a new password, or its fault."""
    code = context.request.query_params.get("code", "")
    fault = "" if context.refusal else link_fault(context.database, code, purpose)
    return context.page(f"{purpose}.html", code=code, fault=sentence(fault))


async def set_up(context: RequestContext) -> Response:
    """Create the first account."""
    code, password = await context.field("code"), await context.field("password")
    check_length(password)
    find_code(context.database, code, "set-up")  # checked before the costly hash
    hashed = await context.site.passwords.hash(password, "portal", context.address)
    login, name = await context.field("login"), await context.field("name")
    with context.database.transaction():
        use_code(context.database, code, "set-up")
        account = add_account(context.database, login, name, hashed, is_admin=True)
        audit.note(context.database, "portal set up", account=account)
    return signed_in(context, account, "/")


_on_account = partial(Page, method="POST", is_grave=True, form="account")
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
    _on_account("/account/provider", "join-provider", "account", join_provider),
    _on_account("/account/provider/leave", "leave-provider", "account", leave_provider),
    Page("/sign-out", "sign-out", "account", sign_out, "POST", before_second=True),
    Page("/set-up", "set-up", "anybody", partial(linked_form, purpose="set-up")),
    Page("/set-up", "set-up-form", "anybody", set_up, "POST", most_bytes=STRANGERS_BYTES),
)
