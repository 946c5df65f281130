"""The second factor: codes of six digits by RFC 6238, from a secret that an app keeps."""

import re
import time
from hmac import compare_digest

import pyotp

from tourney.sqlite.database import Database

SECRET = re.compile("[A-Z2-7]{32}")
STEP = 30  # seconds
SLACK = 1
"""Steps before and after the present one that count too: clocks differ."""


def new_secret() -> str:
    """Draw a secret."""
    return pyotp.random_base32()


def link_of(secret: str, login: str, title: str) -> str:
    """Give the link that an app reads a secret from."""
    return pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=title)


def step_of(secret: str, code: str, moment: float | None = None) -> int | None:
    """Give the time step that a code is of; None if it is of none near the present.

    Args:
        secret: As `new_secret` draws it; what else a form brings fits no code.
        code: What somebody typed.
        moment: Seconds since 1970; now by default.
    """
    if not SECRET.fullmatch(secret):
        return None
    typed = "".join(code.split())
    now = int((time.time() if moment is None else moment) // STEP)
    for step in range(now - SLACK, now + SLACK + 1):
        if compare_digest(pyotp.TOTP(secret).generate_otp(step).encode(), typed.encode()):
            return step
    return None


def use_second(database: Database, account: int, code: str, moment: float | None = None) -> bool:
    """Use a code of an account up, so that it serves once; say whether it was right.

    Args:
        database: The portal's.
        account: Whose.
        code: What was typed.
        moment: When it was sent, in seconds since 1970; now by default.
    """
    row = database.first("SELECT totp FROM accounts WHERE id = ? AND totp <> ''", (account,))
    step = step_of(str(row[0]), code, moment) if row else None
    if step is None:
        return False
    sql = "UPDATE accounts SET totp_last = ? WHERE id = ? AND totp_last < ?"
    return database.execute(sql, (step, account, step)) == 1
