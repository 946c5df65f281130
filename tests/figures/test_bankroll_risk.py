"""What a bankroll has to expect: closed forms, and a great many bankrolls that are played.

The formulas are those of Brownian motion; a walk of small steps comes close to it, and exactly so
where its own ruin is known in closed form.
"""

from math import exp, inf, log

import numpy as np
import pytest

from tests.proving import with_more
from tourney.event.bankroll_risk import bankroll_risk


@pytest.mark.parametrize("chance", [0.5025, 0.505, 0.51])
@pytest.mark.parametrize("bankroll", [50, 100, 200])
def test_ruin_is_near_that_of_a_gambler_with_even_wagers(chance: float, bankroll: int) -> None:
    """Which is (q / p) to the bankroll: Feller, An Introduction to Probability Theory, XIV.2."""
    mean = 2 * chance - 1
    found = bankroll_risk(mean, (1 - mean**2) ** 0.5, bankroll)
    assert found.ruin is not None
    exact = ((1 - chance) / chance) ** bankroll
    assert log(found.ruin) == pytest.approx(log(exact), rel=mean**2 * 2)


def test_a_kelly_bankroll_is_lost_with_the_square_of_1_over_e() -> None:
    """13.5 %, for which SCORE is defined; and twice the wagers lose it with 1 / e."""
    found = bankroll_risk(0.013, 2.9)
    for times, expected in ((1, exp(-2)), (0.5, exp(-1))):
        risk = bankroll_risk(0.013, 2.9, times * found.kelly_bankroll)
        assert risk.ruin == pytest.approx(expected)


def test_score_is_what_kelly_wagers_win() -> None:
    """From 10,000 in 100 rounds, whatever the unit; its square root is DI, N0 its inverse."""
    mean, sd = 0.0087, 2.51
    found = bankroll_risk(mean, sd)
    assert found.score == pytest.approx(100 * mean * 10_000 / found.kelly_bankroll)
    assert found.score == pytest.approx((1000 * mean / sd) ** 2)
    assert found.n0 == pytest.approx(1_000_000 / found.score)


@pytest.mark.parametrize("mean", [0.0, -0.01])
def test_who_does_not_win_loses_everything_in_the_end(mean: float) -> None:
    """And no bankroll is large enough."""
    found = bankroll_risk(mean, 1.1, 1e9, rounds_an_hour=80)
    assert (found.ruin, found.kelly_bankroll, found.n0, found.score) == (1.0, inf, inf, 0.0)
    assert found.per_hour == 80 * mean


@pytest.mark.parametrize("bankrolls", with_more([50_000], [1_000_000]))
def test_a_great_many_bankrolls_are_lost_as_often(bankrolls: int) -> None:
    """Who is lost has gone below zero by up to a minimum: that is how close the formula is."""
    results = np.array([-2.0, -1.0, 0.0, 1.0, 1.5, 2.0])
    chances = np.array([0.05, 0.38, 0.08, 0.375, 0.05, 0.065])
    mean = float(results @ chances)
    variance = float((results - mean) ** 2 @ chances)
    start, lost = 10.0, 0
    draws = np.random.default_rng(1997)
    for _ in range(bankrolls // 10_000):
        alive = np.full(10_000, start)
        while len(alive):
            steps = draws.choice(results, size=(len(alive), 50), p=chances).cumsum(axis=1)
            alive = alive[:, None] + steps
            is_lost = (alive <= 0).any(axis=1)
            lost += int(is_lost.sum())
            alive = alive[~is_lost, -1]
            alive = alive[alive < 7 * variance / mean]
    most, least = (bankroll_risk(mean, variance**0.5, b).ruin for b in (start, start + 1))
    assert most is not None
    assert least is not None
    chance = 4 * (most * (1 - most) / bankrolls) ** 0.5
    assert least - chance < lost / bankrolls < most + chance
