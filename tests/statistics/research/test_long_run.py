"""What the documents' strategies win in the long run, against exact figures.

The exact values come from dynamic programming in rational arithmetic, those with a shoe that
is played on from simulations of 10^9 hands by another program. A simulation agrees if it is
within four standard errors; one in 16,000 that is right would not, so the seeds are fixed.
"""

from collections.abc import Callable
from dataclasses import replace
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binom

from tests.support.proving import with_more
from tourney.execution.workers.task import EntrantSpec
from tourney.game.cards.keys import Secret
from tourney.games.blackjack.rules import BlackjackRules
from tourney.research.simulated_ev import FIRST_LOOK, LongRun, long_run, next_look, width_at

HANDS = 2_000_000
EVEN_MINIMUM = 10  # so that 3:2 is whole

MakeEntrant = Callable[[str], EntrantSpec]


def measured(
    entrant: EntrantSpec, rules: BlackjackRules, times: int, minimum: int = EVEN_MINIMUM
) -> LongRun:
    """Play a strategy for some million hands from known shoes."""
    return long_run(entrant, rules, times * HANDS, minimum=minimum, secret=Secret.from_seed(280))


def agrees(found: LongRun, mean: float, sd: float) -> bool:
    """Say whether mean and SD are within four standard errors of the exact ones."""
    # The SD of a hand is known to a thousandth or so at this number of hands.
    return abs(found.raw_mean - mean) < 4 * sd / sqrt(found.rounds) and abs(found.sd - sd) < 0.003


def test_simple_with_a_fresh_deck(
    entrant: MakeEntrant, fresh_deck: BlackjackRules, times: int
) -> None:
    """It loses 1.36 hundredths of a wager a hand."""
    found = measured(entrant("simple"), fresh_deck, times)
    assert agrees(found, mean=-0.0135924539266571, sd=0.9866705665456935)


def test_simple_with_a_fresh_deck_at_a_minimum_of_5(
    entrant: MakeEntrant, fresh_deck: BlackjackRules, times: int
) -> None:
    """A natural pays 7 instead of 7.5, which costs half a hundredth."""
    found = measured(entrant("simple"), fresh_deck, times, minimum=5)
    # The squares of a hand's results differ by those of the naturals.
    sd = sqrt(0.9866705665456935**2 - 0.0482654600301659 * (1.5**2 - 1.4**2))
    assert agrees(found, mean=-0.0184189999296737, sd=sd)


def test_simple_with_an_infinite_deck(entrant: MakeEntrant, times: int) -> None:
    """What has been dealt makes no difference there, and that costs 0.4 hundredths."""
    rules = BlackjackRules(decks="infinite")
    found = measured(entrant("simple"), rules, times)
    assert agrees(found, mean=-0.0176027346075071, sd=0.9850380843756653)


def test_simple_with_one_deck(entrant: MakeEntrant, one_deck: BlackjackRules, times: int) -> None:
    """A deck that is played on costs a flat wager a tenth of a hundredth."""
    found = measured(entrant("simple"), one_deck, times)
    assert agrees(found, mean=-0.0145163, sd=0.98652)


def test_counting_with_one_deck(entrant: MakeEntrant, one_deck: BlackjackRules, times: int) -> None:
    """Doubling at high counts wins two tenths of a hundredth back, at a higher variance."""
    found = measured(entrant("counting"), one_deck, times)
    assert agrees(found, mean=-0.0124914, sd=1.27619)


def test_paying_naturals_in_parts_of_a_chip_is_paying_them_whole(
    entrant: MakeEntrant, fresh_deck: BlackjackRules
) -> None:
    """At `payout: exact` a minimum of 5 is worth what an even one is, hand for hand."""
    exact = replace(fresh_deck, payout="exact")
    play = {"secret": Secret.from_seed(280), "rounds": 20_000}
    whole = long_run(entrant("simple"), fresh_deck, minimum=EVEN_MINIMUM, **play)  # type: ignore[arg-type]  # mixed
    parts = long_run(entrant("simple"), exact, minimum=5, **play)  # type: ignore[arg-type]  # mixed
    assert (parts.raw_mean, parts.sd) == (whole.raw_mean, whole.sd)


@pytest.mark.prove
def test_the_interval_holds_however_often_it_was_looked_at(
    entrant: MakeEntrant, one_deck: BlackjackRules, times: int
) -> None:
    """The exact mean is in 95 % of the intervals of runs that stop by themselves, at least."""
    simple, exact = entrant("simple"), -0.0145163
    runs = 60 * times
    missed = 0
    for seed in range(runs):
        found = long_run(
            simple,
            one_deck,
            1_500_000,
            minimum=EVEN_MINIMUM,
            secret=Secret.from_seed(seed),
            until=0.0006,
        )
        assert found.half_width is not None
        missed += abs(found.mean - exact) > found.half_width
    # One seed in 1,000 misses more often, if each misses with 5 %.
    assert missed <= binom.ppf(0.999, runs, 0.05)


def stopped(means: NDArray[np.float64], until: float) -> tuple[int, float, float]:
    """Stop as `long_run` does; give the look, how far the mean is off, and half the interval."""
    blocks = FIRST_LOOK
    look = 1
    while True:
        width = width_at(means[:blocks], look)
        assert width is not None
        if width <= until or blocks == len(means):
            break
        blocks = next_look(means[:blocks], look, until, len(means))
        look += 1
    return look, abs(float(means[:blocks].mean())), width


@pytest.mark.parametrize("runs", with_more([1_000], [20_000]))
@pytest.mark.parametrize("leans", [False, True], ids=["even", "leaning"])
def test_the_interval_holds_at_whatever_look_it_stops(runs: int, *, leans: bool) -> None:
    """It misses in 5 % at most, also of blocks whose rare results are large; far less, in fact."""
    draws = np.random.default_rng(95)
    missed, looks = 0, set[int]()
    for _ in range(runs):
        # Every run has a spread of its own, so that they stop at different looks.
        spread = draws.uniform(0.1, 1.5)
        means = draws.exponential(size=4_096) - 1 if leans else draws.normal(size=4_096)
        look, off, width = stopped(spread * means, until=0.04)
        looks.add(look)
        missed += off > width
    assert looks >= {1, 2, 3}
    assert missed <= binom.ppf(0.999, runs, 0.05)


def test_luck_taken_out_leaves_the_mean_and_a_fraction_of_the_noise(
    entrant: MakeEntrant, one_deck: BlackjackRules, times: int
) -> None:
    """As exact by a fiftieth of the hands; the SD stays that of the hands as they were."""
    found = measured(entrant("counting"), one_deck, times)
    assert found.adjusted is not None
    assert found.half_width is not None
    assert abs(found.adjusted + 0.0124914) < 2 * found.half_width
    assert found.half_width < found.raw_standard_error / 2
