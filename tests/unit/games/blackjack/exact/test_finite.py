"""Best play with shoes that end: what holds whatever the figures are."""

from dataclasses import replace

import numpy as np
import pytest

from tests.support.proving import with_more
from tourney.errors import RulesError
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import UPCARDS
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.exact.finite.charts import plan_of
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import chart_value, solve_finite
from tourney.games.blackjack.exact.finite.upcard_game import UpcardGame, game_of
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.exact.policy import ChartPolicy
from tourney.games.blackjack.players import read_chart
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.position import COPIES
from tourney.games.blackjack.rules import (
    CSC24400,
    EASYBJ,
    EUROPEAN,
    SINGLE_DECK,
    SIX_DECKS_H17,
    VE280,
    BlackjackRules,
)

HIT, STAND, DOUBLE, SPLIT, SURRENDER, *_ = Action
LIKE_INFINITE = tuple(4_000_000 * copies for copies in COPIES)
FEW = (0, 0, 0, 6, 6, 0, 6, 0, 16, 8)
"""Fives, sixes, eights, tens and aces: a shoe that is soon worked out."""


def best(rules: BlackjackRules) -> float:
    """Give what the best play wins with few kinds of cards."""
    return solve_finite(rules, shoe=FEW).value.mean


@pytest.mark.prove
def test_a_million_decks_are_as_good_as_an_infinite_shoe() -> None:
    """The same chart but for cells that no hand comes to, and the same value."""
    rules = replace(SIX_DECKS_H17, insurance="never", surrender="never")
    found = solve_finite(rules, shoe=LIKE_INFINITE)
    infinite = solve(replace(rules, decks="infinite", reshuffle="every-round"))
    assert found.value.mean == pytest.approx(float(infinite.value.mean), abs=2e-8)
    assert chart_value(rules, infinite.chart, shoe=LIKE_INFINITE) <= found.value.mean
    assert chart_value(rules, infinite.chart, shoe=LIKE_INFINITE) == pytest.approx(
        found.value.mean, abs=1e-12
    )


@pytest.mark.prove
@pytest.mark.parametrize(
    "rules", with_more([SINGLE_DECK], [SIX_DECKS_H17, EUROPEAN, replace(CSC24400, decks=1)])
)
def test_the_chart_is_worth_what_is_said(rules: BlackjackRules) -> None:
    """Its text is read again and played by, which knows nothing of how it was found."""
    found = solve_finite(rules)
    chart = read_chart(found.text, "text")
    assert chart_value(rules, chart) == pytest.approx(found.value.mean, abs=1e-14)


@pytest.mark.prove
@pytest.mark.parametrize(
    "rules",
    with_more(
        [replace(SINGLE_DECK, surrender="first")],
        [replace(EUROPEAN, decks=1, reshuffle=20), replace(SIX_DECKS_H17, split_aces="resplit")],
    ),
)
def test_no_other_cell_wins_more(rules: BlackjackRules) -> None:
    """Cells are tried with everything else that can stand there, but for the moves after it."""
    found = solve_finite(rules, shoe=FEW)
    cells = [
        (HIT,),
        (STAND,),
        (DOUBLE, HIT),
        (DOUBLE, STAND),
        (SURRENDER, HIT),
        (SURRENDER, STAND),
        (SPLIT,),
        (SPLIT, HIT),
    ]
    game = game_of(rules, 1, np.array(FEW), 4)
    for upcard in ("6", "8", "10", "A"):
        column = UpcardGame(game, UPCARDS.index(upcard))
        best_there = column.value(plan_of(ChartPolicy(found.chart), column))
        for row in ("10", "11", "13", "14", "16", "17", "55", "66", "88", "TT", "AA", "A5", "A6"):
            for cell in cells:
                other = found.chart.with_cell(row, upcard, cell)
                assert column.value(plan_of(ChartPolicy(other), column)) < best_there + 1e-13


@pytest.mark.prove
@pytest.mark.parametrize(
    "rules",
    with_more(
        [BlackjackRules(reshuffle="every-round", soft_17="hit")],
        [replace(CSC24400, reshuffle="every-round")],
    ),
)
def test_hit_or_stand_is_worth_what_fractions_say(rules: BlackjackRules) -> None:
    """With whole decks, by the other way to count cards, which has no splits and loses no digit."""
    found = solve_finite(rules, minimum=10)
    exact = exact_value(rules, found.chart, "solved", minimum=10)
    assert found.value.mean == pytest.approx(float(exact.mean), abs=1e-14)


@pytest.mark.prove
@pytest.mark.parametrize("attention", with_more([Information.TWO_CARDS], [Information.CARDS]))
def test_who_looks_closer_wins_more(attention: Information) -> None:
    """And is told which hands to play otherwise: with one deck, 10 and 2 are hit against a 4."""
    closer = solve_finite(SINGLE_DECK, attention=attention)
    by_chart = chart_value(SINGLE_DECK, closer.chart)
    assert closer.text_value.mean == pytest.approx(by_chart, abs=1e-14)
    assert by_chart < closer.value.mean
    assert "2 10 against 4: H" in closer.notes


@pytest.mark.parametrize(
    "better",
    [
        {"surrender": "first"},
        {"split_aces": "resplit"},
        {"split_aces": "played"},
        {"natural": "3:2"},
        {"double": "first-two"},
        {"double_after_split": True},
        {"dealer_natural": "wins-at-once"},
        {"dealer_natural": "is-21"},
        {"hands": 4},
    ],
    ids=str,
)
def test_what_helps_players_never_costs_them(better: dict[str, object]) -> None:
    """Each clause on its own wins something, in a game without any of them.

    What a dealer who stands on a soft 17 is worth depends on the shoe; see
    `tests/statistics/published`.
    """
    poor = BlackjackRules(
        decks=2,
        reshuffle="every-round",
        payout="exact",
        natural="6:5",
        soft_17="hit",
        dealer_natural="beats-all",
        stands_on_21=True,
        double="10-11",
        double_after_split=False,
        split="by-value",
        hands=3,
    )
    assert best(replace(poor, **better)) > best(poor)  # type: ignore[arg-type]  # words of the rules


@pytest.mark.prove
def test_a_natural_of_6_to_5_costs_three_tenths_of_each() -> None:
    """Of those that no natural of the dealer meets."""
    usual = always(STAND, shows_both=False)
    rules = (replace(SINGLE_DECK, natural=each) for each in ("3:2", "6:5"))
    fair, short = (chart_value(each, usual) for each in rules)
    naturals = 2 * 4 * 16 / (52 * 51)
    met = 2 * 3 * 15 / (50 * 49)
    cost = 0.3 * naturals * (1 - met)
    assert fair - short == pytest.approx(cost, abs=1e-14)


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (VE280, "shuffle: a best chart needs uniform shuffles, not riffle; add shuffle=uniform"),
        (
            replace(EASYBJ, decks=6),
            "a best chart with decks: 6 needs upcard, not both",
        ),
    ],
)
def test_what_is_not_worked_out_is_said(rules: BlackjackRules, said: str) -> None:
    """With what to add."""
    with pytest.raises(RulesError, match=said):
        solve_finite(rules)


def test_a_chart_of_both_cards_is_refused() -> None:
    """There is one upcard."""
    with pytest.raises(RulesError, match="the chart's columns are both cards of the dealer"):
        chart_value(SINGLE_DECK, always(STAND))


def test_an_upcard_has_a_column() -> None:
    """Ten of them, as charts have."""
    chart = solve_finite(replace(SINGLE_DECK, split="never"), shoe=FEW).chart
    assert chart.columns == UPCARDS
