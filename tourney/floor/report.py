"""The report of a simulation: elapsed time, and the use of tables and dealers.

It keeps totals and no list of blocks, so its memory does not depend on the number of blocks.
"""

from dataclasses import dataclass

from tourney.floor.block_durations import MICROSECONDS


@dataclass(frozen=True, slots=True)
class ResourceUse:
    """Use of a limited resource by blocks, and their waits for it.

    Waits do not include breaks.
    """

    name: str
    capacity: int  # number of tables or dealers
    requests: int  # blocks that used one
    busy_seconds: float  # summed over all: two that are busy for an hour count two hours
    utilisation: float  # busy fraction of the total time; 0 at the start
    mean_wait_seconds: float
    longest_wait_seconds: float
    most_in_use: int  # at the same time


@dataclass(frozen=True, slots=True)
class FloorReport:
    """Summary of the blocks that have ended so far, in simulated time.

    A block waits for a table from the beginning of its wave, and then for a dealer as soon as its
    table is free. It uses both until it ends.
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
        """Start with no resource in use."""
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
        """Count one less in use, with its busy time and the wait before."""
        self._in_use -= 1
        self._requests += 1
        self._busy += busy
        self._waited += waited
        self._longest = max(self._longest, waited)

    def use(self, now: int) -> ResourceUse:
        """Return the totals, given the time since the floor opened."""
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
