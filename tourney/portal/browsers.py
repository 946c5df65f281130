"""Known browsers: a signed cookie for browsers in which an account has signed in before.

The cookie does not sign in; it only lets guesses from this browser skip the queue of strangers. It
is bound to the password hash, so a new password revokes it. Resetting a second factor revokes the
cookies of browsers that have shown one.
"""

import hmac
import time
from dataclasses import dataclass
from secrets import token_hex

from tourney.portal.signed_texts import read_signed, sign, signature
from tourney.sqlite.database import Database

LASTS_SECONDS = 180 * 24 * 3600
PURPOSE = "browser"


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """The content of a browser's cookie."""

    account: int
    id: str
    has_second: bool  # a second factor was shown in it


def browser_cookie(database: Database, account: int, *, has_second: bool) -> str:
    """Make a cookie for a browser in which an account has just signed in."""
    content = {
        "account": account,
        "id": token_hex(16),
        "until": int(time.time()) + LASTS_SECONDS,
        "second": has_second,
        "bound": _bound(database, account, has_second=has_second),
    }
    return sign(database, PURPOSE, content)


def find_browser(database: Database, cookie: str) -> KnownBrowser | None:
    """Read a cookie; `None` if it is not the portal's, expired or revoked."""
    content = read_signed(database, PURPOSE, cookie)
    if content is None or content["until"] < time.time():
        return None
    bound = _bound(database, content["account"], has_second=content["second"])
    if not bound or not hmac.compare_digest(content["bound"], bound):
        return None
    return KnownBrowser(content["account"], content["id"], content["second"])


def _bound(database: Database, account: int, *, has_second: bool) -> str:
    """Give a text that depends on the password and the second factor; empty without an account."""
    row = database.first(
        "SELECT password, totp FROM accounts WHERE id = ? AND erased IS NULL", (account,)
    )
    if row is None:
        return ""
    password, totp = row
    return signature(database, "bound", f"{account}\n{password}\n{totp if has_second else ''}")
