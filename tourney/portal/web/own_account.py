"""Pages of the own account: password, second factor, sessions, tokens, and own data."""

from collections.abc import Callable, Iterator
from functools import partial
from tempfile import TemporaryFile
from time import time
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.responses import Response, StreamingResponse

from tourney.errors import PortalError
from tourney.portal import audit, notices, sessions
from tourney.portal.accounts import add_account, course_of, issuers_of, login_of
from tourney.portal.database import hash_of, setting
from tourney.portal.erasure import days, erase
from tourney.portal.guesses import Guess, TooManyError
from tourney.portal.invites import find_code, find_invite, plain, use_code, use_invite
from tourney.portal.own_data import PARTS, pack
from tourney.portal.passwords import (
    SECRET,
    check_length,
    link_of,
    new_secret,
    picture_of,
    step_of,
    use_second,
)
from tourney.portal.web.guard import way_back
from tourney.portal.web.pages import STRANGERS_BYTES, Page, RequestContext, sentence
from tourney.portal.web.sign_in import delete_session_cookie, linked_form, signed_in


async def account(context: RequestContext) -> Response:
    """Show the account's sessions and second factor."""
    rows = context.database.read(
        iter,
        "SELECT id, made, seen, agent FROM sessions WHERE account = ? ORDER BY seen DESC",
        (context.account.id,),
    )
    issuers = sorted(issuers_of(context.database, context.account.id))
    provider = setting(context.database, "openid_issuer")
    return context.page("account.html", rows=tuple(rows), issuers=issuers, provider=provider)


async def end_session(context: RequestContext) -> Response:
    """End one of the account's sessions, or all others."""
    assert context.session
    chosen = await context.field("session")
    if not chosen:
        raise PortalError("session: you have no such session; reload the page")
    sessions.end(context.database, context.account.id, chosen)
    return context.go_to("account")


async def change_password(context: RequestContext) -> Response:
    """Change the password, end all sessions, and start this one again."""
    assert context.session
    number = context.account.id
    old, new = await context.field("old"), await context.field("new")
    check_length(new)
    if not await context.is_password(old):
        raise PortalError("old password: it is wrong; type it again")
    hashed = await context.site.passwords.hash(new, f"account {number}", context.address)
    with context.database.transaction():
        _set_password(context, number, hashed)
    return signed_in(
        context, number, context.link("account"), has_second=context.session.has_second
    )


def _set_password(context: RequestContext, account: int, hashed: str) -> None:
    """Store a new password; all sessions and tokens of the account end."""
    context.database.execute("UPDATE accounts SET password = ? WHERE id = ?", (hashed, account))
    sessions.end_everything(context.database, account)
    audit.note(context.database, "password changed", account=account)
    notices.add(context.database, "password", account=account)


async def reset(context: RequestContext) -> Response:
    """Store a new password."""
    code, password = await context.field("code"), await context.field("password")
    check_length(password)
    # Checked before the costly hash.
    whose = f"account {find_code(context.database, code, 'reset')}"
    hashed = await context.site.passwords.hash(password, whose, context.address)
    with context.database.transaction():
        number = use_code(context.database, code, "reset")
        assert number
        _set_password(context, number, hashed)
    return context.go_to("sign-in")


async def second_form(context: RequestContext) -> Response:
    """Ask for the code of the second factor, or show how to set one up."""
    back = context.request.query_params.get("back", "")
    return _second_page(context, back)


def _second_page(
    context: RequestContext, back: str, fault: str = "", status: int = 200, *, shown: str = ""
) -> Response:
    """Ask for a code; without a second factor, show a new secret or the given one."""
    secret = link = picture = ""
    if not context.account.has_totp:
        secret = shown if SECRET.fullmatch(shown) else new_secret()
        link = link_of(secret, context.account.login, setting(context.database, "title", "tourney"))
        picture = picture_of(link)
    return context.page(
        "second.html",
        status,
        secret=secret,
        link_of=link,
        picture=picture,
        back=back,
        fault=sentence(fault),
    )


