"""The documents' Deck, clause by clause."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tourney import Card, Deck, DeckEmpty, Rank, Suit
from tourney.errors import CardsError
from tourney.game.cards.deck import riffle


def drained(deck: Deck) -> list[Card]:
    """Deal everything that is left."""
    return [deck.deal() for _ in range(deck.cards_left)]


def test_a_newly_opened_deck_runs_from_the_two_of_spades_to_the_ace_of_diamonds() -> None:
    """Spades, hearts, clubs, diamonds, each from two to ace."""
    suits = [Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS]
    assert drained(Deck()) == [Card(rank, suit) for suit in suits for rank in sorted(Rank)]


def test_a_cut_of_26_puts_clubs_before_spades() -> None:
    """The documents' example: 2-clubs, 2-spades, 3-clubs, 3-spades … A-diamonds, A-hearts."""
    deck = Deck()
    deck.shuffle(26)
    names = [str(card) for card in drained(deck)]
    assert names[:4] == ["Two of Clubs", "Two of Spades", "Three of Clubs", "Three of Spades"]
    assert names[-2:] == ["Ace of Diamonds", "Ace of Hearts"]


@pytest.mark.parametrize("cut", [0, 52])
def test_a_cut_of_nothing_or_everything_changes_nothing(cut: int) -> None:
    """Cuts of 0 and 52 leave the order as it is."""
    deck = Deck()
    deck.shuffle(cut)
    assert drained(deck) == drained(Deck())


def test_dealt_cards_come_back_in_order_before_a_shuffle() -> None:
    """A shuffle of a half-dealt deck is a shuffle of the whole deck."""
    dealt_from, fresh = Deck(), Deck()
    for _ in range(30):
        dealt_from.deal()
    dealt_from.shuffle(17)
    fresh.shuffle(17)
    assert drained(dealt_from) == drained(fresh)


def test_reset_brings_the_newly_opened_order_back() -> None:
    """Whatever was shuffled and dealt."""
    deck = Deck()
    deck.shuffle(20)
    deck.deal()
    deck.reset()
    assert drained(deck) == drained(Deck())


def test_an_empty_deck_says_so() -> None:
    """DeckEmpty, and no card is left."""
    deck = Deck()
    drained(deck)
    assert deck.cards_left == 0
    with pytest.raises(DeckEmpty, match="the deck is empty"):
        deck.deal()


@pytest.mark.parametrize("cut", [-1, 53])
def test_an_impossible_cut_is_refused(cut: int) -> None:
    """Cuts lie between 0 and 52."""
    with pytest.raises(CardsError, match=f"from 0 to 52, got {cut}"):
        Deck().shuffle(cut)


def naive_riffle(cards: list[int], cut: int) -> list[int]:
    """Shuffle as the document says it, one card at a time."""
    left, right, shuffled = cards[:cut], cards[cut:], []
    while left or right:
        if right:
            shuffled.append(right.pop(0))
        if left:
            shuffled.append(left.pop(0))
    return shuffled


@given(cut=st.integers(0, 52))
def test_a_riffle_is_what_the_document_says(cut: int) -> None:
    """Right, left, right, left, then what remains of the longer side."""
    assert riffle(list(range(52)), cut) == naive_riffle(list(range(52)), cut)
