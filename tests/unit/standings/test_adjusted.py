"""Results without luck: exact, beside the raw ones, and nobody's where one's luck is unknown."""

from collections.abc import Sequence
from fractions import Fraction

import pytest

from tourney.game.ledger import BlockKey, SeatResult, Verdict
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings.fold import fold
from tourney.standings.standing import EntrantLabel, Standing
from tourney.standings.tallies import Scoring

VERDICT = Verdict("raised", "bet", 3, 7, "bet: expected an answer, got KeyError", "a.py:3", "")
CHIP = 2 * 2**32
"""In parts of the unit, which is half a chip."""

Outcome = tuple[int, int | None]
"""Final bankroll in chips, and luck in parts."""


def board(
    *field: Sequence[Outcome], verdicts: Sequence[tuple[int, int]] = ()
) -> tuple[Standing, ...]:
    """Fold outcomes, a list for each entrant, table by table."""
    rules = BlackjackRules(payout="exact")
    scoring = Scoring(rules, 2 * 100, 2 * 5, 10, "lost", margin=0.5)
    results = [
        (
            BlockKey(0, 0, table, who, 1),
            SeatResult(
                *(0, who, 200, 2 * final, 0, 900, 10, None, 50, 9, 1),
                verdict=VERDICT if (who, table) in verdicts else None,
                luck=luck,
            ),
        )
        for who, outcomes in enumerate(field)
        for table, (final, luck) in enumerate(outcomes)
    ]
    return fold(results, [EntrantLabel(name, "simple") for name in "ABCDE"[: len(field)]], scoring)


def test_luck_is_taken_out_exactly() -> None:
    """To the last of 2**-32 parts."""
    (row,) = board([(110, 15 * CHIP + 1), (90, 5 * CHIP)])
    assert row.mean == 100
    assert row.adjusted == 90 - Fraction(1, 2 * CHIP)
    assert row.profit_per_round == 0
    assert row.adjusted_profit is not None
    assert abs(row.adjusted_profit + 1) < 1e-9


def test_the_adjusted_mean_decides_the_place() -> None:
    """Whoever was lucky comes second."""
    rows = board([(120, 40 * CHIP), (118, 41 * CHIP)], [(110, 0), (112, 2 * CHIP)])
    assert [(row.name, row.place) for row in rows] == [("B", 1), ("A", 2)]
    assert [row.mean for row in rows] == [111, 119]


def test_without_luck_of_somebody_nobody_is_adjusted() -> None:
    """Adjusted and raw results cannot be compared."""
    rows = board([(120, 40 * CHIP)], [(110, None)])
    assert [(row.name, row.adjusted) for row in rows] == [("A", None), ("B", None)]


def test_a_lost_table_is_worth_nothing_with_any_luck() -> None:
    """A fault costs the table; its luck goes with it."""
    (row,) = board([(120, 30 * CHIP), (80, 10 * CHIP)], verdicts=[(0, 0)])
    assert row.adjusted == 35


def test_luck_that_is_hard_to_believe_is_flagged() -> None:
    """Beyond three standard errors of its mean."""
    believable = [(100 + luck, luck * CHIP) for luck in (-3, 4, -2, 2)]
    odd = [(100 + luck, luck * CHIP) for luck in (9, 10, 11, 10)]
    rows = {row.name: row for row in board(believable, odd)}
    assert [rows[name].is_odd for name in "AB"] == [False, True]


def test_equal_results_are_equal_and_others_keep_their_distance() -> None:
    """The board says how each row stands to the one above."""
    steady = 3 * [(90, -CHIP), (110, CHIP), (100, 2 * CHIP)]
    rows = board(steady, steady, [(final - 50, luck) for final, luck in steady])
    assert [row.relation for row in rows] == ["", "equal", "separated"]
    assert [row.rank_set for row in rows] == [(1, 2), (1, 2), (3, 3)]
    assert [row.place for row in rows] == [1, 1, 3]
    assert rows[2].above == pytest.approx(-5)


def test_one_table_says_nothing_about_ranks() -> None:
    """Nobody knows how much it means."""
    rows = board([(90, 0)], [(80, 0)])
    assert [(row.rank_set, row.relation, row.looks) for row in rows] == [(None, "", 0)] * 2
