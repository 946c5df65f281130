"""For every mutant the shortest look that gives it away, as its page says.

Each look is asked of a correct class and of the buggy one, and must see two different things.
"""

from collections.abc import Callable, Mapping
from typing import Any

from tourney import Card, DeckEmpty, Hand, Rank, Suit
from tourney.games.blackjack.testing.conformance import hand_of

TWO, THREE, FOUR, FIVE, SIX, SEVEN, EIGHT, NINE, TEN, JACK, QUEEN, KING, ACE = Rank
MINIMUM, RICH = 10, 1000

Look = Callable[[type], object]


def dealt(number: int, *before: str) -> Look:
    """See the card of a number, from 1, after some cards, shuffles and resets.

    Args:
        number: Counted after all that went before; 0 for how many cards are left.
        before: `deal`, `reset` or a cut.
    """

    def look(make: type) -> object:
        deck = _after(make, before)
        try:
            cards = [deck.deal() for _ in range(number)]
        except (DeckEmpty, IndexError) as error:
            return type(error).__name__
        return cards[-1] if cards else deck.cards_left

    return look


def _after(make: type, before: tuple[str, ...]) -> Any:
    deck = make()
    for what in before:
        if what.isdecimal():
            deck.shuffle(int(what))
        elif what == "empty":
            _empty(deck)
        else:
            getattr(deck, what)()
    return deck


def _empty(deck: Any) -> None:
    """Deal all cards, and ask for another."""
    for _ in range(53):
        try:
            deck.deal()
        except (DeckEmpty, IndexError):
            return


def error_of(*before: str) -> Look:
    """See whether anything is raised by what is done to a deck."""

    def look(make: type) -> object:
        try:
            _after(make, before)
        except (DeckEmpty, IndexError) as error:
            return type(error).__name__
        return None

    return look


def total(*ranks: Rank) -> Look:
    """See what a hand totals."""
    return lambda make: _hand(make, ranks).total


def soft(*ranks: Rank) -> Look:
    """See whether a hand is soft."""
    return lambda make: _hand(make, ranks).soft


def discarded(attribute: str, *ranks: Rank) -> Look:
    """See a hand of an ace and a six after it was discarded and given other cards."""

    def look(make: type) -> object:
        hand = _hand(make, (ACE, SIX))
        hand.discard_all()
        for rank in ranks:
            hand.add_card(Card(rank, Suit.CLUBS))
        return getattr(hand, attribute)

    return look


def _hand(make: type, ranks: tuple[Rank, ...]) -> Any:
    return make(hand_of(*ranks).cards)


def plays(upcard: Rank, *ranks: Rank, seen: tuple[Rank, ...] = ()) -> Look:
    """See whether a player hits."""

    def look(make: type) -> object:
        player = make()
        for rank in seen:
            player.expose(Card(rank, Suit.CLUBS))
        return player.draw(Card(upcard, Suit.CLUBS), Hand(hand_of(*ranks).cards))

    return look


def bets(*seen: Rank | str, bankroll: int = RICH, minimum: int = MINIMUM) -> Look:
    """See the last wager of a player who sees cards, shuffles and other wagers before."""

    def look(make: type) -> object:
        player = make()
        for each in seen:
            if isinstance(each, Rank):
                player.expose(Card(each, Suit.CLUBS))
            elif each == "shuffled":
                player.shuffled()
            else:
                player.bet(bankroll, minimum)
        return player.bet(bankroll, minimum)

    return look


HIGH_COUNT = (FIVE,) * 4

