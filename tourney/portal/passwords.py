"""Passwords: hashed by Argon2id, two at a time, so that a flood of sign-ins takes no memory.

What Argon2 costs follows OWASP's password storage sheet: 19 MiB, two passes, one lane.
"""

import asyncio
from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerifyMismatchError

from tourney.errors import PortalError

SHORTEST, LONGEST = 10, 200
MOST_AT_ONCE = 2
_HASHER = PasswordHasher(time_cost=2, memory_cost=19 * 1024, parallelism=1)


@cache
def _turns() -> asyncio.Semaphore:
    return asyncio.Semaphore(MOST_AT_ONCE)


@cache
def _nobodys() -> str:
    """A hash to compare with where there is no account, so that it takes as long."""
    return _HASHER.hash("nobody's password")


async def hash_password(password: str) -> str:
    """Hash a new password.

    Raises: PortalError, if it is too short or too long.
    """
    if not SHORTEST <= len(password) <= LONGEST:
        raise PortalError(
            f"password: expected {SHORTEST} to {LONGEST} characters, got {len(password)}; a few "
            "words in a row are easy to remember and hard to guess"
        )
    async with _turns():
        return await asyncio.to_thread(_HASHER.hash, password)


async def is_password(kept: str, password: str) -> bool:
    """Say whether a password is that of a hash; takes as long where there is none."""
    async with _turns():
        return await asyncio.to_thread(_verify, kept, password[: LONGEST + 1])


def _verify(kept: str, password: str) -> bool:
    try:
        return _HASHER.verify(kept or _nobodys(), password) and bool(kept)
    except (VerifyMismatchError, InvalidHashError):
        return False
