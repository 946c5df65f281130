"""The value of a hit-or-stand policy with a deck that is fresh for every round.

Who stays and who busts is counted over compositions: the cards of the player's hand, and those
the dealer adds to its upcard, as counts of each value. In how many orders cards can come to such
hands is one factor of their probability, how many copies of them the deck has is the other.
Leaves out doubling and splitting, where several hands share a deck.
"""

from collections import defaultdict
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import perm

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.policy import Cards, Policy, with_card
from tourney.games.blackjack.exact.value import ExactValue, exact_value_of
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

SUITS = 4
AT_ONCE = -1
"""What the dealer ends with if a natural of its own beats all.

Before or after the seats play makes no difference here, where no wager is ever doubled.
"""

Counts = tuple[int, ...]
"""Cards of each value, from 2 to ace."""
Held = tuple[Position, Cards]
"""A player's hand, and the values of its cards."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Cards the dealer adds to its upcard, and what it ends with then.

    Args:
        counts: (place of a value, copies) of each value drawn.
        cards: How many there are.
        orders: In how many orders they can come.
        final: The number of the hand, or AT_ONCE.
    """

    counts: tuple[tuple[int, int], ...]
    cards: int
    orders: int
    final: int


def fresh_value(rules: BlackjackRules, policy: Policy, minimum: int) -> ExactValue:
    """Work out what a policy is worth with a fresh shoe for every round.

    Args:
        rules: A game that only asks whether to draw.
        policy: How the seat plays.
        minimum: The wager of every round, in chips.
    """
    assert isinstance(rules.decks, int)
    wager = minimum * rules.unit
    shoe = tuple(SUITS * rules.decks * copies for copies in COPIES)
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
    """Give the hands a player can end with, and how many deals lead there.

    Args:
        left: The shoe without the upcard.
        key: The upcard, as the policy sees it.
        rules: The game.
        policy: How the seat plays.
    Returns: Weights by hand; those of n cards are parts of n-permutations of `left`.
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
    """Give every composition of cards that a dealer can add to an upcard."""
    beats_all = rules.dealer_natural != "is-21"
    open_hands = {(hand_after(0, upcard), (0,) * len(VALUES)): 1}
    cards = 0
    while open_hands:
        again: dict[tuple[int, Counts], int] = defaultdict(int)
        for (hand, counts), orders in open_hands.items():
            if cards and not dealer_draws(rules, hand):
                final = AT_ONCE if cards == 1 and hand == SOFT_21 and beats_all else hand
                told = tuple((place, copies) for place, copies in enumerate(counts) if copies)
                yield Drawn(told, cards, orders, final)
                continue
            for place, value in enumerate(VALUES):
                more = (*counts[:place], counts[place] + 1, *counts[place + 1 :])
                again[hand_after(hand, value), more] += orders
        open_hands, cards = again, cards + 1


def _finals(left: Counts, held: Held, drawn: tuple[Drawn, ...], most: int) -> Mapping[int, int]:
    """Give in how many ways the dealer comes to what, from the shoe without a hand.

    Args:
        left: The shoe without the upcard.
        held: The hand that is out of it, too.
        drawn: What the dealer can add.
        most: Cards that are dealt in a way, if need be after the dealer is done.
    """
    position, cards = held
    counts = [count - cards.count(value) for count, value in zip(left, VALUES, strict=True)]
    cards_left = sum(counts)
    if position == GONE:
        return {BUST: perm(cards_left, most)}  # whatever it is
    # In how many ways 0, 1, 2, … copies of each value can be taken in order.
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
    """Give the net result of a hand that ended, in parts of a chip."""
    if position.status == NATURAL:
        return 0 if final == AT_ONCE else rules.natural_net(wager)
    return -wager if final == AT_ONCE else wager * sign(position.hand, final)


def _without(counts: Counts, place: int) -> Counts:
    """Give a shoe without one card of a value."""
    return (*counts[:place], counts[place] - 1, *counts[place + 1 :])
