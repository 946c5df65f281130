"""Decks with one bug each in their shuffle.

The first line of a class describes its bug, and `Caught by` the test that finds it. All else is the
documents' Deck.
"""

from tourney.game.cards.card import CARDS, DECK_SIZE
from tourney.game.cards.deck import Deck


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
