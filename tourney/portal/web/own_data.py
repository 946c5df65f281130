"""Pages of the own data: description, download, and erasure."""

from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from tourney.errors import PortalError
from tourney.portal.accounts import login_of
from tourney.portal.erasure import erase
from tourney.portal.own_data import PARTS, pack
from tourney.portal.retention import days
from tourney.portal.web.pages import Page, RequestContext

CHUNK = 64_000


async def own_data(context: RequestContext) -> Response:
    """Describe the account's data, with the forms to download and erase it."""
    kept = days(context.database, "keep_lines_days")
    return context.page("own-data.html", parts=PARTS, kept=kept)


async def export_data(context: RequestContext) -> Response:
    """Give all data of the account, as a zip."""
    file = TemporaryFile()  # noqa: SIM115 - closed when it is sent
    await run_in_threadpool(pack, context.places, context.account.id, file)
    return zip_answer(file, "my-data.zip")


def zip_answer(file: IO[bytes], name: str) -> Response:
    """Send a zip as a download, and close the file.

    Args:
        file: The zip, as it was written.
        name: Of the download, in ASCII.
    """
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
        answer.delete_cookie(
            context.site.cookie,
            path="/",
            secure=context.site.is_secure,
            httponly=True,
            samesite="lax",
        )
    return answer


PAGES = (
    Page("/account/data", "own-data", "account", own_data),
    Page(
        "/account/data/export",
        "export-data",
        "account",
        export_data,
        "POST",
        is_grave=True,
        form="own-data",
    ),
    Page(
        "/account/data/erase",
        "erase-data",
        "account",
        erase_data,
        "POST",
        is_grave=True,
        form="own-data",
    ),
    Page("/erase", "erase-person", "admin", erase_person),
    Page("/erase", "erase-person-form", "admin", erase_person_form, "POST", is_grave=True),
)
