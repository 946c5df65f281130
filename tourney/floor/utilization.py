"""Reports on a floor: elapsed time, the schedule, and the use of tables and dealers.

A report accounts for every second of every dealer. The beginning may be skipped as a warm-up.
`Tally` keeps totals and no list of blocks, so its memory does not depend on the number of blocks.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from math import inf
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tourney.config.model import FloorConfig
from tourney.floor.block_durations import MICROSECONDS
from tourney.floor.level_clock import LevelClock
from tourney.floor.log import Instants

Times: TypeAlias = NDArray[np.int64]

PERCENTILES = (50, 90, 99)


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution of seconds or counts."""

    mean: float
    """The mean."""

    percentiles: tuple[float, ...]
    """The percentiles that PERCENTILES lists, in the same unit."""

    most: float
    """The greatest value."""


@dataclass(frozen=True, slots=True)
class ResourceAccount:
    """Requests for tables, or for dealers.

    Waits and queues do not include breaks. The numbers of waiting blocks and of resources in
    use are weighted by time.
    """

    name: str
    """"tables" or "dealers"."""

    capacity: int
    """Number of them."""

    requests: int
    """Blocks that asked for one."""

    wait: Spread
    """Seconds that blocks waited."""

    stay: Spread
    """Seconds that blocks used it."""

    queue: Spread
    """Number of waiting blocks at a time."""

    in_use: Spread
    """Number in use at a time."""

    use: float
    """Fraction of their time in use."""


@dataclass(frozen=True, slots=True)
class DealerSeconds:
    """The time of all dealers by activity; the parts add up to capacity times time."""

    dealing: float
    """Seconds of dealing."""

    setup: float
    """Seconds of setting up tables, and of seat changes."""

    breaks: float
    """Seconds of breaks, without blocks that ended after the break began."""

    idle: float
    """Seconds without work."""

    total: float
    """Seconds in total."""


@dataclass(frozen=True, slots=True)
class Account:
    """A floor from the end of its warm-up to the end of its last block."""

    begin_seconds: float
    """End of the warm-up."""

    end_seconds: float
    """End of the last block."""

    tables: ResourceAccount
    """Requests for tables."""

    dealers: ResourceAccount
    """Requests for dealers."""

    dealer_seconds: DealerSeconds
    """The time of all dealers by activity."""


def account(
    instants: Instants, clock: LevelClock, capacities: tuple[int, int], span: tuple[int, int]
) -> Account:
    """Compute the account.

    Args:
        instants: Instants of all blocks.
        clock: Levels and breaks of the floor.
        capacities: Numbers of tables and dealers.
        span: End of the warm-up and end of the last block, in microseconds. Waits and stays count
            blocks that began in this span.
    """
    seen = _Seen(
        clock,
        span,
        counted=Instants(*(column[instants.begin >= span[0]] for column in instants)),
        uses=Instants(*(np.clip(column, *span) for column in instants)),
    )
    return Account(
        begin_seconds=span[0] / MICROSECONDS,
        end_seconds=span[1] / MICROSECONDS,
        tables=_resource("tables", capacities[0], seen),
        dealers=_resource("dealers", capacities[1], seen),
        dealer_seconds=_dealer_seconds(capacities[1], seen),
    )


@dataclass(frozen=True, slots=True)
class _Seen:
    """The log of a floor in a span of time."""

    clock: LevelClock
    span: tuple[int, int]
    counted: Instants  # of the blocks that began in the span
    uses: Instants  # of all blocks, clipped to the span

    @property
    def played(self) -> tuple[int, int]:
        """The span on a clock that stops in breaks."""
        return self.clock.level_time(self.span[0]), self.clock.level_time(self.span[1])


