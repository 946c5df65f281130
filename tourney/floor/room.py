"""The room: tables that play one block after the other, while dealers last.

The results of blocks are computed elsewhere, in real time; here they only take
simulated time. Nothing is decided about the tournament. Tournaments go by waves, which
no textbook has a formula for; in a room to which tables come by themselves
(`play_arrivals`) the same dealers, paces and streams do what formulas are known for.
"""

from collections import deque
from collections.abc import Generator, Iterable
from math import isfinite

import simpy

from tourney.config.model import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.block_durations import MICROSECONDS, AnyPace, Sitting, pace_of
from tourney.floor.duration_streams import Streams
from tourney.floor.level_clock import LevelClock
from tourney.floor.log import Log
from tourney.floor.report import FloorReport, Tally
from tourney.floor.utilization import Account, account


class _Wave:
    """The sittings of one wave, pulled one at a time."""

    __slots__ = ("_sittings", "began", "failure")

    def __init__(self, sittings: Iterable[Sitting], began: int) -> None:
        self._sittings = iter(sittings)
        self.began = began
        self.failure: BaseException | None = None

    def pull(self) -> Sitting | None:
        """Take the next sitting; None if there is none, now and ever after.

        A failure is kept for later: simpy would raise a copy of it, and the
        blocks under way still have to end for the floor to stay in order.
        """
        try:
            sitting = next(self._sittings, None)
        except BaseException as failure:  # noqa: BLE001 - `Floor.play` raises it again
            self.failure = failure
            sitting = None
        if sitting is None:
            self._sittings = iter(())
        return sitting


class Floor:
    """A room of tables and dealers with one clock, which goes on from wave to wave.

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
            config: What there is, and how long things take.
            streams: What times are drawn from, if any are.
            log: Where every block is written down, if anywhere.
        Raises: TourneyError, if there is no table, no dealer or a negative time.
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
        """Seconds simulated since the room was opened."""
        return self._instant / MICROSECONDS

    @property
    def last_break(self) -> tuple[int, float]:
        """How many breaks have begun, and when the last one did, in seconds; 0 if none has."""
        breaks = self._levels.breaks(self._instant)
        begin = self._levels.break_begins(breaks) if breaks else 0
        return breaks, begin / MICROSECONDS

    def play(self, sittings: Iterable[Sitting]) -> None:
        """Simulate one wave until its last block has ended.

        A sitting is pulled when a table is free and has a dealer, in order and
        never earlier, so pulling may wait for the workers. One that is pulled
        in a break begins at the end of the break.

        Raises: What pulling a sitting raises, after the blocks under way have ended.
        """
        if self._log:
            sittings = self._log.noting(sittings)
        wave = _Wave(sittings, self._instant)
        for _ in range(self._table_tally.capacity):
            self._environment.process(self._table(wave))
        self._environment.run()
        if wave.failure is not None:
            raise wave.failure

    def report(self) -> FloorReport:
        """Sum up the blocks that have ended."""
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
        """Tell from the log what tables and dealers did with their time.

        Args:
            warm_up: Seconds at the beginning that do not count.
        Raises: TourneyError, if the floor keeps no log or was not open for so long.
        """
        now, first = self._instant, warm_up * MICROSECONDS
        if self._log is None:
            raise TourneyError("floor: expected a log to account for its time, got none")
        if not isfinite(first) or round(first) > now:
            raise TourneyError(
                f"warm-up: expected at most the {now / MICROSECONDS:g} seconds of the floor, "
                f"got {warm_up:g}"
            )
        capacities = (self._table_tally.capacity, self._dealer_tally.capacity)
        return account(self._log.instants, self._levels, capacities, (round(first), now))

    @property
    def _instant(self) -> int:
        return int(self._environment.now)  # whole from the start, but simpy allows fractions

    def _table(self, wave: _Wave) -> Generator[simpy.Event, None, None]:
        """Play blocks at one table until the wave has no more of them."""
        while True:
            free_since = self._instant
            coming = self._dealers.call()
            if coming is not None:
                yield coming
            sitting = wave.pull()
            if sitting is None:
                break
            ready = self._instant
            begin = self._levels.may_begin(ready)
            before = self._pace.before(sitting)
            length = before + self._pace.play(sitting)
            self._table_tally.take()
            self._dealer_tally.take()
            yield self._environment.timeout(begin - ready + length)
            self._count(sitting, length, (wave.began, free_since, begin))
            if self._log:
                instants = (wave.began, free_since, begin, begin + before, begin + length)
                self._log.note(sitting, *instants)
            self._dealers.dismiss()
        self._dealers.dismiss()

    def _count(self, sitting: Sitting, length: int, instants: tuple[int, int, int]) -> None:
        """Enter a block that has ended: its wave began, its table was free, it began."""
        wave, free, begin = map(self._levels.level_time, instants)
        self._table_tally.release(busy=length, waited=free - wave)
        self._dealer_tally.release(busy=length, waited=begin - free)
        self._blocks += 1
        self._rounds += sitting.rounds
        self._shuffles += sitting.shuffles


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


def play_arrivals(
    config: FloorConfig, streams: Streams, arrivals: Iterable[tuple[float, Sitting]]
) -> Log:
    """Simulate an open room until its last table has left; it has no breaks.

    Args:
        config: How many dealers there are, and how long things take. There are tables enough.
        streams: What times are drawn from.
        arrivals: When tables come, in seconds and in order, and what they play.
    Returns: What became of every table; its wave is its arrival.
    """
    environment, log = simpy.Environment(), Log()
    dealers = Dealers(environment, config.dealers or config.tables)
    pace = pace_of(config, streams)

    def door() -> Generator[simpy.Event, None, None]:
        for seconds, sitting in arrivals:
            instant = round(seconds * MICROSECONDS)
            yield environment.timeout(instant - int(environment.now))
            environment.process(_table(environment, dealers, pace, sitting, log))

    environment.process(door())
    environment.run()
    return log


def _table(
    environment: simpy.Environment, dealers: Dealers, pace: AnyPace, sitting: Sitting, log: Log
) -> Generator[simpy.Event, None, None]:
    """Wait for a dealer, play and leave."""
    came = int(environment.now)
    coming = dealers.call()
    if coming is not None:
        yield coming
    begin, before = int(environment.now), pace.before(sitting)
    yield environment.timeout(before + pace.play(sitting))
    log.note(sitting, came, came, begin, begin + before, int(environment.now))
    dealers.dismiss()
