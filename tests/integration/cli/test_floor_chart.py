"""The page of the floor: its drawing shows the log of the simulation, block by block."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support.drawings import Attributes, Drawings
from tourney.errors import TourneyError
from tourney.floor.block_durations import Streams
from tourney.floor.log import Log
from tourney.floor.room import Floor
from tourney.plugins.loading import load_plugins
from tourney.report.publish import collection
from tourney.report.publish.collection import MOST_EVENTS
from tourney.report.publish.floor_timeline import MOST_BLOCKS, MOST_INTERVALS, MOST_ROWS
from tourney.report.site.model import FloorBlocksData, FloorChartData, SiteData
from tourney.report.site.site_files import read_data, site_files
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.progress import Progress, retrace

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

HEAD = "name: Cup\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 100\nminimum: 5\n"
RUNS = {
    "multi-table": """\
format: {kind: multi-table, seats: 4, block_rounds: 10, level_rounds: 10}
floor: {tables: 4, dealers: 3, level_minutes: 15, break_every_levels: 2, setup_seconds: 90,
        round_seconds: {lognormal: 40, deviation: 10}}
entrants: [{strategy: simple, count: 9}, {strategy: never-bust, count: 6}]
""",
    "knockout": """\
format: {kind: knockout, seats: 3, advance: 1, rounds: 20, times: 3}
floor: {tables: 3}
entrants: [{strategy: simple, count: 5}, {strategy: counting, count: 4}]
""",
    "duplicate": """\
format: {kind: duplicate, tables: 7, rounds: 40}
floor: {tables: 3, dealers: 2, level_minutes: 15, break_every_levels: 2, setup_seconds: 0}
entrants: [{strategy: simple}, {strategy: mimic}]
""",
    "long": """\
format: {kind: duplicate, tables: 210, rounds: 10}
floor: {tables: 90, dealers: 50, level_minutes: 15, break_every_levels: 1, break_minutes: 5}
entrants: [{strategy: simple}, {strategy: mimic}]
""",
}
LEFT, PLOT, TOP, ROW, BAR = 76, 868, 20, 18, 14
"""Of the drawing, in pixels."""

NEAR = 0.011
"""Pixels that two rounded ones may differ by."""


class Logged(NamedTuple):
    """A block of the log, in microseconds."""

    table: int
    free: int
    begin: int
    play: int
    end: int


@pytest.fixture(params=RUNS)
def kind(cli: Cli, write: Write, request: pytest.FixtureRequest) -> str:
    """Play a run of a kind and publish it."""
    head = (
        "name: Cup\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 100\nminimum: 5\n"
    )
    write("cup.yaml", head + RUNS[request.param])
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    quick = ("--show-tables", "0", "--samples", "0")
    assert cli("publish", "--output", "site", *quick).status == 0
    return str(request.param)


def _log() -> tuple[list[Logged], Any]:
    """Simulate the floor again; return its blocks and its settings."""
    log = Log()
    with Store.open(Path("tourney.db")) as store:
        run = store.run()
        tournament = enter_again(run, load_plugins(), plays=False)
        streams = Streams(tournament.secret.floor_key(0))
        floor = Floor(tournament.config.floor, streams, log)
        for _ in retrace(Progress(tournament, floor), store, run.number):
            pass
    _, free, begin, play, end = (column.tolist() for column in log.instants)
    rows = zip(log.tables.tolist(), free, begin, play, end, strict=True)
    return [Logged(*row) for row in rows], tournament.config.floor


def _breaks(settings: Any, end: int) -> Iterator[tuple[int, int]]:
    """Yield the breaks up to an instant, one by one."""
    span = round(settings.level_minutes * settings.break_every_levels * 60_000_000)
    rest = round(settings.break_minutes * 60_000_000)
    begin = span
    while span and begin < end:
        yield begin, min(begin + rest, end)
        begin += rest + span


def _outside(first: int, last: int, breaks: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the parts of a span outside the breaks."""
    parts = [(first, last)] if first < last else []
    for begin, end in breaks:
        parts = [
            part
            for one, other in parts
            for part in ((one, min(other, begin)), (max(one, end), other))
            if part[0] < part[1]
        ]
    return parts


def _shared(first: int, last: int, begin: int, end: int) -> int:
    return max(0, min(last, end) - max(first, begin))


