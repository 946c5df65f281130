"""Passwords, hashed with Argon2id; few hashes run simultaneously, so that a flood takes no memory.

The cost parameters follow OWASP's password storage sheet: 19 MiB, two passes, one lane.
"""

import asyncio
import time
from collections import deque
from functools import cache, partial
from secrets import choice

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from tourney.errors import PortalError
from tourney.portal.guesses import PASSWORDS, Guess, Line

SHORTEST, LONGEST = 10, 200
MOST_AT_ONCE, OF_STRANGERS = 2, 1
"""Simultaneous hashes: in all, and for browsers unknown to the account."""
LATEST = 16
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


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
    return await asyncio.to_thread(_HASHER.hash, password)


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
    return _HASHER.hash("the password of no account")


def _verify(kept: str, password: str) -> tuple[bool, float]:
    """Compare; give the result and the seconds that it took."""
    kept_or_other, begun = kept or _hash_of_no_account(), time.perf_counter()
    try:
        is_right = _HASHER.verify(kept_or_other, password) and bool(kept)
    except (VerifyMismatchError, InvalidHashError):
        is_right = False
    return is_right, time.perf_counter() - begun
