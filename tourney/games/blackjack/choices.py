"""Which moves the rules leave to a hand in play."""

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import SeenHand
from tourney.games.blackjack.played import PlayedHand
from tourney.games.blackjack.rules import BlackjackRules

PAIR = 2
HIT_OR_STAND: tuple[Action, ...] = (Action.STAND, Action.HIT)


def choices(
    rules: BlackjackRules, played: PlayedHand, hands: int, *, can_afford: bool
) -> tuple[Action, ...]:
    """Give the moves open to a hand: stand, hit, double, split and surrender, in this order.

    Args:
        rules: What is allowed at all.
        played: The hand, which may still get cards.
        hands: How many its seat holds.
        can_afford: Whether the seat can stake the hand's wager once more.
    """
    hand = played.hand
    if len(hand) != PAIR:
        return HIT_OR_STAND
    actions = HIT_OR_STAND
    if rules.double != "never" and can_afford and (rules.double_after_split or not played.is_split):
        actions += (Action.DOUBLE,)
    if can_afford and hands < rules.hands and is_pair(rules, hand):
        actions += (Action.SPLIT,)
    if rules.surrender == "first" and not played.is_split:
        actions += (Action.SURRENDER,)
    return actions


def is_pair(rules: BlackjackRules, hand: SeenHand) -> bool:
    """Say whether the rules let two cards be split."""
    first, second = hand.cards
    if rules.split == "by-value":
        return first.value == second.value
    return rules.split == "by-rank" and first.rank is second.rank