def _is_drawn(rect: Attributes, table: int, span: tuple[int, int], end: int) -> bool:
    """Say whether a rectangle has the row and the width of a span of time."""
    wanted = LEFT + PLOT * span[0] / end, PLOT * (span[1] - span[0]) / end
    got = float(rect["x"]), float(rect["width"])
    is_in_row = (float(rect["y"]), float(rect["height"])) == (TOP + ROW * table, BAR)
    return is_in_row and all(abs(a - b) < NEAR for a, b in zip(got, wanted, strict=True))


def _assert_drawn_once(
    rects: list[Attributes], spans: list[tuple[int, tuple[int, int]]], end: int
) -> None:
    """Every span has one rectangle, and every rectangle one span."""
    left = list(rects)
    for table, span in spans:
        found = next((each for each in left if _is_drawn(each, table, span, end)), None)
        assert found, (table, span)
        left.remove(found)
    assert left == []


def test_the_drawing_shows_the_log(kind: str) -> None:
    """Each block once, at its table and time; set-up and waits for a dealer; the use of tables."""
    blocks, settings = _log()
    end = max(each.end for each in blocks)
    breaks = list(_breaks(settings, end))
    drawn = Drawings(Path("site/floor.html").read_text(encoding="utf-8"))
    waits = [
        (each.table, part) for each in blocks for part in _outside(each.free, each.begin, breaks)
    ]
    if kind == "long":
        assert "too long to draw each block" in Path("site/floor.html").read_text(encoding="utf-8")
        _assert_bars(drawn, blocks, waits, end, group=4)
    else:
        plays = [(each.table, (each.play, each.end)) for each in blocks]
        setups = [(each.table, (each.begin, each.play)) for each in blocks]
        _assert_drawn_once(drawn.rects["plays"], plays, end)
        _assert_drawn_once(drawn.rects.get("waits", []), waits, end)
        _assert_drawn_once(
            drawn.rects.get("setups", []), [each for each in setups if each[1][0] < each[1][1]], end
        )
        assert len(drawn.tables["floor-blocks"]) == len(blocks) + 1
    assert bool(waits) == (kind != "knockout")
    assert bool(breaks) == (kind != "knockout")
    bands = [float(each["x"]) for each in drawn.rects.get("breaks", [])]
    assert bands == pytest.approx([LEFT + PLOT * begin / end for begin, _ in breaks], abs=NEAR)