WITNESSES: Mapping[str, Look] = {
    "DiamondsBeforeClubs": dealt(27),
    "AcesFirst": dealt(1),
    "TwoQueens": dealt(51),
    "DealsFromTheBottom": dealt(1),
    "DealsTheSameCard": dealt(2),
    "NeverEmpty": dealt(53),
    "EmptyTooSoon": dealt(52),
    "EmptyOnce": dealt(1, "empty"),
    "AnotherError": dealt(53),
    "CountsDealtCards": dealt(0),
    "CountsOneTooFew": dealt(0, "deal"),
    "ResetKeepsOrder": dealt(1, "26", "reset"),
    "ResetKeepsDealt": dealt(0, "deal", "reset"),
    "ShuffleKeepsDealt": dealt(0, "deal", "26"),
    "ShuffleResets": dealt(2, "26", "26"),
    "DealtCardsBelow": dealt(1, "deal", "26"),
    "DealtCardsReversed": dealt(2, "deal", "deal", "26"),
    "LeftFirst": dealt(1, "26"),
    "CutsOneTooFar": dealt(1, "26"),
    "CutsInHalf": dealt(1, "20"),
    "RestReversed": dealt(52, "10"),
    "RestOfLeftOnTop": dealt(1, "40"),
    "NoEmptyLeft": dealt(1, "deal", "0"),
    "NoEmptyRight": error_of("52"),
    "AceAlwaysOne": total(ACE, SIX),
    "AceAlwaysEleven": total(ACE, ACE),
    "AceSettled": total(ACE, SIX, NINE),
    "OneAceFalls": total(ACE, ACE, KING),
    "AceUpToTwentyTwo": total(ACE, FIVE, SIX),
    "AceUpToTwenty": total(ACE, KING),
    "SoftWithAnyAce": soft(ACE, SIX, TEN),
    "NeverSoft": soft(ACE, SIX),
    "SoftOnTwoCards": soft(ACE, TWO, THREE),
    "SoftWithOneAce": soft(ACE, ACE),
    "CourtCardsByHeight": total(JACK, TWO),
    "FiveCardsOnly": total(TWO, TWO, TWO, TWO, THREE, THREE),
    "EqualRanksOnce": total(EIGHT, EIGHT),
    "NeverBust": total(TEN, TEN, TEN),
    "DiscardsNothing": discarded("total"),
    "DiscardsTotalOnly": discarded("total", NINE),
    "DiscardStaysSoft": discarded("soft"),
    "BetsTheBankroll": bets(),
    "BetsDouble": bets(bankroll=20),
    "BetsFive": bets(),
    "StandsOnEleven": plays(TEN, SIX, FIVE),
    "HitsTwelveAgainstFour": plays(FOUR, TEN, TWO),
    "StandsOnTwelveAgainstThree": plays(THREE, TEN, TWO),
    "HitsThirteenLikeTwelve": plays(TWO, TEN, THREE),
    "StandsOnSixteen": plays(SEVEN, TEN, SIX),
    "StandsAgainstSeven": plays(SEVEN, TEN, THREE),
    "HitsAgainstTwo": plays(TWO, TEN, SIX),
    "DealersAceIsOne": plays(ACE, TEN, FOUR),
    "HitsSeventeen": plays(SEVEN, TEN, SEVEN),
    "StandsOnSoftSeventeen": plays(TWO, ACE, SIX),
    "StandsOnSoftEighteen": plays(NINE, ACE, SEVEN),
    "HitsSoftEighteen": plays(SEVEN, ACE, SEVEN),
    "HitsSoftEighteenAgainstTwo": plays(TWO, ACE, SEVEN),
    "StandsOnSoftEighteenAgainstNine": plays(NINE, ACE, SEVEN),
    "HitsSoftNineteen": plays(TEN, ACE, EIGHT),
    "TakesSoftForHard": plays(TEN, ACE, SIX),
    "TakesAnyAceForSoft": plays(TEN, ACE, TEN, SIX),
    "DoublesAtOne": bets(FIVE),
    "DoublesAtThree": bets(FIVE, FIVE),
    "DoublesAtTwoOnly": bets(FIVE, FIVE, FIVE),
    "NeedsMoreThanDouble": bets(*HIGH_COUNT, bankroll=20),
    "OverdrawsBankroll": bets(*HIGH_COUNT, bankroll=19),
    "BetsTheRest": bets(*HIGH_COUNT, bankroll=19),
    "BetsTriple": bets(*HIGH_COUNT),
    "StaysDoubled": bets(FIVE, FIVE, "bet", KING),
    "ForgetsAfterBet": bets(FIVE, FIVE, "bet"),
    "RemembersThroughShuffle": bets(*HIGH_COUNT, "shuffled"),
    "ShuffleForgivesOnly": bets(KING, "shuffled", FIVE, FIVE),
    "NeverBelowZero": bets(KING, FIVE, FIVE),
    "CountsBackwards": bets(FIVE, FIVE),
    "MissesTwos": bets(TWO, TWO),
    "MissesSixes": bets(SIX, SIX),
    "CountsSevens": bets(SEVEN, SEVEN),
    "CountsNines": bets(FIVE, FIVE, NINE),
    "MissesTens": bets(FIVE, FIVE, TEN),
    "MissesCourtCards": bets(FIVE, FIVE, JACK),
    "MissesAces": bets(FIVE, FIVE, ACE),
    "CountsAcesAsLow": bets(ACE, ACE),
    "CountsSpadesOnly": bets(FIVE, FIVE),
    "PlaysLikeDealer": plays(SIX, TEN, SIX),
    "StandsAtHighCounts": plays(TEN, TEN, SIX, seen=HIGH_COUNT),
}
"""Looks by the name of the buggy class."""
