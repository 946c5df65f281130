"""The pile of a suit on the table: empty, or an unbroken range around its seven.

There are only fifty per suit, so they are created once and shared.
"""

from dataclasses import dataclass, field

from tourney.game.cards.card import Card, Suit
from tourney.games.straights.points import ACE, KING, SEVEN, card_of


@dataclass(frozen=True, slots=True)
class Pile:
    """The played cards of a suit.

    >>> pile = Pile(Suit.HEARTS, 6, 8)
    >>> print(pile.below, "/", pile.above, "/", len(pile.cards))
    Five of Hearts / Nine of Hearts / 3
    """

    suit: Suit
    low: int = 0  # points of the lowest card; 0 while the pile is empty
    high: int = 0  # points of the highest card; 0 while the pile is empty
    cards: tuple[Card, ...] = field(init=False, compare=False, repr=False)  # lowest first
    below: Card | None = field(init=False, compare=False, repr=False)  # next at the low end
    above: Card | None = field(init=False, compare=False, repr=False)  # next at the high end

    def __post_init__(self) -> None:
        """Compute the cards and both ends."""
        suit, low, high = self.suit, self.low, self.high
        shown = range(low, high + 1) if low else range(0)
        object.__setattr__(self, "cards", tuple(card_of(suit, points) for points in shown))
        object.__setattr__(self, "below", card_of(suit, low - 1) if low > ACE else None)
        object.__setattr__(self, "above", card_of(suit, high + 1) if 0 < high < KING else None)

    @property
    def is_empty(self) -> bool:
        """Whether the seven has not been played yet."""
        return not self.low


_ALL = {
    (suit, low, high): Pile(suit, low, high)
    for suit in Suit
    for low, high in (
        (0, 0),
        *((low, high) for low in range(ACE, SEVEN + 1) for high in range(SEVEN, KING + 1)),
    )
}

EMPTY_TABLE = tuple(_ALL[suit, 0, 0] for suit in Suit)
"""The table before the first play, by suit."""


def with_card(pile: Pile, points: int) -> Pile:
    """Return the pile with one more card, which must be its seven or extend it at an end."""
    low = min(pile.low or points, points)
    return _ALL[pile.suit, low, max(pile.high, points)]
