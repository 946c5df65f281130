"""How a hand ends, and what its wager comes to."""

from tourney.games.blackjack.hand import BEST_TOTAL
from tourney.games.blackjack.records import Outcome
from tourney.games.blackjack.rules import BlackjackRules

INSURANCE_ODDS = 2
_LOST, _WON, _BACK = -1, 1, 0
NET_PER_CHIP = tuple(
    {
        Outcome.BUST: _LOST,
        Outcome.DEALER_BUST: _WON,
        Outcome.WIN: _WON,
        Outcome.LOSS: _LOST,
        Outcome.PUSH: _BACK,
        Outcome.DEALER_NATURAL: _LOST,
        Outcome.BOTH_NATURAL: _BACK,
    }.get(outcome)
    for outcome in Outcome
)
"""What a wagered chip wins, by outcome; None where the rules have a choice."""


def compare(total: int, dealer_total: int) -> Outcome:
    """Decide between a hand that is not bust and a dealer who is done."""
    if dealer_total > BEST_TOTAL:
        return Outcome.DEALER_BUST
    if total == dealer_total:
        return Outcome.PUSH
    return Outcome.WIN if total > dealer_total else Outcome.LOSS


def insurance_net(stake: int, *, is_paid: bool) -> int:
    """Give what insurance wins: 2:1, or nothing and the stake is gone."""
    return INSURANCE_ODDS * stake if is_paid else -stake


def net(rules: BlackjackRules, outcome: Outcome, wager: int) -> int:
    """Give what a hand wins, in the unit of its wager; doubles are in the wager."""
    net_per_chip = NET_PER_CHIP[outcome]
    if net_per_chip is not None:
        return wager * net_per_chip
    if outcome is Outcome.NATURAL:
        return rules.natural_net(wager)
    return -(wager // 2)
