"""A hand on the table: whose it is, what is staked on it and what its owner sees."""

from typing import NamedTuple

from tourney.game.cards.card import CARDS
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.records import Outcome

UPCARDS = tuple(SeenHand((card,)) for card in CARDS)
"""The dealer's hand as it lies while one card is face up, by code of the card."""


class Observation(NamedTuple):
    """What a person in a seat sees when it must act."""

    dealer: SeenHand  # the cards that lie face up
    hand: SeenHand  # the one in play


class SeatHand:
    """A hand of a seat, its wager and how far it has come."""

    # Most hands keep these, so they stand here rather than in every hand.
    is_closed = False  # it gets no more cards
    is_doubled = False
    is_split = False  # it comes from a split
    is_split_only = False  # it may be split once more, and gets no other card
    outcome: Outcome | None = None

    def __init__(self, seat: int, number: int, hand: SeenHand, wager: int) -> None:
        self.seat = seat
        self.number = number  # among the hands of its seat, from 0
        self.hand = hand
        self.wager = wager
