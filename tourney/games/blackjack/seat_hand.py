"""A hand on the table, with its seat and wager, and its seat's view."""

from typing import NamedTuple

from tourney.game.cards.card import CARDS
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.records import Outcome

UPCARDS = tuple(SeenHand((card,)) for card in CARDS)
"""The dealer's hand while one card is visible, by code of the card."""


class Observation(NamedTuple):
    """The cards visible to a seat that must act."""

    dealer: SeenHand  # the visible cards
    hand: SeenHand  # the hand in play


class SeatHand:
    """A hand of a seat, its wager and its state."""

    # Most hands keep these values, so they are class attributes.
    is_closed = False  # whether it gets no more cards
    is_doubled = False
    is_split = False  # whether it comes from a split
    is_split_only = False  # whether it may be split once more, and gets no other card
    outcome: Outcome | None = None

    def __init__(self, seat: int, number: int, hand: SeenHand, wager: int) -> None:
        self.seat = seat
        self.number = number  # index among the hands of its seat
        self.hand = hand
        self.wager = wager
