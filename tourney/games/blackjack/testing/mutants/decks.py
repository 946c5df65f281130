"""Decks with one bug each, and a correct one; first bugs of the cards, then of the shuffle.

The first line of a class describes its bug, and `Caught by` the test that finds it. All else is the
documents' Deck.
"""

from typing import ClassVar

from tourney.errors import DeckEmpty
from tourney.game.cards.card import CARDS, DECK_SIZE, Card
from tourney.game.cards.deck import Deck, riffle


class TwoPiles(Deck):
    """A Deck that keeps its dealt cards on a second pile, and accepts any cut.

    The documents define neither the storage of a deck nor the effect of a cut beyond 52.
    """

    def __init__(self) -> None:
        # Not super().__init__(): the private data of Deck must not exist here.
        self._pile = list(CARDS)
        self._gone: list[Card] = []

    def reset(self) -> None:
        """Restore the new deck."""
        self._pile, self._gone = list(CARDS), []

    def shuffle(self, cut: int) -> None:
        """Join the piles, cut and riffle."""
        self._pile, self._gone = riffle([*self._gone, *self._pile], cut), []

    def deal(self) -> Card:
        """Move the top card to the other pile."""
        if not self._pile:
            raise DeckEmpty
        self._gone.append(self._pile.pop(0))
        return self._gone[-1]

    @property
    def cards_left(self) -> int:
        """Number of cards of the first pile."""
        return len(self._pile)


class _OpensAs(Deck):
    """A deck with another opening order."""

    order: ClassVar[tuple[Card, ...]]

    def __init__(self) -> None:
        super().__init__()
        self.reset()

    def reset(self) -> None:
        super().reset()
        self._cards = list(self.order)


class DiamondsBeforeClubs(_OpensAs):
    """Opens with spades, hearts, diamonds and then clubs.

    Caught by: the suit of the 27th card of a new deck.
    """

    order = (*CARDS[:26], *CARDS[39:], *CARDS[26:39])


class AcesFirst(_OpensAs):
    """Opens every suit with its ace.

    Caught by: the first card of a new deck.
    """

    order = tuple(CARDS[suit + (rank - 1) % 13] for suit in range(0, 52, 13) for rank in range(13))


class TwoQueens(_OpensAs):
    """Has a second queen of diamonds for the king.

    Caught by: the 51st card of a new deck, or that all 52 cards differ.
    """

    order = (*CARDS[:50], CARDS[49], CARDS[51])


class DealsFromTheBottom(Deck):
    """Deals the last card first.

    Caught by: the first card of a new deck.
    """

    def deal(self) -> Card:
        """Deal from the wrong end."""
        super().deal()
        return self._cards[DECK_SIZE - self._dealt]


class DealsTheSameCard(Deck):
    """Deals its top card again and again.

    Caught by: two cards in a row.
    """

    def deal(self) -> Card:
        """Return the top card without removing it."""
        return self._cards[self._dealt]


class NeverEmpty(Deck):
    """Deals from the top again when no card is left.

    Caught by: DeckEmpty after 52 cards.
    """

    def deal(self) -> Card:
        """Restart at the end."""
        self._dealt %= DECK_SIZE
        return super().deal()


class EmptyTooSoon(Deck):
    """Raises DeckEmpty instead of dealing its last card.

    Caught by: dealing all 52 cards.
    """

    def deal(self) -> Card:
        """Keep the last card."""
        if self.cards_left <= 1:
            raise DeckEmpty
        return super().deal()


class EmptyOnce(Deck):
    """Raises DeckEmpty and then deals from the top again.

    Caught by: asking an empty deck twice.
    """

    def deal(self) -> Card:
        """Raise, but restart."""
        try:
            return super().deal()
        except DeckEmpty:
            self._dealt = 0
            raise


class AnotherError(Deck):
    """Raises IndexError when no card is left.

    Caught by: that an empty deck raises DeckEmpty.
    """

    def deal(self) -> Card:
        """Deal without checking that a card is left."""
        if not self.cards_left:
            raise IndexError
        return super().deal()


class CountsDealtCards(Deck):
    """Returns the number of dealt cards, not of cards left.

    Caught by: cards_left of a new deck.
    """

    @property
    def cards_left(self) -> int:
        """Count the wrong cards."""
        return self._dealt


