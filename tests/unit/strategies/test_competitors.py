"""The idea of each further competitor, in a case one can follow by hand."""

from collections.abc import Callable

import pytest

from tourney import Card, Hand, Rank, Suit, TableView
from tourney.strategies.chaser import Chaser
from tourney.strategies.mimic import Mimic
from tourney.strategies.never_bust import NeverBust
from tourney.strategies.progression import Progression

MINIMUM = 10


def hand_of(*ranks: Rank) -> Hand:
    """Make a hand of ranks."""
    return Hand(Card(rank, Suit.SPADES) for rank in ranks)


def table(
    bankrolls: tuple[int, ...], wagers: tuple[int, ...], rounds_left: int, maximum: int = 10_000
) -> Callable[[], TableView]:
    """Make what the first seat sees."""
    return lambda: TableView(0, MINIMUM, maximum, rounds_left, bankrolls, wagers)


def test_never_bust_waits_with_a_hand_that_can_break() -> None:
    """Hard 12 against a ten: one card in three would break it, so NeverBust stands."""
    ten = Card(Rank.TEN, Suit.HEARTS)
    assert NeverBust().draw(ten, hand_of(Rank.TEN, Rank.TWO)) is False
    assert NeverBust().draw(ten, hand_of(Rank.NINE, Rank.TWO)) is True
    assert NeverBust().draw(ten, hand_of(Rank.ACE, Rank.SIX)) is True


def test_mimic_hits_sixteen_and_stands_on_seventeen() -> None:
    """The dealer hits 16 and stands on 17, soft or hard, and so does Mimic."""
    for upcard in (Card(rank, Suit.HEARTS) for rank in Rank):
        assert Mimic().draw(upcard, hand_of(Rank.TEN, Rank.SIX)) is True
        assert Mimic().draw(upcard, hand_of(Rank.TEN, Rank.SEVEN)) is False
        assert Mimic().draw(upcard, hand_of(Rank.ACE, Rank.SIX)) is False


def test_progression_climbs_after_losses_and_sinks_after_wins() -> None:
    """Lose, lose, push, win: one, two, three, three, two minimums."""
    player = Progression()
    wagers = [player.bet(bankroll, MINIMUM) for bankroll in (1000, 990, 970, 970, 1000)]
    assert wagers == [10, 20, 30, 30, 20]


def test_progression_stops_at_its_cap_and_its_bankroll() -> None:
    """It climbs three steps at most, and bets no chip that it has not got."""
    player = Progression(most=3)
    assert [player.bet(100 - lost, MINIMUM) for lost in (0, 10, 30, 60, 85)] == [10, 20, 30, 30, 15]


@pytest.mark.parametrize(
    ("bankrolls", "wagers", "rounds_left", "wager"),
    [
        ((500, 700), (0, 0), 3, 201),
        ((500, 600), (0, 100), 3, 201),
        ((500, 1700), (0, 0), 1, 500),
        ((700, 500), (0, 0), 1, 10),
        ((500, 700), (0, 0), 6, 10),
        ((500,), (0,), 1, 10),
    ],
    ids=["behind", "wagered chips count", "all in", "leads", "too early", "alone"],
)
def test_chaser_bets_to_pass_the_leader(
    bankrolls: tuple[int, ...], wagers: tuple[int, ...], rounds_left: int, wager: int
) -> None:
    """Near the end it bets the distance and a chip more, if it has that much."""
    player = Chaser()
    player.look = table(bankrolls, wagers, rounds_left)
    assert player.bet(bankrolls[0], MINIMUM) == wager


def test_chaser_bets_the_limit_where_there_is_one() -> None:
    """A table's limit holds for chasers, too."""
    player = Chaser()
    player.look = table((500, 700), (0, 0), 1, maximum=50)
    assert player.bet(500, MINIMUM) == 50
