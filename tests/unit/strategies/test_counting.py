"""Counting, clause by clause: what it counts, when it forgets, when it doubles."""

import pytest

from tourney import Card, Hand, Rank, Suit, TableView
from tourney.strategies.counting import Counting
from tourney.strategies.simple import Simple

MINIMUM = 5


def counting_at(count: int) -> Counting:
    """Make a Counting player that has seen as many small cards."""
    player = Counting()
    for _ in range(count):
        player.expose(Card(Rank.FIVE, Suit.SPADES))
    return player


@pytest.mark.parametrize("suit", list(Suit))
@pytest.mark.parametrize(
    ("ranks", "points"),
    [
        ((Rank.TWO, Rank.THREE, Rank.FOUR, Rank.FIVE, Rank.SIX), 1),
        ((Rank.SEVEN, Rank.EIGHT, Rank.NINE), 0),
        ((Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE), -1),
    ],
)
def test_cards_move_the_count(ranks: tuple[Rank, ...], points: int, suit: Suit) -> None:
    """2 to 6 add one, ten-values and aces take one away, 7 to 9 count nothing."""
    for rank in ranks:
        player = Counting()
        player.expose(Card(rank, suit))
        assert player.count == points


def test_a_new_player_counts_from_zero() -> None:
    """Nobody has seen a card before the first."""
    assert Counting().count == 0


def test_a_whole_deck_counts_nothing() -> None:
    """Tens and aces weigh as much as small cards."""
    player = Counting()
    for suit in Suit:
        for rank in Rank:
            player.expose(Card(rank, suit))
    assert player.count == 0


def test_a_shuffle_resets_the_count() -> None:
    """After a shuffle all cards are back."""
    player = counting_at(7)
    player.shuffled()
    assert player.count == 0


@pytest.mark.parametrize(
    ("count", "bankroll", "wager"),
    [
        (2, 1000, 10),
        (9, 1000, 10),
        (1, 1000, 5),
        (0, 1000, 5),
        (2, 10, 10),
        (2, 9, 5),
        (2, 5, 5),
    ],
)
def test_it_doubles_at_two_or_more_if_it_can(count: int, bankroll: int, wager: int) -> None:
    """The double needs a count of +2 and a bankroll of at least the double."""
    assert counting_at(count).bet(bankroll, MINIMUM) == wager


def test_a_low_count_bets_the_minimum() -> None:
    """Tens that have gone are bad news."""
    player = Counting()
    for suit in Suit:
        player.expose(Card(Rank.KING, suit))
    assert player.bet(1000, MINIMUM) == MINIMUM


@pytest.mark.parametrize(("maximum", "wager"), [(5, 5), (9, 5), (10, 10), (1000, 10)])
def test_it_respects_the_limit_of_the_table(maximum: int, wager: int) -> None:
    """Where the limit lies below the double, the minimum stands."""
    player = counting_at(5)
    player.look = lambda: TableView(0, MINIMUM, maximum, 1, (1000,), (0,))
    assert player.bet(1000, MINIMUM) == wager


@pytest.mark.parametrize("count", [0, 6])
def test_it_plays_hands_like_simple(count: int) -> None:
    """The count changes wagers and no hand."""
    player = counting_at(count)
    for upcard in (Card(rank, Suit.CLUBS) for rank in Rank):
        for rank in Rank:
            hand = Hand([Card(Rank.SIX, Suit.HEARTS), Card(rank, Suit.HEARTS)])
            assert player.draw(upcard, hand) is Simple().draw(upcard, hand)


def test_it_reimplements_nothing_of_simple() -> None:
    """Only what differs is written anew."""
    assert not {"draw"} & vars(Counting).keys()


@pytest.mark.parametrize(
    ("bankroll", "maximum", "wager"), [(6, 1000, 6), (9, 1000, 9), (10, 1000, 10), (1000, 8, 8)]
)
def test_all_in_it_bets_what_is_allowed_of_a_double(
    bankroll: int, maximum: int, wager: int
) -> None:
    """As authors of EECS 280 read their document, which does not say."""
    player = Counting(short="rest")
    for _ in range(2):
        player.expose(Card(Rank.TWO, Suit.SPADES))
    player.look = lambda: TableView(0, MINIMUM, maximum, 1, (bankroll,), (0,))
    assert player.bet(bankroll, MINIMUM) == wager
    assert counting_at(2).bet(6, MINIMUM) == MINIMUM


def test_what_to_bet_without_the_double_has_two_answers() -> None:
    """Which the option names."""
    with pytest.raises(ValueError, match="short: expected 'minimum' or 'rest', got 'half'"):
        Counting(short="half")  # type: ignore[arg-type]  # as an organiser may
