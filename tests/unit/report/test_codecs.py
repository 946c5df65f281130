"""Leaderboards as text."""

import csv
import io
import json
from dataclasses import replace
from fractions import Fraction
from unicodedata import east_asian_width

import pytest

from tourney.errors import TourneyError
from tourney.report.text import FORMATS, choose_columns, render
from tourney.standings.columns import COLUMNS, DEFAULT_COLUMNS
from tourney.standings.data import as_csv
from tourney.standings.standing import BANKROLL, FINISH, MEASURES, Standing

KNOWN = {column.name: column for column in COLUMNS}


def row(name: str, place: int | None = 1) -> Standing:
    """Give a row with a name."""
    return Standing(
        place,
        name,
        "simple",
        "staff",
        4,
        4000,
        Fraction(4001, 4),
        12.25,
        (800.0, 1000.0, 1200.0),
        0.25,
        -0.0125,
        20_000,
        0,
        None,
    )


@pytest.mark.parametrize("codec", FORMATS)
def test_every_format_shows_every_entrant(codec: str) -> None:
    """Those of tabulate, CSV and JSON."""
    text = render([row("Ada"), row("Bob", None)], choose_columns(None, KNOWN, codec), codec)
    assert "Ada" in text
    assert "Bob" in text


def test_people_see_means_with_their_interval_and_groups_as_badges() -> None:
    """In the columns that are shown if nobody chose."""
    text = render([row("Ada")], choose_columns(None, KNOWN, "plain"), "plain")
    assert "Ada [staff]" in text
    assert "1,000.2 ± 12.2" in text
    assert "25.0%" in text


def test_columns_align_after_names_that_take_two_cells_a_letter() -> None:
    """As terminals show them, whatever else is installed."""
    names = ("Ada", "山田太郎", "김민준", "Bob")
    text = render([row(name) for name in names], choose_columns(None, KNOWN, "simple"), "simple")
    lines = [line for line in text.splitlines() if "1,000.2" in line]
    cells = [
        sum(2 if east_asian_width(each) in "WF" else 1 for each in line.partition("1,000.2")[0])
        for line in lines
    ]
    assert len(cells) == len(names)
    assert len(set(cells)) == 1, text


def test_an_unknown_format_is_named_with_those_there_are() -> None:
    """Expected, got."""
    with pytest.raises(TourneyError, match=r"format: expected one of .*, csv, json; got 'pdf'"):
        render([row("Ada")], COLUMNS, "pdf")


def test_chosen_columns_come_in_their_order() -> None:
    """In every format."""
    columns = choose_columns(("ruin", "entrant"), KNOWN, "csv")
    assert as_csv([row("Ada")], columns) == "ruin,entrant\n0.25,Ada\n"


def test_data_carry_every_column_if_nobody_chose() -> None:
    """The half width too, but none that makes no sense, nor who wrote it."""
    for measure in MEASURES:
        fitting = tuple(
            each
            for each in COLUMNS
            if each.fits(measure, follows_luck=False) and each.name != "author"
        )
        assert choose_columns(None, KNOWN, "json", measure) == fitting
        shown = [column.name for column in choose_columns(None, KNOWN, "grid", measure)]
        assert shown == [column.name for column in fitting if column.name in shown]
        assert set(shown) == {column.name for column in fitting} & set(DEFAULT_COLUMNS)


def test_adjusted_results_have_columns_where_luck_is_followed() -> None:
    """Before the raw ones."""
    names = [one.name for one in choose_columns(None, KNOWN, "grid", BANKROLL, follows_luck=True)]
    at = names.index("adjusted_profit")
    assert names[at : at + 2] == ["adjusted_profit", "profit_per_round"]


def test_people_are_shown_what_counts() -> None:
    """The board of blackjack, of points, of places, and of what ends with places."""
    boards = [[one.name for one in choose_columns(None, KNOWN, "grid", it)] for it in MEASURES]
    who = ["rank", "rank_set", "entrant"]
    chips = [*who, "profit_per_round", "above", "mean_final_bankroll", "q05", "q95", "ruin"]
    chips.append("rounds")
    points = [*who, "above", "mean_points", "q05", "q95", "rounds"]
    places = [*who, "above", "mean_place", "q05", "q95", "wins", "games", "rounds"]
    ends = [*who, "final_bankroll", "finish", "counts", "rounds"]
    assert boards == [[*board, "faults"] for board in (chips, points, places, ends)]


def test_a_game_without_chips_shows_no_bankrolls() -> None:
    """Where the format gives the places nobody has one either."""
    for codec in ("grid", "csv"):
        columns = choose_columns(None, KNOWN, codec, FINISH, has_chips=False)
        names = [column.name for column in columns]
        assert "final_bankroll" not in names
        assert {"finish", "counts"} < set(names)
    ended = replace(row("Ada"), measure=FINISH)
    assert "final_bankroll" not in as_csv([ended])
    assert "final_bankroll" in as_csv([replace(ended, final=120.0)])


@pytest.mark.parametrize("name", ["=1+1", "+A1", "-A1", "@SUM", "a,b", 'a"b'])
def test_a_name_is_no_formula_and_breaks_no_line(name: str) -> None:
    """Spreadsheets take the first character for a sign; commas and quotes are data."""
    (values,) = csv.DictReader(io.StringIO(as_csv([row(name)])))
    shown = values["entrant"]
    assert shown.lstrip("'") == name
    assert shown[0] not in "=+-@"


def test_json_can_be_read_back() -> None:
    """Numbers as numbers, and nothing where there is nothing."""
    (entry,) = json.loads(render([row("Ada", None)], COLUMNS, "json"))
    assert entry["rank"] is None
    assert entry["mean_final_bankroll"] == 1000.25
    assert list(entry) == list(KNOWN)


def test_an_empty_board_is_a_heading() -> None:
    """Before the first batch of a run."""
    assert "Entrant" in render([], choose_columns(None, KNOWN, "simple"), "simple")
