"""What the dealer ends with, from an infinite shoe.

The dealer's result depends on its own cards alone, so it is worked out once; what a player
makes of the cards that lie face up decides which results are told apart.
"""

from collections import defaultdict
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from types import MappingProxyType

from tourney.exact.policy import Policy, Visible
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, BEST_TOTAL
from tourney.games.blackjack.rules import BlackjackRules

RANKS = 13
TEN = 10
COPIES: Mapping[int, int] = MappingProxyType(
    {value: 4 if value == TEN else 1 for value in range(2, ACE_VALUE + 1)}
)
"""Ranks of each value: four count ten."""

DEALER_STANDS = 17
BUST = BEST_TOTAL + 1
FINALS = (17, 18, 19, 20, 21, BUST)

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


def dealer_draws(total: int, soft: bool, rules: BlackjackRules) -> bool:  # noqa: FBT001 - a hand's value
    """Say whether the dealer must draw."""
    if total != DEALER_STANDS:
        return total < DEALER_STANDS
    return soft and rules.soft_17 == "hit"


def make_dealer(
    rules: BlackjackRules, policy: Policy, copies: Mapping[int, int] = COPIES
) -> Dealer:
    """Work out all that can happen to the dealer.

    Args:
        rules: The game.
        policy: What it makes of the visible cards.
        copies: Ranks of each value in the shoe; a smaller shoe is for tests.
    """

    @cache
    def finals_from(total: int, soft: bool) -> Finals:  # noqa: FBT001 - a hand's value
        """Give the probability of each of FINALS for a dealer's hand."""
        if total > BEST_TOTAL or not dealer_draws(total, soft, rules):
            return tuple(Fraction(min(total, BUST) == final) for final in FINALS)
        found = [Fraction(0)] * len(FINALS)
        for value, times in copies.items():
            then = finals_from(*AFTER[soft][total][value])
            found = [p + Fraction(times, ranks) * more for p, more in zip(found, then, strict=True)]
        return tuple(found)

    ranks = sum(copies.values())
    found: dict[Hashable, list[Fraction]] = defaultdict(lambda: [Fraction(0)] * len(FINALS))
    natural = Fraction(0)
    for first, second in product(copies, repeat=2):
        p = Fraction(copies[first] * copies[second], ranks**2)
        total, soft = AFTER[first == ACE_VALUE][first][second]
        if total == BEST_TOTAL and rules.dealer_natural == "wins-at-once":
            natural += p
            continue
        visible: Visible = (first, second) if rules.dealer_shows == "both" else (first,)
        of_key = found[policy.key(visible)]
        for place, chance in enumerate(finals_from(total, soft)):
            of_key[place] += p * chance
    return Dealer({key: tuple(each) for key, each in found.items()}, natural)
