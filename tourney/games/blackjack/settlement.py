"""The result of a hand, and of its wager."""

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
"""Win of a wagered chip, by outcome; `None` if it depends on the rules."""


def compare(total: int, dealer_total: int) -> Outcome:
    """Compare a hand that is not bust with the dealer's final hand."""
    if dealer_total > BEST_TOTAL:
        return Outcome.DEALER_BUST
    if total == dealer_total:
        return Outcome.PUSH
    return Outcome.WIN if total > dealer_total else Outcome.LOSS


def insurance_net(stake: int, *, is_paid: bool) -> int:
    """Return the win of insurance: 2:1, or minus the stake."""
    return INSURANCE_ODDS * stake if is_paid else -stake


def net(rules: BlackjackRules, outcome: Outcome, wager: int) -> int:
    """Return the win of a hand, in the unit of its wager, which includes doubles."""
    net_per_chip = NET_PER_CHIP[outcome]
    if net_per_chip is not None:
        return wager * net_per_chip
    if outcome is Outcome.NATURAL:
        return rules.natural_net(wager)
    return -(wager // 2)
