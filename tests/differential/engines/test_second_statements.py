"""The rules of blackjack that are stated twice: with cards, and on numbers for fast engines."""

from itertools import product

import pytest

from tourney.games.blackjack.hand import ACE_VALUE, AFTER, BEST_TOTAL
from tourney.games.blackjack.kernels.compiled_rules import HOLE, UPCARD, tables_of
from tourney.games.blackjack.opening import opening_of
from tourney.games.blackjack.position import (
    BUST,
    DOUBLED_TOTALS,
    INSURANCE_PAYS,
    LEAST_OF_NATURAL,
    TOTALS,
    VALUES,
    hand_after,
)
from tourney.games.blackjack.round_state import INSURANCE_ODDS
from tourney.games.blackjack.round_state import LEAST_OF_NATURAL as LEAST_WITH_CARDS
from tourney.games.blackjack.rules import MOST_SEATS, ODDS, BlackjackRules
from tourney.games.blackjack.seat_hand import LEAST_DOUBLED, MOST_DOUBLED


def test_a_card_makes_the_same_hand() -> None:
    """From every hand, by every card."""
    for soft, total, value in product((False, True), range(BEST_TOTAL + 1), VALUES):
        if (soft and total < ACE_VALUE) or (not soft and total == 1):
            continue  # no cards make such a hand
        after, is_soft = AFTER[soft][total][value]
        expected = BUST if after > BEST_TOTAL else is_soft * TOTALS + after
        assert hand_after(soft * TOTALS + total, value) == expected


@pytest.mark.parametrize("hole_card", ["if-compared", "none"])
@pytest.mark.parametrize("dealing", ["seats-first", "dealer-first", "dealer-both"])
def test_the_opening_is_dealt_in_the_same_order(dealing: str, hole_card: str) -> None:
    """To every number of seats."""
    rules = BlackjackRules(dealing=dealing, hole_card=hole_card)
    house = tables_of(rules)
    for seats in range(1, MOST_SEATS + 1):
        opening = opening_of(dealing, seats, has_hole=hole_card != "none")
        assert list(house.order[seats])[: len(opening.order)] == list(opening.order)
        assert house.places[seats][UPCARD] == opening.upcard
        assert house.places[seats][HOLE] == opening.hole


def test_totals_and_odds_are_the_same() -> None:
    """Those that may be doubled, what a natural and insurance pay, and who can have a natural."""
    assert {
        name: (LEAST_DOUBLED[name], MOST_DOUBLED[name]) for name in LEAST_DOUBLED
    } == DOUBLED_TOTALS
    for name, odds in ODDS.items():
        house = tables_of(BlackjackRules(natural=name))
        assert (house.odds, house.odds_to) == odds
    assert (INSURANCE_PAYS, LEAST_OF_NATURAL) == (INSURANCE_ODDS, LEAST_WITH_CARDS)
