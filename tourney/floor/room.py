"""The room: tables that play one block after the other, while dealers last.

The results of blocks are computed elsewhere, in real time; here they only take
simulated time. Nothing is random and nothing is decided about the tournament.
"""

from collections.abc import Generator, Iterable

import simpy

from tourney.config import FloorConfig
from tourney.errors import TourneyError
from tourney.floor.dealers import Dealers
from tourney.floor.levels import LevelClock
from tourney.floor.pace import MICROSECONDS, Pace, Sitting
from tourney.floor.report import FloorReport, Tally


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

    def __init__(self, config: FloorConfig) -> None:
        """Open the room at time 0.

        Raises: TourneyError, if there is no table, no dealer or a negative time.
        """
        dealers = config.tables if config.dealers is None else config.dealers
        for name, count in (("tables", config.tables), ("dealers", dealers)):
            if count < 1:
                raise TourneyError(f"floor.{name}: expected at least 1, got {count}")
        self._environment = simpy.Environment()
        self._pace = Pace.from_config(config)
        self._levels = LevelClock.from_config(config)
        self._dealers = Dealers(self._environment, dealers)
        self._table_tally = Tally("tables", config.tables)
        self._dealer_tally = Tally("dealers", dealers)
        self._blocks = self._rounds = self._shuffles = 0

    @property
    def now(self) -> float:
        """Seconds simulated since the room was opened."""
        return self._instant / MICROSECONDS

    def play(self, sittings: Iterable[Sitting]) -> None:
        """Simulate one wave until its last block has ended.

        A sitting is pulled when a table is free and has a dealer, in order and
        never earlier, so pulling may wait for the workers. One that is pulled
        in a break begins at the end of the break.

        Raises: What pulling a sitting raises, after the blocks under way have ended.
        """
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
            length = self._pace.block(sitting)
            self._table_tally.take()
            self._dealer_tally.take()
            yield self._environment.timeout(begin - ready + length)
            self._count(sitting, length, (wave.began, free_since, begin))
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
