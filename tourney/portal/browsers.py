"""Browsers in which somebody has signed in before: a cookie that says so, and no more.

It does not sign anybody in. Guesses from such a browser do not wait for those of strangers. The
cookie is signed with the hash of the account's password, so a new password ends all of them; a
second factor that was reset ends those that have shown one.
"""

import hmac
import time
from dataclasses import dataclass
from secrets import token_hex

from tourney.event.store import Database
from tourney.portal.database import setting

LASTS_SECONDS = 180 * 24 * 3600
LONGEST = 200


@dataclass(frozen=True, slots=True)
class KnownBrowser:
    """What a cookie says of a browser."""

    account: int
    id: str
    has_second: bool  # whether a second factor was shown in it


def browser_cookie(database: Database, account: int, *, has_second: bool) -> str:
    """Make a cookie for a browser in which somebody has just signed in."""
    told = f"{account}.{token_hex(16)}.{int(time.time())}.{int(has_second)}"
    return f"{told}.{_signature(database, told, account, has_second=has_second)}"


def find_browser(database: Database, cookie: str) -> KnownBrowser | None:
    """Read a cookie; None if the portal has not made it, or it has run out."""
    told, _, signature = cookie.rpartition(".")
    parts = told.split(".")
    is_ours = len(cookie) <= LONGEST and cookie.isascii() and len(parts) == 4  # noqa: PLR2004 - as above
    if not is_ours or not (parts[0].isdecimal() and parts[2].isdecimal() and len(parts[0]) < 19):  # noqa: PLR2004 - as many digits as the database has
        return None
    account, has_second = int(parts[0]), parts[3] == "1"
    expected = _signature(database, told, account, has_second=has_second)
    if not hmac.compare_digest(signature, expected):
        return None
    is_over = int(parts[2]) + LASTS_SECONDS < time.time()
    return None if is_over else KnownBrowser(account, parts[1], has_second)


def _signature(database: Database, told: str, account: int, *, has_second: bool) -> str:
    row = database.first(
        "SELECT password, totp FROM accounts WHERE id = ? AND erased IS NULL", (account,)
    )
    password, totp = row or ("", "")
    about = f"{told}\n{password}\n{totp if has_second else ''}\n{bool(row)}"
    return hmac.digest(_key(database), about.encode(), "sha256").hex()


def _key(database: Database) -> bytes:
    key = setting(database, "browser_key")
    if not key:
        sql = "INSERT OR IGNORE INTO settings VALUES ('browser_key', ?)"
        database.execute(sql, (token_hex(32),))
        key = setting(database, "browser_key")
    return bytes.fromhex(key)
