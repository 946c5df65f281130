"""A suit on the table: its ends, its cards, and that there is one of each kind."""

from dataclasses import FrozenInstanceError

import pytest

from tourney import Suit
from tourney.game.cards.card import short_name
from tourney.games.straights.suits import EMPTY_TABLE, Pile, card_of, with_card


def test_an_empty_pile_has_no_cards_and_no_ends() -> None:
    """Nothing can be added to an end that is not there."""
    pile = Pile(Suit.CLUBS)
    assert (pile.cards, pile.below, pile.above, pile.is_empty) == ((), None, None, True)
    assert tuple(Pile(suit) for suit in Suit) == EMPTY_TABLE


@pytest.mark.parametrize(
    ("low", "high", "names", "below", "above"),
    [
        (7, 7, "7H", "6H", "8H"),
        (5, 9, "5H 6H 7H 8H 9H", "4H", "TH"),
        (1, 7, "AH 2H 3H 4H 5H 6H 7H", None, "8H"),
        (7, 13, "7H 8H 9H TH JH QH KH", "6H", None),
        (1, 13, "AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH", None, None),
    ],
)
def test_a_pile_goes_on_at_both_ends(
    low: int, high: int, names: str, below: str | None, above: str | None
) -> None:
    """Until the ace and the king."""
    pile = Pile(Suit.HEARTS, low, high)
    assert " ".join(map(short_name, pile.cards)) == names
    assert (pile.below and short_name(pile.below)) == below
    assert (pile.above and short_name(pile.above)) == above
    assert not pile.is_empty


def test_a_pile_grows_by_a_card_at_a_time() -> None:
    """Up and down from the seven, and every pile is made only once."""
    pile = EMPTY_TABLE[Suit.SPADES]
    for points in (7, 8, 6, 9, 5):
        pile = with_card(pile, points)
    assert (pile.low, pile.high) == (5, 9)
    assert pile is with_card(with_card(with_card(Pile(Suit.SPADES, 7, 8), 9), 6), 5)


def test_a_pile_cannot_be_changed() -> None:
    """It is shared by all tables."""
    with pytest.raises(FrozenInstanceError):
        EMPTY_TABLE[0].low = 7  # type: ignore[misc]  # on purpose


def test_the_ends_are_cards_of_the_suit() -> None:
    """For every pile there can be."""
    for suit in Suit:
        for low in range(2, 8):
            for high in range(7, 13):
                pile = Pile(suit, low, high)
                assert pile.below == card_of(suit, low - 1)
                assert pile.above == card_of(suit, high + 1)
                assert len(pile.cards) == high - low + 1
