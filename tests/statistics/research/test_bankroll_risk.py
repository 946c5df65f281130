"""What a bankroll has to expect: closed forms, and a great many bankrolls that are played.

The formulas are those of Brownian motion; a walk of small steps comes close to it, and exactly so
where its own ruin is known in closed form.
"""

from math import exp, inf, log
from statistics import NormalDist

import numpy as np
import pytest

from tests.support.proving import with_more
from tourney.research.bankroll_risk import (
    bankroll_after,
    bankroll_below,
    bankroll_risk,
    kelly_fraction,
    moved,
)

RESULTS = np.array([-2.0, -1.0, 0.0, 1.0, 1.5, 2.0])
CHANCES = np.array([0.05, 0.38, 0.08, 0.375, 0.05, 0.065])
MEAN = float(RESULTS @ CHANCES)
SD = float((RESULTS - MEAN) ** 2 @ CHANCES) ** 0.5
"""Of a round much like one of blackjack, but for a high mean."""
BANKROLLS = with_more([50_000], [1_000_000])


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


@pytest.mark.parametrize("bankrolls", BANKROLLS)
def test_a_great_many_bankrolls_are_lost_as_often(bankrolls: int) -> None:
    """Who is lost has gone below zero by up to a minimum: that is how close the formula is."""
    start, lost = 10.0, 0
    draws = np.random.default_rng(1997)
    for _ in range(bankrolls // 10_000):
        alive = np.full(10_000, start)
        while len(alive):
            steps = draws.choice(RESULTS, size=(len(alive), 50), p=CHANCES).cumsum(axis=1)
            alive = alive[:, None] + steps
            is_lost = (alive <= 0).any(axis=1)
            lost += int(is_lost.sum())
            alive = alive[~is_lost, -1]
            alive = alive[alive < 7 * SD**2 / MEAN]
    most, least = (bankroll_risk(MEAN, SD, b).ruin for b in (start, start + 1))
    assert most is not None
    assert least is not None
    chance = 4 * (most * (1 - most) / bankrolls) ** 0.5
    assert least - chance < lost / bankrolls < most + chance


@pytest.mark.parametrize("bankrolls", BANKROLLS)
def test_after_n0_rounds_so_many_bankrolls_are_ahead(bankrolls: int) -> None:
    """Five of six: those of a normal variable that are above minus one SD."""
    rounds = round(bankroll_risk(MEAN, SD).n0)
    draws = np.random.default_rng(2005)
    won = draws.multinomial(rounds, CHANCES, size=bankrolls) @ RESULTS
    ahead = float((won > 0).mean() + (won == 0).mean() / 2)
    expected = NormalDist().cdf(1)
    # Sums of so few rounds lean a little still: a third of their skewness times a density.
    lean = abs(float((RESULTS - MEAN) ** 3 @ CHANCES)) / SD**3 / rounds**0.5 / 3
    assert abs(ahead - expected) < 4 * (expected * (1 - expected) / bankrolls) ** 0.5 + lean


@pytest.mark.parametrize("chance", [0.501, 0.53, 0.6, 0.9])
@pytest.mark.parametrize("odds", [1, 1.5, 6])
def test_the_exact_kelly_fraction_of_a_biased_coin(chance: float, odds: float) -> None:
    """Which is p - q / odds, and p - q at even wagers: [Kelly1956]."""
    found = kelly_fraction({odds: chance, -1: 1 - chance})
    assert found == pytest.approx(chance - (1 - chance) / odds)


def test_who_cannot_lose_stakes_anything_and_who_does_not_win_nothing() -> None:
    """No fraction is too large, or too small; results that never come do not count."""
    assert kelly_fraction({0: 1, 1: 1, -5: 0}) == inf
    assert kelly_fraction({-1: 0.5, 1: 0.5}) == kelly_fraction({-2: 0.5, 1: 0.5}) == 0


def test_the_limit_of_kelly_is_near_where_a_mean_is_small() -> None:
    """By the third moment, which is the next term: f = m1 / m2 + m3 m1² / m2³."""
    results = moved(dict(zip(RESULTS.tolist(), CHANCES.tolist(), strict=True)), 0.008, 1.15)
    found = bankroll_risk(0.008, 1.15, results=results)
    first, second, third = (sum(p * x**n for x, p in results.items()) for n in (1, 2, 3))
    assert found.kelly_exact is not None
    assert found.kelly_fraction == pytest.approx(0.008 / 1.15**2) == 1 / found.kelly_bankroll
    assert found.kelly_exact == pytest.approx(first / second + third * first**2 / second**3, 1e-4)
    assert found.kelly_exact == pytest.approx(found.kelly_fraction, 0.01)
    assert bankroll_risk(0.008, 1.15).kelly_exact is None


@pytest.mark.parametrize("bankrolls", BANKROLLS)
def test_no_bankrolls_grow_faster_than_those_that_stake_the_kelly_fraction(bankrolls: int) -> None:
    """After 500 rounds each, which all of them play by the same luck, in logarithms."""
    best = kelly_fraction(dict(zip(RESULTS.tolist(), CHANCES.tolist(), strict=True)))
    draws, rounds = np.random.default_rng(1956), 500
    came = draws.multinomial(rounds, CHANCES, size=bankrolls)
    growth = {times: came @ np.log1p(times * best * RESULTS) for times in (0.5, 1.0, 1.5)}
    for times in (0.5, 1.5):
        ahead = growth[1.0] - growth[times]
        assert ahead.mean() > 4 * ahead.std() / bankrolls**0.5
    exact = rounds * float(CHANCES @ np.log1p(best * RESULTS))
    assert abs(growth[1.0].mean() - exact) < 4 * growth[1.0].std() / bankrolls**0.5


def test_bankrolls_spread_out_as_a_fan_says() -> None:
    """Walks of small steps that stop at nothing, near the quantiles of the motion."""
    chance, bankroll, rounds, walks = 0.505, 60, 3_000, 20_000
    mean = 2 * chance - 1
    sd = (1 - mean**2) ** 0.5
    left = np.full(walks, bankroll)
    steps = np.random.default_rng(5)
    for _ in range(rounds):
        left += np.where(left > 0, 2 * (steps.random(walks) < chance) - 1, 0)
    lost = float((left == 0).mean())
    assert bankroll_below(mean, sd, bankroll, rounds, 0) == pytest.approx(lost, abs=0.01)
    assert 0.1 < lost < 0.3
    for share in (0.05, 0.25, 0.5, 0.75, 0.95):
        found = bankroll_after(mean, sd, bankroll, rounds, share)
        assert found == pytest.approx(float(np.quantile(left, share)), abs=3)


def test_a_bankroll_is_lost_in_the_end_as_ruin_says() -> None:
    """After very many rounds; and nothing is too much or too little for it."""
    for mean in (0.01, 0.02):
        risk = bankroll_risk(mean, 1.1, 50)
        assert bankroll_below(mean, 1.1, 50, 1e9, 0) == pytest.approx(risk.ruin)
    assert bankroll_below(-0.01, 1.1, 50, 1e7, 0) == pytest.approx(1)
    assert bankroll_below(-0.01, 1.1, 1e6, 100, 0) == pytest.approx(0)
    assert bankroll_below(-0.01, 1.1, 1e6, 1.1e8, 0) == pytest.approx(1)
    assert bankroll_after(0.01, 1.1, 50, 0, 0.5) == 50
    assert bankroll_after(-1.0, 1.1, 5, 1_000, 0.5) == 0
