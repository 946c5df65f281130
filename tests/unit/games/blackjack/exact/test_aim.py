"""What a board aims at: best play, where somebody knows what it is worth."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tests.support.proving import with_more
from tourney.game.rules import Rules
from tourney.games.blackjack.exact.evaluation import best_play
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.rules import (
    EASYBJ,
    EUROPEAN,
    SINGLE_DECK,
    SIX_DECKS_S17,
    VE280,
    BlackjackRules,
)
from tourney.games.straights.rules import StraightsRules
from tourney.standings.standing import BANKROLL, FINISH, Measure, Standing, with_best_play

ROW = Standing(
    place=1,
    name="Ada",
    strategy="simple",
    group=None,
    tables=1,
    rounds=1,
    mean=Fraction(100),
    half_width=None,
    quantiles=(0, 0, 0),
    ruin=0,
    profit_per_round=0.5,
    handle=0,
    faults=0,
    verdict=None,
)


def test_it_is_what_the_best_chart_wins_at_the_minimum() -> None:
    """In chips a round, as the column of profits is."""
    mean = solve(EASYBJ, minimum=10).value.mean
    assert best_play(EASYBJ, 10) == float(10 * mean)
    assert [row.best_play for row in with_best_play([ROW], EASYBJ, 10)] == [float(10 * mean)]


@pytest.mark.parametrize("rules", with_more([replace(VE280, shuffle="uniform")], [SINGLE_DECK]))
def test_a_shoe_that_ends_is_known_where_it_is_full_in_every_round(rules: BlackjackRules) -> None:
    """In chips again; who looks at all cards wins more than the best chart by totals."""
    rules = replace(rules, reshuffle="every-round")
    by_totals, by_cards = (
        solve_finite(rules, attention=each, minimum=10).value.mean
        for each in (Information.TOTALS, Information.CARDS)
    )
    assert best_play(rules, 10) == 10 * by_cards > 10 * by_totals
    fresh = replace(VE280, shuffle="uniform", reshuffle="every-round")
    assert [row.best_play for row in with_best_play([ROW], fresh, 10)] == [best_play(fresh, 10)]


@pytest.mark.parametrize(
    "rules",
    [
        VE280,
        replace(VE280, reshuffle="every-round"),  # riffled
        replace(VE280, shuffle="uniform", decks=3),
        replace(SIX_DECKS_S17, natural="6:5"),
        StraightsRules(),
    ],
)
def test_nobody_knows_where_nothing_was_worked_out(rules: Rules) -> None:
    """As for a riffle, a shoe of other rules that is played on, and another game."""
    (row,) = with_best_play([ROW], rules, 5)
    assert row.best_play is None


def test_an_infinite_shoe_is_known_by_all_rules_of_casinos() -> None:
    """With insurance, which it declines, and a dealer without a hole card."""
    for rules in (SIX_DECKS_S17, replace(EUROPEAN, split_aces="resplit", double="9-11")):
        endless = replace(rules, decks="infinite")
        found = best_play(endless, 10)
        assert found is not None
        assert found == best_play(replace(endless, insurance="never"), 10)
        assert -0.01 < found / 10 < -0.003


@pytest.mark.parametrize(("measure", "is_told"), [(BANKROLL, True), (FINISH, False)])
def test_only_bankrolls_aim_at_it(measure: Measure, is_told: bool) -> None:
    """Where the format gives places, chips a round are not what counts."""
    (row,) = with_best_play([replace(ROW, measure=measure)], EASYBJ, 10)
    assert (row.best_play is not None) is is_told


def test_an_empty_board_stays_empty() -> None:
    """Before the first batch of a run."""
    assert with_best_play([], EASYBJ, 10) == ()
