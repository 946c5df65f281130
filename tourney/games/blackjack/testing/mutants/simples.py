"""Simple players with one bug each.

The first line of a class describes its bug, and `Caught by` the test that finds it. All else is the
documents' Simple.
"""

from tourney.game.cards.card import Card, Rank
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.testing.mutants.players import (
    ALL,
    CHART,
    HARD,
    NONE,
    SOFT,
    WEAK,
    Simple,
    rows,
)


class BetsTheBankroll(Simple):
    """Bets all it has.

    Caught by: the wager with a bankroll above the minimum.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Use the wrong argument."""
        return bankroll


class BetsDouble(Simple):
    """Bets double the minimum if it can.

    Caught by: the wager with a bankroll of at least the double.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager as Counting at a high count."""
        return 2 * minimum if bankroll >= 2 * minimum else minimum


class BetsFive(Simple):
    """Bets five chips, regardless of the minimum.

    Caught by: the wager at a minimum other than 5.
    """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Use the example of the documents."""
        return 5


class StandsOnEleven(Simple):
    """Stands on a hard 11.

    Caught by: a hard 11.
    """

    chart = CHART | {(HARD, 11): ALL}


class HitsTwelveAgainstFour(Simple):
    """Hits a hard 12 against a 4.

    Caught by: a hard 12 against a 4.
    """

    chart = CHART | {(HARD, 12): frozenset({5, 6})}


class StandsOnTwelveAgainstThree(Simple):
    """Stands on a hard 12 against a 2 or 3, as on 13 to 16.

    Caught by: a hard 12 against a 2 or 3.
    """

    chart = CHART | {(HARD, 12): WEAK}


class HitsThirteenLikeTwelve(Simple):
    """Hits a hard 13 against a 2 or 3, like a 12.

    Caught by: a hard 13 against a 2 or 3.
    """

    chart = CHART | {(HARD, 13): CHART[HARD, 12]}


class StandsOnSixteen(Simple):
    """Stands on a hard 16 against all upcards.

    Caught by: a hard 16 against a 7 or more.
    """

    chart = CHART | {(HARD, 16): ALL}


class StandsAgainstSeven(Simple):
    """Stands on a hard 13 to 16 against a 7 as well.

    Caught by: a hard 13 to 16 against a 7.
    """

    chart = CHART | rows(HARD, range(13, 17), WEAK | {7})


class HitsAgainstTwo(Simple):
    """Hits a hard 13 to 16 against a 2.

    Caught by: a hard 13 to 16 against a 2.
    """

    chart = CHART | rows(HARD, range(13, 17), WEAK - {2})


class DealersAceIsOne(Simple):
    """Takes the dealer's ace for a 1, and stands on a hard 13 to 16 against it.

    Caught by: a hard 13 to 16 against an ace.
    """

    chart = CHART | rows(HARD, range(13, 17), WEAK | {11})


class HitsSeventeen(Simple):
    """Hits a hard 17 against a 7 or more.

    Caught by: a hard 17 against a 7 or more.
    """

    chart = CHART | {(HARD, 17): WEAK}


class StandsOnSoftSeventeen(Simple):
    """Stands on a soft 17.

    Caught by: a soft 17.
    """

    chart = CHART | {(SOFT, 17): ALL}


class StandsOnSoftEighteen(Simple):
    """Stands on a soft 18 against all upcards.

    Caught by: a soft 18 against a 3 to 6, or a 9 or more.
    """

    chart = CHART | {(SOFT, 18): ALL}


class HitsSoftEighteen(Simple):
    """Hits a soft 18 against all upcards.

    Caught by: a soft 18 against a 2, 7 or 8.
    """

    chart = CHART | {(SOFT, 18): NONE}


class HitsSoftEighteenAgainstTwo(Simple):
    """Hits a soft 18 against a 2.

    Caught by: a soft 18 against a 2.
    """

    chart = CHART | {(SOFT, 18): frozenset({7, 8})}


class StandsOnSoftEighteenAgainstNine(Simple):
    """Stands on a soft 18 against a 9 as well.

    Caught by: a soft 18 against a 9.
    """

    chart = CHART | {(SOFT, 18): frozenset({2, 7, 8, 9})}


class HitsSoftNineteen(Simple):
    """Hits a soft 19 against a ten-value.

    Caught by: a soft 19 against a ten-value.
    """

    chart = CHART | {(SOFT, 19): ALL - {10}}


class TakesSoftForHard(Simple):
    """Plays soft hands by the rules for hard ones.

    Caught by: a soft 17, or a soft 13 to 16 against a 2 to 6.
    """

    def hits(self, upcard: int, total: int, *, soft: bool) -> bool:
        """Only use the total."""
        return super().hits(upcard, total, soft=False)


class TakesAnyAceForSoft(Simple):
    """Plays all hands with an ace by the rules for soft ones.

    Caught by: a hard hand of 12 to 17 with an ace.
    """

    def draw(self, dealer: Card, player: Hand) -> bool:
        """Check for an ace, not for softness."""
        soft = any(card.rank is Rank.ACE for card in player.cards)
        return self.hits(dealer.value, player.total, soft=soft)
