"""Replacing the clock and the random numbers of a host, so that players are reproducible.

`host_process` fixes addresses and hashes before a host starts. All this helps honest players that,
for example, read a clock. A player that makes an effort can find the machine's real clock, and
learn from it how busy the machine is.
"""

import os
import random
import sys
import time
from typing import Any

NANOSECONDS = 1_000_000_000
EPOCH = 946_684_800 * NANOSECONDS  # the year 2000 begins
LOOK = 1_000_003
"""Nanoseconds that pass at each look at a clock: a player that waits for a time comes to an end,
and the last digits vary."""

SINCE_START = ("monotonic", "perf_counter", "process_time", "thread_time")
"""Clocks of Python that count from an arbitrary moment."""

PAST_PYTHON = ("datetime",)
"""Modules that read the machine's clock directly, and were loaded because others use them."""


class Clock:
    """A clock that advances only when it is read, or during sleep."""

    def __init__(self) -> None:
        self._passed = 0  # nanoseconds

    def passed(self) -> int:
        """Return the nanoseconds since the start."""
        self._passed += LOOK
        return self._passed

    def now(self) -> int:
        """Return the nanoseconds since 1970."""
        return EPOCH + self.passed()

    def sleep(self, seconds: float, /) -> None:
        """Advance the clock, and return immediately.

        Raises: ValueError, if the time is negative.
        """
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._passed += int(seconds * NANOSECONDS)


def make_same(key: bytes) -> None:
    """Replace Python's clocks, and derive all random numbers from a key.

    Args:
        key: The random key of the first player in this process.
    """
    replace_time(Clock())
    replace_chance(key)
    for name in PAST_PYTHON:
        sys.modules.pop(name, None)


def replace_time(clock: Clock) -> None:
    """Make all functions of Python's module `time` use this clock."""
    gmtime, asctime, strftime = time.gmtime, time.asctime, time.strftime

    def of_day() -> float:
        return clock.now() / NANOSECONDS

    def since_start() -> float:
        return clock.passed() / NANOSECONDS

    def date(seconds: float | None = None, /) -> time.struct_time:
        return gmtime(of_day() if seconds is None else seconds)

    replaced: dict[str, Any] = {
        "time": of_day,
        "time_ns": clock.now,
        **dict.fromkeys(SINCE_START, since_start),
        **{f"{name}_ns": clock.passed for name in SINCE_START},
        "clock_gettime": lambda _number, /: of_day(),  # noqa: PLW0108 - takes a number
        "clock_gettime_ns": lambda _number, /: clock.now(),  # noqa: PLW0108 - as above
        "sleep": clock.sleep,
        "gmtime": date,
        "localtime": date,
        "ctime": lambda seconds=None, /: asctime(date(seconds)),
        "asctime": lambda day=None, /: asctime(day or date()),
        "strftime": lambda words, day=None, /: strftime(words, day or date()),
    }
    vars(time).update(replaced)


def replace_chance(key: bytes) -> None:
    """Seed all random generators that are not seeded explicitly."""
    chance = random.Random(key)  # noqa: S311 - for a player's decisions, not for secrets
    seed = random.Random.seed

    def seed_always(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, chance.getrandbits(256) if a is None else a, version)

    os.urandom = chance.randbytes
    random.Random.seed = seed_always  # type: ignore[method-assign]  # in this process only
    shared = vars(random)["_inst"]  # its methods are the functions of the module
    vars(random).update(_urandom=chance.randbytes, seed=shared.seed)
    shared.seed()
    if numpy_random := sys.modules.get("numpy.random"):
        vars(numpy_random)["seed"](chance.getrandbits(32))
