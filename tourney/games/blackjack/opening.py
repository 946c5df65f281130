"""The order in which the opening cards of a round are dealt."""

from functools import cache
from typing import NamedTuple

from tourney.games.blackjack.records import DEALER

NO_CARD = -1
"""Position of a card that is not dealt."""


class Opening(NamedTuple):
    """Receivers of the opening cards; numbers are positions in dealing order, from 0."""

    order: tuple[int, ...]  # receiver of each card: a seat or the DEALER
    upcard: int
    hole: int  # NO_CARD, if the dealer gets only one card
    seats: tuple[tuple[int, int], ...]  # first and second card of each seat


@cache
def opening_of(dealing: str, seats: int, *, has_hole: bool = True) -> Opening:
    """Return the order of dealing.

    Args:
        dealing: As in `BlackjackRules.dealing`.
        seats: Number of occupied seats.
        has_hole: Whether the dealer gets a second card.

    >>> opening_of("seats-first", 1).order, opening_of("dealer-both", 2).order
    ((0, -1, 0, -1), (-1, -1, 0, 0, 1, 1))
    >>> opening_of("seats-first", 2, has_hole=False).order
    (0, 1, -1, 0, 1)
    """
    table = tuple(range(seats))
    if dealing == "dealer-both":
        order = (DEALER, DEALER, *(seat for seat in table for _ in range(2)))
    elif dealing == "dealer-first":
        order = (DEALER, *table) * 2
    else:
        order = (*table, DEALER) * 2
    if not has_hole:
        first = order.index(DEALER)
        order = tuple(who for place, who in enumerate(order) if who != DEALER or place == first)
    places = {who: [place for place, each in enumerate(order) if each == who] for who in order}
    upcard, hole = (*places[DEALER], NO_CARD)[:2]
    return Opening(order, upcard, hole, tuple((places[seat][0], places[seat][1]) for seat in table))
