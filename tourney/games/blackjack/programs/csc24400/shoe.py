"""The program's shoe: an array that is dealt from its end and shuffled with the C library.

The document has two interpretations, its transcript and its text, which deal different cards from
the same seed. The program follows the transcript.

Source: CSC 24400 project 4, PlayHand processing 1.a and other processing requirements 2.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from tourney.game.cards.card import Card, Rank, Suit

NEW_DECK = tuple(
    Card(rank, suit)
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
    for rank in Rank
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The differences between the transcript and the text of the document."""

    dealing: Literal["dealer-first", "seats-first"]
    """Receiver of the first card, as in `BlackjackRules.dealing`."""

    decks_shuffled: bool
    """Whether each deck is shuffled before it is added to the shoe, which is then also shuffled."""

    shuffle: Literal["gather", "scatter"]
    """Whether a random position is the source of the next card, or its destination."""

    gap: int
    """Spaces between the owner of a hand and its sum."""


TRANSCRIPT = Reading(dealing="dealer-first", decks_shuffled=True, shuffle="gather", gap=6)
TEXT = Reading(dealing="seats-first", decks_shuffled=False, shuffle="scatter", gap=5)


def distinct_places(count: int, rand: Callable[[], int]) -> list[int]:
    """Draw the positions from 0 to `count` - 1 in random order; repetitions are dropped.

    >>> numbers = iter([7, 4, 3, 2])
    >>> distinct_places(3, lambda: next(numbers))
    [1, 0, 2]
    """
    drawn: dict[int, None] = {}  # keeps the order of the first draws
    while len(drawn) < count:
        drawn[rand() % count] = None
    return list(drawn)


class SeededShoe(Iterator[Card]):
    """One to twenty decks; iteration deals.

    Not a shoe for tournaments: a shuffle starts from the last order, not from new decks, so the
    cards depend on all cards dealt before.
    """

    def __init__(self, rand: Callable[[], int], decks: int, reading: Reading) -> None:
        """Fill the shoe and shuffle it.

        Args:
            rand: Returns integers from 0, like the C library's `rand`.
            decks: Number of decks.
            reading: Interpretation of the document.
        """
        self._rand = rand
        self._scatters = reading.shuffle == "scatter"
        self._order: list[Card] = []
        for _ in range(decks):
            self._order += self._shuffled(NEW_DECK) if reading.decks_shuffled else NEW_DECK
        self.size = len(self._order)
        self.shuffle()

    def shuffle(self) -> None:
        """Return all cards to the shoe and shuffle them, starting from their last order."""
        self._order = self._shuffled(self._order)
        self.cards_left = self.size

    def __next__(self) -> Card:
        """Deal the last card."""
        if not self.cards_left:
            raise StopIteration
        self.cards_left -= 1
        return self._order[self.cards_left]

    def _shuffled(self, cards: Sequence[Card]) -> list[Card]:
        places = distinct_places(len(cards), self._rand)
        if not self._scatters:
            return [cards[place] for place in places]
        cards_by_place = dict(zip(places, cards, strict=True))
        return [cards_by_place[place] for place in range(len(cards))]
