"""What is said below a board: too few tables, money that moved, luck that is left or odd."""

from dataclasses import replace

import numpy as np
import pytest

from tourney.game.ledger import BlockKey, SeatResult
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.bounded_differences import Bounds
from tourney.standings.confidence import bounds_of
from tourney.standings.fold import fold
from tourney.standings.luck_adjustment import most_luck_errors
from tourney.standings.notes import notes_of
from tourney.standings.standing import BANKROLL, PLACE, POINTS, EntrantLabel, Standing
from tourney.standings.tallies import Scoring

SCORING = Scoring(BlackjackRules(), 100, 5, 10, "lost")
STAKES = "a large loss may still come"


def board(*field: list[tuple[int, int]], scoring: Scoring = SCORING) -> tuple[Standing, ...]:
    """Fold final bankrolls and squared results, a list for each entrant, in two blocks a table."""
    results = [
        (
            BlockKey(0, 0, table, who, first),
            SeatResult(0, who, 100, final, 0, 900, 5, None, 50, squares // 2, 1),
        )
        for who, outcomes in enumerate(field)
        for table, (final, squares) in enumerate(outcomes)
        for first in (1, 6)
    ]
    labels = [EntrantLabel(f"P{who}", "simple") for who in range(len(field))]
    return fold(results, labels, scoring)


def said(rows: tuple[Standing, ...], scoring: Scoring = SCORING) -> list[str]:
    """Give the notes as the terminal has them."""
    return [
        f"{rows[each.row - 1].name}: {each.text}" if each.row else each.text
        for each in notes_of(rows, scoring)
    ]


@pytest.mark.parametrize(
    ("tables", "tell"), [(1, "1 table is"), (2, "2 tables are"), (11, "11 tables are")]
)
def test_too_few_tables_are_named_with_how_many_it_takes(tables: int, tell: str) -> None:
    """Whatever the results are."""
    rows = board(*([(100 + 9 * who, 0)] * tables for who in range(8)))
    assert said(rows) == [f"{tell} too few to separate any of these entrants; it takes at least 12"]
    assert all(row.rank_set in (None, (1, 8)) for row in rows)
    assert all(row.above_half_width is None for row in rows)


def unseen(tables: int, often: int) -> str:
    """Give the note on losses that tables cannot have shown."""
    return (
        f"with {tables} tables, a loss that happens at 1 table in {often} or more often would have "
        "shown with 95 % probability; ranks cannot allow for rarer losses"
    )


@pytest.mark.parametrize(("tables", "often"), [(12, 4), (40, 13), (400, 134)])
def test_without_bounds_a_board_says_which_losses_would_have_shown(tables: int, often: int) -> None:
    """And its data carries the same number."""
    rows = board(*([(100 + 9 * who, 0)] * tables for who in range(8)))
    assert said(rows) == [unseen(tables, often)]
    assert {row.rarest_loss for row in rows} == {often}
    assert {row.least_difference for row in rows} == {None}


def test_with_bounds_a_board_says_for_which_results_it_holds() -> None:
    """A steady lead of two entrants is as much as a loss down to the bounds would take away."""
    bounded = replace(SCORING, bounds=Bounds(-10, 10))
    leads = [(100 + 9 * who, 0) for who in range(8)]
    rows = board(*([each] * 12 for each in leads), scoring=bounded)
    assert said(rows, bounded) == [
        "ranks hold for all results from -10 to 10, also if large losses are rare; with 12 tables, "
        "only differences of at least 15.9 are detectable"
    ]
    assert {row.rarest_loss for row in rows} == {0}
    assert rows[0].rank_set == (1, 8)
    assert board(*([each] * 12 for each in leads))[0].rank_set == (1, 1)


def test_bounds_are_not_those_of_results_without_luck() -> None:
    """The luck that is taken off belongs to no round."""
    bounded = replace(SCORING, bounds=Bounds(-10, 10))
    row = board([(100, 9)] * 6, [(101, 9)] * 6)[0]
    assert bounds_of([row], bounded) == Bounds(-10, 10)
    assert bounds_of([replace(row, adjusted=row.mean)], bounded) is None
    assert bounds_of([row], replace(bounded, measure=POINTS, bounds=Bounds(0, 9))) == Bounds(-9, 0)
    assert bounds_of([row], replace(bounded, measure=PLACE, bounds=Bounds(1, 4))) == Bounds(-4, -1)


def test_one_entrant_needs_no_note() -> None:
    """Nor does a board without rows."""
    assert said(board([(110, 50)])) == []
    assert said(board([(110, 0), (90, 0)] * 20)) == []
    assert notes_of((), SCORING) == ()


def test_looks_are_told_by_what_they_may_be_wrong() -> None:
    """The first of many looks needs more tables than one that stands alone."""
    field = ([(100, 0), (101, 0)] * 4, [(120, 0), (121, 0)] * 4)
    assert said(board(*field)) == [unseen(8, 3)]
    many = replace(SCORING, looks=(8, 100, 1000))
    assert said(board(*field, scoring=many), many) == [
        "8 tables are too few to separate any of these entrants; it takes at least 15"
    ]


def test_money_that_moved_makes_a_steady_winner_doubtful() -> None:
    """Won back at every table so far, as doubling does until it does not."""
    rng = np.random.default_rng(3)
    plain = [(100 + int(each), 400) for each in 20 * rng.standard_normal(40)]
    steady = [(120 + int(each), 400) for each in 3 * rng.standard_normal(40)]
    doubling = [(final, 250_000) for final, _ in steady]
    rows = board(plain, [(final, 400) for final, _ in steady])
    assert rows[0].rank_set == (1, 1)
    rows = board(plain, doubling)
    assert [row.name for row in rows] == ["P1", "P0"]
    assert rows[0].rank_set == (1, 2)
    assert [text for text in said(rows) if STAKES in text] == [
        f"P1: the standard deviation of its tables is {rows[0].sd:.4f} a round, but 50.0000 by the "
        f"chips that moved; {STAKES}, and its ranks allow for one"
    ]


def test_two_who_move_different_amounts_differ_by_them() -> None:
    """Ruined at the same tables so far, where one wagers twice as much as the other."""
    finals = [150, 152, 148, 0, 151, 149, 150, 153, 147, 150] * 4
    one = [(final, 3_000) for final in finals]
    other = [(final + 20 + place % 3, 12_000) for place, final in enumerate(finals)]
    assert board(one, other)[0].rank_set == (1, 2)
    assert board(one, [(final, 3_000) for final, _ in other])[0].rank_set == (1, 1)


def test_honest_results_are_hardly_ever_marked() -> None:
    """One row in 740 by chance, whatever the number of tables."""
    rng = np.random.default_rng(5)
    for tables in (4, 12, 100):
        rows = 4_000
        finals = rng.standard_normal((rows, tables))
        template = board([(100, 2 * 5**2), (101, 2 * 5**2)])[0]
        marked = sum(
            replace(template, tables=tables, sd=float(sd), moved_sd=1.0).hidden_variance > 0
            for sd in finals.std(axis=1, ddof=1)
        )
        expected = rows / 740
        assert marked < expected + 4 * np.sqrt(expected)


@pytest.mark.parametrize(
    ("shares", "shoes"),
    [
        (True, ["all entrants play the same shoes, so"]),
        (False, ["no entrant plays the shoes of another one"]),
        (None, []),
    ],
)
def test_luck_that_is_left_is_said_with_whether_shoes_were_shared(
    shares: bool | None, shoes: list[str]
) -> None:
    """And independent is named as the remedy."""
    scoring = replace(SCORING, why_luck_stays="of a reason", shares_shoes=shares)
    found = said(board([(100, 9), (101, 9)], scoring=scoring), scoring)
    assert found[0] == "results are not adjusted for luck: of a reason"
    assert [text[: len(start)] for text, start in zip(found[1:], shoes, strict=True)] == shoes
    assert ("kind: independent" in " ".join(found)) == (shares is True)
    assert scoring.measure is BANKROLL


@pytest.mark.parametrize("tables", [2, 3, 5, 20])
def test_luck_is_odd_for_one_honest_row_in_370(tables: int) -> None:
    """Exactly, where luck is normal, and however few tables there are."""
    rng = np.random.default_rng(tables)
    rows = 100_000
    lucks = rng.standard_normal((rows, tables))
    errors = np.abs(lucks.mean(axis=1)) / (lucks.std(axis=1, ddof=1) / np.sqrt(tables))
    limit = most_luck_errors(tables)
    assert limit is not None
    expected = 0.0026998 * rows
    assert abs((errors > limit).sum() - expected) < 4 * np.sqrt(expected)


def test_one_table_has_no_odd_luck() -> None:
    """Nobody knows how much luck is usual."""
    assert most_luck_errors(1) is None