def _assert_bars(
    drawn: Drawings,
    blocks: list[Logged],
    waits: list[tuple[int, tuple[int, int]]],
    end: int,
    *,
    group: int,
) -> None:
    """Compare the bars of a long event with sums over the log."""
    chart = json.loads(Path("site/data.json").read_text(encoding="utf-8"))["floor"]["chart"]
    assert chart["blocks"] is None
    step = round(chart["intervals"][0]["seconds"] * 1_000_000)
    heights: Counter[tuple[float, float]] = Counter()
    for each in drawn.rects["plays"]:
        row = (float(each["y"]) + float(each["height"]) - TOP - BAR) / ROW
        heights[round(row), float(each["x"])] += float(each["height"])
    for row in range(23):
        own = [each for each in blocks if each.table // group == row]
        for at, first in enumerate(range(0, end, step)):
            last = min(first + step, end)
            used = sum(_shared(first, last, each.begin, each.end) for each in own)
            share = used / (min(group, 90 - group * row) * (last - first))
            x = float(f"{LEFT + PLOT * first / end:.2f}")
            assert heights[row, x] == pytest.approx(BAR * share, abs=NEAR)
            waited = sum(
                _shared(first, last, *span) for table, span in waits if table // group == row
            )
            assert chart["rows"][row]["waiting"][at] == pytest.approx(waited / 1e6)


def test_the_tables_state_the_use_of_the_log(kind: str) -> None:
    """By table, by time, and of the whole floor."""
    blocks, settings = _log()
    end = max(each.end for each in blocks)
    told = json.loads(Path("site/data.json").read_text(encoding="utf-8"))["floor"]
    shown = Drawings(Path("site/floor.html").read_text(encoding="utf-8")).tables
    for row, cells in zip(told["chart"]["rows"], shown["floor-rows"][1:], strict=True):
        tables = range(row["first_table"] - 1, row["last_table"])
        busy = sum(each.end - each.begin for each in blocks if each.table in tables)
        assert row["use"] == pytest.approx(busy / (end * len(tables)), rel=1e-12)
        assert cells[-1] == f"{busy / (end * len(tables)):.0%}"
        assert cells[1] == str(sum(each.table in tables for each in blocks))
    breaks = list(_breaks(settings, end))
    for each in told["chart"]["intervals"]:
        first = round(each["begin_seconds"] * 1_000_000)
        last = first + round(each["seconds"] * 1_000_000)
        used = sum(_shared(first, last, block.begin, block.end) for block in blocks)
        assert each["tables_in_use"] == pytest.approx(used / (last - first), rel=1e-12)
        rest = sum(_shared(first, last, *span) for span in breaks)
        assert each["break_seconds"] == rest / 1_000_000
    whole = sum(each["tables_in_use"] * each["seconds"] for each in told["chart"]["intervals"])
    assert whole / told["seconds"] / told["tables"] == pytest.approx(told["tables_used"])
    assert kind == "knockout" or breaks


def test_a_table_plays_one_block_at_a_time(kind: str) -> None:
    """It is free from the end of its last block on, or from the beginning of the wave."""
    blocks, settings = _log()
    for table in range(settings.tables):
        own = sorted(each for each in blocks if each.table == table)
        own.sort(key=lambda each: each.begin)
        for before, after in pairwise(own):
            assert before.end <= after.free <= after.begin
    assert len({each.table for each in blocks}) > 1, kind


def _published(cli: Cli, write: Write, kind: str) -> SiteData:
    write("cup.yaml", HEAD + RUNS[kind])
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    quick = ("--show-tables", "0", "--samples", "0")
    assert cli("publish", "--output", "site", *quick).status == 0
    return read_data(Path("site/data.json"))


def _with_chart(data: SiteData, chart: FloorChartData, events: int) -> SiteData:
    """Give a site another chart, and that many events."""
    assert data.floor
    happening = data.floor.happenings[0].model_copy(update={"event": "move", "entrant": 1})
    happenings = [
        happening.model_copy(update={"seconds": 7.7 * number}) for number in range(events)
    ]
    floor = data.floor.model_copy(update={"chart": chart, "happenings": happenings})
    name = "Augusta Ada King of Lovelace"
    entrants = [each.model_copy(update={"name": name}) for each in data.entrants]
    return data.model_copy(update={"floor": floor, "entrants": entrants})


@pytest.mark.parametrize("is_listed", [True, False])
def test_the_longest_page_has_less_than_300_kilobytes(
    cli: Cli, write: Write, *, is_listed: bool
) -> None:
    """With its style: as many blocks or bars as are drawn, and as many events as are listed."""
    data = _published(cli, write, "multi-table")
    assert data.floor
    chart = data.floor.chart
    assert chart
    assert chart.blocks
    if is_listed:
        columns = chart.blocks.model_dump()
        columns["seats"] = [[1, 2, 3, 4, 5, 6, 7]] * len(columns["seats"])
        repeated = {name: (own * MOST_BLOCKS)[:MOST_BLOCKS] for name, own in columns.items()}
        chart = chart.model_copy(update={"blocks": FloorBlocksData(**repeated)})
    else:
        share = [1234.567891] * MOST_INTERVALS
        row = chart.rows[0].model_copy(update={"in_use": share, "waiting": share})
        interval = chart.intervals[0]
        parts = {
            "blocks": None,
            "rows": [row] * MOST_ROWS,
            "intervals": [interval] * MOST_INTERVALS,
        }
        chart = chart.model_copy(update=parts)
    files = dict(site_files(_with_chart(data, chart, MOST_EVENTS)))
    assert files["floor.html"].count(b"<rect") > MOST_BLOCKS
    assert len(files["floor.html"]) + len(files["static/site.css"]) < 300_000


def test_lists_of_different_lengths_are_reported(cli: Cli, write: Write) -> None:
    """The data of a site may come from anybody."""
    data = _published(cli, write, "multi-table")
    assert data.floor
    assert data.floor.chart
    assert data.floor.chart.blocks
    short = data.floor.chart.blocks.model_copy(update={"end": []})
    chart = data.floor.chart.model_copy(update={"blocks": short})
    with pytest.raises(TourneyError, match="parts of the site's data do not fit together"):
        dict(site_files(_with_chart(data, chart, 1)))


def test_events_that_are_too_many_are_counted(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page states how many it leaves out."""
    whole = _published(cli, write, "multi-table").floor
    monkeypatch.setattr(collection, "MOST_EVENTS", 5)
    floor = _published(cli, write, "multi-table").floor
    assert whole
    assert floor
    assert len(floor.happenings) == 5
    assert floor.events_left_out == len(whole.happenings) - 5
    page = Path("site/floor.html").read_text(encoding="utf-8")
    assert f"{floor.events_left_out} are left out" in page
