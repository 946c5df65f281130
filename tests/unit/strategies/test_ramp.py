"""Ramp and Survivor: what a true count is worth, and what may be risked for it."""

import pytest

from tourney import Card, Hand, Player, Rank, Suit
from tourney.strategies.ramp import STAND_FROM, Ramp
from tourney.strategies.survivor import Survivor

MINIMUM = 10


def hand_of(*ranks: Rank) -> Hand:
    """Make a hand of ranks."""
    return Hand(Card(rank, Suit.SPADES) for rank in ranks)


def see(player: Player, rank: Rank, times: int) -> None:
    """Show a player a card several times."""
    for _ in range(times):
        player.expose(Card(rank, Suit.CLUBS))


@pytest.mark.parametrize(
    ("fives", "wager"),
    [(0, 10), (2, 10), (3, 30), (4, 50), (5, 70), (6, 80), (20, 80)],
)
def test_ramp_bets_two_more_for_each_point_above_two(fives: int, wager: int) -> None:
    """Three of 49 cards more than average is a true count of +3: three minimums."""
    player = Ramp()
    see(player, Rank.FIVE, fives)
    assert player.bet(10_000, MINIMUM) == wager


def test_ramp_knows_how_many_cards_are_left() -> None:
    """A count of 3 is worth much near the end of one deck, and nothing among six."""
    late, early = Ramp(), Ramp(decks=6)
    for player in (late, early):
        see(player, Rank.EIGHT, 20)
        see(player, Rank.FIVE, 3)
    assert (late.bet(10_000, MINIMUM), early.bet(10_000, MINIMUM)) == (70, 10)


def test_ramp_begins_again_after_a_shuffle() -> None:
    """A new shoe is an even one."""
    player = Ramp()
    see(player, Rank.FIVE, 20)
    player.shuffled()
    assert player.bet(10_000, MINIMUM) == MINIMUM


@pytest.mark.parametrize(("fives", "hits"), [(0, True), (1, True), (2, False)])
def test_ramp_stands_on_sixteen_against_a_ten_when_tens_are_due(
    fives: int,
    hits: bool,
) -> None:
    """16 against a 10 is close: a true count of +2 makes standing better."""
    player = Ramp()
    see(player, Rank.FIVE, fives)
    assert player.draw(Card(Rank.TEN, Suit.HEARTS), hand_of(Rank.TEN, Rank.SIX)) is hits


def test_ramp_plays_the_chart_where_it_has_no_index() -> None:
    """Every index lies where a count that happens can change a hard hand."""
    player = Ramp()
    see(player, Rank.FIVE, 12)
    assert player.draw(Card(Rank.TEN, Suit.HEARTS), hand_of(Rank.TEN, Rank.TWO)) is True
    assert all(12 <= total <= 17 for total in STAND_FROM)


def test_survivor_risks_only_what_it_has_won() -> None:
    """With 1000 to begin with, 1035 leaves 35 for the ramp, and 990 leaves none."""
    player = Survivor()
    see(player, Rank.FIVE, 10)
    bankrolls = (1000, 1009, 1035, 2000, 990)
    assert [player.bet(bankroll, MINIMUM) for bankroll in bankrolls] == [10, 10, 35, 80, 10]


def test_survivor_without_a_reserve_is_ramp() -> None:
    """A reserve of nothing holds nothing back."""
    player = Survivor(reserve=0)
    see(player, Rank.FIVE, 10)
    assert player.bet(1000, MINIMUM) == 80
