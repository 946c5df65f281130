"""What differs from run to run elsewhere is the same every time here: the time, and chance.

`host_process` fixes addresses and hashes before a host starts. All this serves honest players: one
that reads a clock is still reproducible. A player that makes an effort can find the machine's own
clock, and learns from it how busy the machine is.
"""

import os
import random
import sys
import time
from typing import Any

NANOSECONDS = 1_000_000_000
EPOCH = 946_684_800 * NANOSECONDS  # the year 2000 begins
LOOK = 1_000_003
"""Nanoseconds between two looks at a clock: who thinks until a time has passed comes to an end,
and the last digits are not always the same."""

SINCE_START = ("monotonic", "perf_counter", "process_time", "thread_time")
"""Clocks of Python that count from some moment on."""

PAST_PYTHON = ("datetime",)
"""Modules that read the machine's clock by themselves, and are here because others use them."""


class Clock:
    """A clock that goes on only when somebody looks at it, or sleeps."""

    def __init__(self) -> None:
        self._passed = 0  # nanoseconds

    def passed(self) -> int:
        """Give the nanoseconds since the start."""
        self._passed += LOOK
        return self._passed

    def now(self) -> int:
        """Give the nanoseconds since 1970."""
        return EPOCH + self.passed()

    def sleep(self, seconds: float, /) -> None:
        """Put the clock forward, and return at once.

        Raises: ValueError, if time would run backwards.
        """
        if seconds < 0:
            raise ValueError("sleep length must be non-negative")
        self._passed += int(seconds * NANOSECONDS)


def make_same(key: bytes) -> None:
    """Put a clock in the place of Python's, and chance that follows from a key in the kernel's.

    Args:
        key: That of the first player in this process.
    """
    replace_time(Clock())
    replace_chance(key)
    for name in PAST_PYTHON:
        sys.modules.pop(name, None)


def replace_time(clock: Clock) -> None:
    """Have all functions of Python's module look at this clock."""
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
    """Seed the generators that nobody seeds."""
    chance = random.Random(key)  # noqa: S311 - a player's dice, not a secret
    seed = random.Random.seed

    def seed_always(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, chance.getrandbits(256) if a is None else a, version)

    os.urandom = chance.randbytes
    random.Random.seed = seed_always  # type: ignore[method-assign]  # in this process only
    shared = vars(random)["_inst"]  # whose methods are the functions of the module
    vars(random).update(_urandom=chance.randbytes, seed=shared.seed)
    shared.seed()
    if numpy_random := sys.modules.get("numpy.random"):
        vars(numpy_random)["seed"](chance.getrandbits(32))
