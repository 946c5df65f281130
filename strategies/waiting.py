"""The cards of a suit that wait for another one; no strategy of its own.

A suit grows from its seven, so a card waits for all those between it and the seven. Leaves out
who holds them.
"""

from collections.abc import Callable, Iterator
from collections.abc import Set as AbstractSet

from tourney import Card, Rank, StraightsView, Suit

SEVEN, KING = 7, 13


def _card(suit: Suit, points: int) -> Card:
    return Card(Rank.ACE if points == 1 else Rank(points), suit)


def _behind(suit: Suit, points: int) -> tuple[tuple[Card, ...], ...]:
    below = tuple(_card(suit, other) for other in range(points - 1, 0, -1))
    above = tuple(_card(suit, other) for other in range(points + 1, KING + 1))
    lines = (below if points <= SEVEN else (), above if points >= SEVEN else ())
    return tuple(line for line in lines if line)


def _before(suit: Suit, points: int) -> tuple[Card, ...]:
    step = -1 if points > SEVEN else 1
    return tuple(_card(suit, other) for other in range(points + step, SEVEN + step, step))


_EVERY = [(suit, points) for suit in Suit for points in range(1, KING + 1)]

BEHIND = {_card(*each).code: _behind(*each) for each in _EVERY}
"""By code, the lines of cards that wait for a card, nearest first: a seven has two, a king none."""

BEFORE = {
    _card(suit, points).code: () if points == SEVEN else _before(suit, points)
    for suit, points in _EVERY
}
"""By code, the cards that a card waits for, nearest first, its seven last."""


def lost_codes(view: StraightsView) -> set[int]:
    """Give the codes of the cards that cannot be played any more, as a seat's own discards tell.

    They are its discards and all that waits for one of them.

    Args:
        view: What the seat sees.
    """
    lost: set[int] = set()
    for card in view.discards:
        lost |= lost_with(card.code)
    return lost


def lost_with(code: int) -> set[int]:
    """Give the codes of a card, which is given by its own, and of all that waits for it."""
    return {code, *(other.code for line in BEHIND[code] for other in line)}


def chances_behind(
    card: Card, own: AbstractSet[int], lost: AbstractSet[int], chance: Callable[[Card], float]
) -> Iterator[tuple[Card, float]]:
    """Give the cards that wait for a card, with the chance that the suit grows up to each.

    Args:
        card: What they wait for.
        own: Codes of the cards whose holder is sure to play them.
        lost: Codes of cards that cannot be played any more, and so end a line.
        chance: Says how likely a card of somebody else is played in time.
    """
    for line in BEHIND[card.code]:
        reached = 1.0
        for waiting in line:
            if waiting.code in lost:
                break
            yield waiting, reached
            if waiting.code not in own:
                reached *= chance(waiting)
