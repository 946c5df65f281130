"""Sessions, tokens and known browsers of an account.

The cookie of a known browser does not sign in; it only lets guesses from this browser skip the
queue of strangers. It is bound to the password hash, so a new password revokes it. Resetting a
second factor revokes the cookies of browsers that have shown one.
"""

import hmac
import json
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from secrets import token_hex, token_urlsafe
from typing import Any, Literal, get_args

from tourney.errors import PortalError, StoreFullError
from tourney.portal.accounts import Account, account_by
from tourney.portal.database import hash_of, now, setting, time_text
from tourney.sqlite.database import Database

LONGEST_TEXT = 4000


def sign(database: Database, purpose: str, content: Mapping[str, Any]) -> str:
    """Give a signed text that fits into a cookie.

    Args:
        database: The portal's, which holds the key.
        purpose: The only purpose for which it is valid.
        content: Its content, numbers and texts; the holder of the text can read them.
    """
    text = urlsafe_b64encode(json.dumps(content).encode()).decode().rstrip("=")
    return f"{text}.{signature(database, purpose, text)}"


def read_signed(database: Database, purpose: str, text: str) -> Mapping[str, Any] | None:
    """Give the content of a text; `None` if the portal has not signed it for this purpose."""
    body, _, given = text.partition(".")
    if len(text) > LONGEST_TEXT or not text.isascii():
        return None
    if not hmac.compare_digest(given, signature(database, purpose, body)):
        return None
    content: Mapping[str, Any] = json.loads(urlsafe_b64decode(body + "=" * (-len(body) % 4)))
    return content


def signature(database: Database, purpose: str, text: str) -> str:
    """Give the signature of a text for a purpose."""
    return hmac.digest(_key(database), f"{purpose}\n{text}".encode(), "sha256").hex()


def _key(database: Database) -> bytes:
    key = setting(database, "signing_key")
    if not key:
        sql = "INSERT OR IGNORE INTO settings VALUES ('signing_key', ?)"
        database.execute(sql, (token_hex(32),))
        key = setting(database, "signing_key")
    return bytes.fromhex(key)


IDLE = timedelta(hours=12)
LONGEST = timedelta(days=7)
TOKEN_LIFETIME = timedelta(days=120)
MOST_TOKENS = 10
LONGEST_TITLE = 100
FRESH = timedelta(minutes=10)
"""Time after (re-)authentication in which serious actions are allowed."""
SEEN_EVERY = timedelta(minutes=1)
"""Interval for recording that a session is in use, to avoid a write for every page."""


@dataclass(frozen=True, slots=True)
class Session:
    """A signed-in account."""

    id: str
    account: Account
    has_second: bool
    is_fresh: bool  # authenticated a short time ago
    purpose: str = ""  # of the program's token; empty for a browser

    @property
    def by_token(self) -> bool:
        """Whether the request comes from a program, with a token."""
        return bool(self.purpose)


def begin(database: Database, account: int, agent: str, *, has_second: bool = False) -> str:
    """Start a session; give the code for its cookie."""
    code = token_urlsafe(32)
    database.execute(
        "INSERT INTO sessions (hash, id, account, made, seen, agent, has_second, proved) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (hash_of(code), token_hex(8), account, now(), now(), agent[:200], int(has_second), now()),
    )
    return code


def find(database: Database, code: str) -> Session | None:
    """Find the session of a code; `None` if it is unknown or expired."""
    row = database.first(
        "SELECT id, account, made, seen, has_second, proved FROM sessions WHERE hash = ?",
        (hash_of(code),),
    )
    if row is None:
        return None
    moment = datetime.now(UTC)
    made, seen, proved = (datetime.fromisoformat(row[at]) for at in (2, 3, 5))
    account = account_by(database, row[1])
    if account is None or moment - seen > IDLE or moment - made > LONGEST:
        with suppress(StoreFullError):  # it has expired, whether its row is removed or not
            database.execute("DELETE FROM sessions WHERE hash = ?", (hash_of(code),))
        return None
    if moment - seen > SEEN_EVERY:
        _note_seen(database, "sessions", code)
    return Session(row[0], account, bool(row[4]), moment - proved <= FRESH)


