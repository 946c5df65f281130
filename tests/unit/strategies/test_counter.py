"""Counter: what the true count decides, and what it leaves to the table."""

from types import SimpleNamespace

import pytest

from tourney import Action, Card, Hand, Rank, Suit
from tourney.strategies.basic import BasicSixDecksH17
from tourney.strategies.counter import Counter

OFFER = (Action.DECLINE, Action.INSURE)
MOVES = (Action.STAND, Action.HIT, Action.DOUBLE)


def hand(*ranks: Rank) -> Hand:
    """Make a hand."""
    return Hand(Card(rank, Suit.SPADES) for rank in ranks)


def after(fives: int) -> Counter:
    """Give a player who has seen so many fives of one deck."""
    player = Counter(decks=1)
    player.look = lambda: SimpleNamespace(maximum=1000)  # type: ignore[assignment,return-value]  # all that it looks at
    for _ in range(fives):
        player.expose(Card(Rank.FIVE, Suit.CLUBS))
    return player


@pytest.mark.parametrize(("fives", "wager"), [(0, 10), (1, 10), (2, 30), (3, 50), (9, 120)])
def test_counter_bets_two_more_for_each_point_above_one(fives: int, wager: int) -> None:
    """Up to its spread of twelve minimums."""
    assert after(fives).bet(10_000, 10) == wager


@pytest.mark.parametrize(("fives", "answer"), [(0, Action.DECLINE), (2, Action.DECLINE)])
def test_counter_declines_below_three(fives: int, answer: Action) -> None:
    """A natural, too, is not worth insuring without a count."""
    assert after(fives).act(hand(Rank.ACE), hand(Rank.ACE, Rank.KING), OFFER) is answer


def test_counter_insures_from_three_on() -> None:
    """Whatever its hand."""
    assert after(3).act(hand(Rank.ACE), hand(Rank.TEN, Rank.SIX), OFFER) is Action.INSURE


@pytest.mark.parametrize("fives", [0, 9])
def test_counter_plays_its_hands_by_the_table(fives: int) -> None:
    """Whatever the count."""
    upcard, mine = hand(Rank.SIX), hand(Rank.FIVE, Rank.SIX)
    table = BasicSixDecksH17().act(upcard, mine, MOVES)
    assert after(fives).act(upcard, mine, MOVES) is table is Action.DOUBLE
