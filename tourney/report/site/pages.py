"""The pages of a site as text, from templates.

If the intervals of a few rows would squeeze all others into a fraction of the scale, the scale ends
with the others, and the outliers have an arrow at the edge.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from statistics import median
from typing import Any, NamedTuple

from jinja2 import Environment, FileSystemBytecodeCache, PackageLoader, StrictUndefined

from tourney.floor.utilization import duration_words
from tourney.game.ledger import caveat
from tourney.game.machine import compile_cache
from tourney.game.words import counted, plural
from tourney.report.site.bankroll_race import RacePicture, race_picture, short_name
from tourney.report.site.floor_chart import floor_picture
from tourney.report.site.model import (
    BlockData,
    CellData,
    ColumnData,
    EntrantData,
    HappeningData,
    IntervalData,
    MistakeData,
    SiteData,
    TableData,
    WordsData,
)
from tourney.standings.board_columns import large_columns
from tourney.standings.standing import groups_in

EVENTS = {
    "seat": "{who} sits down at table {table}",
    "move": "{who} moves to table {table}",
    "level": "a level begins: the minimum is {value}",
    "out": "{who} is out{place}",
    "rebuy": "{who} buys chips again{times}",
    "add-on": "{who} buys chips on top",
    "break table": "table {table} closes",
    "final table": "the final table begins",
    "advance": "{who} goes on",
    "bye": "{who} goes on without playing",
    "break": "all tables rest",
    "verdict": "{who} is at fault for the first time, at table {table}",
}
TOGETHER = {
    "seat": "sit down (at which table)",
    "move": "move (to which table)",
    "rebuy": "buy chips again",
    "add-on": "buy chips on top",
    "advance": "go on",
    "bye": "go on without playing",
}
"""Events that share one line if several happen at the same time."""

RESULT_TITLES = {"bankroll": "Bankroll in the end", "finish": "Chips won"}
"""Titles of a table's result, by measure; by default it is per round."""

MINUS = "\N{MINUS SIGN}"


def result_title(measure: str, bankroll: float) -> str:
    """Return the title of a table's result.

    Args:
        measure: The measure of the run.
        bankroll: Bankroll at the start; 0 in a game of points.

    >>> result_title("place", 0), result_title("place", 1000)
    ('Points a round', 'Chips a round')
    """
    return RESULT_TITLES.get(measure) or f"{'Chips' if bankroll else 'Points'} a round"


def chips(value: float | None) -> str:
    """Write chips.

    >>> chips(1234.0), chips(0.5)
    ('1,234', '0.5')
    """
    if value is None:
        return ""
    return f"{value:,.10g}".replace("-", MINUS)


def signed(value: float | None, decimals: int = 4) -> str:
    """Write a difference, with its sign.

    >>> signed(0.07868), signed(0)
    ('+0.0787', '0.0000')
    """
    if value is None:
        return ""
    text = f"{value:+.{decimals}f}"
    return text[1:] if float(text) == 0 else text.replace("-", MINUS)


def event(kind: str, who: str, table: int, value: float) -> str:
    """Describe an event on the floor.

    >>> event("out", "Ada", 3, 17)
    'Ada is out, place 17'
    """
    return EVENTS.get(kind, kind).format(
        who=who,
        table=table,
        value=chips(value),
        place=f", place {chips(value)}" if value else "",
        times=f", {chips(value)} times so far" if value > 1 else "",
    )


FILTERS = {
    "short_name": short_name,
    "plural": plural,
    "counted": counted,
    "chips": chips,
    "signed": signed,
    "percent": "{:.0%}".format,
    "duration": duration_words,
}


WIDTH = 120
"""Width of the drawing, in pixels."""

EDGE = 8
"""Margin on both sides, for arrows."""

LEAST_ROWS = 4
"""Rows of a board with outliers; a smaller board has no outliers."""

MOST_BEYOND = 10
"""At most one row in this many leaves the scale; of any clipped board at least one does."""


