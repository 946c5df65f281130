"""What the dealer ends with, from an infinite shoe.

The dealer's result depends on its own cards alone, so it is worked out once; what a player
makes of the cards that lie face up decides which results are told apart.
"""

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from tourney.games.blackjack.exact.best import FINALS, finals_of
from tourney.games.blackjack.exact.policy import Policy, Visible
from tourney.games.blackjack.position import COPIES, SOFT_21, VALUES, hand_after
from tourney.games.blackjack.rules import BlackjackRules

Finals = tuple[Fraction, ...]
"""Probability of each of FINALS."""


@dataclass(frozen=True, slots=True)
class Dealer:
    """All that can happen to the dealer.

    Args:
        finals: By what the policy makes of the visible cards: how probable these are, together
            with each result. Rounds that end at once are left out.
        natural: How probable it is that a dealer's natural ends the round at once.
    """

    finals: dict[Hashable, Finals]
    natural: Fraction


def make_dealer(rules: BlackjackRules, policy: Policy, copies: Sequence[int] = COPIES) -> Dealer:
    """Work out all that can happen to the dealer.

    Args:
        rules: The game.
        policy: What it makes of the visible cards.
        copies: Ranks of each value in the shoe; a smaller shoe is for tests.
    """
    finals_from = finals_of(rules, Fraction(1), copies)
    ranks = sum(copies)
    found: dict[Hashable, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(FINALS))
    natural = Fraction(0)
    of_value = zip(VALUES, copies, strict=True)
    for (first, times), (second, times_second) in product(of_value, repeat=2):
        p = Fraction(times * times_second, ranks**2)
        hand = hand_after(hand_after(0, first), second)
        if hand == SOFT_21 and rules.dealer_natural == "wins-at-once":
            natural += p
        elif p:
            visible: Visible = (first, second) if rules.dealer_shows == "both" else (first,)
            of_key = found[policy.key(visible)]
            for place, chance in enumerate(finals_from(hand)):
                of_key[place] += p * chance
    return Dealer({key: tuple(each) for key, each in found.items()}, natural)