def _resource(name: str, capacity: int, seen: _Seen) -> ResourceAccount:
    """Return the account of one resource, which a block uses from begin to end."""
    clock, counted, uses = seen.clock, seen.counted, seen.uses
    asked, given = (0, 1) if name == "tables" else (1, 2)  # columns of `Instants`
    waits = level_times(clock, counted[given]) - level_times(clock, counted[asked])
    waiting = (level_times(clock, uses[asked]), level_times(clock, uses[given]))
    in_use = _at_a_time(uses.begin, uses.end, seen.span)
    return ResourceAccount(
        name=name,
        capacity=capacity,
        requests=len(waits),
        wait=_spread(waits / MICROSECONDS),
        stay=_spread((counted.end - counted.begin) / MICROSECONDS),
        queue=_at_a_time(*waiting, seen.played),
        in_use=in_use,
        use=in_use.mean / capacity,
    )


def _dealer_seconds(dealers: int, seen: _Seen) -> DealerSeconds:
    """Return the time of all dealers by activity.

    Idle time is counted along the clock and not as the remainder, so that the total is a check.
    """
    uses, span, played = seen.uses, seen.span, seen.played
    begin, end = level_times(seen.clock, uses.begin), level_times(seen.clock, uses.end)
    breaks = (span[1] - span[0]) - (played[1] - played[0])
    worked_in_breaks = int(((uses.end - uses.begin) - (end - begin)).sum())
    levels, lengths = _walk(begin, end, played)
    return DealerSeconds(
        dealing=int((uses.end - uses.play).sum()) / MICROSECONDS,
        setup=int((uses.play - uses.begin).sum()) / MICROSECONDS,
        breaks=(dealers * breaks - worked_in_breaks) / MICROSECONDS,
        idle=int(((dealers - levels) * lengths).sum()) / MICROSECONDS,
        total=dealers * (span[1] - span[0]) / MICROSECONDS,
    )


def level_times(clock: LevelClock, instants: Times) -> Times:
    """Apply the clock's `level_time` to many instants."""
    if not clock.play:
        return instants
    spans, into = np.divmod(instants, clock.play + clock.rest)
    return np.asarray(spans * clock.play + np.minimum(into, clock.play))


def _walk(begins: Times, ends: Times, span: tuple[int, int]) -> tuple[Times, Times]:
    """Return the numbers of intervals at a time, and how long each number lasted."""
    times = np.concatenate([begins, ends])
    changes = np.concatenate([np.ones_like(begins), -np.ones_like(ends)])
    order = np.argsort(times, kind="stable")
    stops = np.concatenate([[span[0]], times[order], [span[1]]])
    levels = np.concatenate([[0], np.cumsum(changes[order])])
    return levels, np.diff(stops)


def _at_a_time(begins: Times, ends: Times, span: tuple[int, int]) -> Spread:
    """Return the distribution of the number of intervals at a time, weighted by duration."""
    levels, lengths = _walk(begins, ends, span)
    lasting = lengths > 0
    return _spread(levels[lasting], lengths[lasting])


