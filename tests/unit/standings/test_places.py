"""Standings as a fold: places, intervals, faults and ruin."""

from fractions import Fraction
from random import Random
from statistics import mean, stdev

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student_t

from tourney.game.ledger import BlockKey, SeatResult, Verdict
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.fold import fold
from tourney.standings.standing import EntrantLabel, Standing
from tourney.standings.tallies import Scoring

VERDICT = Verdict("raised", "bet", 3, 7, "bet: expected an answer, got KeyError", "a.py:3", "")


def scoring(fault: str = "lost", payout: str = "floor") -> Scoring:
    """Score tables that began with 100 chips."""
    rules = BlackjackRules(payout=payout)  # type: ignore[arg-type]  # one of both
    return Scoring(rules, 100 * rules.unit, 5 * rules.unit, 10, fault)


def result(entrant: int, final: int, verdict: Verdict | None = None) -> SeatResult:
    """Give a seat's result."""
    return SeatResult(0, entrant, 100, final, min(100, final), 200, 10, None, 50, 9, 1, verdict)


def board(
    finals: list[list[int]], rules: Scoring | None = None, faulted: frozenset[int] = frozenset()
) -> tuple[Standing, ...]:
    """Fold one final bankroll a table and entrant; the first table of some is at fault."""
    results = [
        (
            BlockKey(0, 0, table, entrant, 1),
            result(entrant, final, VERDICT if entrant in faulted and not table else None),
        )
        for entrant, tables in enumerate(finals)
        for table, final in enumerate(tables)
    ]
    Random(1).shuffle(results)
    labels = [EntrantLabel(f"E{entrant}", "simple") for entrant in range(len(finals))]
    return fold(results, labels, rules or scoring())


def test_ties_share_a_place_and_the_next_one_is_left_out() -> None:
    """1, 2, 2, 4; the order of equal ones is that of their names, their place is not."""
    rows = board([[90, 110], [120, 100], [100, 100], [10, 20]])
    assert [(row.place, row.name) for row in rows] == [(1, "E1"), (2, "E0"), (2, "E2"), (4, "E3")]


@given(
    finals=st.lists(st.lists(st.integers(0, 10**6), min_size=3, max_size=3), min_size=1, max_size=6)
)
def test_means_and_intervals_are_those_of_the_textbook(finals: list[list[int]]) -> None:
    """Against plain arithmetic and Student's interval of scipy."""
    rows = {row.name: row for row in board(finals)}
    for entrant, tables in enumerate(finals):
        row = rows[f"E{entrant}"]
        assert row.mean == Fraction(sum(tables), 3)
        low, high = student_t.interval(0.95, 2, mean(tables), stdev(tables) / 3**0.5 or 1)
        if stdev(tables):
            assert row.half_width == pytest.approx((high - low) / 2)
        else:
            assert row.half_width == 0


def test_a_single_table_has_no_interval() -> None:
    """One number says nothing about its spread."""
    assert board([[120]])[0].half_width is None
    assert board([[120]])[0].sd is None


def test_the_deviation_is_that_of_what_a_table_wins_a_round() -> None:
    """Ten rounds a table: 20 chips more or less are 2 a round."""
    (row,) = board([[80, 100, 120]])
    assert row.sd == pytest.approx(2)


def test_a_row_says_who_wrote_the_competitor() -> None:
    """As its label does."""
    labels = [EntrantLabel("A", "simple", author="Ada Lovelace")]
    (row,) = fold([(BlockKey(0, 0, 0, 0, 1), result(0, 90))], labels, scoring())
    assert row.author == "Ada Lovelace"


@pytest.mark.parametrize(
    ("fault", "place", "final_mean"), [("lost", 2, 50), ("stands", 1, 150), ("out", None, 150)]
)
def test_a_verdict_costs_what_the_format_says(
    fault: str, place: int | None, final_mean: int
) -> None:
    """The table, the place, or nothing; an entrant that is out stands last."""
    rows = board([[200, 100], [120, 120]], scoring(fault), frozenset({0}))
    row = next(row for row in rows if row.name == "E0")
    assert (row.place, row.mean, row.faults, row.verdict) == (place, final_mean, 1, VERDICT)
    assert fault != "out" or rows[-1] is row


def test_ruin_is_a_table_that_cannot_meet_the_minimum() -> None:
    """A table that ended in a verdict is no ruin."""
    rows = board([[4, 5, 0, 100]], faulted=frozenset({0}))
    assert rows[0].ruin == pytest.approx(0.25)


def test_parts_of_chips_are_shown_as_chips() -> None:
    """Where naturals are paid exactly, results are counted in halves."""
    (row,) = board([[201, 202]], scoring(payout="exact"))
    assert row.mean == Fraction(403, 4)
    assert row.quantiles[1] == pytest.approx(100.75)


def test_the_last_block_of_a_table_decides() -> None:
    """Whatever the order in which blocks come in; rounds and handle add up."""
    results = [
        (BlockKey(0, 0, 0, 0, first), result(0, final)) for first, final in ((11, 80), (1, 120))
    ]
    (row,) = fold(results, [EntrantLabel("A", "simple")], scoring())
    assert (row.mean, row.tables, row.rounds, row.handle) == (80, 1, 20, 100)
    assert row.profit_per_round == pytest.approx(-2)


def test_an_entrant_without_results_is_not_on_the_board_yet() -> None:
    """A run in progress shows those who have played."""
    rows = fold(
        [(BlockKey(0, 0, 0, 1, 1), result(1, 90))],
        [EntrantLabel("A", "simple"), EntrantLabel("B", "simple")],
        scoring(),
    )
    assert [row.name for row in rows] == ["B"]
