"""The value of a hit-or-stand policy with a full shoe in every round, and the law of results.

The sum runs over compositions: the cards of the player's hand, and the cards that the dealer adds
to its upcard, as counts of each value. The probability of a composition is the number of orders in
which its cards can come, times the number of copies that the shoe has of them. Doubling and
splitting are in `finite`.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm, sqrt

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.policy import Cards, Policy, with_card
from tourney.games.blackjack.position import (
    BUST,
    COPIES,
    EMPTY,
    GONE,
    NATURAL,
    PAIR,
    RANK_OF,
    SOFT_21,
    VALUES,
    Position,
    after,
    dealer_draws,
    hand_after,
    legal,
    sign,
)
from tourney.games.blackjack.rules import BlackjackRules


@dataclass(frozen=True, slots=True)
class ExactValue:
    """The value of a round.

    Args:
        law: (net result in minimums, probability), by net result.
    """

    law: tuple[tuple[Fraction, Fraction], ...]

    @property
    def mean(self) -> Fraction:
        """Mean result per round, in minimums."""
        return sum((net * p for net, p in self.law), Fraction(0))

    @property
    def variance(self) -> Fraction:
        """Variance of the result of one round, in squared minimums."""
        return sum((net * net * p for net, p in self.law), Fraction(0)) - self.mean**2

    @property
    def sd(self) -> float:
        """Standard deviation of the result of one round, in minimums."""
        return sqrt(self.variance)

    @property
    def results(self) -> Mapping[float, float]:
        """Probability of each net result, in minimums."""
        return {float(net): float(p) for net, p in self.law}

    def probability(self, net: Fraction | float) -> Fraction:
        """Return the probability of a net result, in minimums.

        >>> ExactValue(((Fraction(-1), Fraction(1, 3)), (Fraction(1), Fraction(2, 3)))).mean
        Fraction(1, 3)
        """
        return dict(self.law).get(Fraction(net), Fraction(0))


def exact_value_of(law: Mapping[int, Fraction], wager: int) -> ExactValue:
    """Convert a law to an exact value.

    Args:
        law: Probability of each net result, in the unit of the rules.
        wager: The minimum, in the unit of the rules.
    """
    assert sum(law.values()) == 1
    return ExactValue(tuple((Fraction(net, wager), p) for net, p in sorted(law.items()) if p))


SUITS = 4
AT_ONCE = -1
"""The dealer's final hand if it is a natural that beats all others.

Whether it ends the round before or after the seats play does not matter, as no wager is doubled.
"""

Counts = tuple[int, ...]
"""Cards of each value, from 2 to ace."""
Held = tuple[Position, Cards]
"""A player's hand, and the values of its cards."""