async def second(context: RequestContext) -> Response:
    """Take a code, to set up a second factor or to show it."""
    assert context.session
    back, code, secret = [await context.field(each) for each in ("back", "code", "secret")]
    number, sent = context.account.id, time()
    browser = context.known_browser
    is_trusted = browser is not None and browser.account == number and browser.has_second
    trusted = f"browser {browser.id}" if browser and is_trusted else ""
    try:
        guess = Guess(f"account {number}", context.address, trusted=trusted)
        async with context.site.second_codes.turn(guess) as turn:
            is_right = _use_second(context, secret, code, sent)
            if not is_right:
                turn.was_wrong()
    except TooManyError as error:
        answer = _second_page(context, back, str(error), error.status, shown=secret)
        answer.headers["retry-after"] = str(error.seconds)
        return answer
    if not is_right:
        fault = (
            "the code is wrong or was already used; enter the six digits that your app shows now"
        )
        return _second_page(context, back, fault, 422, shown=secret)
    sessions.end(context.database, number, context.session.id)
    return signed_in(context, number, way_back(context.site, back), has_second=True)


def _use_second(context: RequestContext, secret: str, code: str, sent: float) -> bool:
    """Use up a code, and store the secret of a new second factor; give whether the code was right.

    Args:
        context: The request.
        secret: From the form.
        code: The typed code.
        sent: Time of the request, in seconds since 1970; the code may have waited since.
    """
    number = context.account.id
    with context.database.transaction():
        if not context.account.has_totp and secret and step_of(secret, code, sent) is not None:
            sql = "UPDATE accounts SET totp = ? WHERE id = ? AND totp = ''"
            if context.database.execute(sql, (secret, number)):
                audit.note(context.database, "second factor set up", account=number)
        return use_second(context.database, number, code, sent)


async def join_form(context: RequestContext) -> Response:
    """Ask for an invite's code, and for a name and login without a session."""
    return context.page("join.html", code=context.request.query_params.get("code", ""))


async def join(context: RequestContext) -> Response:
    """Add an account to a course by a code: a new one, or the one that is signed in."""
    code, password = await context.field("code"), await context.field("password")
    find_invite(context.database, code)  # checked before the costly hash
    hashed, whose = "", f"invite {hash_of(plain(code))}"
    if not context.session:
        hashed = await context.site.passwords.hash(password, whose, context.address)
    login, name = await context.field("login"), await context.field("name")
    with context.database.transaction():
        number = (
            context.account.id
            if context.session
            else add_account(context.database, login, name, hashed)
        )
        invite = use_invite(context.database, code, number)
        audit.note(
            context.database, "joined", account=number, course=invite.course, role=invite.role
        )
    course = context.link("course", course=course_of(context.database, invite.course).slug)
    return context.go_back(course) if context.session else signed_in(context, number, course)


async def tokens(context: RequestContext, code: str = "") -> Response:
    """List the account's tokens, with the form for a new one, and a code that was just made."""
    own = sessions.tokens_of(context.database, context.account.id)
    return context.page("tokens.html", tokens=own, code=code, purposes=_purposes(context))


async def make_token(context: RequestContext) -> Response:
    """Make a token, and show it once."""
    title, chosen = await context.field("title"), await context.field("purpose")
    purpose = next((each for each in _purposes(context) if each == chosen), None)
    if chosen and purpose is None:
        raise PortalError(f"purpose: choose one of {', '.join(_purposes(context))}")
    with context.database.transaction():
        code = sessions.add_token(
            context.database, context.account.id, title, purpose or _purposes(context)[0]
        )
        audit.note(context.database, "token made", account=context.account.id)
    return await tokens(context, code)


async def end_token(context: RequestContext) -> Response:
    """End one of the account's tokens."""
    with context.database.transaction():
        token = str(context.request.path_params["token"])
        if not sessions.end_token(context.database, context.account.id, token):
            raise HTTPException(404)
        audit.note(context.database, "token ended", account=context.account.id)
    return context.go_to("tokens")


