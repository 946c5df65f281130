"""A chart of places over time, as SVG: a line for each entrant that ends at its name.

It is readable without colour, by the names at the ends and by dashes. The template has a table of
the same values below it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from math import ceil
from typing import ClassVar

LEFT, RIGHT, TOP, BOTTOM = 48, 190, 16, 30
"""Margins, with room for half a label on the left and for names on the right."""
STEP_WIDTH, LEAST_WIDTH = 40, 400
"""Distance of two times, and the least width between the margins."""
LINE_HEIGHT = 18
"""Height for each name."""
LONGEST = 22
"""Characters of a name in the chart; the table has the whole name."""
LONGEST_LABEL = 14
"""Characters of a time in the chart."""
LABEL_WIDTH = 95
DASHES = ("", "8 4", "2 4", "10 3 2 3")
FEWEST = 2
"""Times that a chart needs."""


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """The places of an entrant, one for each time."""

    name: str
    places: Sequence[int | None]  # None where it took no part or is not shown
    texts: Sequence[str]  # the cells of the table
    is_own: bool = False


@dataclass(frozen=True, slots=True)
class DrawnLine:
    """A line in units of the drawing."""

    name: str
    points: Sequence[tuple[float, float]]
    parts: Sequence[str]  # of points without a gap between them, for polylines
    label_y: float
    dashes: str
    is_own: bool


@dataclass(frozen=True, slots=True)
class PlaceChart:
    """A chart and its table."""

    labels: Sequence[str]  # of the times
    lines: Sequence[PlaceLine]
    drawn: Sequence[DrawnLine]
    marks: Sequence[tuple[float, str, bool]]  # for each time: x, label, whether it is written
    width: int
    height: int
    worst: int  # the place at the bottom
    left: ClassVar = LEFT  # of the first time
    top: ClassVar = TOP  # of place 1

    @property
    def right(self) -> int:
        """The last time."""
        return self.width - RIGHT

    @property
    def bottom(self) -> int:
        """The height of the worst place."""
        return self.height - BOTTOM


def place_chart(labels: Sequence[str], lines: Sequence[PlaceLine]) -> PlaceChart | None:
    """Draw places over time; `None` without two times or without a place.

    Args:
        labels: The times, in order.
        lines: Of the entrants, best first.
    """
    places = [each for line in lines for each in line.places if each is not None]
    if len(labels) < FEWEST or not places:
        return None
    worst, across = max(places), max(LEAST_WIDTH, STEP_WIDTH * (len(labels) - 1))
    rows = max(min(worst, 2 * len(lines)), len(lines), 4)
    height = TOP + LINE_HEIGHT * (rows - 1) + BOTTOM
    down = (height - TOP - BOTTOM) / max(worst - 1, 1)
    xs = [LEFT + across * at / (len(labels) - 1) for at in range(len(labels))]
    points = [
        [
            None if place is None else (x, TOP + down * (place - 1))
            for x, place in zip(xs, line.places, strict=True)
        ]
        for line in lines
    ]
    ends = _apart([next((at[1] for at in reversed(own) if at), TOP) for own in points], height)
    drawn = [
        DrawnLine(
            name=_cut(line.name, LONGEST),
            points=[at for at in own if at],
            parts=list(_parts(own)),
            label_y=end,
            dashes=DASHES[number % len(DASHES)],
            is_own=line.is_own,
        )
        for number, (line, own, end) in enumerate(zip(lines, points, ends, strict=True))
        if any(own)
    ]
    every = ceil(len(labels) * LABEL_WIDTH / across)
    marks = [
        (x, _cut(label, LONGEST_LABEL), at % every == 0)
        for at, (x, label) in enumerate(zip(xs, labels, strict=True))
    ]
    return PlaceChart(labels, lines, drawn, marks, LEFT + across + RIGHT, height, worst)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _parts(points: Sequence[tuple[float, float] | None]) -> Iterator[str]:
    """Yield the runs of several points without a gap, each as text."""
    for is_there, run in groupby(points, key=lambda each: each is not None):
        words = [f"{each[0]:.1f},{each[1]:.1f}" for each in run if each]
        if is_there and len(words) > 1:
            yield " ".join(words)


def _apart(ends: Sequence[float], height: int) -> list[float]:
    """Move the heights of names apart, so that they do not cover each other.

    >>> _apart([10.0, 10.0, 90.0], 200)
    [10.0, 28.0, 90.0]
    """
    order = sorted(range(len(ends)), key=lambda at: ends[at])
    placed = list(ends)
    for before, after in pairwise(order):
        placed[after] = max(placed[after], placed[before] + LINE_HEIGHT)
    most = float(height - BOTTOM)
    for at in reversed(order):
        placed[at] = min(placed[at], most)
        most = placed[at] - LINE_HEIGHT
    return placed
