"""Texts that the portal stores in a browser, signed so that it can verify them later."""

import hmac
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from secrets import token_hex
from typing import Any

from tourney.portal.database import setting
from tourney.sqlite.database import Database

LONGEST = 4000


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
    if len(text) > LONGEST or not text.isascii():
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
