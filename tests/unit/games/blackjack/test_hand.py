"""The documents' Hand."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney import Card, Hand, Rank, Suit
from tourney.errors import CardsError
from tourney.game.cards.card import CARDS
from tourney.games.blackjack.hand import SeenHand


def hand_of(*ranks: Rank) -> Hand:
    """Make a hand of spades."""
    return Hand(Card(rank, Suit.SPADES) for rank in ranks)


def naive_value(cards: list[Card]) -> tuple[int, bool]:
    """Try every way to count the aces and take the best."""
    low = sum(1 if card.rank is Rank.ACE else card.value for card in cards)
    aces = sum(card.rank is Rank.ACE for card in cards)
    ways = [low + 10 * high for high in range(aces + 1)]
    best = max((way for way in ways if way <= 21), default=low)
    return best, best > low


@given(cards=st.lists(st.sampled_from(CARDS), max_size=25))
def test_a_hand_is_worth_its_best_count(cards: list[Card]) -> None:
    """Against trying every way to count the aces."""
    assert tuple(Hand(cards).value) == naive_value(cards)


def test_an_empty_hand_is_a_hard_nothing() -> None:
    """And so is a hand after discard_all."""
    hand = hand_of(Rank.ACE, Rank.NINE)
    hand.discard_all()
    assert hand == Hand()
    assert tuple(hand.value) == (0, False)


def test_only_two_cards_make_a_natural() -> None:
    """A 21 of three cards is none."""
    assert hand_of(Rank.ACE, Rank.QUEEN).is_natural
    assert not hand_of(Rank.SEVEN, Rank.SEVEN, Rank.SEVEN).is_natural


@pytest.mark.parametrize(
    "change",
    [lambda hand: hand.add_card(CARDS[0]), lambda hand: hand.discard_all()],
    ids=["add_card", "discard_all"],
)
def test_a_player_cannot_change_the_hand_on_the_table(change: Callable[[Hand], None]) -> None:
    """It is told who may, and how to work on a copy."""
    seen = SeenHand.opening(CARDS[12], CARDS[7])
    with pytest.raises(CardsError, match=r"work on a copy, Hand\(hand.cards\)"):
        change(seen)
    assert seen.total == 20


@given(cards=st.lists(st.sampled_from(CARDS), min_size=2, max_size=12))
def test_a_hand_on_the_table_grows_by_making_another(cards: list[Card]) -> None:
    """Worth the same as the Hand of its cards; what a player saw before does not change."""
    seen = SeenHand.opening(cards[0], cards[1])
    for count, card in enumerate(cards[2:], start=2):
        before, seen = seen, seen.with_card(card)
        assert len(before) == count
        assert seen.value == Hand(cards[: count + 1]).value
        if seen.is_bust:  # nobody is dealt a card then
            break


def test_attributes_of_a_hand_cannot_be_set() -> None:
    """Totals follow from cards."""
    with pytest.raises(AttributeError):
        hand_of(Rank.FIVE).total = 21
