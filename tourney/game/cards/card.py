"""Playing cards: ranks, suits, the 52 cards, and their letters.

The value of a hand is up to the games.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from string import ascii_letters


class Suit(IntEnum):
    """The four suits, in the order of a newly opened deck."""

    SPADES = 0
    HEARTS = 1
    CLUBS = 2
    DIAMONDS = 3

    def __str__(self) -> str:
        """Return the name as course documents print it: `Spades`."""
        return self.name.capitalize()


class Rank(IntEnum):
    """The thirteen ranks, two low and ace high; they compare by height.

    The number of a rank orders it. Its value in blackjack is `Card.value`.
    """

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    def __str__(self) -> str:
        """Return the name as course documents print it: `Ace`."""
        return self.name.capitalize()


RANKS = len(Rank)
DECK_SIZE = len(Suit) * RANKS


@dataclass(frozen=True, slots=True)
class Card:
    """One playing card.

    >>> card = Card(Rank.ACE, Suit.SPADES)
    >>> print(card, card.value, card.code)
    Ace of Spades 11 12
    """

    rank: Rank
    suit: Suit
    value: int = field(init=False, repr=False, compare=False)  # ace 11, court cards 10
    code: int = field(init=False, repr=False, compare=False)  # place in a new deck, from 0

    def __post_init__(self) -> None:
        """Compute the value and the code once."""
        court = min(self.rank, Rank.TEN)
        object.__setattr__(self, "value", 11 if self.rank is Rank.ACE else int(court))
        object.__setattr__(self, "code", self.suit * RANKS + self.rank - Rank.TWO)

    def __str__(self) -> str:
        """Return the name as course documents print it: `Ace of Spades`."""
        return f"{self.rank} of {self.suit}"


CARDS = tuple(Card(rank, suit) for suit in Suit for rank in Rank)
"""A new deck: spades from two to ace, then hearts, clubs and diamonds."""


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
