"""The probabilities of the dealer's final hands, from each of many finite shoes.

The draws that a dealer can add to an upcard form a tree of compositions. Its branches add cards in
the order of their values, and a leaf holds the number of orders in which its cards can come. One
walk through the tree computes thousands of shoes together.
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.exact.dynamic_programme import FINALS
from tourney.games.blackjack.exact.fresh import AT_ONCE, dealer_hands
from tourney.games.blackjack.position import SOFT_21, total_of
from tourney.games.blackjack.rules import BlackjackRules

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]
"""Cards of each of VALUES, from 2 to ace, in the last axis."""

NATURAL_FINAL = len(FINALS)
"""Index of a natural that beats all, after those of FINALS."""
PLACE_OF_TOTAL = {total_of(final): place for place, final in enumerate(FINALS)}
AT_A_TIME = 4096
"""Shoes in one walk; their data fit in the processor's cache."""


@dataclass(slots=True)
class Branch:
    """One more card of a value, and the possible continuations.

    Args:
        place: Index of the value in VALUES.
        drawn: Cards of the value before this one.
        leaves: (index of the final hand, cards drawn, orders), if the dealer may be finished.
        branches: Branches with cards of this value or higher values.
    """

    place: int
    drawn: int
    leaves: list[tuple[int, int, int]] = field(default_factory=list)
    branches: "dict[int, Branch]" = field(default_factory=dict)


class DealerTree:
    """All draws of a dealer to an upcard."""

    def __init__(self, rules: BlackjackRules, upcard: int) -> None:
        self._root = Branch(0, 0)
        self._most = 0
        for drawn in dealer_hands(upcard, rules):
            branch = self._root
            for place, copies in drawn.counts:
                for number in range(copies):
                    branch = branch.branches.setdefault(place, Branch(place, number))
            beats = drawn.final == AT_ONCE or (
                rules.dealer_natural != "is-21" and drawn.cards == 1 and drawn.final == SOFT_21
            )
            place = NATURAL_FINAL if beats else PLACE_OF_TOTAL[total_of(drawn.final)]
            branch.leaves.append((place, drawn.cards, drawn.orders))
            self._most = max(self._most, drawn.cards)

    def finals(self, left: Counts) -> Floats:
        """Compute the probability of each final hand.

        Args:
            left: Cards of each value that the dealer draws from; shape (shoes, 10).
        Returns: Shape (shoes, finals and a natural).
        """
        found = np.empty((len(left), NATURAL_FINAL + 1))
        for start in range(0, len(left), AT_A_TIME):
            part = slice(start, start + AT_A_TIME)
            found[part] = self._finals(left[part])
        return found

    def _finals(self, left: Counts) -> Floats:
        cards_left = left.sum(axis=1)
        ways = np.zeros((self._most + 1, NATURAL_FINAL + 1, len(left)))
        columns = np.ascontiguousarray(left.T, dtype=np.float64)
        for branch in self._root.branches.values():
            _walk(branch, columns[branch.place], columns, ways)
        found = np.zeros((NATURAL_FINAL + 1, len(left)))
        deals = np.ones(len(left))
        for cards in range(1, self._most + 1):
            deals = deals * np.maximum(cards_left - cards + 1, 1)
            found += ways[cards] / deals
        return found.T


def _walk(branch: Branch, times: Floats, columns: Floats, ways: Floats) -> None:
    """Add the leaves of a branch and of its branches to `ways`.

    Args:
        branch: The current branch.
        times: Number of ways to pick its cards in order; shape (shoes,).
        columns: Cards of each value; shape (10, shoes).
        ways: The sums; shape (cards, finals, shoes).
    """
    for final, cards, orders in branch.leaves:
        ways[cards, final] += times if orders == 1 else orders * times
    for each in branch.branches.values():
        column = columns[each.place]
        _walk(each, times * (column - each.drawn if each.drawn else column), columns, ways)
