"""Cards as letters: one letter in records (a to m are the spades, two to ace), two for people."""

from collections.abc import Iterable
from string import ascii_letters

from tourney.game.cards.card import CARDS, RANKS, Card

RANK_LETTERS = "23456789TJQKA"
SHORT_NAMES = tuple(RANK_LETTERS[card.code % RANKS] + card.suit.name[0] for card in CARDS)


def letter_of(card: Card) -> str:
    """Return the letter of a card.

    >>> from tourney import Card, Rank, Suit
    >>> letter_of(Card(Rank.ACE, Suit.SPADES)), letter_of(Card(Rank.TWO, Suit.DIAMONDS))
    ('m', 'N')
    """
    return ascii_letters[card.code]


def card_of(letter: str) -> Card:
    """Return the card of a letter."""
    return CARDS[ascii_letters.index(letter)]


def cards_in(text: str) -> list[Card]:
    """Return the cards in a text that contains no other letters."""
    return [card_of(letter) for letter in text if letter in ascii_letters]


def card_that_differs(expected: str, got: str) -> str:
    """Describe the first card that differs in two texts; empty if they agree.

    >>> card_that_differs("a^b", "a^c!d")
    'expected Three of Spades as card 2 by its shoe, got Four of Spades'
    """
    for number, (card, other) in enumerate(
        zip(cards_in(expected), cards_in(got), strict=False), start=1
    ):
        if card != other:
            return f"expected {card} as card {number} by its shoe, got {other}"
    return ""


def short_name(card: Card) -> str:
    """Return the usual two letters of a card: rank and suit.

    >>> from tourney import Card, Rank, Suit
    >>> short_name(Card(Rank.TEN, Suit.HEARTS))
    'TH'
    """
    return SHORT_NAMES[card.code]


def names_of(cards: Iterable[Card]) -> list[str]:
    """Return the two letters of each card."""
    return [SHORT_NAMES[card.code] for card in cards]


def cards_seen(cards: Iterable[Card]) -> str:
    """Join the two letters of each card.

    >>> from tourney.game.cards.card import CARDS
    >>> cards_seen(CARDS[8:13])
    'TS JS QS KS AS'
    """
    return " ".join(names_of(cards))
