"""The second factor: codes of six digits by RFC 6238, from a secret in an authenticator app."""

import re
import time
from hmac import compare_digest

import pyotp
import segno

from tourney.sqlite.database import Database

SECRET = re.compile("[A-Z2-7]{32}")
STEP = 30  # seconds
SLACK = 1
"""Accepted time steps before and after the present one, because clocks differ."""


def new_secret() -> str:
    """Draw a random secret."""
    return pyotp.random_base32()


def link_of(secret: str, login: str, title: str) -> str:
    """Give the link by which an app imports a secret."""
    return pyotp.TOTP(secret).provisioning_uri(name=login, issuer_name=title)


def picture_of(link: str) -> str:
    """Give a link as a QR code: an SVG image in a data address, dark on white in any theme."""
    picture: str = segno.make(link, error="m").svg_data_uri(scale=4, border=4, light="#fff")
    return picture


def step_of(secret: str, code: str, moment: float | None = None) -> int | None:
    """Give the time step of a code; `None` if it matches no step near the present.

    Args:
        secret: As `new_secret` draws it; another text from a form matches no code.
        code: The typed code.
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
    """Use up a code of an account; give whether it was right.

    Args:
        database: The portal's.
        account: The account.
        code: The typed code.
        moment: Time of the request, in seconds since 1970; now by default.
    """
    row = database.first("SELECT totp FROM accounts WHERE id = ? AND totp <> ''", (account,))
    step = step_of(str(row[0]), code, moment) if row else None
    if step is None:
        return False
    sql = "UPDATE accounts SET totp_last = ? WHERE id = ? AND totp_last < ?"
    return database.execute(sql, (step, account, step)) == 1
