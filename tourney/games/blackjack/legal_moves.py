"""The legal moves of a hand in play."""

from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.hand import BEST_TOTAL, PAIR, SeenHand
from tourney.games.blackjack.rules import BlackjackRules
from tourney.games.blackjack.seat_hand import SeatHand

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
