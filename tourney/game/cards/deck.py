"""The Deck of the course documents: 52 cards that are cut and riffled, without a reset in between.

Source: VE280 project 4, section III.1; EECS 280 (winter 2008) project 4, section III.a.
"""

from collections.abc import Sequence
from typing import TypeVar

from tourney.errors import CardsError, DeckEmpty
from tourney.game.cards.card import CARDS, DECK_SIZE, Card

T = TypeVar("T")


def riffle(cards: Sequence[T], cut: int) -> list[T]:
    """Cut off the first `cut` cards and riffle: right, left, right, left, then the rest.

    Args:
        cards: Any number of cards, top first.
        cut: Size of the left part, from 0 to all cards.

    >>> riffle("abcde", 2)
    ['c', 'a', 'd', 'b', 'e']
    """
    left, right = cards[:cut], cards[cut:]
    both = min(len(left), len(right))
    shuffled = [card for pair in zip(right, left, strict=False) for card in pair]
    return [*shuffled, *right[both:], *left[both:]]


class Deck:
    """A standard deck of 52 playing cards, dealt from the top.

    >>> deck = Deck()
    >>> print(deck.deal())
    Two of Spades
    >>> deck.shuffle(26)
    >>> print(deck.deal(), "and", deck.cards_left, "more")
    Two of Clubs and 51 more
    """

    __slots__ = ("_cards", "_dealt")

    def __init__(self) -> None:
        self._cards: list[Card] = list(CARDS)
        self._dealt = 0

    def reset(self) -> None:
        """Restore the order of a new deck."""
        self._cards = list(CARDS)
        self._dealt = 0

    def shuffle(self, cut: int) -> None:
        """Restore the dealt cards, then cut and riffle once.

        Args:
            cut: Cards in the left part, from 0 to 52; 0 and 52 leave the order unchanged.
        Raises: CardsError, if the cut is out of range.
        """
        if not 0 <= cut <= DECK_SIZE:
            raise CardsError(f"cut: expected a number from 0 to {DECK_SIZE}, got {cut}")
        self._cards = riffle(self._cards, cut)
        self._dealt = 0

    def deal(self) -> Card:
        """Deal the next card.

        Raises: DeckEmpty, if no card is left.
        """
        if self._dealt == DECK_SIZE:
            raise DeckEmpty("the deck is empty; shuffle or reset it before you deal")
        card = self._cards[self._dealt]
        self._dealt += 1
        return card

    @property
    def cards_left(self) -> int:
        """Number of cards not dealt since the last reset or shuffle."""
        return DECK_SIZE - self._dealt