def _purposes(context: RequestContext) -> tuple[sessions.Purpose, ...]:
    """Give the purposes that a token of the account may have; the first is the default."""
    return sessions.PURPOSES if context.account.is_admin else sessions.PURPOSES[:1]


CHUNK = 64_000


async def own_data(context: RequestContext) -> Response:
    """Describe the account's data, with the forms to download and erase it."""
    kept = days(context.database, "keep_lines_days")
    return context.page("own-data.html", parts=PARTS, kept=kept)


async def export_data(context: RequestContext) -> Response:
    """Give all data of the account, as a zip."""
    return await zip_answer("my-data.zip", partial(pack, context.places, context.account.id))


async def zip_answer(name: str, write: Callable[[IO[bytes]], None]) -> Response:
    """Send a zip as a download.

    Args:
        name: Of the download, in ASCII.
        write: Writes the zip into a file, in another thread.
    """
    file = TemporaryFile()  # noqa: SIM115 - closed when it is sent
    await run_in_threadpool(write, file)
    file.seek(0)
    answer = StreamingResponse(_chunks(file), media_type="application/zip")
    answer.headers["content-disposition"] = f'attachment; filename="{name}"'
    return answer


def _chunks(file: IO[bytes]) -> Iterator[bytes]:
    with file:
        while chunk := file.read(CHUNK):
            yield chunk


async def erase_data(context: RequestContext) -> Response:
    """Erase the account; the typed login prevents an accidental erasure."""
    if await context.field("login") != context.account.login:
        raise PortalError("login: it differs from yours; type it as the form shows it")
    return _erased(context, context.account.id)


async def erase_person(context: RequestContext) -> Response:
    """Show an administrator the form to erase a person."""
    return context.page("erase-person.html")


async def erase_person_form(context: RequestContext) -> Response:
    """Erase a person who has asked an administrator for it."""
    login, again = login_of(await context.field("login")), login_of(await context.field("again"))
    row = context.database.first("SELECT id FROM accounts WHERE login = ?", (login,))
    if row is None or login != again:
        raise PortalError(
            "login: no account has it, or the two fields differ; type an account's login twice"
        )
    return _erased(context, int(row[0]))


def _erased(context: RequestContext, account: int) -> Response:
    with context.database.transaction():
        files = erase(context.database, account, context.account.id)
    for name in files:
        (context.places.inbox / name).unlink(missing_ok=True)
    is_own = account == context.account.id
    answer = (
        RequestContext(context.request, context.site, None, None) if is_own else context
    ).page("erased.html")
    if is_own:
        delete_session_cookie(context, answer)
    return answer


_on_own_data = partial(Page, method="POST", is_grave=True, form="own-data")
PAGES = (
    Page("/account", "account", "account", account),
    Page("/account/session", "end-session", "account", end_session, "POST", form="account"),
    Page(
        "/account/password", "change-password", "account", change_password, "POST", form="account"
    ),
    Page("/reset", "reset", "anybody", partial(linked_form, purpose="reset")),
    Page("/reset", "reset-form", "anybody", reset, "POST", most_bytes=STRANGERS_BYTES),
    Page("/account/second", "second", "account", second_form, before_second=True),
    Page("/account/second", "second-form", "account", second, "POST", before_second=True),
    Page("/join", "join", "anybody", join_form),
    Page("/join", "join-form", "anybody", join, "POST", most_bytes=STRANGERS_BYTES),
    Page("/account/tokens", "tokens", "account", tokens),
    Page("/account/tokens", "make-token", "account", make_token, "POST", is_grave=True),
    Page("/account/tokens/{token}/end", "end-token", "account", end_token, "POST", form="tokens"),
    Page("/account/data", "own-data", "account", own_data),
    _on_own_data("/account/data/export", "export-data", "account", export_data),
    _on_own_data("/account/data/erase", "erase-data", "account", erase_data),
    Page("/erase", "erase-person", "admin", erase_person),
    Page("/erase", "erase-person-form", "admin", erase_person_form, "POST", is_grave=True),
)
