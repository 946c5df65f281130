"""The value of every position under baseline play, to separate luck from skill.

The baseline is the best play with an infinite shoe, by the information of a seat, with a single
split and without insurance. Its values need not be those of the game that is played: the
corrections that use them are zero on average for any values. Better values remove more luck.

Source: Burch, Schmid, Moravcik, Bowling, "AIVAT", 2018; docs/sources.md.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.exact.dynamic_programme import BestPlay, against, finals_of, mean
from tourney.games.blackjack.position import (
    CLOSED,
    COPIES,
    GONE,
    NATURAL,
    NOTHING_SHOWN,
    POSITIONS,
    SHOWN,
    SPLIT,
    SURRENDERED,
    VALUES,
    Position,
    Shown,
    beats_all,
    hand_after,
    shown_after,
)
from tourney.games.blackjack.rules import ODDS, BlackjackRules

FRACTION_BITS = 32
"""Luck is in units of 2**-32 of a wager, rounded once, so that sums do not depend on order."""

Worths = NDArray[np.float64]
"""A value for each dealer, or for each position of a hand."""


@cache
def baseline_values(rules: BlackjackRules) -> NDArray[np.int64]:
    """Return the value of a wagered chip in every position, in units of 2**-32.

    Args:
        rules: The game.
    Returns: Shape (positions of the dealer, positions of a hand), numbered as in
        `tourney.games.blackjack.position`.
    """
    baseline = _Baseline(rules)
    rows = [baseline.row(shown) for shown in SHOWN]
    values = np.rint(np.array(rows) * (1 << FRACTION_BITS)).astype(np.int64)
    values.flags.writeable = False
    return values


class MoveWorths:
    """The values of moves under baseline play, by the information of a seat.

    Args:
        rules: The game.
    """

    def __init__(self, rules: BlackjackRules) -> None:
        self._play = _Baseline(rules).against_all()
        self._found: dict[Position, Mapping[Action, Sequence[float]]] = {}

    def of(self, dealer: Sequence[int], position: Position) -> dict[Action, float]:
        """Return the value of each legal move of a hand.

        Args:
            dealer: Values of the dealer's face-up cards, one or two.
            position: The position of the hand.
        Returns: Chips per chip wagered on the hand, with best play after the move; empty if the
            hand has no choice.
        """
        if position not in self._found:
            self._found[position] = self._play.expected(position)
        places = [VALUES.index(value) for value in dealer]
        group = places[0] if len(places) == 1 else places[0] * len(VALUES) + places[1]
        return {move: worths[group] for move, worths in self._found[position].items()}


class _Baseline:
    """Plays every position of every hand against every dealer."""

    def __init__(self, rules: BlackjackRules) -> None:
        # The ranks of two tens are ignored.
        self._rules = replace(rules, split="by-value") if rules.split == "by-rank" else rules
        self._rows: dict[Shown, Worths] = {}
        numerator, denominator = ODDS[rules.natural]
        self._natural = numerator / denominator
        self._finals = finals_of(rules, 1.0)

    def row(self, shown: Shown) -> Worths:
        """Return the values of all positions of a hand against a dealer."""
        if shown not in self._rows:
            if shown.upcard == 0 and shown.hand:
                self._rows[shown] = np.array([self._settled(own, shown) for own in POSITIONS])
            elif shown.hand == hand_after(0, shown.upcard):
                self._rows[shown] = mean([self.row(shown_after(shown, each)) for each in VALUES])
            else:
                self._play()
        return self._rows[shown]

    def _play(self) -> None:
        """Compute the rows for all two cards of the dealer; equal visible cards form a group."""
        play = self.against_all()
        rows = np.array([play.worth(own) for own in POSITIONS])
        for number, group in enumerate(play.groups):
            self._rows |= zip(group, rows[:, number].T, strict=True)

    def against_all(self) -> "_AgainstGroups":
        """Return all hands against the groups of dealers with equal visible cards."""
        ups = [shown_after(NOTHING_SHOWN, value) for value in VALUES]
        groups = [[shown_after(up, value) for value in VALUES] for up in ups]
        weights = COPIES
        if self._rules.dealer_shows == "both":
            groups, weights = [[shown] for group in groups for shown in group], (1,)
        return _AgainstGroups(self._rules, groups, weights, self._settled)

    def _settled(self, own: Position, shown: Shown) -> float:
        """Return the value of a hand that gets no more cards; 0 for all others."""
        beats = beats_all(self._rules, shown)
        if own.status == NATURAL:
            return 0.0 if beats else self._natural
        if own.status == SURRENDERED:
            return -0.5
        if own.status != CLOSED:
            return 0.0
        if own == GONE or beats:
            return -1.0
        return against(own.hand, self._finals(shown.hand), 0.0)


class _AgainstGroups(BestPlay[Worths]):
    """All hands against groups of dealers; a group has equal visible cards.

    A value is an array of shape (groups, dealers), so that all groups are computed together.
    """

    def __init__(
        self,
        rules: BlackjackRules,
        groups: Sequence[Sequence[Shown]],
        weights: Sequence[int],
        settled: Callable[[Position, Shown], float],
    ) -> None:
        super().__init__(rules)
        self.groups, self._settled = groups, settled
        # A natural that ends the round immediately does not influence any choice.
        is_ending = rules.dealer_natural == "wins-at-once"
        self._is_over = self._of_all(lambda dealer: is_ending and beats_all(rules, dealer))
        self._weights = np.where(self._is_over, 0, weights)

    def settled(self, position: Position) -> Worths:
        return self._of_all(lambda dealer: self._settled(position, dealer))

    def moves(self, position: Position) -> dict[Action, Worths]:
        # Soft hands from a split stand, as if all of them came from split aces.
        is_like_aces = position.origin == SPLIT and position.hand >= TOTALS
        if is_like_aces and self.rules.split_aces != "played":
            return {}
        return super().moves(position)

    def best(self, moves: Mapping[Action, Worths]) -> Worths:
        """Return the value of the move with the best mean over a group's dealers."""
        worths = np.array(list(moves.values()))
        expected = sum(np.moveaxis(worths * self._weights, -1, 0))  # in a fixed order
        best = worths[expected.argmax(axis=0), range(len(self.groups))]  # the first of equals
        # In a round that is over, the hand loses its wager.
        return np.where(self._is_over, -1.0, best)

    def expected(self, position: Position) -> dict[Action, list[float]]:
        """Return the mean value of each move over the dealers of each group."""
        count = np.broadcast_to(self._weights, self._is_over.shape).sum(axis=-1)
        return {
            move: ((worths * self._weights).sum(axis=-1) / np.maximum(count, 1)).tolist()
            for move, worths in self.moves(position).items()
        }

    def _of_all(self, figure: Callable[[Shown], float]) -> NDArray[Any]:
        return np.array([[figure(dealer) for dealer in group] for group in self.groups])
