"""Frozen records of the events of a round, and the cards that lie on the table after them.

Most records are one of a few hundred, so they are created once and shared.
"""

from dataclasses import dataclass
from enum import IntEnum

from tourney.game.cards.card import CARDS, Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.rules import MOST_SEATS

DEALER = -1
"""The dealer's number in fields for seats."""


class Outcome(IntEnum):
    """The result of a hand; the number is only an index of tables."""

    NATURAL = 0
    BUST = 1
    DEALER_BUST = 2
    WIN = 3
    LOSS = 4
    PUSH = 5
    SURRENDERED = 6
    DEALER_NATURAL = 7
    BOTH_NATURAL = 8


@dataclass(frozen=True, slots=True)
class Dealt:
    """A card was dealt to a seat or the dealer."""

    seat: int  # DEALER for the dealer
    card: Card
    is_face_up: bool = True
    hand: int = 0  # among the hands of its seat


@dataclass(frozen=True, slots=True)
class Revealed:
    """The dealer turned the hole card."""

    card: Card


@dataclass(frozen=True, slots=True)
class Acted:
    """A seat made a move."""

    seat: int
    action: Action
    hand: int = 0  # among the hands of its seat; a split makes the next number


@dataclass(frozen=True, slots=True)
class Settled:
    """A hand's wager was paid or taken; the results of the round contain the amounts."""

    seat: int
    outcome: Outcome
    hand: int = 0  # among the hands of its seat


@dataclass(frozen=True, slots=True)
class InsuranceSettled:
    """A seat's insurance against a dealer's natural was paid 2:1 or taken."""

    seat: int
    is_paid: bool


Record = Dealt | Revealed | Acted | InsuranceSettled | Settled

_SEATS = (*range(MOST_SEATS), DEALER)
# Indexed by seat (DEALER is -1 and so the last), then by card code, action or outcome.
DEALT_UP = tuple(tuple(Dealt(seat, card) for card in CARDS) for seat in _SEATS)
DEALT_DOWN = tuple(Dealt(DEALER, card, is_face_up=False) for card in CARDS)
REVEALED = tuple(Revealed(card) for card in CARDS)
# No action has the number 0; a placeholder takes its index.
ACTED = tuple(tuple(Acted(seat, action) for action in (Action.HIT, *Action)) for seat in _SEATS)
SETTLED = tuple(tuple(Settled(seat, outcome) for outcome in Outcome) for seat in _SEATS)


class TableCards:
    """The cards of a round, hand by hand, by its records.

    Args:
        seats: Number of seats in the round.
    """

    def __init__(self, seats: int) -> None:
        self.dealer = Hand()  # the face-up cards
        self.dealer_cards: list[Card] = []  # with a hole card that is face down
        self.hands = [*([Hand()] for _ in range(seats)), [self.dealer]]
        """By seat and number; DEALER is -1 and so the last."""

    def follow(self, record: Record) -> Card | None:
        """Deal, turn or split cards as in a record; return the card that it turns face up."""
        if isinstance(record, Dealt):
            if record.seat == DEALER:
                self.dealer_cards.append(record.card)
            if record.is_face_up:
                self.hands[record.seat][record.hand].add_card(record.card)
                return record.card
        elif isinstance(record, Revealed):
            self.dealer.add_card(record.card)
            return record.card
        elif isinstance(record, Acted) and record.action is Action.SPLIT:
            hands = self.hands[record.seat]
            first, second = hands[record.hand].cards
            hands[record.hand] = Hand((first,))
            hands.append(Hand((second,)))
        return None
