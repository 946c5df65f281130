"""The best play against one upcard, if hands with equal keys are played alike.

The value of a hand is a sum over the ways to reach it, and the value of a key is the sum over its
hands. The best order of moves of each key is computed while the rest of the plan stays. This is
repeated until the plan does not change. Then no change of a single key wins more.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.exact.finite.dealer import Floats
from tourney.games.blackjack.exact.finite.hand_set import (
    CHOICES,
    HITS,
    MOVES,
    NO_CHOICE,
    SURRENDERS,
    Group,
    Places,
)
from tourney.games.blackjack.exact.finite.information import FIRST_OPEN, ORDERS
from tourney.games.blackjack.exact.finite.upcard_game import Plan, UpcardGame

MOST_STEPS = 100
RARELY = 1e-9
"""Small weight of hands that the plan never reaches, so that their moves are good, too."""

Orders = NDArray[np.int64]
"""Index in ORDERS, by key."""


@dataclass(frozen=True, slots=True)
class Keys:
    """The keys of hands; hands with equal keys are played alike.

    Args:
        first: Key of each first hand.
        split: Keys of the hands of a split, by the index of the pair's value.
        number: Number of keys.
    """

    first: Places
    split: dict[int, Places]
    number: int


@dataclass(frozen=True, slots=True)
class Best:
    """The best play against an upcard.

    Args:
        plan: The move of every hand.
        orders: The order of moves of each key, without splits.
        seconds: Indices of values whose pairs surrender, and whose second choice is a split.
        value: The value of a round against this upcard.
    """

    plan: Plan
    orders: Orders
    seconds: frozenset[int]
    value: float


class Improver:
    """Improves a plan step by step."""

    def __init__(self, column: UpcardGame, keys: Keys) -> None:
        self._column, self._keys = column, keys
        always = np.full(len(keys.first), HITS)
        starts = np.zeros((1, len(keys.first)))
        starts[0] = column.starts
        self._seldom = RARELY * column.first.reached(starts, always)
        self._seldom_split = {}
        for place, split in column.splits.items():
            chance = RARELY * column.starts[split.pair] * (split.starts > 0)
            hits = np.full(len(keys.split[place]), HITS)
            self._seldom_split[place] = split.group.reached(chance / max(1, chance.size), hits)

    def best(self) -> Best:
        """Improve until the plan does not change; after MOST_STEPS, return the best plan so far."""
        found: Best | None = None
        orders = np.full(self._keys.number, 1)
        pairs: frozenset[int] = frozenset()
        for _ in range(MOST_STEPS):
            plan = self._plan(orders, pairs)
            better, pairs_then, seconds = self._step(plan)
            value = self._column.value(plan)
            if found is None or value > found.value:
                found = Best(plan, orders, seconds, value)
            if (better == orders).all() and pairs_then == pairs:
                return Best(plan, orders, seconds, value)
            orders, pairs = better, pairs_then
        assert found is not None
        return found

    def _plan(self, orders: Orders, pairs: frozenset[int]) -> Plan:
        game = self._column.game
        split = {
            place: FIRST_OPEN[orders[keys], game.split[place].choices]
            for place, keys in self._keys.split.items()
        }
        return Plan(FIRST_OPEN[orders[self._keys.first], game.first.choices], split, pairs)

    def _step(self, plan: Plan) -> tuple[Orders, frozenset[int], frozenset[int]]:
        """Find the best orders and splits while the rest of the plan stays."""
        column, sums = self._column, _Sums(self._keys.number)
        starts = column.starts.copy()
        _, hit = column.first.worths(plan.first)
        pairs, seconds = set(), set()
        for place, split in column.splits.items():
            of_pair = column.split_value(place, plan.split[place])
            worths = column.first.of_moves(hit)[:, 0, split.pair]
            choices = column.game.first.choices[split.pair]
            values = {move: worths[move] for move in CHOICES[choices]}
            worth = of_pair + column.first.alive[0, split.pair]
            if worth > max(values.values()):
                pairs.add(place)
                apart = split.alike * starts[split.pair]
                starts[split.pair] -= apart
            else:
                apart = 0.0
                if worth > max(values[move] for move in values if move != SURRENDERS):
                    seconds.add(place)
            weights = self._seldom_split[place] + apart * split.group.reached(
                split.starts, plan.split[place]
            )
            sums.add(split.group, self._keys.split[place], weights, plan.split[place])
        weights = self._seldom + column.first.reached(starts[None], plan.first)
        sums.add(column.first, self._keys.first, weights, plan.first)
        return sums.orders(), frozenset(pairs), frozenset(seconds)


class _Sums:
    """The worth of each move, summed over all hands of a key."""

    def __init__(self, keys: int) -> None:
        self._keys = keys
        self._sums = np.zeros((keys, len(CHOICES), len(MOVES)))

    def add(self, group: Group, keys: Places, weights: Floats, moves: Places) -> None:
        """Add hands, weighted by their frequencies."""
        _, hit = group.worths(moves)
        worths = (weights * group.of_moves(hit)).sum(axis=1)
        for move, row in enumerate(worths):
            np.add.at(self._sums[..., move], (keys, group.kind.choices), row)

    def orders(self) -> Orders:
        """Return the best order for each key; keys without hands hit."""
        values = np.zeros((len(ORDERS), self._keys))
        for order, firsts in enumerate(FIRST_OPEN):
            for choice in range(NO_CHOICE + 1, len(CHOICES)):
                values[order] += self._sums[:, choice, firsts[choice]]
                # Among equal orders, prefer the better last move.
                values[order] += RARELY * self._sums[:, choice, ORDERS[order][-1]]
        best: Orders = values.argmax(axis=0)
        best[(values == 0).all(axis=0)] = ORDERS.index((HITS,))
        return best
