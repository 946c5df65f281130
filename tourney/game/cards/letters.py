"""Cards as single letters: a to m the spades from two to ace, then the other suits in order."""

from string import ascii_letters

from tourney.game.cards.card import CARDS, Card


def letter_of(card: Card) -> str:
    """Write a card.

    >>> from tourney import Card, Rank, Suit
    >>> letter_of(Card(Rank.ACE, Suit.SPADES)), letter_of(Card(Rank.TWO, Suit.DIAMONDS))
    ('m', 'N')
    """
    return ascii_letters[card.code]


def card_of(letter: str) -> Card:
    """Read a card."""
    return CARDS[ascii_letters.index(letter)]


def cards_in(text: str) -> list[Card]:
    """Give the cards in a text in which no other letters stand."""
    return [card_of(letter) for letter in text if letter in ascii_letters]


def card_that_differs(expected: str, got: str) -> str:
    """Say which card is the first to differ in two texts; empty if there is none.

    >>> card_that_differs("a^b", "a^c!d")
    'expected Three of Spades as card 2 by its shoe, got Four of Spades'
    """
    for number, (card, other) in enumerate(
        zip(cards_in(expected), cards_in(got), strict=False), start=1
    ):
        if card != other:
            return f"expected {card} as card {number} by its shoe, got {other}"
    return ""
