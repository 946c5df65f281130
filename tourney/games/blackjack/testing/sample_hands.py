"""Upcards and possible hands, for which a player must have an answer."""

from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, cycle

from tourney.game.cards.card import Card, Rank, Suit
from tourney.games.blackjack.hand import BEST_TOTAL, Hand, SeenHand

UPCARDS = tuple(Card(rank, Suit.CLUBS) for rank in Rank)
VALUES = tuple(rank for rank in Rank if not Rank.TEN < rank < Rank.ACE)
"""One rank of each value."""

LONG = (
    (Rank.TWO,) * 4 + (Rank.THREE,) * 4,
    (Rank.ACE,) * 4 + (Rank.TWO,) * 4 + (Rank.THREE,) * 3,
    (Rank.ACE,) * 4 + (Rank.TWO,) * 3 + (Rank.KING,),
    (Rank.ACE, Rank.ACE, Rank.TWO, Rank.THREE, Rank.FOUR),
)


def hand_of(*ranks: Rank) -> Hand:
    """Create a hand of ranks, with the suits in turn.

    >>> hand_of(Rank.ACE, Rank.SIX)
    <soft 17: Ace of Spades, Six of Hearts>
    """
    return Hand(Card(rank, suit) for rank, suit in zip(ranks, cycle(Suit), strict=False))


@cache
def reachable_hands() -> tuple[Hand, ...]:
    """Return all possible hands of two ranks or three values, and longer ones.

    They include all hard totals from 4 to 21 and all soft totals from 12 to 21. Like the hands that
    players see, they never change.
    """
    hands = (SeenHand(hand_of(*ranks).cards) for ranks in _dealt())
    return tuple(hand for hand in hands if hand.total <= BEST_TOTAL and not hand.is_natural)


def questions() -> Iterator[tuple[Card, Hand]]:
    """Iterate over each upcard with each reachable hand."""
    return ((upcard, hand) for hand in reachable_hands() for upcard in UPCARDS)


def _dealt() -> Iterator[tuple[Rank, ...]]:
    yield from combinations_with_replacement(Rank, 2)
    yield from combinations_with_replacement(VALUES, 3)
    for ranks in LONG:
        yield from (ranks[:length] for length in range(4, len(ranks) + 1))
