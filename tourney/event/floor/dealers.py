"""Dealers who go from table to table, first come, first served.

Does not know what is dealt, nor how long it takes.
"""

from collections import deque

import simpy


class Dealers:
    """Interchangeable dealers, and the line of tables that wait for one."""

    # Not a `simpy.Resource`: that one schedules two events for every block even if a
    # dealer is free, and searches the list of all its users at every release.

    def __init__(self, environment: simpy.Environment, count: int) -> None:
        """Begin with all of them free."""
        self._environment = environment
        self._free = count
        self._line: deque[simpy.Event] = deque()

    def call(self) -> simpy.Event | None:
        """Take a dealer to the table that asks.

        Returns: None, if one was free and has come; else the event that one comes,
            which is going to happen when all tables that asked before have theirs.
        """
        if self._free:
            self._free -= 1
            return None
        coming = self._environment.event()
        self._line.append(coming)
        return coming

    def dismiss(self) -> None:
        """Send a dealer on to the table that has waited longest, or to rest."""
        if self._line:
            self._line.popleft().succeed()
        else:
            self._free += 1
