"""Ranks of Straights, where the ace is low, and the names of the document."""

import pytest

from tourney import Card, Rank, StraightsView, Suit
from tourney.game.cards.card import CARDS
from tourney.games.straights.suits import (
    BY_SHORT_NAME,
    NEW_DECK,
    card_of,
    points_of,
    short_name,
)


@pytest.mark.parametrize(
    ("rank", "points", "letter"),
    [
        (Rank.ACE, 1, "A"),
        (Rank.TWO, 2, "2"),
        (Rank.TEN, 10, "T"),
        (Rank.JACK, 11, "J"),
        (Rank.QUEEN, 12, "Q"),
        (Rank.KING, 13, "K"),
    ],
)
def test_a_card_counts_its_place_in_its_suit(rank: Rank, points: int, letter: str) -> None:
    """From the ace to the king, in every suit."""
    assert {points_of(Card(rank, suit)) for suit in Suit} == {points}
    assert short_name(Card(rank, Suit.CLUBS)) == f"{letter}C"
    assert StraightsView.points_of(Card(rank, Suit.CLUBS)) == points


def test_cards_names_and_points_go_back_and_forth() -> None:
    """For all 52 cards, each by a name of its own."""
    assert set(NEW_DECK) == set(CARDS)
    assert len(BY_SHORT_NAME) == 52
    for card in CARDS:
        assert BY_SHORT_NAME[short_name(card)] == card
        assert card_of(card.suit, points_of(card)) == card
