"""Simple and Sharp against charts typed from the documents, cell by cell."""

import pytest

from tourney import Card, Hand, Rank, Suit
from tourney.strategies.composition import Composition
from tourney.strategies.sharp import Sharp
from tourney.strategies.simple import Simple

UPCARDS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

# One letter for each upcard from 2 to ace: H hits, S stands.
HARD = {
    **dict.fromkeys(range(4, 12), "HHHHHHHHHH"),
    12: "HHSSSHHHHH",
    **dict.fromkeys(range(13, 17), "SSSSSHHHHH"),
    **dict.fromkeys(range(17, 22), "SSSSSSSSSS"),
}
SOFT = {
    **dict.fromkeys(range(12, 18), "HHHHHHHHHH"),
    18: "SHHHHSSHHH",
    **dict.fromkeys(range(19, 22), "SSSSSSSSSS"),
}
SHARP_SOFT = SOFT | {18: "SSSSSSSHHH"}


def card(value: int) -> Card:
    """Make a card of a value; an ace for 11."""
    return Card(Rank.ACE if value == 11 else Rank(value), Suit.HEARTS)


def hands_of(total: int, *, soft: bool) -> list[Hand]:
    """Make hands of a total: of few cards and of many."""
    if soft:
        rest = [[total - 11], [11] * (1 + total % 2) + [2] * ((total - 12) // 2)]
        dealt = [[11, *values] for values in rest]
    else:
        twos = [2] * ((total - 2) // 2) + [2 + total % 2]
        dealt = [[2, total - 2], [10, total - 10], [10, 5, total - 15], twos]
    most = 11 if soft else 10
    hands = [Hand(map(card, values)) for values in dealt if set(values) <= set(range(2, most + 1))]
    return [hand for hand in hands if (hand.total, hand.soft) == (total, soft)]


@pytest.mark.parametrize("upcard", UPCARDS)
@pytest.mark.parametrize(("player", "soft_chart"), [(Simple(), SOFT), (Sharp(), SHARP_SOFT)])
def test_every_cell_of_the_chart(player: Simple, soft_chart: dict[int, str], upcard: int) -> None:
    """Every total, hard or soft, is played as the chart says, whatever cards make it up."""
    column = UPCARDS.index(upcard)
    for chart, soft in ((HARD, False), (soft_chart, True)):
        for total, row in chart.items():
            hands = [hand for hand in hands_of(total, soft=soft) if not hand.is_natural]
            assert hands, f"expected a hand of {total} to ask about"
            for hand in hands:
                assert player.draw(card(upcard), hand) is (row[column] == "H"), (hand, upcard)


@pytest.mark.parametrize("rank", [Rank.JACK, Rank.QUEEN, Rank.KING])
def test_a_court_card_of_the_dealer_is_a_ten(rank: Rank) -> None:
    """A hard 16 hits against any ten-value."""
    assert Simple().draw(Card(rank, Suit.CLUBS), Hand([card(10), card(6)])) is True


@pytest.mark.parametrize(("bankroll", "minimum"), [(5, 5), (9, 5), (10_000, 5), (1, 1)])
def test_simple_bets_the_minimum(bankroll: int, minimum: int) -> None:
    """Simple always places the minimum allowable wager."""
    assert Simple().bet(bankroll, minimum) == minimum


def test_simple_does_nothing_for_cards_and_shuffles() -> None:
    """Exposed cards and shuffles leave Simple as it is."""
    player = Simple()
    player.expose(card(5))
    player.shuffled()
    assert vars(player) == {}


def test_sharp_is_what_composition_plays_with_countless_decks() -> None:
    """Where cards hardly matter, the best play by their chances is Sharp's chart."""
    countless, sharp = Composition(decks=10_000), Sharp()
    for upcard in UPCARDS:
        for total in range(4, 21):
            for hand in (*hands_of(total, soft=False), *hands_of(total, soft=True)):
                assert countless.draw(card(upcard), hand) is sharp.draw(card(upcard), hand)
