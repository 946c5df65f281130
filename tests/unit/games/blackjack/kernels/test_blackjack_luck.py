"""Sums of worths are divided as Python divides them, without dividing."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.proving import tried
from tourney.game.cards.card import DECK_SIZE
from tourney.game.cards.shoe import MOST_DECKS
from tourney.game.machine.jit import compiled
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.kernels.luck import IN_SUIT, LEFT, LIFT, fill, floored, luck_of
from tourney.games.blackjack.kernels.positions import NO_MORE, after_move
from tourney.games.blackjack.kernels.shoes import U
from tourney.games.blackjack.position import NUMBER_OF, POSITIONS, acted

CARDS = st.integers(1, MOST_DECKS * DECK_SIZE)


@compiled
def mean(total: int, left: int) -> int:
    """Divide."""
    quotient: int = floored(total, left)
    return quotient


@tried(2000)
@given(CARDS, st.integers(1 - LIFT, LIFT - 1), st.integers(0, MOST_DECKS * DECK_SIZE))
def test_a_mean_is_rounded_down(left: int, worth: int, rest: int) -> None:
    """Below zero too, and next to whole numbers, where a rounded inverse could go wrong."""
    for more in (rest % left, 0, left - 1):
        total = worth * left + more
        assert mean(total, left) == total // left == worth


@pytest.mark.parametrize("left", range(1, MOST_DECKS * DECK_SIZE + 1, 13))
def test_the_largest_sums_are_rounded_down(left: int) -> None:
    """Those that lie nearest to what a word can hold."""
    assert mean(LIFT * left - 1, left) == LIFT - 1
    assert mean(-LIFT * left, left) == -LIFT


def test_no_worth_may_be_too_large() -> None:
    """The division would go wrong."""
    with pytest.raises(AssertionError):
        luck_of(np.array([[LIFT]]))


@pytest.mark.parametrize(("decks", "cards"), [(0, IN_SUIT), (1, 52), (6, 312)])
def test_a_shoe_begins_with_all_its_cards(decks: int, cards: int) -> None:
    """An infinite one with the ranks, which stand for them."""
    left = np.zeros(LEFT + 1, np.int64)
    fill_shoe(left, decks)
    assert left[LEFT] == left[:LEFT].sum() == cards
    assert left[8] * 13 == 4 * cards


@compiled
def fill_shoe(left: "np.ndarray[tuple[int], np.dtype[np.int64]]", decks: int) -> None:
    """Begin a shoe."""
    fill(left, decks)


def test_moves_lead_where_the_reference_engine_has_them() -> None:
    """A hand that is over stays where it is, whatever anybody does."""
    eights = next(each for each in POSITIONS if each.is_pair and each.hand == 16)
    for action in (Action.HIT, Action.STAND, Action.DOUBLE, Action.SPLIT, Action.SURRENDER):
        assert (
            after_move.py_func(U(NUMBER_OF[eights]), U(action)) == NUMBER_OF[acted(eights, action)]
        )
        assert after_move.py_func(NO_MORE, U(action)) == NO_MORE
