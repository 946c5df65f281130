"""A hand on the table, with its seat and wager, its seat's view, and its legal moves."""

from typing import NamedTuple

from tourney.game.cards.card import CARDS
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import BEST_TOTAL, PAIR, SeenHand
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.rules import BlackjackRules

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


INSURANCE: tuple[Action, ...] = (Action.DECLINE, Action.INSURE)
LEAST_DOUBLED = {"first-two": 0, "9-11": 9, "10-11": 10}
MOST_DOUBLED = {"first-two": BEST_TOTAL, "9-11": 11, "10-11": 11}


def choices(
    rules: BlackjackRules, played: SeatHand, hands: int, *, can_afford: bool
) -> tuple[Action, ...]:
    """Return the legal moves of a hand: stand, hit, double, split and surrender, in this order.

    A pair of aces that may only be split again cannot be hit.

    Args:
        rules: The rules.
        played: The hand, which may still get cards.
        hands: Number of hands of its seat.
        can_afford: Whether the seat can stake the hand's wager once more.
    """
    hand = played.hand
    if len(hand) != PAIR:
        return HIT_OR_STAND
    actions = (Action.STAND,) if played.is_split_only else HIT_OR_STAND
    if can_afford and may_double(rules, played):
        actions += (Action.DOUBLE,)
    if can_afford and hands < rules.hands and is_pair(rules, hand):
        actions += (Action.SPLIT,)
    if rules.surrender == "first" and not played.is_split:
        actions += (Action.SURRENDER,)
    return actions


def may_double(rules: BlackjackRules, played: SeatHand) -> bool:
    """Return whether the rules allow to double a hand of two cards."""
    if rules.double == "never" or played.is_split_only:
        return False
    if played.is_split and not rules.double_after_split:
        return False
    # A soft hand of two cards is at least 12, so rules with low totals exclude it.
    return LEAST_DOUBLED[rules.double] <= played.hand.total <= MOST_DOUBLED[rules.double]


def is_pair(rules: BlackjackRules, hand: SeenHand) -> bool:
    """Return whether the rules allow to split two cards."""
    first, second = hand.cards
    if rules.split == "by-value":
        return first.value == second.value
    return rules.split == "by-rank" and first.rank is second.rank
