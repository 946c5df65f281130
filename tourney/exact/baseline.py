"""What every position is worth by baseline play, to tell luck from skill.

The baseline is the best play with an infinite shoe for somebody who sees what a seat sees, save
that it splits once only and takes no insurance. Its values need not be those of the game that is
played: whatever they are, the corrections drawn from them are zero on average. The nearer they
are, the more luck they take away.

Source: Burch, Schmid, Moravcik, Bowling, "AIVAT", 2018; docs/sources.md.
"""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.choices import LEAST_DOUBLED, MOST_DOUBLED
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, BEST_TOTAL
from tourney.games.blackjack.positions import (
    COPIES,
    OWN,
    SHOWN,
    VALUES,
    Own,
    Shown,
    dealer_total,
    own_after,
    shown_after,
    total_of,
)
from tourney.games.blackjack.rules import ODDS, BlackjackRules

DEALER_STANDS = 17
RANKS = sum(COPIES)
FRACTION_BITS = 32
"""Luck is counted in parts of 2**-32 of a wager, rounded once, so that no sum depends on order."""

Worths = tuple[float, ...]
"""One for each second card the dealer may have, or a single one if it is known."""


@cache
def baseline_values(rules: BlackjackRules) -> NDArray[np.int64]:
    """Give what a wagered chip is worth in every position, in parts of 2**-32.

    Args:
        rules: The game.
    Returns: Shape (positions of the dealer, positions of a hand), numbered as in
        `tourney.games.blackjack.positions`.
    """
    baseline = _Baseline(rules)
    whole = 1 << FRACTION_BITS
    rows = [[round(worth * whole) for worth in baseline.row(shown)] for shown in SHOWN]
    values = np.array(rows, np.int64)
    values.flags.writeable = False
    return values


