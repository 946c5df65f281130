"""Composition, Edge and Kelly: what the cards that are left are worth."""

from fractions import Fraction

import pytest

from tourney import Card, Hand, Player, Rank, Suit
from tourney.strategies.composition import Composition, dealer_totals
from tourney.strategies.edge import Edge
from tourney.strategies.kelly import Kelly

MINIMUM = 10
DECK = [Card(rank, suit) for suit in Suit for rank in Rank]


def leave(player: Player, *ranks: Rank) -> None:
    """Expose every card but those of some ranks."""
    for card in DECK:
        if card.rank not in ranks:
            player.expose(card)


def bust_chance(total: int, aces: int) -> Fraction:
    """Work out by plain recursion how often a dealer busts when all 13 ranks stay likely."""
    best = total + 10 if aces and total + 10 <= 21 else total
    if best >= 17:
        return Fraction(best > 21)
    values = [*range(1, 10), *[10] * 4]
    return sum((bust_chance(total + v, aces + (v == 1)) for v in values), Fraction()) / 13


@pytest.mark.parametrize("upcard", [1, 6, 10])
def test_the_dealer_busts_as_often_as_exact_recursion_says(upcard: int) -> None:
    """With all ranks equally likely the dealer's bust chance is a known fraction."""
    chances = [(value, (4 if value == 10 else 1) / 13) for value in range(1, 11)]
    totals = dealer_totals(upcard, chances)
    assert totals[22] == pytest.approx(float(bust_chance(upcard, int(upcard == 1))), rel=1e-12)
    assert sum(totals) == pytest.approx(1)
    assert not any(totals[:17])


def test_only_tens_left_makes_twelve_a_hand_to_stand_on() -> None:
    """Every hit would bust; the dealer's 6 with tens busts as well."""
    player = Composition()
    leave(player, Rank.TEN, Rank.JACK, Rank.QUEEN, Rank.KING)
    six = Card(Rank.SIX, Suit.HEARTS)
    assert player.draw(six, Hand([DECK[0], Card(Rank.TEN, Suit.CLUBS)])) is False
    twelve = Hand([Card(Rank.TEN, Suit.CLUBS), Card(Rank.TWO, Suit.CLUBS)])
    assert Composition().draw(Card(Rank.TEN, Suit.HEARTS), twelve) is True
    assert player.draw(Card(Rank.TEN, Suit.HEARTS), twelve) is False


def test_only_fours_left_makes_seventeen_a_hand_to_hit() -> None:
    """A 4 turns 17 into 21, while the dealer's 10 will grow to 18."""
    player = Composition()
    leave(player, Rank.FOUR)
    seventeen = Hand([Card(Rank.TEN, Suit.CLUBS), Card(Rank.SEVEN, Suit.CLUBS)])
    assert player.draw(Card(Rank.TEN, Suit.HEARTS), seventeen) is True


def test_a_shuffle_brings_all_cards_back() -> None:
    """After a shuffle it decides like a new player."""
    player = Composition()
    leave(player, Rank.FOUR)
    player.shuffled()
    assert list(player.unseen_cards) == [0, 0, 4, 4, 4, 4, 4, 4, 4, 4, 16, 4]


def test_an_exhausted_memory_takes_the_shoe_for_full() -> None:
    """More cards than it was told of leave it with the average, not with an error."""
    player = Composition()
    leave(player)
    assert sum(player.unseen_cards) == 52


def test_more_decks_make_a_larger_shoe() -> None:
    """Six decks hold 96 ten-values."""
    assert Composition(decks=6).unseen_cards[10] == 96


def test_a_full_shoe_is_the_house_s() -> None:
    """Without a card gone, a player who plays well is a little behind."""
    assert -10_000 < Edge().edge < 0
    assert Edge(decks=8).edge == Edge().edge


@pytest.mark.parametrize(
    ("rank", "is_better"), [(Rank.FIVE, True), (Rank.TWO, True), (Rank.ACE, False)]
)
def test_gone_cards_move_the_edge(
    rank: Rank,
    is_better: bool,
) -> None:
    """Small cards are missed by the dealer, aces by the player."""
    player = Edge()
    player.expose(Card(rank, Suit.CLUBS))
    assert (player.edge > Edge().edge) is is_better


def test_a_gone_five_is_worth_its_effect_of_removal() -> None:
    """One five out of 52 cards moves the edge by half a hundredth of the wager."""
    player = Edge()
    player.expose(Card(Rank.FIVE, Suit.CLUBS))
    assert player.edge - Edge().edge == pytest.approx(5_100, abs=100)


def test_edge_bets_its_spread_at_an_advantage_only() -> None:
    """Four fives gone put the player ahead; a full shoe does not."""
    player = Edge(spread=6)
    assert player.bet(10_000, MINIMUM) == 10
    for suit in Suit:
        player.expose(Card(Rank.FIVE, suit))
    assert player.bet(10_000, MINIMUM) == 60
    assert player.bet(45, MINIMUM) == 45


def test_kelly_bets_the_part_of_its_bankroll_that_its_edge_deserves() -> None:
    """An edge of e millionths asks for e millionths of the bankroll, or half of it."""
    half, full = Kelly(), Kelly(percent=100)
    for player in (half, full):
        for suit in Suit:
            player.expose(Card(Rank.FIVE, suit))
    bankroll = 1_000_000
    assert full.bet(bankroll, MINIMUM) == full.edge
    assert half.bet(bankroll, MINIMUM) == full.edge // 2
    assert half.bet(100, MINIMUM) == MINIMUM


def test_kelly_bets_the_minimum_when_the_house_is_ahead() -> None:
    """Who must bet without an edge bets as little as possible."""
    assert Kelly().bet(10**9, MINIMUM) == MINIMUM
