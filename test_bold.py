"""Tests of bold.py: run `python test_bold.py`, or pytest."""

from tourney import Card, Hand, Rank, Suit
from tourney.testing import PlayerConformance, run_tests

from bold import Bold


class TestBold(PlayerConformance):
    """The tests that every player must pass; the platform contains them."""

    competitor = Bold


def test_it_stands_on_20() -> None:
    """A card would bust this hand. Now write a test of your idea."""
    hand = Hand([Card(Rank.KING, Suit.SPADES), Card(Rank.QUEEN, Suit.HEARTS)])
    assert not Bold().draw(Card(Rank.SIX, Suit.CLUBS), hand)


if __name__ == "__main__":
    run_tests(globals())
