"""Card-counting arithmetic: tag sums and what they are worth per deck.

Knows no wagers and no seats; strategies decide what a count is worth.
Source: Griffin, "The Theory of Blackjack", 1979; docs/sources.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tourney.cards.card import DECK_SIZE, Card
from tourney.errors import CardsError


@dataclass(frozen=True, slots=True)
class CountSystem:
    """Points a seen card adds to the running count, by its value."""

    name: str
    tags: Mapping[int, int]  # from card value (2 to 11, ace 11) to points

    def tag(self, card: Card) -> int:
        """Give the points of a card.

        >>> from tourney.cards.card import Card, Rank, Suit
        >>> HI_LO.tag(Card(Rank.KING, Suit.HEARTS))
        -1
        """
        return self.tags[card.value]


HI_LO = CountSystem("Hi-Lo", {2: 1, 3: 1, 4: 1, 5: 1, 6: 1, 7: 0, 8: 0, 9: 0, 10: -1, 11: -1})


def true_count(running_count: int, unseen_cards: int) -> float:
    """Scale a running count to points per deck that nobody has seen.

    Args:
        running_count: Tag sum since the last shuffle, in points.
        unseen_cards: Cards not yet exposed, at least 1.
    Raises: CardsError, if no card is unseen.

    >>> true_count(6, 104)
    3.0
    """
    if unseen_cards < 1:
        raise CardsError(f"true count: expected at least 1 unseen card, got {unseen_cards}")
    return running_count * DECK_SIZE / unseen_cards