def account_now(database: Database, session: Session) -> Account | None:
    """Give the account of a session as it is now; `None` if either has ended."""
    table = "tokens" if session.by_token else "sessions"
    row = database.first(f"SELECT account FROM {table} WHERE id = ?", (session.id,))  # noqa: S608 - one of two tables
    return account_by(database, row[0]) if row else None


def end(database: Database, account: int, session: str | None = None) -> None:
    """End a session of an account, or all of them."""
    database.execute(
        "DELETE FROM sessions WHERE account = ? AND (? IS NULL OR id = ?)",
        (account, session, session),
    )


def end_everything(database: Database, account: int) -> None:
    """End all sessions and all tokens of an account."""
    end(database, account)
    database.execute("DELETE FROM tokens WHERE account = ?", (account,))


Purpose = Literal["handing in", "metrics"]
"""The one permission of a token: submit and read its reports, or read `/metrics`."""
PURPOSES: tuple[Purpose, ...] = get_args(Purpose)


@dataclass(frozen=True, slots=True)
class Token:
    """A code for programs of an account."""

    id: str
    title: str
    purpose: Purpose
    made: str
    seen: str | None  # when it was last used
    expires: str


def tokens_of(database: Database, account: int) -> tuple[Token, ...]:
    """Give the valid tokens of an account, newest first."""
    rows = database.read(
        iter,
        "SELECT id, title, purpose, made, seen, expires FROM tokens "
        "WHERE account = ? AND expires > ? "
        "ORDER BY made DESC",
        (account, now()),
    )
    return tuple(Token(*row) for row in rows)


def end_token(database: Database, account: int, token: str) -> bool:
    """End a token of an account; give whether there was one."""
    return bool(
        database.execute("DELETE FROM tokens WHERE account = ? AND id = ?", (account, token))
    )


def add_token(database: Database, account: int, title: str, purpose: Purpose = "handing in") -> str:
    """Make and give a token for programs of an account, in a transaction of the caller.

    Args:
        database: Of the portal.
        account: Its owner.
        title: Its owner's name for it.
        purpose: Its one permission.

    Raises: PortalError, if the title is invalid, or the account has too many tokens.
    """
    title = title.strip()
    if not title or not title.isprintable() or len(title) > LONGEST_TITLE:
        raise PortalError(
            f"title: use 1 to {LONGEST_TITLE} printable characters that name the purpose of the "
            "token, such as 'my laptop'"
        )
    if len(tokens_of(database, account)) >= MOST_TOKENS:
        raise PortalError(
            f"you already have {MOST_TOKENS} tokens, the limit; end one that you do not use"
        )
    code = f"tourney_{token_urlsafe(32)}"
    expires = time_text(datetime.now(UTC) + TOKEN_LIFETIME)
    database.execute(
        "INSERT INTO tokens (hash, id, account, title, purpose, made, expires) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        (hash_of(code), token_hex(8), account, title, purpose, now(), expires),
    )
    return code


def find_token(database: Database, code: str) -> Session | None:
    """Find the account of a token; `None` if the token is unknown or expired."""
    row = database.first(
        "SELECT id, account, purpose FROM tokens WHERE hash = ? AND expires > ?",
        (hash_of(code), now()),
    )
    account = account_by(database, row[1]) if row else None
    if row is None or account is None:
        return None
    _note_seen(database, "tokens", code)
    return Session(row[0], account, has_second=False, is_fresh=False, purpose=row[2])


def account_of_token(database: Database, code: str) -> int | None:
    """Give the account of a valid token; `None` otherwise."""
    sql = "SELECT account FROM tokens WHERE hash = ? AND expires > ?"
    row = database.first(sql, (hash_of(code), now()))
    return None if row is None else int(row[0])


def _note_seen(database: Database, table: str, code: str) -> None:
    """Record that a code was used; a full disk does not prevent the page."""
    with suppress(StoreFullError):
        sql = f"UPDATE {table} SET seen = ? WHERE hash = ?"  # noqa: S608 - one of two tables
        database.execute(sql, (now(), hash_of(code)))


BROWSER_COOKIE_SECONDS = 180 * 24 * 3600
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
        "until": int(time.time()) + BROWSER_COOKIE_SECONDS,
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
