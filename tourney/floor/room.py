"""The room: tables that play blocks one after the other as dealers become available.

The results of blocks are computed elsewhere, in real time; here blocks only take simulated time.
Tournaments play in waves, for which there are no textbook formulas. `play_arrivals` simulates a
room with arriving tables, for which formulas are known, with the same dealers, paces and streams.
"""

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from math import isfinite

import simpy

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import MICROSECONDS, AnyPace, Sitting, Streams, pace_of
from tourney.floor.level_clock import LevelClock
from tourney.floor.log import Log
from tourney.floor.utilization import Account, FloorReport, Tally, account


def _until_failure(sittings: Iterable[Sitting], failures: list[BaseException]) -> Iterator[Sitting]:
    """Yield the sittings of a wave; an exception ends them and is stored for later.

    Simpy would raise a copy of it, and the blocks in progress must end to leave the floor in a
    consistent state.
    """
    try:
        yield from sittings
    except BaseException as failure:  # noqa: BLE001 - `Floor.play` raises it again
        failures.append(failure)


class Floor:
    """A room of tables and dealers with one clock, which runs on from wave to wave.

    >>> floor = Floor(FloorConfig(tables=2, dealers=1))
    >>> floor.play([Sitting(seats=5, rounds=10, shuffles=2)] * 3)
    >>> floor.report().dealers.busy_seconds
    3300.0
    """

    def __init__(
        self, config: FloorConfig, streams: Streams | None = None, log: Log | None = None
    ) -> None:
        """Open the room at time 0.

        Args:
            config: Tables, dealers and durations.
            streams: Source of random durations.
            log: Records every block, if given.
        Raises: TourneyError, without tables or dealers, or for a negative duration.
        """
        dealers = config.tables if config.dealers is None else config.dealers
        for name, count in (("tables", config.tables), ("dealers", dealers)):
            if count < 1:
                raise TourneyError(f"floor.{name}: expected at least 1, got {count}")
        self._environment = simpy.Environment()
        self._pace = pace_of(config, streams or Streams())
        self._log = log
        self._levels = LevelClock.from_config(config)
        self._dealers = Dealers(self._environment, dealers)
        self._table_tally = Tally("tables", config.tables)
        self._dealer_tally = Tally("dealers", dealers)
        self._blocks = self._rounds = self._shuffles = 0

    @property
    def now(self) -> float:
        """Simulated seconds since the room was opened."""
        return self._instant / MICROSECONDS

    @property
    def last_break(self) -> tuple[int, float]:
        """Number of breaks begun, and the start of the last one in seconds; 0 without breaks."""
        breaks = self._levels.breaks(self._instant)
        begin = self._levels.break_begins(breaks) if breaks else 0
        return breaks, begin / MICROSECONDS

    def play(self, sittings: Iterable[Sitting]) -> None:
        """Simulate one wave until its last block has ended.

        A sitting is taken in order and only when a table is free and has a dealer, so taking it may
        wait for the workers. A block that is taken in a break begins at the end of the break.

        Raises: The exception of the iterable, after the blocks in progress have ended.
        """
        if self._log:
            sittings = self._log.noting(sittings)
        failures: list[BaseException] = []
        wave, began = _until_failure(sittings, failures), self._instant
        for table in range(self._table_tally.capacity):
            self._environment.process(self._table(table, wave, began))
        self._environment.run()
        if failures:
            raise failures[0]

    def report(self) -> FloorReport:
        """Return the report of the blocks that have ended."""
        now = self._instant
        return FloorReport(
            seconds=self.now,
            blocks=self._blocks,
            rounds=self._rounds,
            shuffles=self._shuffles,
            levels=self._levels.levels(now),
            breaks=self._levels.breaks(now),
            tables=self._table_tally.use(now),
            dealers=self._dealer_tally.use(now),
        )

    def account(self, warm_up: float = 0) -> Account:
        """Return an account of the time of tables and dealers, from the log.

        Args:
            warm_up: Seconds at the beginning that do not count.
        Raises: TourneyError, if the floor has no log or was open for a shorter time.
        """
        now, first = self._instant, warm_up * MICROSECONDS
        if self._log is None:
            raise TourneyError("floor: an account needs a log; pass one to Floor")
        if not isfinite(first) or round(first) > now:
            raise TourneyError(
                f"warm-up: {warm_up:g} seconds are longer than the floor was open, "
                f"{now / MICROSECONDS:g} seconds"
            )
        capacities = (self._table_tally.capacity, self._dealer_tally.capacity)
        return account(self._log.instants, self._levels, capacities, (round(first), now))

    @property
    def _instant(self) -> int:
        return int(self._environment.now)  # always whole, but simpy's type allows fractions

    def _table(
        self, table: int, wave: Iterator[Sitting], began: int
    ) -> Generator[simpy.Event, None, None]:
        """Play blocks of a wave, which began at some instant, at one table until it ends."""
        while True:
            free_since = self._instant
            coming = self._dealers.call()
            if coming is not None:
                yield coming
            sitting = next(wave, None)
            if sitting is None:
                break
            ready = self._instant
            begin = self._levels.may_begin(ready)
            before = self._pace.before(sitting)
            length = before + self._pace.play(sitting)
            self._table_tally.take()
            self._dealer_tally.take()
            yield self._environment.timeout(begin - ready + length)
            self._count(sitting, length, (began, free_since, begin))
            if self._log:
                instants = (began, free_since, begin, begin + before, begin + length)
                self._log.note(sitting, table, instants)
            self._dealers.dismiss()
        self._dealers.dismiss()

    def _count(self, sitting: Sitting, length: int, instants: tuple[int, int, int]) -> None:
        """Count a block that has ended, from the instants of its wave, its table and its start."""
        wave, free, begin = map(self._levels.level_time, instants)
        self._table_tally.release(busy=length, waited=free - wave)
        self._dealer_tally.release(busy=length, waited=begin - free)
        self._blocks += 1
        self._rounds += sitting.rounds
        self._shuffles += sitting.shuffles


