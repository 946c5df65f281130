"""Passwords, hashed with Argon2id, and the six-digit codes of a second factor.

The cost parameters follow OWASP's password storage sheet: 19 MiB, two passes, one lane.
"""

import asyncio
import re
import time
from collections import deque
from functools import cache, partial
from hmac import compare_digest
from secrets import choice
from typing import TYPE_CHECKING

from tourney.errors import PortalError
from tourney.lazy import Module
from tourney.portal.guesses import PASSWORDS, Guess, Line
from tourney.sqlite.database import Database

if TYPE_CHECKING:
    import argon2
    import pyotp
    import segno
else:  # without the extra, `tourney serve` names it
    argon2, pyotp, segno = Module("argon2"), Module("pyotp"), Module("segno")

SHORTEST, LONGEST = 10, 200
MOST_AT_ONCE, OF_STRANGERS = 2, 1
"""Simultaneous hashes: in all, and for browsers unknown to the account."""
LATEST = 16


@cache
def _hasher() -> "argon2.PasswordHasher":
    return argon2.PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


def check_length(password: str) -> None:
    """Check a new password.

    Raises: PortalError, if it is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise PortalError(
            f"password: use {SHORTEST} to {LONGEST} characters, not {len(password)}; a few words "
            "in a row are easy to remember and hard to guess"
        )


async def hash_password(password: str) -> str:
    """Hash a new password.

    Raises: PortalError, if it is too short or too long.
    """
    check_length(password)
    return await asyncio.to_thread(_hasher().hash, password)


class Passwords:
    """Hashes and compares passwords, a few at a time and paced; see `guesses`."""

    def __init__(self) -> None:
        """Start with an empty queue."""
        self.line = Line(PASSWORDS, MOST_AT_ONCE, OF_STRANGERS)
        self._latest: deque[float] = deque(maxlen=LATEST)  # durations of recent hashes, in seconds

    async def hash(self, password: str, whose: str, address: str) -> str:
        """Hash a new password of a user with a code or a session.

        Raises: PortalError, if it is too short or too long, or too many wait.
        """
        check_length(password)
        async with self.line.turn(Guess(f"new {whose}", address, trusted="code")):
            return await hash_password(password)

    async def is_right(self, guess: Guess, kept: str, password: str) -> bool:
        """Give whether a password matches a hash; count it if it is wrong.

        It takes as long for an account that does not exist or has no password.

        Raises: TooManyError, if there were too many wrong ones.
        """
        async with self.line.turn(guess) as turn:
            if turn.is_real or not self._latest:
                verify = partial(_verify, kept, password[: LONGEST + 1])
                is_right, seconds = await asyncio.to_thread(verify)
                self._latest.append(seconds)
            else:
                await asyncio.sleep(choice(self._latest))
                is_right = False
            if not is_right:
                turn.was_wrong()
            return is_right


@cache
def _hash_of_no_account() -> str:
    """Give a hash to compare with if there is no account."""
    return _hasher().hash("the password of no account")


def _verify(kept: str, password: str) -> tuple[bool, float]:
    """Compare; give the result and the seconds that it took."""
    kept_or_other, begun = kept or _hash_of_no_account(), time.perf_counter()
    try:
        is_right = _hasher().verify(kept_or_other, password) and bool(kept)
    except (argon2.exceptions.VerifyMismatchError, argon2.exceptions.InvalidHashError):
        is_right = False
    return is_right, time.perf_counter() - begun


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
