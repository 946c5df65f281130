"""The picture of the bankroll race: a line for each of the leading entrants.

Each line has the entrant's number on the board at several places, so that no reader needs colours.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import floor, log10
from unicodedata import east_asian_width

from tourney.report.site.model import RaceData

LEFT, TOP, RIGHT, BOTTOM = 58, 10, 590, 326
"""Borders of the plot in pixels, as in `race.html` and `race.js`."""

MARKS = 3
"""Numbers along each line."""

MOST_TICKS = 6
LINE = 15
"""Distance of the names on the right, in pixels."""

LONGEST_NAME = 26
"""Width of a name on the right in letters; a Chinese character is as wide as two letters."""


@dataclass(frozen=True, slots=True)
class Runner:
    """The line of an entrant."""

    number: int
    """On the board."""

    name: str
    tables: int
    """Sampled tables, from which the line is drawn."""

    all_tables: int | None
    """Tables from which its place comes; `None` if they are not published."""

    values: list[float]
    points: str
    marks: list[tuple[str, str]]
    label_y: str
    end: tuple[str, str]
    """The last point of the line."""


@dataclass(frozen=True, slots=True)
class RacePicture:
    """The parts of the drawing."""

    rounds: list[int]
    runners: list[Runner]
    x_ticks: list[tuple[str, float]]
    y_ticks: list[tuple[str, float]]
    start_y: str

    def rows(self) -> list[int]:
        """Return the indexes of about ten numbers of rounds, with the last, for a table."""
        last = len(self.rounds) - 1
        step = max(1, last // 10)
        return [*range(0, last, step), last]


def race_picture(
    race: RaceData, names: Mapping[int, str], start: float, all_tables: Mapping[int, int]
) -> RacePicture | None:
    """Draw a race; `None` if no entrant of it is shown, or no round was played.

    Args:
        race: The medians.
        names: Names by number on the board.
        start: Bankroll at the start.
        all_tables: Number of tables by number on the board, where it is published.
    Raises: LookupError, if lists of the data have different lengths.
    """
    if not race.entrants or race.rounds[-1] <= 0:
        return None
    if any(len(values) != len(race.rounds) for values in race.medians):
        raise LookupError("race: a list of medians has another length than the rounds")
    shown = [start, *(value for values in race.medians for value in values)]
    across = Scale(0, race.rounds[-1], LEFT, RIGHT)
    up = Scale(min(shown), max(shown), BOTTOM, TOP)
    ends = [up.place(race.medians[at][-1]) for at in range(len(race.entrants))]
    labels = _spread(ends)
    runners = []
    for at, number in enumerate(race.entrants):
        values = race.medians[at]
        points = [
            (across.at(rounds), up.at(value))
            for rounds, value in zip(race.rounds, values, strict=True)
        ]
        runners.append(
            Runner(
                number=number,
                name=names[number],
                tables=race.tables[at],
                all_tables=all_tables.get(number),
                values=values,
                points=" ".join(f"{x},{y}" for x, y in points),
                marks=[points[each] for each in _mark_places(at, len(race.entrants), len(points))],
                label_y=px(labels[at]),
                end=points[-1],
            )
        )
    return RacePicture(
        rounds=race.rounds,
        runners=runners,
        x_ticks=[(across.at(each), each) for each in ticks(0, race.rounds[-1], whole=True)],
        y_ticks=[(up.at(each), each) for each in ticks(min(shown), max(shown))],
        start_y=up.at(start),
    )


def short_name(name: str) -> str:
    """Shorten a name for the drawing.

    >>> short_name("Ada"), short_name("Augusta Ada King, Countess of Lovelace")
    ('Ada', 'Augusta Ada King, Countes…')
    """
    widths = list(accumulate(2 if east_asian_width(each) in "WF" else 1 for each in name))
    if not widths or widths[-1] <= LONGEST_NAME:
        return name
    return f"{name[: sum(width < LONGEST_NAME for width in widths)]}…"


def ticks(low: float, high: float, *, whole: bool = False) -> list[float]:
    """Return round numbers between two values.

    Args:
        low: The least value.
        high: The greatest value.
        whole: Return whole numbers only.

    >>> ticks(0, 40, whole=True), ticks(187.5, 213)
    ([0.0, 10.0, 20.0, 30.0, 40.0], [190.0, 195.0, 200.0, 205.0, 210.0])
    """
    if high <= low:
        return [low]
    power = 10.0 ** floor(log10((high - low) / MOST_TICKS))
    step = next(
        each * power for each in (1, 2, 5, 10) if (high - low) / (each * power) <= MOST_TICKS
    )
    step = max(step, 1) if whole else step
    first = -(-low // step)
    count = int((high / step) - first + 1e-9) + 1
    return [round((first + each) * step, 10) for each in range(count)]


class Scale:
    """A scale from two values to two places in pixels."""

    def __init__(self, low: float, high: float, first: float, last: float) -> None:
        self._low, self._span = low, high - low or 1
        self._first, self._length = first, last - first

    def place(self, value: float) -> float:
        """Return the place of a value."""
        return self._first + self._length * (value - self._low) / self._span

    def at(self, value: float) -> str:
        """Return the place of a value as text."""
        return px(self.place(value))


def px(value: float) -> str:
    """Write a length in pixels.

    >>> px(12), px(0.125)
    ('12', '0.12')
    """
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _mark_places(at: int, runners: int, points: int) -> Iterator[int]:
    """Yield the points of a line that have its number, apart from those of other lines."""
    for mark in range(MARKS):
        yield min(points - 1, int(points * (mark + (at + 0.5) / runners) / MARKS))


def _spread(places: Sequence[float]) -> list[float]:
    """Move the places of labels apart, and keep them between top and bottom."""
    order = sorted(range(len(places)), key=lambda at: places[at])
    spread = list(places)
    lowest = BOTTOM - LINE * (len(order) - 1)
    for count, at in enumerate(order):
        least = spread[order[count - 1]] + LINE if count else TOP
        spread[at] = min(max(places[at], least), lowest + LINE * count)
    return spread