class Axis(NamedTuple):
    """A scale, from its least value to its greatest."""

    low: float
    high: float

    def at(self, value: float) -> str:
        """Return the position of a value; at the edge if it is beyond the scale.

        >>> Axis(0, 10).at(5), Axis(0, 10).at(99)
        ('60', '112')
        """
        span = self.high - self.low or 1
        share = min(max((value - self.low) / span, 0.0), 1.0)
        return f"{EDGE + share * (WIDTH - 2 * EDGE):.1f}".removesuffix(".0")

    def is_within(self, value: float) -> bool:
        """Check whether a value is on the scale."""
        return self.low <= value <= self.high

    def is_left_by(self, interval: IntervalData | None) -> bool:
        """Check whether an interval reaches beyond the scale."""
        return interval is not None and not all(map(self.is_within, _ends(interval)))


def make_axis(intervals: Sequence[IntervalData | None]) -> Axis | None:
    """Return the scale of a board; `None` if there are no intervals.

    Args:
        intervals: Of the rows.

    >>> usual = [IntervalData(mean=number / 10, half_width=0.5) for number in range(5)]
    >>> make_axis(usual)
    Axis(low=-0.5, high=0.9)
    >>> make_axis([*usual, IntervalData(mean=-40, half_width=3)])
    Axis(low=-0.5, high=0.9)
    """
    known = [each for each in intervals if each]
    if not known:
        return None
    middle = median(each.mean for each in known)
    ends = sorted(map(_ends, known), key=lambda each: max(middle - each[0], each[1] - middle))
    lows = list(accumulate((low for low, _ in ends), min))  # of the first n, nearest first
    highs = list(accumulate((high for _, high in ends), max))
    last = len(known) - 1
    first = last - max(1, len(known) // MOST_BEYOND) if len(known) >= LEAST_ROWS else last
    shown = last
    for at in range(last - 1, first - 1, -1):
        # A row that stretches the scale only slightly stays on it.
        if 2 * (highs[at] - lows[at]) <= highs[shown] - lows[shown]:
            shown = at
    return Axis(lows[shown], highs[shown])


def _ends(interval: IntervalData) -> tuple[float, float]:
    half = interval.half_width or 0
    return interval.mean - half, interval.mean + half


LETTERS_A_PAGE = 180_000
"""Characters of hands; with the viewer, a page loads less than 300 kB."""

MOST_IN_MATRIX = 41


def templates() -> Environment:
    """Return the environment of templates: undefined names raise errors, and text is escaped.

    Compiled templates are cached next to machine code, by the state of this module: compiling them
    takes as long as writing a small site.
    """
    place = compile_cache.folder()
    pattern = f"{compile_cache.state_of(__name__)}-%s.template"
    environment = Environment(
        bytecode_cache=FileSystemBytecodeCache(str(place), pattern) if place else None,
        loader=PackageLoader("tourney.report.site", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(FILTERS)
    return environment


def pages(data: SiteData) -> Iterator[tuple[str, str]]:
    """Yield paths of pages with their text.

    Args:
        data: The visible data.
    """
    environment = templates()
    environment.globals["event"] = event
    environment.globals["result_title"] = result_title
    environment.globals["caveat"] = caveat
    ceremony = ceremony_of(data)
    shared = {
        "data": data,
        "run": data.run,
        "words": data.run.words or WordsData(),
        "policy": data.policy,
        "names": {0: "somebody"} | {each.number: each.name for each in data.entrants},
        "has_duels": any(each.duels for each in data.entrants),
        "has_ceremony": ceremony is not None,
        "has_story": bool(data.floor and (data.floor.happenings or data.floor.chart)),
    }
    environment.globals.update(shared)
    yield "index.html", _board(environment, data)
    if shared["has_duels"]:
        some = data.entrants[:MOST_IN_MATRIX]
        duels = {(each.number, duel.rival): duel for each in some for duel in each.duels}
        page = environment.get_template("duels.html")
        yield "duels.html", page.render(root="", here="duels", some=some, duels=duels)
    if shared["has_story"]:
        page = environment.get_template("floor.html")
        rows = _rows(data.floor.happenings if data.floor else ())
        picture = floor_picture(data.floor) if data.floor else None
        told = {"floor": data.floor, "rows": rows, "together": TOGETHER, "picture": picture}
        yield "floor.html", page.render(root="", here="floor", **told)
    if ceremony:
        page = environment.get_template("ceremony.html")
        yield "ceremony.html", page.render(root="", here="", ceremony=ceremony)
    for entrant in data.entrants:
        yield from _entrant(environment, data, entrant)


def _board(environment: Environment, data: SiteData) -> str:
    """Make the board: all rows on one page, so that search and sort cover all entrants."""
    axis = make_axis([each.interval for each in data.entrants])
    beyond = [each.name for each in data.entrants if axis and axis.is_left_by(each.interval)]
    groups = sorted({group for each in data.entrants for group in groups_in(each.group)})
    labels = sorted({each.group or "" for each in data.entrants}, key=lambda each: (not each, each))
    playing = [
        (label, [each for each in data.entrants if (each.group or "") == label]) for label in labels
    ]
    names = {each.number: each.name for each in data.entrants}
    tables = {each.number: len(each.results.table) for each in data.entrants if each.results}
    picture = race_picture(data.race, names, data.run.bankroll, tables) if data.race else None
    return environment.get_template("board.html").render(
        root="",
        here="board",
        axis=axis,
        beyond=beyond,
        groups=groups,
        playing=playing,
        picture=picture,
        race_script=_race_script(picture) if picture else "",
    )


def _race_script(picture: RacePicture) -> str:
    """Write the figures of a race for its script."""
    runners = [
        {"name": f"{each.number} {each.name}", "values": each.values} for each in picture.runners
    ]
    return _inline({"rounds": picture.rounds, "runners": runners})


def _entrant(
    environment: Environment, data: SiteData, entrant: EntrantData
) -> Iterator[tuple[str, str]]:
    if data.policy.is_sealed:
        return
    number, hands = entrant.number, hand_pages(entrant)
    page = environment.get_template("entrant.html")
    chart = {
        "fan": entrant.fan and entrant.fan.model_dump(),
        "start": data.run.bankroll if data.run.measure == "bankroll" else 0,
        "results": _shown_results(data, entrant),
    }
    yield (
        f"entrants/{number}.html",
        page.render(
            root="../",
            here="",
            entrant=entrant,
            hands=hands,
            lost=_lost(data, entrant),
            examples=example_pages(entrant, "../hands"),
            chart=_inline(chart),
        ),
    )
    viewer = environment.get_template("hands.html")
    for place, (table, paths) in enumerate(hands, start=1):
        for part, (path, blocks) in enumerate(zip(paths, _hands(table), strict=True)):
            shown = {
                "unit": data.run.unit,
                "round": (data.run.words or WordsData()).round,
                "points": data.run.bankroll == 0 and data.run.measure != "bankroll",
                "blocks": [block.model_dump() for block in blocks],
                "names": _names(data, blocks),
            }
            yield (
                f"hands/{path}",
                viewer.render(
                    root="../",
                    here="",
                    entrant=entrant,
                    file=f"{number}-{place}.json",
                    table=table,
                    part=part,
                    paths=paths,
                    shown=_inline(shown),
                ),
            )


def hand_pages(entrant: EntrantData) -> list[tuple[TableData, list[str]]]:
    """Return the published tables of an entrant, with the names of their pages of hands."""
    return [
        (
            table,
            [f"{entrant.number}-{place}-{part}.html" for part in range(1, len(_hands(table)) + 1)],
        )
        for place, table in enumerate(entrant.tables, start=1)
    ]


def example_pages(entrant: EntrantData, folder: str) -> list[str]:
    """Return the address of the example of each costly decision; empty if it is not published.

    Args:
        entrant: The entrant.
        folder: Address of the pages of hands.
    """
    pages = hand_pages(entrant)
    listed = entrant.mistakes.listed if entrant.mistakes else []
    return [
        next((f"{folder}/{path}#{each.round}" for path in _pages_with(pages, each)), "")
        for each in listed
    ]


def _pages_with(pages: Sequence[tuple[TableData, list[str]]], wanted: MistakeData) -> Iterator[str]:
    """Yield the pages that show a round."""
    for table, paths in pages:
        if (table.stage, table.heat, table.table) != (wanted.stage, wanted.heat, wanted.table):
            continue
        for path, blocks in zip(paths, _hands(table), strict=True):
            if any(
                each.first_round <= wanted.round < each.first_round + len(each.rounds)
                for each in blocks
            ):
                yield path


def _rows(
    happenings: Sequence[HappeningData],
) -> list[tuple[HappeningData, list[HappeningData]]]:
    """Combine simultaneous events into one line: the first, and the others."""
    rows: list[tuple[HappeningData, list[HappeningData]]] = []
    for each in happenings:
        before = rows[-1][0] if rows else None
        is_again = before and (before.seconds, before.event) == (each.seconds, each.event)
        if is_again and each.event in TOGETHER:
            rows[-1][1].append(each)
        else:
            rows.append((each, []))
    return rows


def _names(data: SiteData, blocks: Sequence[BlockData]) -> dict[int, str]:
    """Return the names of the seated entrants."""
    numbers = {number for block in blocks for number in block.seats}
    by_number = {each.number: each.name for each in data.entrants}
    return {number: by_number.get(number, "somebody") for number in sorted(numbers)}


def _hands(table: TableData) -> list[list[BlockData]]:
    """Divide the rounds of a table into pages."""
    parts: list[list[BlockData]] = [[]]
    left = LETTERS_A_PAGE
    for block in table.blocks:
        first = 0
        for end, line in enumerate(block.rounds, start=1):
            left -= len(line) + 3  # size in JSON
            if left <= 0:
                parts[-1].append(_slice(block, first, end))
                parts.append([])
                first, left = end, LETTERS_A_PAGE
        if first < len(block.rounds):
            parts[-1].append(_slice(block, first, len(block.rounds)))
    return [part for part in parts if part]


def _slice(block: BlockData, first: int, end: int) -> BlockData:
    last = block.last
    if end < len(block.rounds):
        chips = block.rounds[end].partition("|")[0].split(",")
        last = [float(each) if each else None for each in chips]
    update = {
        "rounds": block.rounds[first:end],
        "first_round": block.first_round + first,
        "last": last,
    }
    return block.model_copy(update=update)


def _lost(data: SiteData, entrant: EntrantData) -> set[tuple[int, int, int]]:
    """Return stage, heat and table of tables lost by a fault, if tables count separately."""
    results = entrant.results
    if results is None or data.run.fault != "lost" or data.run.measure == "finish":
        return set()
    places = zip(results.stage, results.heat, results.table, strict=True)
    return {place for place, fault in zip(places, results.faults, strict=True) if fault}


def _shown_results(data: SiteData, entrant: EntrantData) -> list[float]:
    """Return the results of an entrant's tables, from worst to best."""
    results, unit = entrant.results, data.run.unit
    if results is None or data.run.measure == "finish":
        return []
    if data.run.measure == "bankroll":
        return sorted(final / unit for final in results.final)
    pairs = zip(results.net, results.rounds, strict=True)
    of_rounds = (round(net / unit / max(rounds, 1), 4) for net, rounds in pairs)
    return sorted(of_rounds, reverse=not data.run.bankroll)  # points are bad


def _inline(value: Any) -> str:
    """Write data for a script of a page."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


@dataclass(frozen=True, slots=True)
class Ceremony:
    """The columns and rows of a ceremony, best first: `ceremony.html`, which needs no script.

    Each row has an address, such as `#place-3`. The style sheet shows the row in the address and
    all rows below it, so a step is a link to the row above. `ceremony.js` adds keys. The portal's
    ceremony uses the same columns, cells, style and keys.
    """

    columns: Sequence[ColumnData]
    rows: Sequence[Sequence[CellData]]


def ceremony_of(data: SiteData) -> Ceremony | None:
    """Return the ceremony of a site; `None` while results are hidden or not final."""
    if data.policy.is_sealed or data.run.status != "finished" or not data.entrants:
        return None
    chosen = large_columns([column.name for column in data.columns])
    return Ceremony(
        columns=[data.columns[at] for at in chosen],
        rows=[[entrant.cells[at] for at in chosen] for entrant in data.entrants],
    )
