"""Exact values of charts and strategies, to the last digit of published figures."""

from dataclasses import replace
from fractions import Fraction

import pytest

from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.exact.fresh import ExactValue
from tourney.games.blackjack.exact.infinite import solve
from tourney.games.blackjack.rules import EASYBJ, BlackjackRules
from tourney.strategies.charted import EasyBJChart, MimicChart, NeverBustChart
from tourney.strategies.simple import Simple

DIGITS = {"rel": 0, "abs": 5e-17}


def simple(rules: BlackjackRules, minimum: int = 10) -> ExactValue:
    """Work out what Simple is worth."""
    return exact_value(rules, Simple(), "simple", minimum=minimum)


@pytest.fixture(scope="module")
def fresh() -> ExactValue:
    """Work out what Simple is worth with a fresh deck for every round."""
    return simple(BlackjackRules(reshuffle="every-round"))


def test_the_documents_chart() -> None:
    """It wins 10.24 wagers in a hundred rounds of Easy Blackjack, as a fraction of 13^27."""
    found = exact_value(EASYBJ, EasyBJChart.chart, "easybj")
    assert found.mean == Fraction(122122578999773548184284992192, 13**27)
    assert found.sd == pytest.approx(1.273799388702113, abs=1e-15)


def test_simple_with_an_infinite_deck() -> None:
    """It loses 1.76 hundredths of a wager."""
    found = simple(BlackjackRules(decks="infinite"))
    assert float(found.mean) == pytest.approx(-0.0176027346075071, **DIGITS)
    assert found.sd == pytest.approx(0.9850380843756653, abs=1e-15)


@pytest.mark.prove
def test_simple_with_a_fresh_deck(fresh: ExactValue) -> None:
    """It loses 1.36 hundredths of a wager."""
    assert float(fresh.mean) == pytest.approx(-0.0135924539266571, **DIGITS)
    assert fresh.sd == pytest.approx(0.9866705665456935, abs=1e-15)


@pytest.mark.prove
def test_how_hands_end_with_a_fresh_deck(fresh: ExactValue) -> None:
    """Lost, pushed, won and natural."""
    exact = {
        -1: 0.4755484602976904,
        0: 0.0866282633463592,
        1: 0.3895578163257844,
        1.5: 0.0482654600301659,
    }
    for net, p in exact.items():
        assert float(fresh.probability(net)) == pytest.approx(p, abs=1e-16)


@pytest.mark.prove
def test_a_natural_of_a_minimum_of_5_is_rounded_down(fresh: ExactValue) -> None:
    """It pays 7 chips, which takes a tenth of a wager from every natural."""
    found = simple(BlackjackRules(reshuffle="every-round"), minimum=5)
    assert float(found.mean) == pytest.approx(-0.0184189999296737, **DIGITS)
    assert fresh.mean - found.mean == fresh.probability(1.5) / 10


def test_habits_of_ordinary_blackjack_cost_sixteen_hundredths() -> None:
    """The dealer's rule, and never to bust, lose where the document's chart wins."""
    mimic, never_bust = (
        exact_value(EASYBJ, kind.chart, "chart").mean for kind in (MimicChart, NeverBustChart)
    )
    assert float(mimic) == pytest.approx(-0.058915729254082325, abs=1e-16)
    assert float(never_bust) == pytest.approx(-0.060257744526474755, abs=1e-16)


def test_the_best_charts_of_easy_blackjack() -> None:
    """Surrender is worth 1.4 hundredths; the document's chart lacks two in ten thousand."""
    with_surrender, without = (solve(EASYBJ, surrender=wanted).value for wanted in (True, False))
    assert without.mean == Fraction(122355763790172953313934224021, 13**27)
    assert with_surrender.mean == Fraction(139150394466997881620002431578, 13**27)
    assert float(without.mean) == pytest.approx(0.10260154962415127, abs=1e-16)
    assert float(with_surrender.mean) == pytest.approx(0.11668470418450834, abs=1e-16)


def test_a_dealers_natural_that_is_only_a_21_costs_doubled_wagers() -> None:
    """Whoever sees it coming loses no more than one, whether it ends the round or not."""
    later = replace(EASYBJ, dealer_natural="is-21")
    at_once = exact_value(EASYBJ, EasyBJChart.chart, "easybj")
    # A natural is paid at once there; and the column of 20 neither doubles nor splits.
    naturals = Fraction(8, 169)
    difference = exact_value(later, EasyBJChart.chart, "easybj").mean - at_once.mean
    assert difference > naturals**2 * Fraction(3, 2)
