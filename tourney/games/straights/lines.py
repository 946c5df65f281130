"""Lines: the cards of a suit that wait for another card, and the cards that a discard blocks.

A suit grows from its seven, so a card waits for all cards between it and the seven.
"""

from collections.abc import Iterable

from tourney.game.cards.card import CARDS, Card, Suit
from tourney.games.straights.points import ACE, KING, POINTS, SEVEN, card_of

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

    >>> from tourney.games.straights.points import BY_SHORT_NAME as named
    >>> lost_codes([named["QS"]]) == {named["QS"].code, named["KS"].code}
    True
    """
    return set().union(*(LOST_WITH[card.code] for card in discards))
