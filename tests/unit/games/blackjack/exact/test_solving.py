"""The best chart: no cell of it can be changed for the better."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

import pytest

from tests.support.proving import with_more
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import ROWS, Cell, read_cell
from tourney.games.blackjack.exact.infinite import ENDS, Hands, _Seat, make_dealer, solve
from tourney.games.blackjack.exact.policy import ChartPolicy
from tourney.games.blackjack.players import Chart
from tourney.games.blackjack.rules import CSC24400, EASYBJ, EUROPEAN, BlackjackRules

NO_PEEK = replace(EUROPEAN, decks="infinite")
CELLS = ("H", "S", "Dh", "Ds", "P", "Ph", "Ps", "Rh", "Rs", "Rp")


def value_of_column(rules: BlackjackRules, chart: Chart, column: str) -> Fraction:
    """Give what one column of a chart adds to its value, in parts of a chip."""
    policy = ChartPolicy(chart)
    seat = _Seat(Hands(rules, policy), rules.unit)
    number = chart.columns.index(column)
    finals = make_dealer(rules, policy).finals[number]
    total = Fraction(0)
    for final, p in zip(ENDS, finals, strict=True):
        if p:
            law = seat.law_against(number, final)
            total += p * sum((net * chance for net, chance in law.items()), Fraction(0))
    return total


def other_cells(cell: Cell) -> Iterator[Cell]:
    """Give cells that begin otherwise, or go on otherwise."""
    for word in CELLS:
        read = read_cell(word)
        assert read
        if read != cell:
            yield read


@pytest.mark.parametrize(
    ("rules", "column"),
    with_more(
        [
            (EASYBJ, "15"),
            (EASYBJ, "A3"),
            (replace(EASYBJ, split_aces="played", double_after_split=False, hands=3), "12"),
            (replace(EASYBJ, split="by-rank", surrender="never", soft_17="stand"), "A6"),
            (replace(EASYBJ, dealer_shows="upcard", dealer_natural="is-21"), "10"),
            (replace(NO_PEEK, split_aces="resplit"), "A"),
        ],
        [
            (EASYBJ, "6"),
            (EASYBJ, "20"),
            (replace(NO_PEEK, split_aces="resplit", double="9-11"), "A"),
            (replace(NO_PEEK, surrender="first", double="10-11"), "10"),
        ],
    ),
)
def test_no_other_cell_is_better(rules: BlackjackRules, column: str) -> None:
    """A third of the cells of a column, with every other cell in their place."""
    best = solve(rules).chart
    value = value_of_column(rules, best, column)
    for row in ROWS[best.columns.index(column) % 3 :: 3]:
        for cell in other_cells(best.cell(row, column)):
            changed = best.with_cell(row, column, cell)
            assert value_of_column(rules, changed, column) <= value, (row, cell)


def test_who_may_not_surrender_does_not() -> None:
    """The best chart without surrender names other moves."""
    best = solve(EASYBJ, surrender=False).chart
    assert not any(Action.SURRENDER in cell for row in best.cells for cell in row)


def test_where_there_is_no_choice_but_to_hit_or_stand_so_does_the_chart() -> None:
    """It is Sharp's, which was found in another way."""
    best = solve(replace(CSC24400, decks="infinite")).chart
    assert {cell for row in best.cells for cell in row} == {(Action.HIT,), (Action.STAND,)}
    assert best.cell("12", "3") == (Action.HIT,)
    assert best.cell("12", "4") == (Action.STAND,)
    assert best.cell("A7", "8") == (Action.STAND,)
    assert best.cell("A7", "9") == (Action.HIT,)
