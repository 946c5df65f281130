"""Tokens, with which programs submit for their owner, or read the metrics of the portal."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.errors import PortalError
from tourney.portal import audit, sessions
from tourney.portal.web.pages import Page, RequestContext


async def tokens(asked: RequestContext) -> Response:
    """List one's own tokens, and offer another."""
    return _page(asked)


async def make_token(asked: RequestContext) -> Response:
    """Make a token, and show it for the only time."""
    title, chosen = await asked.field("title"), await asked.field("purpose")
    purpose = next((each for each in _purposes(asked) if each == chosen), None)
    if chosen and purpose is None:
        raise PortalError(f"purpose: expected one of {', '.join(_purposes(asked))}")
    with asked.database.transaction():
        code = sessions.add_token(
            asked.database, asked.account.id, title, purpose or _purposes(asked)[0]
        )
        audit.note(asked.database, "token made", account=asked.account.id)
    return _page(asked, code)


async def end_token(asked: RequestContext) -> Response:
    """End a token of one's own."""
    with asked.database.transaction():
        token = str(asked.request.path_params["token"])
        if not sessions.end_token(asked.database, asked.account.id, token):
            raise HTTPException(404)
        audit.note(asked.database, "token ended", account=asked.account.id)
    return asked.go_to("tokens")


def _page(asked: RequestContext, code: str = "") -> Response:
    own = sessions.tokens_of(asked.database, asked.account.id)
    return asked.page("tokens.html", tokens=own, code=code, purposes=_purposes(asked))


def _purposes(asked: RequestContext) -> tuple[sessions.Purpose, ...]:
    """Give the purposes that a token of the account may have; the first is the default."""
    return sessions.PURPOSES if asked.account.is_admin else sessions.PURPOSES[:1]


PAGES = (
    Page("/account/tokens", "tokens", "account", tokens),
    Page("/account/tokens", "make-token", "account", make_token, "POST", is_grave=True),
    Page("/account/tokens/{token}/end", "end-token", "account", end_token, "POST", form="tokens"),
)
