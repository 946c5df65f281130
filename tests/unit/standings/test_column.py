"""Columns of plugins: what they must give, and what is said where they do not."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from math import nan
from typing import Any

import pytest

from tourney.errors import PluginError
from tourney.standings.columns import COLUMNS, Column
from tourney.standings.standing import Standing

ROW = Standing(
    place=1,
    name="Ada",
    strategy="simple",
    group=None,
    tables=4,
    rounds=40,
    mean=Fraction(200),
    half_width=None,
    quantiles=(1.0, 2.0, 3.0),
    ruin=0.0,
    profit_per_round=0.5,
    handle=400,
    faults=0,
    verdict=None,
)


def test_a_column_shows_its_value_unless_it_has_a_text() -> None:
    """None is an empty cell."""
    spent = Column("spent", "Chips a round", lambda row: row.handle / row.rounds)
    assert (spent.cell(ROW), spent.show(ROW)) == (10.0, "10.0")
    assert replace(spent, text=lambda row: f"{row.handle:,}").show(ROW) == "400"
    assert replace(spent, value=lambda row: row.group).show(ROW) == ""


def test_a_figure_that_rounds_to_zero_has_no_minus() -> None:
    """A luck of -0.04 standard errors is none, on the board and in exports."""
    columns = {each.name: each for each in COLUMNS}
    row = replace(ROW, luck_errors=-0.04, profit_per_round=-0.00004, adjusted_profit=-1e-10)
    names = ("luck_errors", "profit_per_round", "adjusted_profit")
    assert [columns[name].show(row) for name in names] == ["+0.0", "+0.0000", "+0.0000"]
    assert str(columns["adjusted_profit"].cell(row)) == "0.0"


@pytest.mark.parametrize(
    ("value", "got"),
    [
        (lambda row: row.handle / row.faults, "ZeroDivisionError: division by"),
        (lambda row: [row.name], "expected a text, int, finite float or None, got list ['Ada']"),
        (lambda row: row.sd or nan, "expected a text, int, finite float or None, got float nan"),
        (lambda row: row.name + "\ud800", "UnicodeEncodeError: 'utf-8' codec can't encode"),
    ],
)
def test_a_column_that_fails_is_named(value: Callable[[Standing], Any], got: str) -> None:
    """With the row at which it failed, and the reason."""
    column = Column("luck", "Luck", value)
    for ask in (column.cell, column.show):
        with pytest.raises(PluginError) as caught:
            ask(ROW)
        assert f"column 'luck', row Ada: {got}" in str(caught.value)
    failing = Column("luck", "Luck", lambda row: row.handle / row.faults)
    with pytest.raises(PluginError, match=r"division by zero at test_column.py:\d+; fix"):
        failing.cell(ROW)
    column = Column("luck", "Luck", len, text=lambda row: row.handle)  # type: ignore[arg-type, return-value]  # on purpose
    with pytest.raises(PluginError, match="row Ada: expected a text, got int 400"):
        column.show(ROW)