def full_shoe(rules: BlackjackRules) -> Counts:
    """Return the cards of each value in a full shoe."""
    assert isinstance(rules.decks, int)
    return tuple(SUITS * rules.decks * copies for copies in COPIES)


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards that the dealer adds to its upcard, and its final hand.

    Args:
        counts: (index of a value, copies) of each value drawn.
        cards: Number of cards.
        orders: Number of orders in which they can come.
        final: The number of the final hand, or AT_ONCE.
    """

    counts: tuple[tuple[int, int], ...]
    cards: int
    orders: int
    final: int


def fresh_value(rules: BlackjackRules, policy: Policy, minimum: int) -> ExactValue:
    """Compute the value of a policy with a full shoe in every round.

    Args:
        rules: A game with only hitting and standing.
        policy: The policy of the seat.
        minimum: The wager of every round, in chips.
    """
    wager = minimum * rules.unit
    shoe = full_shoe(rules)
    law: dict[int, Fraction] = defaultdict(Fraction)
    for place, upcard in enumerate(VALUES):
        left = _without(shoe, place)
        drawn = tuple(dealer_hands(upcard, rules))
        most = max(each.cards for each in drawn)
        weights: dict[tuple[int, int], int] = defaultdict(int)  # by cards of the hand and result
        for held, weight in player_hands(left, policy.key((upcard,)), rules, policy).items():
            for final, ways in _finals(left, held, drawn, most).items():
                net = _net(rules, wager, held[0], final)
                weights[len(held[1]), net] += weight * ways
        for (cards, net), weight in weights.items():
            law[net] += Fraction(shoe[place] * weight, sum(shoe) * perm(sum(left), cards + most))
    return exact_value_of(law, wager)


def player_hands(
    left: Counts, key: Hashable, rules: BlackjackRules, policy: Policy
) -> dict[Held, int]:
    """Count the deals that lead to each final hand of a player.

    Args:
        left: The shoe without the upcard.
        key: The upcard, as the policy sees it.
        rules: The game.
        policy: The policy of the seat.
    Returns: Weights by hand; the weight of a hand of n cards counts n-permutations of `left`.
    """
    ended: dict[Held, int] = {}
    open_hands: dict[Held, int] = {(EMPTY, ()): 1}
    while open_hands:
        again: dict[Held, int] = defaultdict(int)
        for held, weight in open_hands.items():
            position, cards = held
            if not weight:
                continue
            if position.cards >= PAIR:
                moves = legal(rules, position)
                if not moves or policy.choose(key, position, cards, moves) is Action.STAND:
                    ended[held] = weight
                    continue
            for rank, value, copies in zip(RANK_OF, VALUES, left, strict=True):
                dealt = after(position, rank), with_card(cards, value)
                again[dealt] += weight * (copies - cards.count(value))
        open_hands = again
    return ended


def dealer_hands(upcard: int, rules: BlackjackRules) -> Iterator[Drawn]:
    """List every composition of cards that a dealer can add to an upcard."""
    beats_all = rules.dealer_natural != "is-21"
    open_hands = {(hand_after(0, upcard), (0,) * len(VALUES)): 1}
    cards = 0
    while open_hands:
        again: dict[tuple[int, Counts], int] = defaultdict(int)
        for (hand, counts), orders in open_hands.items():
            if cards and not dealer_draws(rules, hand):
                final = AT_ONCE if cards == 1 and hand == SOFT_21 and beats_all else hand
                added = tuple((place, copies) for place, copies in enumerate(counts) if copies)
                yield Drawn(added, cards, orders, final)
                continue
            for place, value in enumerate(VALUES):
                more = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                again[hand_after(hand, value), more] += orders
        open_hands, cards = again, cards + 1


def _finals(left: Counts, held: Held, drawn: tuple[Drawn, ...], most: int) -> Mapping[int, int]:
    """Count the ways to each of the dealer's final hands, from the shoe without the player's hand.

    Args:
        left: The shoe without the upcard.
        held: The player's hand.
        drawn: All that the dealer can add.
        most: Number of cards of a way; a way continues after the dealer has finished.
    """
    position, cards = held
    counts = [count - cards.count(value) for count, value in zip(left, VALUES, strict=True)]
    cards_left = sum(counts)
    if position == GONE:
        return {BUST: perm(cards_left, most)}  # the dealer's hand does not matter
    # Number of ways to take 0, 1, 2, … copies of each value in order.
    taken = [[perm(count, copies) for copies in range(most + 1)] for count in counts]
    by_cards: dict[tuple[int, int], int] = defaultdict(int)
    for each in drawn:
        times = each.orders
        for place, copies in each.counts:
            times *= taken[place][copies]
        by_cards[each.final, each.cards] += times
    finals: dict[int, int] = defaultdict(int)
    for (final, taken_cards), ways in by_cards.items():
        finals[final] += ways * perm(cards_left - taken_cards, most - taken_cards)
    return finals


def _net(rules: BlackjackRules, wager: int, position: Position, final: int) -> int:
    """Return the net result of a final hand, in the unit of the rules."""
    if position.status == NATURAL:
        return 0 if final == AT_ONCE else rules.natural_net(wager)
    return -wager if final == AT_ONCE else wager * sign(position.hand, final)


def _without(counts: Counts, place: int) -> Counts:
    """Remove one card of a value from a shoe."""
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])
