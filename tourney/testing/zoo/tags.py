"""Counting players that count with one bug each.

Every class says in its first line what is wrong with it, and below what a test has to do to
notice. The rest of it is the documents' Counting.
"""

from tourney.game.cards.card import Card, Rank, Suit
from tourney.testing.zoo.players import Counting


class NeverBelowZero(Counting):
    """Does not count below zero.

    Caught by: high cards first and then low ones.
    """

    def expose(self, card: Card) -> None:
        """Stop at zero."""
        self._count = max(self._count + self.tag(card), 0)


class CountsBackwards(Counting):
    """Adds for high cards and subtracts for low ones.

    Caught by: the wager after some low cards.
    """

    def tag(self, card: Card) -> int:
        """Turn the sign."""
        return -super().tag(card)


class MissesTwos(Counting):
    """Does not count twos.

    Caught by: the wager after twos.
    """

    def tag(self, card: Card) -> int:
        """Begin at three."""
        return 0 if card.rank is Rank.TWO else super().tag(card)


class MissesSixes(Counting):
    """Does not count sixes.

    Caught by: the wager after sixes.
    """

    def tag(self, card: Card) -> int:
        """End at five."""
        return 0 if card.rank is Rank.SIX else super().tag(card)


class CountsSevens(Counting):
    """Counts sevens as low cards.

    Caught by: the wager after sevens.
    """

    def tag(self, card: Card) -> int:
        """End at seven."""
        return 1 if card.rank is Rank.SEVEN else super().tag(card)


class CountsNines(Counting):
    """Counts nines as high cards.

    Caught by: the wager after low cards and nines.
    """

    def tag(self, card: Card) -> int:
        """Begin at nine."""
        return -1 if card.rank is Rank.NINE else super().tag(card)


class MissesTens(Counting):
    """Does not count tens, only court cards and aces.

    Caught by: the wager after low cards and tens.
    """

    def tag(self, card: Card) -> int:
        """Look for faces."""
        return 0 if card.rank is Rank.TEN else super().tag(card)


class MissesCourtCards(Counting):
    """Does not count jacks, queens and kings.

    Caught by: the wager after low cards and court cards.
    """

    def tag(self, card: Card) -> int:
        """Look for tens and aces only."""
        return 0 if card.rank in {Rank.JACK, Rank.QUEEN, Rank.KING} else super().tag(card)


class MissesAces(Counting):
    """Does not count aces.

    Caught by: the wager after low cards and aces.
    """

    def tag(self, card: Card) -> int:
        """Look for ten-values only."""
        return 0 if card.rank is Rank.ACE else super().tag(card)


class CountsAcesAsLow(Counting):
    """Counts aces as low cards.

    Caught by: the wager after aces.
    """

    def tag(self, card: Card) -> int:
        """Take an ace for a 1."""
        return 1 if card.rank is Rank.ACE else super().tag(card)


class CountsSpadesOnly(Counting):
    """Counts cards of one suit only.

    Caught by: the wager after low cards of another suit than spades.
    """

    def tag(self, card: Card) -> int:
        """Look at the wrong side of the card."""
        return super().tag(card) if card.suit is Suit.SPADES else 0


BUGGY = (
    NeverBelowZero,
    CountsBackwards,
    MissesTwos,
    MissesSixes,
    CountsSevens,
    CountsNines,
    MissesTens,
    MissesCourtCards,
    MissesAces,
    CountsAcesAsLow,
    CountsSpadesOnly,
)
