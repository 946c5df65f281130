"""The chart of places over time: lines that end at names, and do not cross gaps."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from tourney.standings.place_chart import (
    LINE_HEIGHT,
    LONGEST,
    TOP,
    PlaceLine,
    place_chart,
)

places = st.lists(st.one_of(st.none(), st.integers(1, 60)), min_size=5, max_size=5)


def line(name: str, *places: int | None) -> PlaceLine:
    """Give a line whose cells are its places."""
    return PlaceLine(name, places, [str(each) for each in places])


def test_a_chart_needs_two_times_and_a_place() -> None:
    """One time is no history."""
    assert place_chart(["1"], [line("Ada", 1)]) is None
    assert place_chart(["1", "2"], []) is None
    assert place_chart(["1", "2"], [line("Ada", None, None)]) is None


def test_the_first_place_is_at_the_top_and_the_worst_at_the_bottom() -> None:
    """And time goes to the right."""
    chart = place_chart(["1", "2"], [line("Ada", 2, 1), line("Emmy", 1, 2)])
    assert chart
    (before, after), _ = (each.points for each in chart.drawn)
    assert (before[1], after[1]) == (chart.bottom, TOP)
    assert before[0] < after[0]


def test_a_line_does_not_cross_a_time_without_its_entrant() -> None:
    """A single time is a dot only."""
    chart = place_chart(list("12345"), [line("Ada", 1, 2, None, 3, None)])
    assert chart
    assert len(chart.drawn[0].parts) == 1
    assert len(chart.drawn[0].points) == 3


def test_a_long_name_is_cut_in_the_chart_only() -> None:
    """The table has all of it."""
    name = "Wolfeschlegelsteinhausenbergerdorff"
    chart = place_chart(["1", "2"], [line(name, 1, 1)])
    assert chart
    assert len(chart.drawn[0].name) == LONGEST
    assert chart.lines[0].name == name


@given(st.lists(places, min_size=1, max_size=25))
def test_names_never_cover_each_other_and_stay_in_the_drawing(all_places: list[list[int]]) -> None:
    """However many end at one place."""
    lines = [line(f"P{at}", *each) for at, each in enumerate(all_places)]
    chart = place_chart(list("12345"), lines)
    if chart is None:
        assert not any(each for own in all_places for each in own)
        return
    heights = sorted(each.label_y for each in chart.drawn)
    assert all(after - before >= LINE_HEIGHT - 1e-9 for before, after in pairwise(heights))
    assert heights[0] >= 0
    assert heights[-1] <= chart.height
