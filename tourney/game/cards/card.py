"""Playing cards: ranks, suits and the 52 cards.

The value of a hand is up to the games.
"""

from dataclasses import dataclass, field
from enum import IntEnum


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
