"""How much time a confined player may take, by its own clock and by that on the wall.

Its own clock counts only what it computes, so a busy machine costs nobody a game. Sleep is seen by
looking, again and again, what it does. A limit only ever ends a player; no answer depends on time.
"""

import time
from pathlib import Path
from typing import NamedTuple

LOOK_SECONDS = 0.01
"""Between two looks at a process, at least."""
MOST_AT_A_LOOK = 0.1
"""Seconds of sleep that one look can find: whoever looks may have been kept from it for longer."""


class Budget(NamedTuple):
    """What a player may take."""

    loading: float = 3.0  # seconds of CPU to read its file and seat its players
    base: float = 1.0  # seconds of CPU besides those of decisions
    decision: float = 100e-6  # seconds of CPU for a decision, on average
    batch_factor: float = 4.0  # how many times the average one batch may take
    stall: float = 10.0  # seconds of sleep in all

    def of_batch(self, count: int) -> float:
        """Give the seconds of CPU that so many decisions may take at once."""
        return self.base + self.batch_factor * self.decision * count

    def of_all(self, count: int) -> float:
        """Give the seconds of CPU that so many decisions may take in all."""
        return self.base + self.decision * count

    @property
    def patient(self) -> "Budget":
        """What a player may take whose faults of time are known, on a machine that may be slower.

        Still not without a limit: nobody has to wait for ever.
        """
        loading, base, decision, batch_factor, stall = self
        return Budget(
            PATIENCE * loading, PATIENCE * base, PATIENCE * decision, batch_factor, PATIENCE * stall
        )


PATIENCE = 10
"""How many times a budget one may take who plays again what was judged before."""


def clock_of(process: int) -> int:
    """Give the kernel's name of the clock that counts what a process computes."""
    return (~process << 3) | 2


def seconds_of(process: int) -> float:
    """Give the seconds a process has computed; 0 where no such clock can be read."""
    try:
        return time.clock_gettime(clock_of(process))
    except (AttributeError, OSError):
        return 0.0


def is_asleep(process: int) -> bool:
    """Say whether a process waits for something to happen; True where nobody knows.

    To wait for a processor (R) or the disk (D), or to be stopped (T), is no sleep.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    # After the program's name in brackets, which may hold anything.
    return stat.rpartition(") ")[2].startswith("S")


class Sleep:
    """How long a process has slept while it was waited for, in all exchanges with it."""

    def __init__(self, process: int) -> None:
        """Begin with none."""
        self.process = process
        self.seconds = 0.0
        self.resume()

    def resume(self) -> None:
        """Count anew from now on: until now it may have waited for whoever looks."""
        self._computed, self._at = seconds_of(self.process), time.monotonic()

    def look(self) -> None:
        """Add the time since the last look, if it slept in most of it."""
        computed, passed = seconds_of(self.process) - self._computed, time.monotonic() - self._at
        if passed < LOOK_SECONDS:
            return
        # Who computes for half of the time is stopped in twice its budget of computing.
        if computed < passed / 2 and is_asleep(self.process):
            self.seconds += min(passed - computed, MOST_AT_A_LOOK)
        self.resume()


class Stopwatch:
    """Watches one exchange with a process."""

    def __init__(self, sleep: Sleep, most: float, stall: float) -> None:
        """Begin.

        Args:
            sleep: That of the process so far.
            most: Seconds of CPU for the exchange.
            stall: Seconds it may sleep in all exchanges.
        """
        self._sleep, self._most, self._stall = sleep, most, stall
        self._began = seconds_of(sleep.process)
        sleep.resume()

    def resume(self) -> None:
        """Look again, after a while in which it may have waited for whoever looks."""
        self._sleep.resume()

    def overspent(self) -> tuple[str, str] | None:
        """Say whether it has computed too much: a verdict's cause, and what was expected."""
        if seconds_of(self._sleep.process) - self._began > self._most:
            return "cpu", f"expected at most {self._most:.2f} s of computing, got more"
        return None

    def late(self) -> tuple[str, str] | None:
        """Say what is exceeded, if anything, while an answer is awaited; as `overspent` does."""
        self._sleep.look()
        if self._sleep.seconds > self._stall:
            return "stalled", f"expected an answer, got {self._stall:g} s of sleep"
        return self.overspent()