class CountsOneTooFew(Deck):
    """Returns one card too few after a deal.

    Caught by: cards_left after a deal.
    """

    @property
    def cards_left(self) -> int:
        """Count a card twice."""
        left = DECK_SIZE - self._dealt
        return left - 1 if 0 < self._dealt < DECK_SIZE else left


class ResetKeepsOrder(Deck):
    """Keeps the shuffled order when it is reset.

    Caught by: a shuffle and then reset.
    """

    def reset(self) -> None:
        """Only restore the dealt cards."""
        self._dealt = 0


class ResetKeepsDealt(Deck):
    """Leaves the dealt cards out when it is reset.

    Caught by: cards_left, or the next card, after a deal and reset.
    """

    def reset(self) -> None:
        """Only restore the order."""
        self._cards = list(CARDS)


class ShuffleKeepsDealt(Deck):
    """Continues after the dealt cards when it is shuffled.

    Caught by: cards_left, or the next card, after a deal and a shuffle.
    """

    def shuffle(self, cut: int) -> None:
        """Keep the position."""
        dealt = self._dealt
        super().shuffle(cut)
        self._dealt = dealt


class ShuffleResets(Deck):
    """Restores the new order before each shuffle.

    Caught by: the order after two shuffles.
    """

    def shuffle(self, cut: int) -> None:
        """Discard the order."""
        self._cards = list(CARDS)
        super().shuffle(cut)


class DealtCardsBelow(Deck):
    """Puts the dealt cards below the others before it shuffles.

    Caught by: the order after some deals and a shuffle.
    """

    def shuffle(self, cut: int) -> None:
        """Restore them at the wrong end."""
        self._cards = [*self._cards[self._dealt :], *self._cards[: self._dealt]]
        super().shuffle(cut)


class DealtCardsReversed(Deck):
    """Puts the dealt cards back last card first before it shuffles.

    Caught by: the order after at least two deals and a shuffle.
    """

    def shuffle(self, cut: int) -> None:
        """Restore them like a pile that was turned over."""
        self._cards[: self._dealt] = reversed(self._cards[: self._dealt])
        super().shuffle(cut)


class LeftFirst(Deck):
    """Begins its riffle with the left part.

    Caught by: the first card after a shuffle.
    """

    def shuffle(self, cut: int) -> None:
        """Swap the parts."""
        self._cards = [*self._cards[cut:], *self._cards[:cut]]
        super().shuffle(DECK_SIZE - cut)


class CutsOneTooFar(Deck):
    """Puts one card too many into the left part.

    Caught by: the first card after a shuffle.
    """

    def shuffle(self, cut: int) -> None:
        """Cut one card too far."""
        super().shuffle(min(cut + 1, DECK_SIZE))


class CutsInHalf(Deck):
    """Cuts at 26, regardless of the cut.

    Caught by: a shuffle with another cut.
    """

    def shuffle(self, cut: int) -> None:
        """Ignore the cut."""
        super().shuffle(DECK_SIZE // 2)


class RestReversed(Deck):
    """Turns over the rest of the longer part.

    Caught by: the last cards after a shuffle with a cut far from 26.
    """

    def shuffle(self, cut: int) -> None:
        """Riffle correctly, then reverse the rest."""
        super().shuffle(cut)
        woven = 2 * min(cut, DECK_SIZE - cut)
        self._cards[woven:] = reversed(self._cards[woven:])


class RestOfLeftOnTop(Deck):
    """Puts the rest of a longer left part on top.

    Caught by: the first card after a shuffle with a cut above 26.
    """

    def shuffle(self, cut: int) -> None:
        """Treat the longer part differently if it is the left one."""
        super().shuffle(cut)
        woven = 2 * min(cut, DECK_SIZE - cut)
        if DECK_SIZE // 2 < cut < DECK_SIZE:
            self._cards = [*self._cards[woven:], *self._cards[:woven]]


class NoEmptyLeft(Deck):
    """Does nothing if the left part would be empty.

    Caught by: a deal and then shuffle(0).
    """

    def shuffle(self, cut: int) -> None:
        """Leave the dealt cards out."""
        if cut:
            super().shuffle(cut)


class NoEmptyRight(Deck):
    """Raises IndexError if the right part would be empty.

    Caught by: shuffle(52).
    """

    def shuffle(self, cut: int) -> None:
        """Access a missing card."""
        if cut == DECK_SIZE:
            raise IndexError
        super().shuffle(cut)
