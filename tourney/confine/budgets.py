"""How much time a confined player may take, by its own clock and by that on the wall.

Its own clock counts only what it computes, so a busy machine costs nobody a game. The clock on
the wall catches who sleeps. A limit only ever ends a player; no answer depends on time.
"""

import time
from pathlib import Path
from typing import NamedTuple

PROGRESS_SECONDS = 0.001
"""Of its own time; less does not count as being awake."""


class Budget(NamedTuple):
    """What a player may take."""

    loading: float = 3.0  # seconds of CPU to read its file and seat its players
    base: float = 1.0  # seconds of CPU besides those of decisions
    decision: float = 100e-6  # seconds of CPU for a decision, on average
    batch_factor: float = 4.0  # how many times the average one batch may take
    stall: float = 10.0  # seconds on the wall without computing

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


def is_waiting_for_processor(process: int) -> bool:
    """Say whether a process would compute if others let it; False where nobody knows."""
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    # After the program's name in brackets, which may hold anything.
    return stat.rpartition(") ")[2].startswith("R")


class Stopwatch:
    """Watches one exchange with a process."""

    def __init__(self, process: int, most: float, stall: float) -> None:
        """Begin.

        Args:
            process: Its number.
            most: Seconds of CPU for the exchange.
            stall: Seconds on the wall without computing.
        """
        self._process, self._most, self._stall = process, most, stall
        self._began = self._seen = seconds_of(process)
        self._awake = time.monotonic()

    def resume(self) -> None:
        """Look again, after a while in which nobody did: so long a process was not asleep."""
        self._seen, self._awake = seconds_of(self._process), time.monotonic()

    def late(self) -> tuple[str, str] | None:
        """Say what is exceeded, if anything: a verdict's cause, and what was expected and came."""
        now, wall = seconds_of(self._process), time.monotonic()
        if now - self._began > self._most:
            return "cpu", f"expected at most {self._most:.2f} s of computing, got more"
        if now - self._seen > PROGRESS_SECONDS:
            self._seen, self._awake = now, wall
        elif wall - self._awake > self._stall and not is_waiting_for_processor(self._process):
            return "stalled", f"expected an answer, got {self._stall:g} s of sleep"
        return None
