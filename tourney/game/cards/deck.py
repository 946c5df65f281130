"""The Deck and the cut positions of the course documents.

Source: VE280 project 4, section III.1; EECS 280 (winter 2008) project 4, section III.a.

The cut positions come from MT19937, initialised by `init_genrand(0)`. Python uses the same
generator but a different seeding routine, so this module sets its state word by word.
Source: Matsumoto and Nishimura, 2002 (mt19937ar); FACTS of the five programs.
"""

import random
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


FEWEST, CUTS = 13, 27
STATE_WORDS = 624


def _init_genrand(rng_seed: int) -> random.Random:
    words = [rng_seed & 0xFFFFFFFF]
    for index in range(1, STATE_WORDS):
        previous = words[-1]
        words.append((1812433253 * (previous ^ (previous >> 30)) + index) & 0xFFFFFFFF)
    generator = random.Random()  # noqa: S311 - the original programs' generator, not a secret
    generator.setstate((3, (*words, STATE_WORDS), None))
    return generator


class Cuts:
    """The course's cut generator, in its state at the start of a program.

    >>> cuts = Cuts()
    >>> [cuts.get_cut() for _ in range(7)]
    [39, 22, 33, 37, 38, 37, 38]
    """

    __slots__ = ("_generator",)

    def __init__(self) -> None:
        self._generator = _init_genrand(0)

    def get_cut(self) -> int:
        """Draw the next cut, from 13 to 39."""
        return FEWEST + self._generator.getrandbits(32) % CUTS