class _Baseline:
    """Plays every position of every hand against every dealer."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules
        self._rows: dict[Shown, list[float]] = {}
        self._hides = rules.dealer_shows != "both"
        numerator, denominator = ODDS[rules.natural]
        self._natural = numerator / denominator
        self._finals: dict[tuple[int, bool], tuple[float, ...]] = {}

    def row(self, shown: Shown) -> list[float]:
        """Give what all positions of a hand are worth against a dealer."""
        if shown in self._rows:
            return self._rows[shown]
        if shown.kind in ("none", "up"):
            rows = [self.row(_next(shown, value)) for value in VALUES]
            self._rows[shown] = [_mean(column) for column in zip(*rows, strict=True)]
        elif shown.kind == "drawn":
            self._rows[shown] = [self._settled(own, shown) for own in OWN]
        else:
            up = shown.cards[0]
            seconds = VALUES if self._hides else (shown.cards[1],)
            group = [Shown("two", (up, second)) for second in seconds]
            rows = _Group(self._rules, group, self._settled).rows()
            for each, row in zip(group, rows, strict=True):
                self._rows[each] = row
        return self._rows[shown]

    def _settled(self, own: Own, shown: Shown) -> float:
        """Give what a hand that gets no more cards is worth; 0 for all others."""
        if own.kind == "bust":
            return -1.0
        beats = _beats_all(self._rules, shown)
        if own.kind == "natural":
            return 0.0 if beats else self._natural
        if own.kind != "stood":
            return 0.0
        if beats:
            return -1.0
        worth = 0.0
        for final, p in enumerate(self._ends(dealer_total(shown))):
            is_won = final > BEST_TOTAL or own.total > final
            worth += p if is_won else -p * (own.total < final)
        return worth

    def _ends(self, total: tuple[int, bool]) -> tuple[float, ...]:
        """Give the probability of each final total of the dealer, up to 22 for a bust."""
        if total in self._finals:
            return self._finals[total]
        points, soft = total
        found = [0.0] * (BEST_TOTAL + 2)
        if points > BEST_TOTAL or not self._draws(points, soft):
            found[min(points, BEST_TOTAL + 1)] = 1.0
        else:
            nexts = [self._ends(AFTER[soft][points][value]) for value in VALUES]
            found = [_mean(column) for column in zip(*nexts, strict=True)]
        self._finals[total] = tuple(found)
        return self._finals[total]

    def _draws(self, total: int, soft: bool) -> bool:  # noqa: FBT001 - a hand's value
        if total != DEALER_STANDS:
            return total < DEALER_STANDS
        return soft and self._rules.soft_17 == "hit"


def _next(shown: Shown, value: int) -> Shown:
    after = shown_after(shown, value)
    assert after is not None, "the dealer has one card at most"
    return after


class _Group:
    """All hands against dealers that look alike to a seat, and may differ in the second card."""

    def __init__(
        self,
        rules: BlackjackRules,
        dealers: Sequence[Shown],
        settled: Callable[[Own, Shown], float],
    ) -> None:
        self._rules = rules
        self._dealers = dealers
        self._settled = settled
        self._weights = [COPIES[VALUES.index(each.cards[1])] for each in dealers]
        self._is_over = [False] * len(dealers)
        if rules.dealer_natural == "wins-at-once":
            # Nobody acts against such a dealer, so nobody chooses with it in mind.
            self._is_over = [_beats_all(rules, each) for each in dealers]
        self._worths: dict[Own, Worths] = {}

    def rows(self) -> list[list[float]]:
        """Give what all positions are worth against each of the dealers."""
        columns = [self._worth(own) for own in OWN]
        return [list(row) for row in zip(*columns, strict=True)]

    def _worth(self, own: Own) -> Worths:
        if own not in self._worths:
            self._worths[own] = self._work_out(own)
        return self._worths[own]

    def _work_out(self, own: Own) -> Worths:
        match own.kind:
            case "stood" | "natural" | "bust":
                return tuple(self._settled(own, each) for each in self._dealers)
            case "play":
                return self._play(own)
            case "opening":
                # An ace and a ten lie here only for those who number positions.
                return self._best(self._opening(own.cards))
            case "pair":
                return self._best(self._pair(own.cards))
        return self._dealt(own)

    def _dealt(self, own: Own) -> Worths:
        """Give what a hand is worth that gets a card now."""
        afters = [own_after(own, value) for value in VALUES]
        worths = [self._worth(each) for each in afters if each]
        return tuple(_mean(column) for column in zip(*worths, strict=True))

    def _play(self, own: Own) -> Worths:
        stood = self._worth(Own("stood", (), own.total))
        return stood if own.total == BEST_TOTAL else self._best([stood, self._dealt(own)])

    def _opening(self, cards: tuple[int, ...]) -> list[Worths]:
        """Give what each move is worth that the first two cards may make."""
        rules, total = self._rules, total_of(cards)
        moves = [self._worth(Own("play", (), *total))]
        if self._may_double(total[0]):
            moves.append(self._twice(Own("doubled", (), *total)))
        if rules.split != "never" and rules.hands > 1 and cards[0] == cards[1]:
            moves.append(self._twice(Own("split", cards[:1])))
        if rules.surrender == "first":
            moves.append((-0.5,) * len(self._dealers))
        return moves

    def _pair(self, cards: tuple[int, ...]) -> list[Worths]:
        """Give what each move is worth that two cards may make after a split."""
        total = total_of(cards)
        # Of two aces neither may be split further here, and they get one card each.
        if ACE_VALUE in cards and self._rules.split_aces != "played":
            return [self._worth(Own("stood", (), total[0]))]
        moves = [self._worth(Own("play", (), *total))]
        if self._may_double(total[0]) and self._rules.double_after_split:
            moves.append(self._twice(Own("doubled", (), *total)))
        return moves

    def _may_double(self, total: int) -> bool:
        double = self._rules.double
        return double != "never" and LEAST_DOUBLED[double] <= total <= MOST_DOUBLED[double]

    def _twice(self, own: Own) -> Worths:
        return tuple(2.0 * worth for worth in self._worth(own))

    def _best(self, moves: Sequence[Worths]) -> Worths:
        """Give the move that is worth most to somebody who cannot tell the dealers apart."""
        best = max(moves, key=self._expected)  # the first of equals
        # A hand that is over loses what it wagered, whatever would have come.
        pairs = zip(best, self._is_over, strict=True)
        return tuple(-1.0 if is_over else worth for worth, is_over in pairs)

    def _expected(self, worths: Worths) -> float:
        total = 0.0
        for worth, weight, is_over in zip(worths, self._weights, self._is_over, strict=True):
            total += 0.0 if is_over else worth * weight
        return total


def _mean(worths: Iterable[float]) -> float:
    """Give the mean over the values of a card from an infinite shoe."""
    total = 0.0
    for worth, copies in zip(worths, COPIES, strict=True):
        total += worth * copies
    return total / RANKS


def _beats_all(rules: BlackjackRules, shown: Shown) -> bool:
    """Say whether the dealer has a natural that is more than a 21."""
    is_natural = shown.kind == "two" and total_of(shown.cards)[0] == BEST_TOTAL
    return is_natural and rules.dealer_natural != "is-21"
