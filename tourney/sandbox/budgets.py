"""Limits on the time of a sandboxed player, by its CPU clock and by the wall clock.

The CPU clock counts only the player's own computing, so a busy machine harms no player. Sleep is
detected by looking at the process repeatedly. A limit can only end a player; no answer depends on
time.
"""

import time
from pathlib import Path
from typing import NamedTuple

LOOK_SECONDS = 0.01
"""Shortest time between two looks at a process."""
MOST_AT_A_LOOK = 0.1
"""Longest sleep in seconds that one look can count: the observer may have been delayed itself."""


class Budget(NamedTuple):
    """The time limits of a player."""

    loading: float = 3.0  # seconds of CPU to read its file and seat its players
    base: float = 1.0  # seconds of CPU in addition to those of decisions
    decision: float = 100e-6  # seconds of CPU for a decision, on average
    batch_factor: float = 4.0  # factor by which one batch may exceed the average
    stall: float = 4.0  # seconds of sleep in total

    def share(self, count: int, asked: int, used: float) -> "Share":
        """Return the time limit of a batch.

        Args:
            count: Decisions of the batch.
            asked: All decisions so far, with those of the batch.
            used: Seconds of CPU before the batch.
        """
        own, total = self.of_batch(count), self.of_all(asked)
        if own <= total - used:
            return Share(own)
        return Share(total - used, f"{total:.2f} s for {asked:,} decisions")

    def of_batch(self, count: int) -> float:
        """Return the seconds of CPU that a batch of `count` decisions may take."""
        return self.base + self.batch_factor * self.decision * count

    def of_all(self, count: int) -> float:
        """Return the seconds of CPU that `count` decisions may take in total."""
        return self.base + self.decision * count

    @property
    def patient(self) -> "Budget":
        """The limits for replays, in which recorded faults are already known.

        The machine may be slower than the original one, but some limit remains.
        """
        longer = Budget(*(PATIENCE * each for each in self))
        return longer._replace(batch_factor=self.batch_factor)


class Share(NamedTuple):
    """Time limit of an exchange with a player."""

    seconds: float  # of CPU
    words: str = ""  # the limit for messages, if these seconds are only the rest of it


PATIENCE = 10
"""Factor of the limits in a replay."""


def clock_of(process: int) -> int:
    """Return the number of the kernel's clock for the computing time of a process."""
    return (~process << 3) | 2


def seconds_of(process: int) -> float:
    """Return the seconds that a process has computed; 0 if its clock cannot be read."""
    try:
        return time.clock_gettime(clock_of(process))
    except (AttributeError, OSError):
        return 0.0


def is_asleep(process: int) -> bool:
    """Return whether a process waits for an event; True if that is not known.

    Waiting for a processor (R) or the disk (D), or being stopped (T), is not sleep.
    """
    try:
        stat = Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return True
    # After the program's name in brackets, which may contain anything.
    return stat.rpartition(") ")[2].startswith("S")


class Sleep:
    """Measures how long a process has slept while answers were awaited."""

    def __init__(self, process: int) -> None:
        """Begin with 0 seconds."""
        self.process = process
        self.seconds = 0.0
        self.resume()

    def resume(self) -> float:
        """Restart the measurement: before, the process may have waited for the observer.

        Returns: The seconds that the process has computed.
        """
        self._computed, self._at = seconds_of(self.process), time.monotonic()
        return self._computed

    def look(self) -> None:
        """Add the time since the last look if the process slept for most of it."""
        computed, passed = seconds_of(self.process) - self._computed, time.monotonic() - self._at
        if passed < LOOK_SECONDS:
            return
        # A process that computes half of the time is stopped within twice its CPU limit.
        if computed < passed / 2 and is_asleep(self.process):
            self.seconds += min(passed - computed, MOST_AT_A_LOOK)
        self.resume()


class Stopwatch:
    """Watches the time of one exchange with a process."""

    def __init__(self, sleep: Sleep, most: float, stall: float, words: str = "") -> None:
        """Start the watch.

        Args:
            sleep: The sleep of the process so far.
            most: Seconds of CPU for the exchange.
            stall: Seconds that it may sleep in all exchanges.
            words: The limit of CPU for messages; by default `most`.
        """
        self._sleep, self._most, self._stall = sleep, most, stall
        self._words = words or f"{most:.2f} s"
        self._began = sleep.resume()

    def resume(self) -> None:
        """Restart after a pause in which the process may have waited for the observer."""
        self._sleep.resume()

    def overspent(self) -> tuple[str, str] | None:
        """Return cause and message of a verdict if too much was computed."""
        if seconds_of(self._sleep.process) - self._began > self._most:
            return "cpu", f"it computed for more than {self._words}; it may have an endless loop"
        return None

    def late(self) -> tuple[str, str] | None:
        """Return cause and message of a verdict if a limit is exceeded; to be called repeatedly."""
        self._sleep.look()
        if self._sleep.seconds > self._stall:
            return "stalled", f"it slept for {self._stall:g} s instead of answering"
        return self.overspent()
