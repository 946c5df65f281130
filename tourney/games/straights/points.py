"""Points of cards in Straights, where the ace is low, and card names as the document writes them.

Source: Straights, sections 2, 4 and 5.3.
"""

from tourney.game.cards.card import CARDS, Card, Rank, Suit
from tourney.game.cards.letters import short_name

ACE, SEVEN, KING = 1, 7, 13

_LETTERS = "A23456789TJQK"
_SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)

POINTS = tuple(ACE if card.rank is Rank.ACE else int(card.rank) for card in CARDS)
"""Points of a discarded card, by its code; also its position in its suit."""

_OF_SUIT = {(card.suit, points): card for card, points in zip(CARDS, POINTS, strict=True)}


def points_of(card: Card) -> int:
    """Return the points of a card when it is discarded: ace 1, jack 11, queen 12, king 13.

    >>> points_of(Card(Rank.ACE, Suit.SPADES)), points_of(Card(Rank.KING, Suit.SPADES))
    (1, 13)
    """
    return POINTS[card.code]


def card_of(suit: Suit, points: int) -> Card:
    """Return the card of a suit with these points, 1 to 13.

    >>> print(card_of(Suit.CLUBS, 12))
    Queen of Clubs
    """
    return _OF_SUIT[suit, points]


def letter_of(points: int) -> str:
    """Return the letter of a rank in the document.

    >>> letter_of(1), letter_of(7), letter_of(10)
    ('A', '7', 'T')
    """
    return _LETTERS[points - ACE]


BY_SHORT_NAME = {short_name(card): card for card in CARDS}
"""All cards, by the two letters of the document."""

NEW_DECK = tuple(card_of(suit, points) for suit in _SUITS for points in range(ACE, KING + 1))
"""The document's deck before its first shuffle: clubs from the ace, diamonds, hearts, spades."""
