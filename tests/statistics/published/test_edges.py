"""What basic strategy wins, against figures that others have published.

All figures are from [Shackleford2019] in docs/sources.md. Most stand in its appendix 9, one page
for each game: the expected return per round, in wagers, worked out by recursion with the exact
cards, for one player and a full shoe in every round (so without the effect of a cut card). There
any two cards are doubled, pairs of equal value are split to four hands, aces once and with one
card each, naturals pay 3:2, and nobody surrenders or insures. "No hole card" means that doubles
and splits are lost to a dealer's natural. These players look at every card of their hand; a
chart looks at totals, and may be made for another number of decks. That costs it a few
ten-thousandths of a wager with one deck or two, and next to nothing with more; `COST` is what is
allowed for it.
"""

from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.config.model import GameConfig
from tourney.game.cards.keys import Secret
from tourney.games.blackjack.rules import (
    DOUBLE_DECK,
    EUROPEAN,
    SINGLE_DECK,
    SIX_DECKS_H17,
    SIX_DECKS_S17,
    BlackjackRules,
)
from tourney.plugins.loading import load_plugins
from tourney.research.simulated_ev import LongRun, entered_alone, long_run
from tourney.tournament.entrant_specs import entrant_as_typed

ROUNDS = 1_000_000
"""For each game. Five times as many are played with `--prove`; four standard errors are then a
fifth of a hundredth of a wager."""

MINIMUM = 10
COST = {1: 0.0005, 2: 0.0004, 5: 0.0001, 6: 0.0001, 8: 0.0001}
"""By decks, in wagers a round."""

CUT_CARD = 0.0003
"""What a shoe that is played on to a cut card costs, about, in wagers a round."""

SD_OF_A_SQUARE = 2.5
"""About how much the square of a round's result varies."""

FIVE_DECKS_H17 = replace(SIX_DECKS_H17, decks=5, surrender="never")
FIVE_DECKS_S17 = replace(SIX_DECKS_S17, decks=5, surrender="never")
NO_HOLE_CARD_H17 = replace(EUROPEAN, soft_17="hit")


@pytest.fixture(params=with_more([1], [5]), ids=["few", "many"])
def times(request: pytest.FixtureRequest) -> int:
    """Give how many times as many rounds are played as show the figures."""
    found: int = request.param
    return found


def measured(strategy: str, rules: BlackjackRules, times: int) -> LongRun:
    """Play for some rounds."""
    game = GameConfig("", (), rules)
    entrant = entered_alone(game, entrant_as_typed(strategy), load_plugins())
    return long_run(entrant, rules, times * ROUNDS, minimum=MINIMUM, secret=Secret.from_seed(1956))


@pytest.mark.prove
@pytest.mark.parametrize(
    ("strategy", "rules", "published"),
    [
        # appendix/9/1ds17r4, without doubles after splits
        ("basic-single-deck", replace(SINGLE_DECK, soft_17="stand"), 0.000423),
        # appendix/9/1dh17r4, without doubles after splits
        ("basic-single-deck", SINGLE_DECK, -0.001513),
        # appendix/9/2dh17r4
        ("basic-six-decks-h17", DOUBLE_DECK, -0.003797),
        # appendix/9/5dh17r4 and 5ds17r4
        ("basic-six-decks-h17", FIVE_DECKS_H17, -0.005918),
        ("basic-six-decks-s17", FIVE_DECKS_S17, -0.003804),
        # appendix/9/euro-6dh17r4 and euro-8dh17r4
        ("basic-european", NO_HOLE_CARD_H17, -0.0072705),
        ("basic-european", replace(NO_HOLE_CARD_H17, decks=8), -0.007562),
    ],
    ids=["one-s17", "one-h17", "two-h17", "five-h17", "five-s17", "european-6", "european-8"],
)
def test_basic_strategy_wins_what_the_literature_says(
    strategy: str, rules: BlackjackRules, published: float, times: int
) -> None:
    """Within four standard errors, less what a chart costs."""
    found = measured(strategy, replace(rules, reshuffle="every-round"), times)
    assert isinstance(rules.decks, int)
    least = published - COST[rules.decks] - 4 * found.raw_standard_error
    assert least <= found.raw_mean <= published + 4 * found.raw_standard_error


@pytest.mark.parametrize(
    ("strategy", "rules", "published", "variance"),
    [
        ("basic-six-decks-s17", replace(SIX_DECKS_S17, split_aces="resplit"), -0.00281, 1.303),
        ("basic-six-decks-h17", replace(SIX_DECKS_H17, split_aces="resplit"), -0.00473, 1.312),
        ("basic-six-decks-h17", replace(SIX_DECKS_H17, surrender="never"), -0.00628, 1.346),
        ("basic-six-decks-h17", DOUBLE_DECK, -0.00398, 1.341),
    ],
    ids=["six-s17-surrender", "six-h17-surrender", "six-h17", "two-h17"],
)
def test_shoes_that_are_played_on_cost_and_vary_as_the_literature_says(
    strategy: str, rules: BlackjackRules, published: float, variance: float, times: int
) -> None:
    """[Shackleford2019], appendix/4: basic strategy and a cut card, with late surrender or not.

    Where there is surrender, aces are split again. Where the cut card lies is not told there, so
    the mean may differ by as much as that can matter.
    """
    found = measured(strategy, rules, times)
    assert abs(found.raw_mean - published) < 4 * found.raw_standard_error + CUT_CARD
    assert abs(found.sd**2 - variance) < 4 * SD_OF_A_SQUARE / sqrt(found.rounds)


def test_the_charts_of_this_test_are_bundled() -> None:
    """A name that is misspelt is found before anything is played."""
    charts = Path(__file__).parents[3] / "strategies" / "charts"
    names = {path.stem.replace("_", "-") for path in charts.glob("basic_*.txt")}
    assert names == {
        "basic-single-deck",
        "basic-six-decks-h17",
        "basic-six-decks-s17",
        "basic-european",
    }
