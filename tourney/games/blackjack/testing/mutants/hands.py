"""Hands with one bug each, and a correct one.

Each computes its value from all cards whenever one is added, so that a single method can be wrong.
The first line of a class describes its bug, and `Caught by` the test that finds it.
"""

from collections.abc import Iterable
from typing import ClassVar

from tourney.game.cards.card import Card, Rank
from tourney.games.blackjack.hand import ACE_BONUS, BEST_TOTAL, Hand

Worth = tuple[int, bool]
"""The total of a hand, and whether an ace counts 11."""

ACE = 1
"""The value of an ace here; 10 is added if it counts 11."""


class WorkedOut(Hand):
    """A correct Hand that recomputes its total."""

    most_soft: ClassVar[int] = BEST_TOTAL
    """Greatest total in which an ace counts 11."""

    def __init__(self, cards: Iterable[Card] = ()) -> None:
        super().__init__()
        for card in cards:
            self.add_card(card)

    def add_card(self, card: Card) -> None:
        """Add a card, and recompute the total."""
        self._cards += (card,)
        self._total, self._soft = self.worth([self.value_of(each) for each in self._cards])

    def value_of(self, card: Card) -> int:
        """Return the value of a card, 1 for an ace."""
        return ACE if card.rank is Rank.ACE else card.value

    def worth(self, values: list[int]) -> Worth:
        """Return the total and softness of cards, by their values."""
        soft = ACE in values and sum(values) + ACE_BONUS <= self.most_soft
        return sum(values) + ACE_BONUS * soft, soft


class Overdrawn(WorkedOut):
    """A Hand that totals 22 whenever it is over 21.

    The documents allow any total over 21 there.
    """

    def worth(self, values: list[int]) -> Worth:
        """Return 22 for each bust hand."""
        total, soft = super().worth(values)
        return min(total, BEST_TOTAL + 1), soft


class AceAlwaysOne(WorkedOut):
    """Counts each ace as 1.

    Caught by: an ace and a card below 10.
    """

    most_soft = 0


class AceAlwaysEleven(WorkedOut):
    """Counts each ace as 11, even if that is over 21.

    Caught by: an ace with cards of more than 10, or two aces.
    """

    def worth(self, values: list[int]) -> Worth:
        """Return the highest total."""
        return sum(values) + ACE_BONUS * values.count(ACE), ACE in values


class AceSettled(WorkedOut):
    """Fixes the value of an ace when it arrives.

    Caught by: an ace first, and then cards of more than 10.
    """

    def worth(self, values: list[int]) -> Worth:
        """Add up in order."""
        total, soft = 0, False
        for value in values:
            high = value == ACE and total + value + ACE_BONUS <= BEST_TOTAL
            total += value + ACE_BONUS * high
            soft = soft or high
        return total, soft


class OneAceFalls(WorkedOut):
    """Lets no more than one ace fall back to 1.

    Caught by: two aces and a ten-value, or three aces.
    """

    def worth(self, values: list[int]) -> Worth:
        """Correct the total only once."""
        total = sum(values) + ACE_BONUS * values.count(ACE)
        falls = ACE in values and total > BEST_TOTAL
        return total - ACE_BONUS * falls, values.count(ACE) > falls


class AceUpToTwentyTwo(WorkedOut):
    """Counts an ace as 11 up to a total of 22.

    Caught by: an ace with cards of 11.
    """

    most_soft = BEST_TOTAL + 1


class AceUpToTwenty(WorkedOut):
    """Counts an ace as 1 where it would make 21.

    Caught by: an ace and a ten-value.
    """

    most_soft = BEST_TOTAL - 1


class SoftWithAnyAce(WorkedOut):
    """Is soft if it contains an ace, even if that counts 1.

    Caught by: the softness of an ace, a 6 and a 10.
    """

    def worth(self, values: list[int]) -> Worth:
        """Only check for an ace."""
        return super().worth(values)[0], ACE in values


class NeverSoft(WorkedOut):
    """Is always hard, even if an ace counts 11.

    Caught by: the softness of an ace and a 6.
    """

    def worth(self, values: list[int]) -> Worth:
        """Return False for softness."""
        return super().worth(values)[0], False


class SoftOnTwoCards(WorkedOut):
    """Is soft with two cards at most.

    Caught by: the softness of an ace, a 2 and a 3.
    """

    def worth(self, values: list[int]) -> Worth:
        """Only check hands of two cards."""
        total, soft = super().worth(values)
        return total, soft and len(values) <= 2


class SoftWithOneAce(WorkedOut):
    """Is hard if it contains two aces, though one of them counts 11.

    Caught by: the softness of two aces.
    """

    def worth(self, values: list[int]) -> Worth:
        """Require exactly one ace."""
        total, soft = super().worth(values)
        return total, soft and values.count(ACE) == 1


class CourtCardsByHeight(WorkedOut):
    """Counts jack, queen and king as 11, 12 and 13.

    Caught by: a hand with a court card.
    """

    def value_of(self, card: Card) -> int:
        """Use the rank's number."""
        return ACE if card.rank is Rank.ACE else int(card.rank)


class FiveCardsOnly(WorkedOut):
    """Counts its first five cards only.

    Caught by: a hand of six small cards.
    """

    def worth(self, values: list[int]) -> Worth:
        """Stop after five cards."""
        return super().worth(values[:5])


class EqualRanksOnce(WorkedOut):
    """Counts cards of one value once, except for aces.

    Caught by: a pair.
    """

    def worth(self, values: list[int]) -> Worth:
        """Drop repeated values."""
        aces = [value for value in values if value == ACE]
        return super().worth([*aces, *set(values) - {ACE}])


class NeverBust(WorkedOut):
    """Totals 21 when it is over.

    Caught by: three ten-values.
    """

    def worth(self, values: list[int]) -> Worth:
        """Stop at 21."""
        total, soft = super().worth(values)
        return min(total, BEST_TOTAL), soft


class DiscardsNothing(WorkedOut):
    """Keeps its cards when it should discard them.

    Caught by: the total after discard_all.
    """

    def discard_all(self) -> None:
        """Do nothing."""


class DiscardsTotalOnly(WorkedOut):
    """Totals 0 after discard_all, but counts the old cards again with the next one.

    Caught by: a card added after discard_all.
    """

    def discard_all(self) -> None:
        """Reset the total, and keep the cards."""
        self._total, self._soft = 0, False


class DiscardStaysSoft(WorkedOut):
    """Is still soft after discard_all, if it was before.

    Caught by: the softness after discarding a soft hand.
    """

    def discard_all(self) -> None:
        """Reset all but the softness."""
        soft = self._soft
        super().discard_all()
        self._soft = soft