class Dealers:
    """Interchangeable dealers, and the queue of tables that wait for one."""

    # Not a `simpy.Resource`, which schedules two events for every block even if a dealer
    # is free, and searches the list of all its users at every release.

    def __init__(self, environment: simpy.Environment, count: int) -> None:
        """Start with all dealers free."""
        self._environment = environment
        self._free = count
        self._line: deque[simpy.Event] = deque()

    def call(self) -> simpy.Event | None:
        """Take a dealer.

        Returns: `None`, if one was free; else an event that happens when one is free and all tables
            that asked before have theirs.
        """
        if self._free:
            self._free -= 1
            return None
        coming = self._environment.event()
        self._line.append(coming)
        return coming

    def dismiss(self) -> None:
        """Give a dealer to the table that has waited longest, or set it free."""
        if self._line:
            self._line.popleft().succeed()
        else:
            self._free += 1


def play_arrivals(
    config: FloorConfig, streams: Streams, arrivals: Iterable[tuple[float, Sitting]]
) -> Log:
    """Simulate an open room without breaks until its last table has left.

    Args:
        config: Dealers and durations; the number of tables is not limited.
        streams: Source of random durations.
        arrivals: Arrivals of tables in seconds, in order, each with its sitting.
    Returns: The log of all tables; the wave of a table is its arrival.
    """
    environment, log = simpy.Environment(), Log()
    dealers = Dealers(environment, config.dealers or config.tables)
    pace = pace_of(config, streams)

    def door() -> Generator[simpy.Event, None, None]:
        for table, (seconds, sitting) in enumerate(arrivals):
            instant = round(seconds * MICROSECONDS)
            yield environment.timeout(instant - int(environment.now))
            environment.process(_table(environment, dealers, pace, (table, sitting), log))

    environment.process(door())
    environment.run()
    return log


def _table(
    environment: simpy.Environment,
    dealers: Dealers,
    pace: AnyPace,
    arrival: tuple[int, Sitting],
    log: Log,
) -> Generator[simpy.Event, None, None]:
    """Wait for a dealer, play and leave."""
    table, sitting = arrival
    came = int(environment.now)
    coming = dealers.call()
    if coming is not None:
        yield coming
    begin, before = int(environment.now), pace.before(sitting)
    yield environment.timeout(before + pace.play(sitting))
    instants = (came, came, begin, begin + before, int(environment.now))
    log.note(sitting, table, instants)
    dealers.dismiss()
