"""Tables by time, from the log of a floor: blocks, breaks, waits for dealers and use.

A long event has too many blocks for a page. Its rows then have the time in use in each interval.
"""

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.config.model import FloorConfig
from tourney.floor.block_durations import MICROSECONDS
from tourney.floor.level_clock import LevelClock
from tourney.floor.log import Instants, Log
from tourney.floor.utilization import level_times
from tourney.report.site.model import (
    FloorBlocksData,
    FloorChartData,
    FloorIntervalData,
    FloorRowData,
)

MOST_BLOCKS = 250
"""Blocks of a page that are drawn one by one."""

MOST_ROWS = 24
"""Rows of the chart; a floor with more tables has several tables in a row."""

MOST_INTERVALS = 48
"""Intervals of the chart."""

MOST_BREAKS = 50
"""Breaks that are drawn one by one."""

_MINUTE, _HOUR, _DAY = 60, 3_600, 86_400
LENGTHS = (
    *(1, 2, 5, 10, 15, 30),
    *(_MINUTE * each for each in (1, 2, 5, 10, 15, 30)),
    *(_HOUR * each for each in (1, 2, 3, 4, 6, 12)),
    _DAY,
)
"""Lengths of intervals in seconds; longer ones have whole days."""

Table = NDArray[np.float64]
"""Microseconds by row and interval: whole numbers, which are exact below 2**53."""


def timeline(
    log: Log,
    config: FloorConfig,
    end: int,
    seats: Mapping[tuple[int, ...], Sequence[int]],
) -> FloorChartData | None:
    """Return the chart of a floor; `None` if no block took any time.

    Args:
        log: Its blocks.
        config: Its tables and clock.
        end: End of its last block, in microseconds.
        seats: Rows of the board by the place of a block: the entrants of its seats.
    """
    if not log.ended or not end:
        return None
    clock, instants = LevelClock.from_config(config), log.instants
    group = -(-config.tables // MOST_ROWS)  # tables of a row
    rows = log.tables // group
    breaks = _breaks(clock, end)
    is_listed = group == 1 and len(rows) <= MOST_BLOCKS and breaks is not None
    edges = _edges(end)
    count = -(-config.tables // group)
    waits = tuple(level_times(clock, each) for each in (instants.free, instants.begin))
    in_use = _by_interval(rows, count, (instants.begin, instants.end), edges)
    waiting = _by_interval(rows, count, waits, level_times(clock, edges))
    return FloorChartData(
        rows=[
            _row(
                (row * group, min((row + 1) * group, config.tables)),
                Instants(*(column[rows == row] for column in instants)),
                (in_use[row], waiting[row]),
                end,
                is_listed=is_listed,
            )
            for row in range(count)
        ],
        intervals=_intervals(clock, edges, in_use.sum(axis=0), waiting.sum(axis=0)),
        breaks=breaks or [],
        blocks=_blocks(log, instants, seats) if is_listed else None,
        has_single_seats=any(each.seats == 1 for each in log.ended),
    )


def _edges(end: int) -> NDArray[np.int64]:
    """Return the beginnings of the intervals, and the end."""
    days = -(-end // (_DAY * MICROSECONDS * MOST_INTERVALS))
    lengths = (*LENGTHS, _DAY * days)
    length = next(each for each in lengths if each * MICROSECONDS * MOST_INTERVALS >= end)
    return np.append(np.arange(0, end, length * MICROSECONDS), end)


def _by_interval(
    rows: NDArray[np.int64],
    count: int,
    spans: tuple[NDArray[np.int64], ...],
    edges: NDArray[np.int64],
) -> Table:
    """Return how much of some spans of time lies in each interval, by row."""
    begins, ends = spans
    until = np.array(
        [
            np.bincount(rows, weights=np.clip(edge, begins, ends) - begins, minlength=count)
            for edge in edges
        ]
    )
    return np.asarray((until[1:] - until[:-1]).T)


def _row(
    tables: tuple[int, int],
    own: Instants,
    times: tuple[NDArray[np.float64], NDArray[np.float64]],
    end: int,
    *,
    is_listed: bool,
) -> FloorRowData:
    in_use, waiting = times
    first, last = tables
    return FloorRowData(
        first_table=first + 1,
        last_table=last,
        blocks=len(own.end),
        setup_seconds=int((own.play - own.begin).sum()) / MICROSECONDS,
        play_seconds=int((own.end - own.play).sum()) / MICROSECONDS,
        wait_seconds=float(waiting.sum()) / MICROSECONDS,
        use=int((own.end - own.begin).sum()) / ((last - first) * end),
        in_use=[] if is_listed else _seconds(in_use),
        waiting=[] if is_listed else _seconds(waiting),
    )


def _intervals(
    clock: LevelClock,
    edges: NDArray[np.int64],
    in_use: NDArray[np.float64],
    waiting: NDArray[np.float64],
) -> list[FloorIntervalData]:
    lengths, played = np.diff(edges), np.diff(level_times(clock, edges))
    columns = (edges[:-1], lengths, in_use, waiting, lengths - played)
    return [
        FloorIntervalData(
            begin_seconds=int(begin) / MICROSECONDS,
            seconds=int(length) / MICROSECONDS,
            tables_in_use=float(used) / int(length),
            tables_waiting=float(waited) / int(length),
            break_seconds=int(rest) / MICROSECONDS,
        )
        for begin, length, used, waited, rest in zip(*columns, strict=True)
    ]


def _breaks(clock: LevelClock, end: int) -> list[tuple[float, float]] | None:
    """Return the begin and end of each break in seconds; `None` if there are too many."""
    count = clock.breaks(end)
    if count > MOST_BREAKS:
        return None
    begins = (clock.break_begins(number) for number in range(1, count + 1))
    spans = ((begin, min(begin + clock.rest, end)) for begin in begins)
    return [(first / MICROSECONDS, last / MICROSECONDS) for first, last in spans if first < last]


def _blocks(
    log: Log, instants: Instants, seats: Mapping[tuple[int, ...], Sequence[int]]
) -> FloorBlocksData:
    places = [each.place for each in log.ended]
    return FloorBlocksData(
        table=[int(table) + 1 for table in log.tables],
        stage=[place[0] + 1 for place in places],
        heat=[place[1] + 1 for place in places],
        tournament_table=[place[2] + 1 for place in places],
        seats=[list(seats[place]) for place in places],
        free=_seconds(instants.free),
        begin=_seconds(instants.begin),
        play=_seconds(instants.play),
        end=_seconds(instants.end),
    )


def _seconds(times: NDArray[np.int64] | NDArray[np.float64]) -> list[float]:
    return [int(each) / MICROSECONDS for each in times]
