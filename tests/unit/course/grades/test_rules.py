"""What a row of the board is worth."""

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import pytest

from tourney.course.grades.marks import rule_of
from tourney.course.grades.rankings import Ranked, Ranking, run_ranking
from tourney.errors import GradebookError
from tourney.standings.standing import PLACE, Standing


def row(
    name: str, place: int | None, ranks: tuple[int, int] | None = None, profit: float = 0.0
) -> Ranked:
    """Give an entrant of a board."""
    return Ranked(name, place, rank_set=ranks, result=Fraction(profit))


def standing(name: str, place: int | None, profit: float, adjusted: float | None) -> Standing:
    """Give a row of a board."""
    quantiles = (800.0, 1000.0, 1200.0)
    plain = Standing(
        place, name, "", None, 4, 400, Fraction(1000), 12.0, quantiles, 0.0, profit, 0, 0, None
    )
    return replace(plain, adjusted_profit=adjusted)


BOARD = (
    row("Ada", 1, (1, 2), 0.03),
    row("Blaise", 2, (1, 3), 0.01),
    row("simple", 2, (2, 3), 0.01),
    row("Dora", 4, (4, 4), -0.02),
    row("Eve", 5, (5, 5), -0.05),
    row("Out", None),
)


def marks(by: str, board: Sequence[Ranked] = BOARD, least: int = 0, most: int = 20) -> list[float]:
    """Give everybody's mark, best first."""
    rule = rule_of(by, Ranking(tuple(board)))
    return [float(rule.mark(each, Fraction(least), Fraction(most))) for each in board]


def test_places_go_down_in_equal_steps() -> None:
    """Equal places are worth the same; who is out gets nothing."""
    assert marks("place") == [20, 15, 15, 5, 0, 0]
    assert rule_of("place", Ranking(BOARD)).formula == "share = (5 - place) / 4"


def test_the_last_place_may_be_worth_something() -> None:
    """But who is out gets nothing."""
    assert marks("place", least=12) == [20, 18, 18, 14, 12, 0]


def test_ranks_give_the_benefit_of_the_doubt() -> None:
    """Whoever may be the first in truth is worth as much as the first."""
    assert marks("rank") == [20, 20, 15, 5, 0, 0]


def test_profits_lie_between_the_least_and_the_most() -> None:
    """Of the board, or as the organiser says; nobody gets more than all."""
    assert marks("profit")[:5] == pytest.approx([20, 15, 15, 7.5, 0])
    assert marks("profit:-0.02:0.02")[:5] == pytest.approx([20, 15, 15, 0, 0])


def test_profits_are_without_luck_where_it_was_followed() -> None:
    """As the order of the board is."""
    board = (standing("Ada", 1, -1.0, 0.4), standing("Blaise", 2, 1.0, 0.2))
    assert marks("profit", run_ranking(board, ()).rows) == [20, 0]


def test_beating_somebody_needs_ranks_that_lie_apart() -> None:
    """All, half where luck may have decided, or nothing."""
    assert marks("beats:simple") == [10, 10, 10, 0, 0, 0]
    assert marks("beats:DORA") == [20, 20, 20, 10, 0, 0]


@pytest.mark.parametrize("by", ["place", "rank", "profit", "beats:Ada"])
def test_one_entrant_alone_has_a_mark(by: str) -> None:
    """There is nothing to divide by."""
    assert marks(by, (row("Ada", 1, (1, 1)),)) == [10 if by == "beats:Ada" else 20]


@pytest.mark.parametrize("by", ["place", "rank", "profit"])
def test_a_board_without_anybody_has_no_marks(by: str) -> None:
    """And is no error."""
    assert marks(by, ()) == []


@pytest.mark.parametrize(
    ("by", "message"),
    [
        ("rnk", "got 'rnk' (did you mean 'rank'?)"),
        ("place:3", "expected place, rank, profit, profit:LOW:HIGH or beats:ENTRANT; got"),
        ("beats:", "got 'beats:'"),
        ("beats:simpl", "got 'simpl' (did you mean 'simple'?)"),
        ("beats:Out", "expected Ada, Blaise, simple, Dora or Eve; got 'Out'"),
        ("profit:1:1", "got 'profit:1:1'"),
        ("profit:-inf:1", "got 'profit:-inf:1'"),
        ("profit:0", "expected two profits a round, the lower first"),
    ],
)
def test_a_rule_that_makes_no_sense_is_refused(by: str, message: str) -> None:
    """Expected, got."""
    with pytest.raises(GradebookError) as caught:
        rule_of(by, Ranking(BOARD))
    assert message in str(caught.value)


@pytest.mark.parametrize("by", ["rank", "beats:Ada"])
def test_a_board_without_rank_sets_has_places_only(by: str) -> None:
    """Nobody knows how sure the order is."""
    with pytest.raises(GradebookError, match="this board has no rank sets"):
        rule_of(by, Ranking((row("Ada", 1),)))


def test_a_game_without_chips_has_no_profits() -> None:
    """Places it has."""
    board = run_ranking([replace(standing("Ada", 1, 0.0, None), measure=PLACE)], ())
    with pytest.raises(GradebookError, match="this board has no profits; use --marks-by place"):
        rule_of("profit", board)
    assert marks("place", board.rows)[0] == 20
