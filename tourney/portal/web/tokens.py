"""Tokens, by which programs of somebody's hand in for them."""

from starlette.exceptions import HTTPException
from starlette.responses import Response

from tourney.portal import audit, sessions
from tourney.portal.web.pages import Asked, Page


async def tokens(asked: Asked) -> Response:
    """List one's own tokens, and offer another."""
    return asked.page("tokens.html", tokens=_own(asked), code="")


async def make_token(asked: Asked) -> Response:
    """Make a token, and show it for the only time."""
    title = await asked.field("title")
    with asked.database.transaction():
        code = sessions.add_token(asked.database, asked.account.id, title)
        audit.note(asked.database, "token made", account=asked.account.id)
    return asked.page("tokens.html", tokens=_own(asked), code=code)


async def end_token(asked: Asked) -> Response:
    """End a token of one's own."""
    with asked.database.transaction():
        token = str(asked.request.path_params["token"])
        if not sessions.end_token(asked.database, asked.account.id, token):
            raise HTTPException(404)
        audit.note(asked.database, "token ended", account=asked.account.id)
    return asked.go_to("tokens")


def _own(asked: Asked) -> tuple[sessions.Token, ...]:
    return sessions.tokens_of(asked.database, asked.account.id)


PAGES = (
    Page("/account/tokens", "tokens", "account", tokens),
    Page("/account/tokens", "make-token", "account", make_token, "POST", is_grave=True),
    Page("/account/tokens/{token}/end", "end-token", "account", end_token, "POST", form="tokens"),
)
