"""The best chart for a game with an infinite shoe.

A chart has one cell for each total or pair and each column, and moves in it by preference. It
is best if no other chart wins more. With an infinite shoe a hand's total says all about it, so
the best move does not depend on how the hand came about, only on which moves are permitted; that
is what the preferences are for.

Only for pairs could more than one cell be wanted, as a split is worth less when few hands may
still be added. It is not: the last split that the limit allows is two hands against one, and
each one before it only adds the choice to split again. If it is worth it, so are all before; if
not, then there is no choice to add. So a pair is split always or never.
"""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from tourney.errors import RulesError
from tourney.exact.dealer import COPIES, FINALS, RANKS, TEN, Finals, make_dealer
from tourney.exact.infinite import infinite_value, sign
from tourney.exact.policy import ChartPolicy
from tourney.exact.value import ExactValue
from tourney.exact.working import casino_faults
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import ACE_VALUE, AFTER, BEST_TOTAL
from tourney.games.blackjack.rules import BlackjackRules
from tourney.players import Chart
from tourney.players.chart import always
from tourney.players.grid import HARD, SOFT, SOFT_TWELVE, Cell

PREFERRED = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
"""Which of two moves that are worth the same is taken."""

Values = dict[Action, Fraction]


class Solution(NamedTuple):
    """The best chart and what it is worth."""

    chart: Chart
    value: ExactValue


def solve(rules: BlackjackRules, *, surrender: bool = True, minimum: int = 1) -> Solution:
    """Find the best chart for a game.

    Args:
        rules: The game, with an infinite shoe.
        surrender: Whether the chart may surrender where the game allows it.
        minimum: The wager in chips.
    Returns: The chart, and its exact value per round in minimums.
    Raises: RulesError, if the shoe is not infinite, or with settings that are in the way.
    """
    if rules.decks != "infinite":
        raise RulesError(
            f"decks: expected infinite for a best chart, got {rules.decks}: add decks=infinite"
        )
    if faults := tuple(casino_faults(rules)):
        raise RulesError("\n".join(faults))
    rules = rules if surrender else replace(rules, surrender="never")
    shows_both = rules.dealer_shows == "both"
    any_chart = always(Action.STAND, shows_both=shows_both)
    finals = make_dealer(rules, ChartPolicy(any_chart)).finals
    numbers = range(len(any_chart.columns))
    columns = [tuple(_Column(rules, finals[number]).cells()) for number in numbers]
    chart = Chart(tuple(zip(*columns, strict=True)), shows_both, "solved")
    return Solution(chart, infinite_value(rules, ChartPolicy(chart), minimum))


class _Column:
    """The best play against what the dealer shows.

    All values are in wagers, times the probability that the dealer shows it.
    """

    def __init__(self, rules: BlackjackRules, finals: Finals) -> None:
        self._rules = rules
        self._finals = finals
        self._lost = -sum(finals, Fraction(0))
        # Once for each hand, though many ways lead to it.
        self._hit = cache(self._hit_value)
        self._stand = cache(self._stand_value)

    def cells(self) -> Iterator[Cell]:
        """Give the cells in the order of a chart's rows."""
        for total in HARD:
            yield self._cell(self._values(total, soft=False, is_first=True))
        for value in COPIES:
            total, soft = (SOFT_TWELVE, True) if value == ACE_VALUE else (2 * value, False)
            values = self._values(total, soft=soft, is_first=True)
            if self._rules.split != "never" and self._rules.hands > 1:
                values[Action.SPLIT] = self._split_value(value)
            # Aces that cannot be split have no row of their own to fall back on.
            goes_on = soft and self._rules.split_aces == "played"
            yield self._cell(values, may_end_with_split=not goes_on)
        for total in SOFT:
            yield self._cell(self._values(total, soft=True, is_first=True))

    def _cell(self, values: Values, *, may_end_with_split: bool = True) -> Cell:
        """Order moves by value, as far as one that is always permitted."""
        order = sorted(values, key=lambda action: (-values[action], PREFERRED.index(action)))
        ends = {Action.STAND, Action.HIT}
        if may_end_with_split:
            ends.add(Action.SPLIT)  # else the row of the total is read
        last = next(place for place, action in enumerate(order) if action in ends)
        cell = tuple(order[: last + 1])
        if Action.DOUBLE in cell and Action.SPLIT in cell[cell.index(Action.DOUBLE) :]:
            # Who doubles a pair at first never comes to split it: say what to do instead.
            return self._cell({each: values[each] for each in values if each is not Action.SPLIT})
        return cell

    def _values(self, total: int, *, soft: bool, is_first: bool) -> Values:
        """Give the value of each move, but for splits, with two cards."""
        rules = self._rules
        values = {Action.STAND: self._stand(total), Action.HIT: self._hit(total, soft)}
        if rules.double == "first-two" and (is_first or rules.double_after_split):
            values[Action.DOUBLE] = 2 * self._after_card(total, soft, stands=True)
        if rules.surrender == "first" and is_first:
            values[Action.SURRENDER] = self._lost / 2
        return values

    def _best_after_split(self, total: int, *, soft: bool) -> Fraction:
        if total == BEST_TOTAL and self._rules.stands_on_21:
            return self._stand(total)
        return max(self._values(total, soft=soft, is_first=False).values())

    def _split_value(self, value: int) -> Fraction:
        """Give what a pair is worth that is split whenever it may be."""
        rules, soft = self._rules, value == ACE_VALUE
        one_card = soft and rules.split_aces == "one-card"
        alike = 1 if rules.split == "by-rank" and value == TEN else COPIES[value]
        pairs = Fraction(0 if one_card or rules.hands == 2 else alike, RANKS)  # noqa: PLR2004 - no split is left
        other = Fraction(0)  # what a hand is worth together with that it is no such pair
        for second, copies in COPIES.items():
            then = AFTER[soft][value][second]
            worth = (
                self._stand(then[0]) if one_card else self._best_after_split(then[0], soft=then[1])
            )
            ways = copies - alike if second == value and pairs else copies
            other += Fraction(ways, RANKS) * worth
        total, _ = AFTER[soft][value][value]
        unsplit = self._best_after_split(total, soft=soft)

        @cache
        def of_open(hands: int, open_pairs: int) -> Fraction:
            """Give what open pairs are worth, with so many hands."""
            if hands == rules.hands or not open_pairs:
                return open_pairs * unsplit
            found = 2 * other
            for new in range(3):  # pairs among the two hands of this split
                ways = comb(2, new) * pairs**new * (1 - pairs) ** (2 - new)
                found += ways * of_open(hands + 1, open_pairs - 1 + new)
            return found

        return of_open(1, 1)

    def _stand_value(self, total: int) -> Fraction:
        return sum(
            (p * sign(total, final) for final, p in zip(FINALS, self._finals, strict=True)),
            Fraction(0),
        )

    def _hit_value(self, total: int, soft: bool) -> Fraction:  # noqa: FBT001 - a hand's value
        return self._after_card(total, soft, stands=False)

    def _after_card(self, total: int, soft: bool, *, stands: bool) -> Fraction:  # noqa: FBT001 - a hand's value
        """Give the value of a hand that gets a card, and then stands or goes on at its best."""
        found = Fraction(0)
        for value, copies in COPIES.items():
            then, is_soft = AFTER[soft][total][value]
            if then > BEST_TOTAL:
                worth = self._lost
            elif stands or then == BEST_TOTAL:
                worth = self._stand(then)
            else:
                worth = max(self._stand(then), self._hit(then, is_soft))
            found += Fraction(copies, RANKS) * worth
        return found
