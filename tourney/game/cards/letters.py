"""Cards as letters: one, a to m for the spades from two to ace and so on, or two for people."""

from collections.abc import Iterable
from string import ascii_letters

from tourney.game.cards.card import CARDS, RANKS, Card

RANK_LETTERS = "23456789TJQKA"
SHORT_NAMES = tuple(RANK_LETTERS[card.code % RANKS] + card.suit.name[0] for card in CARDS)


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


def short_name(card: Card) -> str:
    """Give the two letters that people write for a card: rank and suit.

    >>> from tourney import Card, Rank, Suit
    >>> short_name(Card(Rank.TEN, Suit.HEARTS))
    'TH'
    """
    return SHORT_NAMES[card.code]


def names_of(cards: Iterable[Card]) -> list[str]:
    """Give the same of several cards."""
    return [SHORT_NAMES[card.code] for card in cards]


def cards_seen(cards: Iterable[Card]) -> str:
    """Say which cards these are.

    >>> from tourney.game.cards.card import CARDS
    >>> cards_seen(CARDS[8:13])
    'TS JS QS KS AS'
    """
    return " ".join(names_of(cards))
