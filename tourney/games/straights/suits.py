"""The suits of Straights: points of cards, piles on the table, and lines of cards that wait.

The ace is low. A suit grows from its seven, so a card waits for all cards between it and the seven.

Source: Straights, sections 2, 4 and 5.3.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from tourney.game.cards.card import CARDS, Card, Rank, Suit, short_name

ACE, SEVEN, KING = 1, 7, 13

SUITS = (Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS, Suit.SPADES)
"""The suits in the order of the document."""

POINTS = tuple(ACE if card.rank is Rank.ACE else int(card.rank) for card in CARDS)
"""Points of a discarded card, by its code; also its position in its suit."""

_OF_SUIT = {(card.suit, points): card for card, points in zip(CARDS, POINTS, strict=True)}


def points_of(card: Card) -> int:
    """Return the points of a card when it is discarded: ace 1, jack 11, queen 12, king 13.

    >>> points_of(Card(Rank.ACE, Suit.SPADES)), points_of(Card(Rank.KING, Suit.SPADES))
    (1, 13)
    """
    return POINTS[card.code]


def card_of(suit: Suit, points: int) -> Card:
    """Return the card of a suit with these points, 1 to 13.

    >>> print(card_of(Suit.CLUBS, 12))
    Queen of Clubs
    """
    return _OF_SUIT[suit, points]


BY_SHORT_NAME = {short_name(card): card for card in CARDS}
"""All cards, by the two letters of the document."""

NEW_DECK = tuple(card_of(suit, points) for suit in SUITS for points in range(ACE, KING + 1))
"""The document's deck before its first shuffle: clubs from the ace, diamonds, hearts, spades."""


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


Line = tuple[Card, ...]


def _cards(suit: Suit, points: Iterable[int]) -> Line:
    return tuple(card_of(suit, each) for each in points)


def _behind(card: Card) -> tuple[Line, ...]:
    points = POINTS[card.code]
    below = range(points - 1, ACE - 1, -1) if points <= SEVEN else ()
    above = range(points + 1, KING + 1) if points >= SEVEN else ()
    return tuple(_cards(card.suit, line) for line in (below, above) if line)


def _before(card: Card) -> Line:
    points = POINTS[card.code]
    step = -1 if points > SEVEN else 1
    between = range(points + step, SEVEN + step, step) if points != SEVEN else ()
    return _cards(card.suit, between)


BEHIND = tuple(map(_behind, CARDS))
"""By code, the lines of cards that wait for a card, nearest first: two for a seven, none for a
king."""

BEFORE = tuple(map(_before, CARDS))
"""By code, the cards that a card waits for, nearest first, the seven last."""

LOST_WITH = tuple(
    frozenset({card.code, *(other.code for line in BEHIND[card.code] for other in line)})
    for card in CARDS
)
"""By code, the codes of a card and of all cards that cannot be played once it is discarded."""


def lost_codes(discards: Iterable[Card]) -> set[int]:
    """Return the codes of the cards that cannot be played once these are discarded.

    >>> [str(CARDS[code]) for code in sorted(lost_codes([BY_SHORT_NAME["QS"]]))]
    ['Queen of Spades', 'King of Spades']
    """
    return set().union(*(LOST_WITH[card.code] for card in discards))
