"""An account of the time of tables and dealers, from a floor's log.

It accounts for every second of every dealer. The beginning may be skipped as a warm-up.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

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
