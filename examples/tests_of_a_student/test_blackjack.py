"""Tests of a Deck, a Hand and two players, as a student hands them in.

Try them with `pytest test_blackjack.py`, and on buggy classes with
`tourney mutants test_blackjack.py`. They catch most of those, but not all.
"""

from tourney import Card, Deck, DeckEmpty, Hand, Rank, Suit
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple


def hand_of(*ranks: Rank) -> Hand:
    """Make a hand."""
    return Hand(Card(rank, Suit.HEARTS) for rank in ranks)


def see(player: Counting, *ranks: Rank) -> None:
    """Show cards to a player."""
    for rank in ranks:
        player.expose(Card(rank, Suit.HEARTS))


def test_a_new_deck_is_in_order() -> None:
    """Spades first, then hearts, clubs and diamonds, each from the two to the ace."""
    deck = Deck()
    for suit in (Suit.SPADES, Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS):
        for rank in Rank:
            assert deck.deal() == Card(rank, suit)


def test_an_empty_deck_says_so() -> None:
    """The 53rd card is not there."""
    deck = Deck()
    for _ in range(52):
        deck.deal()
    try:
        deck.deal()
    except DeckEmpty:
        return
    raise AssertionError("expected DeckEmpty")


def test_a_deck_knows_how_many_cards_are_left() -> None:
    """One less with every deal."""
    deck = Deck()
    assert deck.cards_left == 52
    deck.deal()
    assert deck.cards_left == 51


def test_a_shuffle_begins_with_the_right_part() -> None:
    """The example of the document: 2 of clubs, 2 of spades, 3 of clubs."""
    deck = Deck()
    deck.shuffle(26)
    assert deck.deal() == Card(Rank.TWO, Suit.CLUBS)
    assert deck.deal() == Card(Rank.TWO, Suit.SPADES)
    assert deck.deal() == Card(Rank.THREE, Suit.CLUBS)


def test_the_rest_of_the_longer_part_comes_last() -> None:
    """With a cut of 50 there are two pairs, and then 48 cards of the left part."""
    deck = Deck()
    deck.shuffle(50)
    cards = [deck.deal() for _ in range(52)]
    assert cards[0] == Card(Rank.KING, Suit.DIAMONDS)
    assert cards[4] == Card(Rank.FOUR, Suit.SPADES)
    assert cards[51] == Card(Rank.QUEEN, Suit.DIAMONDS)


def test_a_shuffle_restores_the_dealt_cards() -> None:
    """In the order in which they were dealt."""
    deck = Deck()
    deck.deal()
    deck.deal()
    deck.shuffle(1)
    assert deck.cards_left == 52
    assert deck.deal() == Card(Rank.THREE, Suit.SPADES)
    assert deck.deal() == Card(Rank.TWO, Suit.SPADES)


def test_reset_makes_a_new_deck() -> None:
    """Whatever was done to it."""
    deck = Deck()
    deck.shuffle(20)
    deck.deal()
    deck.reset()
    assert deck.cards_left == 52
    assert deck.deal() == Card(Rank.TWO, Suit.SPADES)


def test_an_ace_counts_eleven_while_it_can() -> None:
    """A soft 17 that gets a ten is a hard 17."""
    hand = hand_of(Rank.ACE, Rank.SIX)
    assert (hand.total, hand.soft) == (17, True)
    hand.add_card(Card(Rank.KING, Suit.CLUBS))
    assert (hand.total, hand.soft) == (17, False)


def test_two_aces_are_a_soft_twelve() -> None:
    """Only one of them can count 11."""
    hand = hand_of(Rank.ACE, Rank.ACE)
    assert (hand.total, hand.soft) == (12, True)


def test_a_natural_is_a_soft_twenty_one() -> None:
    """An ace and a court card."""
    hand = hand_of(Rank.ACE, Rank.JACK)
    assert (hand.total, hand.soft) == (21, True)


def test_three_tens_are_over() -> None:
    """Any total over 21 will do."""
    assert hand_of(Rank.TEN, Rank.QUEEN, Rank.KING).total > 21


def test_a_hand_is_empty_after_discarding() -> None:
    """It can be used for the next round."""
    hand = hand_of(Rank.ACE, Rank.SIX)
    hand.discard_all()
    assert (hand.total, hand.soft) == (0, False)
    hand.add_card(Card(Rank.NINE, Suit.SPADES))
    assert (hand.total, hand.soft) == (9, False)


def test_simple_bets_the_minimum() -> None:
    """However much it has."""
    assert Simple().bet(1000, 10) == 10


def test_simple_plays_hard_hands_by_the_rules() -> None:
    """Against an upcard of every rank."""
    for rank in Rank:
        upcard = Card(rank, Suit.CLUBS)
        assert Simple().draw(upcard, hand_of(Rank.SIX, Rank.FIVE)) is True
        assert Simple().draw(upcard, hand_of(Rank.TEN, Rank.TWO)) is (upcard.value not in {4, 5, 6})
        assert Simple().draw(upcard, hand_of(Rank.TEN, Rank.SIX)) is (upcard.value > 6)
        assert Simple().draw(upcard, hand_of(Rank.TEN, Rank.SEVEN)) is False


def test_simple_plays_soft_hands_by_the_rules() -> None:
    """Against an upcard of every rank."""
    for rank in Rank:
        upcard = Card(rank, Suit.CLUBS)
        soft_18 = hand_of(Rank.ACE, Rank.SEVEN)
        assert Simple().draw(upcard, hand_of(Rank.ACE, Rank.SIX)) is True
        assert Simple().draw(upcard, soft_18) is (upcard.value not in {2, 7, 8})
        assert Simple().draw(upcard, hand_of(Rank.ACE, Rank.EIGHT)) is False


def test_counting_doubles_at_two() -> None:
    """For every low card."""
    for rank in (Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX):
        player = Counting()
        see(player, rank)
        assert player.bet(1000, 10) == 10
        see(player, rank)
        assert player.bet(1000, 10) == 20


def test_counting_subtracts_high_cards() -> None:
    """For every high card."""
    for rank in (Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE):
        player = Counting()
        see(player, Rank.FIVE, Rank.FIVE, rank)
        assert player.bet(1000, 10) == 10


def test_counting_needs_enough_for_the_double() -> None:
    """Exactly the double is enough."""
    player = Counting()
    see(player, Rank.FIVE, Rank.FIVE, Rank.FIVE)
    assert player.bet(20, 10) == 20
    assert player.bet(19, 10) == 10


def test_counting_begins_again_after_a_shuffle() -> None:
    """All cards are back."""
    player = Counting()
    see(player, Rank.FIVE, Rank.FIVE)
    player.shuffled()
    assert player.bet(1000, 10) == 10