def _spread(values: NDArray[np.generic], weights: Times | None = None) -> Spread:
    """Return the distribution of values; a percentile is the least value that covers its share."""
    if not len(values):
        return Spread(0.0, (0.0,) * len(PERCENTILES), 0.0)
    weights = np.ones(len(values), dtype=np.int64) if weights is None else weights
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[order])
    wanted = [-(-int(reached[-1]) * share // 100) for share in PERCENTILES]
    places = np.searchsorted(reached, wanted)
    return Spread(
        mean=float((values * weights).sum() / reached[-1]),  # type: ignore[operator]  # numbers
        percentiles=tuple(float(values[order[place]]) for place in places),
        most=float(values[order[-1]]),
    )


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


@dataclass(slots=True)
class Tally:
    """Counts the use of one resource while the clock runs."""

    name: str
    capacity: int
    in_use: int = 0
    most_in_use: int = 0
    requests: int = 0
    busy: int = 0  # microseconds, summed over all
    waited: int = 0  # microseconds, summed over all
    longest_wait: int = 0  # microseconds

    def take(self) -> None:
        """Count one more in use."""
        self.in_use += 1
        self.most_in_use = max(self.most_in_use, self.in_use)

    def release(self, *, busy: int, waited: int) -> None:
        """Count one less in use, with its busy time and the wait before, in microseconds."""
        self.in_use -= 1
        self.requests += 1
        self.busy += busy
        self.waited += waited
        self.longest_wait = max(self.longest_wait, waited)

    def use(self, now: int) -> ResourceUse:
        """Return the totals, given the time since the floor opened."""
        offered = self.capacity * now
        return ResourceUse(
            name=self.name,
            capacity=self.capacity,
            requests=self.requests,
            busy_seconds=self.busy / MICROSECONDS,
            utilisation=self.busy / offered if offered else 0.0,
            mean_wait_seconds=self.waited / max(self.requests, 1) / MICROSECONDS,
            longest_wait_seconds=self.longest_wait / MICROSECONDS,
            most_in_use=self.most_in_use,
        )


@dataclass(frozen=True, slots=True)
class Moment:
    """The beginning or end of something."""

    seconds: float
    what: str


def timetable(config: FloorConfig, seconds: float, *, has_levels: bool = True) -> list[Moment]:
    """List the levels and breaks of a floor, and its end.

    Args:
        config: The settings of the floor.
        seconds: Time of the end.
        has_levels: Whether the floor's levels are the tournament's; a tournament may have its own.

    >>> config = FloorConfig(level_minutes=10, break_every_levels=1, break_minutes=5)
    >>> [(moment.seconds, moment.what) for moment in timetable(config, 1000)]
    [(0.0, 'level 1'), (600.0, 'break of 5 min'), (900.0, 'level 2'), (1000, 'end')]
    """
    clock, until = LevelClock.from_config(config), int(seconds * MICROSECONDS)
    moments = [Moment(seconds, "end")]
    if has_levels:
        moments += [
            Moment(clock.level_begins(level) / MICROSECONDS, f"level {level}")
            for level in range(1, clock.levels(until) + 1)
        ]
    moments += [
        Moment(clock.break_begins(number) / MICROSECONDS, f"break of {config.break_minutes:g} min")
        for number in range(1, clock.breaks(until) + 1)
    ]
    return sorted(moments, key=lambda moment: (moment.seconds, moment.what == "end"))


def time_words(config: FloorConfig, seconds: float) -> str:
    """Format an instant as a time of day, or as hours and minutes without a start time.

    >>> time_words(FloorConfig(), 5_400), time_words(FloorConfig(), 90_000)
    ('1:30', '25:00')
    >>> time_words(FloorConfig(start_time="2026-12-01 23:00"), 5_400)
    'Wed 2026-12-02 00:30'
    """
    minutes = round(seconds / 60)
    if config.start_time is None:
        return f"{minutes // 60}:{minutes % 60:02d}"
    begin = datetime.fromisoformat(config.start_time)
    return f"{begin + timedelta(minutes=minutes):%a %Y-%m-%d %H:%M}"


# Seconds in the small unit, its name; small units in a large one, its name; limit in small units.
_SCALES = (
    (1, "s", 60, "min", 3_600),
    (60, "min", 60, "h", 1_440),
    (3_600, "h", 24, "d", inf),
)


def duration_words(seconds: float) -> str:
    """Format a duration in its two largest units, the second one rounded.

    >>> [duration_words(seconds) for seconds in (0, 45.2, 725, 15_130, 93_784)]
    ['0 s', '45 s', '12 min 5 s', '4 h 12 min', '1 d 2 h']
    """
    # Round before choosing the scale, so that 3 599.9 s are 1 h and not 60 min.
    unit, small, per_large, large, _ = next(
        scale for scale in _SCALES if round(seconds / scale[0]) < scale[-1]
    )
    whole, rest = divmod(round(seconds / unit), per_large)
    parts = ((whole, large), (rest, small))
    return " ".join(f"{number} {name}" for number, name in parts if number) or "0 s"
