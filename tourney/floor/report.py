"""What the simulation tells afterwards: time passed, and how tables and dealers were used.

Counts as it goes and keeps no list of blocks, so a report costs the same memory
after ten blocks as after a million. Says nothing about single blocks or entrants.
"""

from dataclasses import dataclass

from tourney.floor.block_durations import MICROSECONDS


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """How much of a limited resource the blocks used, and how long they waited for it.

    Waits leave out breaks, in which nobody waits for anything but their end.
    """

    name: str
    capacity: int  # how many there are
    requests: int  # blocks that were given one
    busy_seconds: float  # summed over all of them: two busy for an hour are two hours
    utilisation: float  # busy share of the time all of them were there; 0 before any passed
    mean_wait_seconds: float
    longest_wait_seconds: float
    most_in_use: int  # at one time


@dataclass(frozen=True, slots=True)
class FloorReport:
    """The blocks that have ended so far, in simulated time.

    A block waits for a table from the beginning of its wave, and then for a
    dealer from when its table is free. Both are in use while it is played.
    """

    seconds: float  # simulated, breaks included
    blocks: int
    rounds: int
    shuffles: int
    levels: int  # reached, from 1
    breaks: int  # begun
    tables: ResourceUse
    dealers: ResourceUse


class Tally:
    """Counts the use of one resource while the clock runs, in microseconds."""

    __slots__ = (
        "_busy",
        "_in_use",
        "_longest",
        "_most",
        "_requests",
        "_waited",
        "capacity",
        "name",
    )

    def __init__(self, name: str, capacity: int) -> None:
        """Begin with none of them in use."""
        self.name = name
        self.capacity = capacity
        self._requests = 0
        self._in_use = 0
        self._most = 0
        self._busy = 0
        self._waited = 0
        self._longest = 0

    def take(self) -> None:
        """Count one more in use."""
        self._in_use += 1
        self._most = max(self._most, self._in_use)

    def release(self, *, busy: int, waited: int) -> None:
        """Count one back, with how long it was in use and was waited for before."""
        self._in_use -= 1
        self._requests += 1
        self._busy += busy
        self._waited += waited
        self._longest = max(self._longest, waited)

    def use(self, now: int) -> ResourceUse:
        """Sum up, given the time since the floor opened."""
        offered = self.capacity * now
        return ResourceUse(
            name=self.name,
            capacity=self.capacity,
            requests=self._requests,
            busy_seconds=self._busy / MICROSECONDS,
            utilisation=self._busy / offered if offered else 0.0,
            mean_wait_seconds=self._waited / max(self._requests, 1) / MICROSECONDS,
            longest_wait_seconds=self._longest / MICROSECONDS,
            most_in_use=self._most,
        )
