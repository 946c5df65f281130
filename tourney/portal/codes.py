"""Codes that serve once: to set the portal up, to choose a new password."""

from datetime import UTC, datetime, timedelta
from secrets import token_urlsafe
from typing import Literal

from tourney.errors import PortalError
from tourney.portal.database import hash_of, now, time_text
from tourney.sqlite.database import Database

Purpose = Literal["set-up", "reset"]
LASTS = timedelta(days=2)


def make_code(database: Database, purpose: Purpose, account: int | None = None) -> str:
    """Make and give a code, in a transaction of the caller; it ends earlier ones of its purpose."""
    code = token_urlsafe(32)
    database.execute(
        "UPDATE codes SET used = ? WHERE purpose = ? AND account IS ? AND used IS NULL",
        (now(), purpose, account),
    )
    database.execute(
        "INSERT INTO codes (hash, purpose, account, made, expires) VALUES (?, ?, ?, ?, ?)",
        (hash_of(code), purpose, account, now(), time_text(datetime.now(UTC) + LASTS)),
    )
    return code


def use_code(database: Database, code: str, purpose: Purpose) -> int | None:
    """Use up a code, in a transaction of the caller; give its account.

    Raises: PortalError, if the code is unknown, used or expired.
    """
    account = find_code(database, code, purpose)
    database.execute("UPDATE codes SET used = ? WHERE hash = ?", (now(), hash_of(code)))
    return account


def find_code(database: Database, code: str, purpose: Purpose) -> int | None:
    """Give the account of a code without using it up.

    Codes have 256 random bits and are found by their hash, so guesses need no limit.

    Raises: PortalError, if the code is unknown, used or expired.
    """
    row = database.first(
        "SELECT account FROM codes WHERE hash = ? AND purpose = ? AND used IS NULL AND expires > ?",
        (hash_of(code), purpose, now()),
    )
    if row is None:
        raise PortalError("link: it was already used, or is older than two days; ask for a new one")
    return None if row[0] is None else int(row[0])
