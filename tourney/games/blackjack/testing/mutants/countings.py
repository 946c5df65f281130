"""Counting players with one bug each: first in the use of the count, then in the count.

The first line of a class describes its bug, and `Caught by` the test that finds it. All else is the
documents' Counting.
"""

from types import MappingProxyType

from tourney.game.cards.card import Card, Rank, Suit
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.testing.mutants.players import TAGS, Counting

SIXTEEN_AGAINST_TEN = (10, 16, False)
"""Upcard, total, softness."""


class DoublesAtOne(Counting):
    """Doubles its wager at a count of +1 already.

    Caught by: the wager at a count of +1.
    """

    least_count = 1


class DoublesAtThree(Counting):
    """Doubles its wager above a count of +2 only.

    Caught by: the wager at a count of +2.
    """

    least_count = 3


class DoublesAtTwoOnly(Counting):
    """Doubles its wager at a count of exactly +2.

    Caught by: the wager at a count of +3.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Test for equality."""
        return super().bet(bankroll, minimum) if self._count == self.least_count else minimum


class NeedsMoreThanDouble(Counting):
    """Doubles its wager only with more than the double in its bankroll.

    Caught by: the wager with a bankroll of exactly the double.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Keep a chip."""
        return super().bet(bankroll - 1, minimum)


class OverdrawsBankroll(Counting):
    """Doubles its wager without checking its bankroll.

    Caught by: the wager at a high count with less than the double.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Assume that the bankroll suffices."""
        return super().bet(max(bankroll, 2 * minimum), minimum)


class BetsTheRest(Counting):
    """Bets all it has at a high count if that is less than the double.

    Caught by: the wager at a high count with a little less than the double.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet as near to the double as possible."""
        return min(super().bet(max(bankroll, 2 * minimum), minimum), bankroll)


class BetsTriple(Counting):
    """Bets three minimums at a count of +4 if it can.

    Caught by: the wager at a count of +4 or more.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Add another step."""
        wager = super().bet(bankroll, minimum)
        climbs = self._count >= 2 * self.least_count and bankroll >= 3 * minimum
        return 3 * minimum if climbs else wager


class StaysDoubled(Counting):
    """Continues to double after the count has fallen, until the next shuffle.

    Caught by: the wager after a high count that was used and then fell.
    """

    def __init__(self) -> None:
        super().__init__()
        self._doubled = False

    def bet(self, bankroll: int, minimum: int) -> int:
        """Never return to the minimum."""
        self._doubled = self._doubled or self._count >= self.least_count
        return 2 * minimum if self._doubled and bankroll >= 2 * minimum else minimum

    def shuffled(self) -> None:
        """Reset."""
        super().shuffled()
        self._doubled = False


class ForgetsAfterBet(Counting):
    """Starts a new count with each round.

    Caught by: two wagers at the same high count.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Bet, and reset the count."""
        wager = super().bet(bankroll, minimum)
        self._count = 0
        return wager


class RemembersThroughShuffle(Counting):
    """Keeps its count when the deck is shuffled.

    Caught by: the wager after a high count and a shuffle.
    """

    def shuffled(self) -> None:
        """Do nothing."""


class ShuffleForgivesOnly(Counting):
    """Resets its count after a shuffle only if it was above zero.

    Caught by: a low count, a shuffle, and then a count of +2.
    """

    def shuffled(self) -> None:
        """Keep a negative count."""
        self._count = min(self._count, 0)


class PlaysLikeDealer(Counting):
    """Hits up to 16 and stands on each 17.

    Caught by: a hard 13 to 16 against a 2 to 6, or a soft 17.
    """

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Ignore the upcard."""
        return player.total < 17


class StandsAtHighCounts(Counting):
    """Stands on a hard 16 against a ten-value at a high count.

    Caught by: a hard 16 against a ten-value after low cards.
    """

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Let the count decide a hand."""
        hand = (dealer.value, player.total, player.soft)
        stands = self._count >= self.least_count and hand == SIXTEEN_AGAINST_TEN
        return not stands and super().draw(dealer, player)


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

    tags = MappingProxyType({rank: -tag for rank, tag in TAGS.items()})


class MissesTwos(Counting):
    """Does not count twos.

    Caught by: the wager after twos.
    """

    tags = TAGS | {Rank.TWO: 0}


class MissesSixes(Counting):
    """Does not count sixes.

    Caught by: the wager after sixes.
    """

    tags = TAGS | {Rank.SIX: 0}


class CountsSevens(Counting):
    """Counts sevens as low cards.

    Caught by: the wager after sevens.
    """

    tags = TAGS | {Rank.SEVEN: 1}


class CountsNines(Counting):
    """Counts nines as high cards.

    Caught by: the wager after low cards and nines.
    """

    tags = TAGS | {Rank.NINE: -1}


class MissesTens(Counting):
    """Does not count tens, only court cards and aces.

    Caught by: the wager after low cards and tens.
    """

    tags = TAGS | {Rank.TEN: 0}


class MissesCourtCards(Counting):
    """Does not count jacks, queens and kings.

    Caught by: the wager after low cards and court cards.
    """

    tags = TAGS | dict.fromkeys((Rank.JACK, Rank.QUEEN, Rank.KING), 0)


class MissesAces(Counting):
    """Does not count aces.

    Caught by: the wager after low cards and aces.
    """

    tags = TAGS | {Rank.ACE: 0}


class CountsAcesAsLow(Counting):
    """Counts aces as low cards.

    Caught by: the wager after aces.
    """

    tags = TAGS | {Rank.ACE: 1}


class CountsSpadesOnly(Counting):
    """Counts cards of one suit only.

    Caught by: the wager after low cards of another suit than spades.
    """

    def tag(self, card: Card) -> int:
        """Check the suit."""
        return super().tag(card) if card.suit is Suit.SPADES else 0
