"""Shoes: the cards that tables deal from, shuffled by the published generator.

Shoe s of a table is dealt from stream s of the table's key, so it is the same for all entrants
that play the table, whatever they do. The rules decide when to shuffle.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from typing import Literal

from tourney.errors import CardsError, DeckEmpty
from tourney.game.cards.card import CARDS, DECK_SIZE, Card
from tourney.game.cards.deck import riffle
from tourney.game.cards.generator import Generator, draw, draw_group, groups, groups_of_shuffle

CUTS_IN_A_SHUFFLE = 7
FEWEST_IN_A_CUT, CUT_POSITIONS = 13, 27
MOST_DECKS = 20


class Shoe(ABC):
    """Cards to deal, and the shuffles that start the next shoe.

    A shoe does not keep dealt cards.
    """

    __slots__ = ("cards", "number", "size")

    def __init__(self) -> None:
        """Prepare shoe 0; there are no cards before the first shuffle."""
        self.number = -1
        self.size = 0  # cards when the shoe was begun
        self.cards: Iterator[Card] = iter(())
        """The undealt cards, in dealing order. A shuffle replaces this iterator."""

    def shuffle(self) -> None:
        """Shuffle all cards and begin the next shoe."""
        self._begin(self._everything())

    def shuffle_discards(self, on_table: Iterable[Card]) -> None:
        """Begin the next shoe, after this one ran out, from the cards that are out of play.

        Args:
            on_table: The cards of the round in play.
        Raises: DeckEmpty, if all cards are on the table.
        """
        discards = list(self._everything())
        for card in on_table:
            discards.remove(card)
        if not discards:
            raise DeckEmpty("the shoe is empty, and every card is on the table")
        self._begin(discards)

    def _begin(self, cards: Iterable[Card]) -> None:
        self.number += 1
        order = list(cards)
        self.size = len(order)
        self.cards = self._shuffled(order)

    @abstractmethod
    def _everything(self) -> Iterable[Card]:
        """Return all cards, in the order before the next shuffle."""

    @abstractmethod
    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        """Return the cards in the order of shoe `self.number`."""


class UniformShoe(Shoe):
    """One to twenty decks; every order is equally likely.

    Every shoe starts from new decks, so it depends on its stream only. Cards are chosen shortly
    before they are dealt (a forward Fisher-Yates shuffle), so undealt cards cost no time.
    """

    __slots__ = ("_decks", "_generator")

    def __init__(self, generator: Generator, decks: int) -> None:
        if not 1 <= decks <= MOST_DECKS:
            raise CardsError(f"decks: expected a number from 1 to {MOST_DECKS}, got {decks}")
        super().__init__()
        self._generator = generator
        self._decks = CARDS * decks

    def _everything(self) -> tuple[Card, ...]:
        return self._decks

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        return chain.from_iterable(self._chosen(cards))

    def _chosen(self, cards: list[Card]) -> Iterator[list[Card]]:
        """Choose the next few cards, as many as one draw of the generator serves."""
        halves = self._generator.halves(self.number)
        first = 0
        for group in groups_of_shuffle(len(cards)):
            position = first
            for index in draw_group(group, halves):
                chosen = position + index
                cards[position], cards[chosen] = cards[chosen], cards[position]
                position += 1
            yield cards[first:position]
            first = position


class RiffleShoe(Shoe):
    """One deck, cut and riffled as the course documents require; it is never reset.

    If a round empties it, the discards keep their order and are cut at the same fractions of
    their number.
    """

    __slots__ = ("_cuts_of", "_order", "cuts")

    def __init__(self, cuts_of: Callable[[int], Iterable[int]]) -> None:
        """Create a shoe from a function that returns the cuts, each from 0 to 52, of each shoe."""
        super().__init__()
        self._cuts_of = cuts_of
        self._order = list(CARDS)
        self.cuts: tuple[int, ...] = ()  # that began this shoe

    def _everything(self) -> list[Card]:
        return self._order

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        present = set(cards)
        absent = [card for card in self._order if card not in present]
        self.cuts = tuple(self._cuts_of(self.number))
        for cut in self.cuts:
            cards = riffle(cards, cut * len(cards) // DECK_SIZE)
        self._order = cards + absent
        return iter(cards)


class InfiniteShoe(Shoe):
    """Infinitely many decks: every card is equally likely, whatever has been dealt."""

    __slots__ = ("_generator",)

    def __init__(self, generator: Generator) -> None:
        super().__init__()
        self._generator = generator

    def _everything(self) -> tuple[Card, ...]:
        return CARDS

    def _shuffled(self, cards: list[Card]) -> Iterator[Card]:
        halves = self._generator.halves(self.number)
        (group,) = groups((DECK_SIZE,) * 4)
        while True:
            for index in draw_group(group, halves):
                yield cards[index]


def make_shoe(decks: int | Literal["infinite"], shuffle: str, key: bytes) -> Shoe:
    """Make the shoe of a table.

    Args:
        decks: Number of decks, or "infinite".
        shuffle: "uniform" or "riffle"; riffles are for one deck.
        key: 16 bytes; shoe s is dealt from stream s of its generator.
    """
    generator = Generator(key)
    if decks == "infinite":
        return InfiniteShoe(generator)
    if shuffle == "uniform":
        return UniformShoe(generator, decks)

    def seven_cuts(number: int) -> Iterator[int]:
        for index in draw((CUT_POSITIONS,) * CUTS_IN_A_SHUFFLE, generator.halves(number)):
            yield FEWEST_IN_A_CUT + index

    return RiffleShoe(seven_cuts)
