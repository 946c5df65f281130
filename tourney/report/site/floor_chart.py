"""The picture of a floor: its tables by time, and the number of tables in use.

A row has the blocks of a table. If a long event has no list of blocks, a row has a bar for each
interval, as high as the fraction of the time in use.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from tourney.formats.base import Event
from tourney.report.site.bankroll_race import Scale, px
from tourney.report.site.model import (
    FloorBlocksData,
    FloorChartData,
    FloorData,
    FloorRowData,
)

LEFT = 76
"""Width of the labels on the left, in pixels."""

PLOT = 868
"""Width of the whole event, in pixels."""

TOP, ROW, BAR = 20, 18, 14
"""Height above the first row, of a row, and of its bar, in pixels."""

STRIP = 56
"""Height of the bars of tables in use, in pixels."""

MOST_TICKS = 8
DIGIT = 7
"""Width of a digit, in pixels."""

MARGIN = 30
"""Half the width of a time below the rows, in pixels."""


class Rect(NamedTuple):
    """A rectangle, in pixels."""

    x: str
    y: str
    width: str
    height: str


class Label(NamedTuple):
    """A text and its place, in pixels."""

    x: str
    y: str
    text: str


class Tick(NamedTuple):
    """An instant below the rows, with its place in pixels."""

    x: str
    seconds: float
    anchor: str
    """Class of its text: at the edges it stays within the drawing."""


@dataclass(slots=True)
class FloorPicture:
    """The parts of the drawing."""

    bottom: int
    """End of the rows."""

    rows: list[Label] = field(default_factory=list)
    breaks: list[Rect] = field(default_factory=list)
    waits: list[Rect] = field(default_factory=list)
    setups: list[Rect] = field(default_factory=list)
    plays: list[Rect] = field(default_factory=list)
    labels: list[Label] = field(default_factory=list)
    closings: list[Label] = field(default_factory=list)
    ticks: list[Tick] = field(default_factory=list)
    strip_uses: list[Rect] = field(default_factory=list)
    strip_waits: list[Rect] = field(default_factory=list)
    has_hidden_breaks: bool = False
    """Whether its breaks are too many to draw."""


def floor_picture(floor: FloorData) -> FloorPicture | None:
    """Draw a floor; `None` without data or time.

    Raises: LookupError, if lists of the data have different lengths.
    """
    chart, end = floor.chart, floor.seconds
    if chart is None or end <= 0 or floor.tables < 1:
        return None
    picture = FloorPicture(TOP + ROW * len(chart.rows))
    scale = _Clock(0, end, LEFT, LEFT + PLOT)
    for number, row in enumerate(chart.rows):
        name = f"{row.first_table}"
        if row.last_table > row.first_table:
            name += f"\N{EN DASH}{row.last_table}"
        picture.rows.append(Label(px(LEFT - 8), px(TOP + ROW * number + BAR - 2), name))
    height = picture.bottom - TOP
    picture.breaks = [scale.rect(span, TOP - 2, height + 2) for span in chart.breaks]
    picture.has_hidden_breaks = not chart.breaks and any(
        each.break_seconds for each in chart.intervals
    )
    if chart.blocks:
        _draw_blocks(picture, scale, chart, chart.blocks)
        picture.closings = list(_closings(floor, chart.blocks, scale))
    else:
        for number, row in enumerate(chart.rows):
            _draw_bars(picture, scale, chart, number, row)
    step = -(-len(chart.intervals) // MOST_TICKS)
    begins = [each.begin_seconds for each in chart.intervals[::step]]
    picture.ticks = [Tick(scale.at(each), each, _anchor(scale.place(each))) for each in begins]
    _draw_strip(picture, scale, chart, floor.tables)
    return picture


class _Clock(Scale):
    """The horizontal scale: seconds of the event."""

    def rect(self, span: tuple[float, float], top: float, height: float) -> Rect:
        first, last = map(self.place, span)
        return Rect(px(first), px(top), px(last - first), px(height))


def _anchor(x: float) -> str:
    """Return the class of a text at a place."""
    return "left" if x < LEFT + MARGIN else "right" if x > LEFT + PLOT - MARGIN else "middle"


def _draw_blocks(
    picture: FloorPicture, scale: _Clock, chart: FloorChartData, blocks: FloorBlocksData
) -> None:
    for at, table in enumerate(blocks.table):
        top = TOP + ROW * (table - 1)
        free, begin, play, end = (
            column[at] for column in (blocks.free, blocks.begin, blocks.play, blocks.end)
        )
        picture.waits += [
            scale.rect(span, top, BAR) for span in _outside(chart.breaks, free, begin)
        ]
        if play > begin:
            picture.setups.append(scale.rect((begin, play), top, BAR))
        picture.plays.append(scale.rect((play, end), top, BAR))
        text = str(blocks.tournament_table[at])
        first, last = scale.place(play), scale.place(end)
        if last - first > DIGIT * (len(text) + 1):
            picture.labels.append(Label(px((first + last) / 2), px(top + BAR - 3), text))


def _outside(
    breaks: Sequence[tuple[float, float]], begin: float, end: float
) -> Iterator[tuple[float, float]]:
    """Yield the parts of a span of time that lie outside the breaks.

    >>> list(_outside([(10, 15)], 5, 20)), list(_outside([(10, 15)], 3, 3))
    ([(5, 10), (15, 20)], [])
    """
    for first, last in breaks:
        if begin < first < end:
            yield begin, first
        if first < end and begin < last:
            begin = max(begin, last)
    if begin < end:
        yield begin, end


def _closings(floor: FloorData, blocks: FloorBlocksData, scale: _Clock) -> Iterator[Label]:
    """Yield the end of the last block of each closed table."""
    ends = list(zip(blocks.end, blocks.tournament_table, blocks.table, strict=False))
    for each in floor.happenings:
        if each.event != Event.BREAK_TABLE.value:
            continue
        played = [at for at in ends if at[1] == each.table and at[0] <= each.seconds]
        if played:
            end, _, table = max(played)
            yield Label(scale.at(end), px(TOP + ROW * (table - 1)), str(each.table))


def _draw_bars(
    picture: FloorPicture, scale: _Clock, chart: FloorChartData, number: int, row: FloorRowData
) -> None:
    tables = max(1, row.last_table - row.first_table + 1)
    bottom = TOP + ROW * number + BAR
    for at, interval in enumerate(chart.intervals):
        offered = tables * interval.seconds
        span = interval.begin_seconds, interval.begin_seconds + interval.seconds
        used = BAR * row.in_use[at] / offered
        waited = BAR * row.waiting[at] / offered
        if used:
            picture.plays.append(scale.rect(span, bottom - used, used))
        if waited:
            picture.waits.append(scale.rect(span, bottom - used - waited, waited))


def _draw_strip(picture: FloorPicture, scale: _Clock, chart: FloorChartData, tables: int) -> None:
    for each in chart.intervals:
        span = each.begin_seconds, each.begin_seconds + each.seconds
        used = STRIP * each.tables_in_use / tables
        waited = STRIP * each.tables_waiting / tables
        if used:
            picture.strip_uses.append(scale.rect(span, STRIP - used, used))
        if waited:
            picture.strip_waits.append(scale.rect(span, STRIP - used - waited, waited))
