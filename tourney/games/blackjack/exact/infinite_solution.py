"""The best chart for a game with an infinite shoe.

A chart has one cell for each total or pair and each column. A cell lists moves by preference, as
the legal moves depend on the history of the hand. With an infinite shoe, the best legal move
depends on the total only.

For pairs, one cell is also enough, although a split is worth less if fewer hands can be added. The
last split that the limit allows makes two hands from one, and each earlier split only adds the
choice to split again. If the last split is good, so are all earlier ones; if not, there is no
choice to add. So a pair is split always or never.

Insurance is never taken: 4 of 13 ranks are tens, and insurance is fair at one of three.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from math import comb
from typing import NamedTuple

from tourney.errors import RulesError
from tourney.game.cards.card import RANKS
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.declaration import TOTALS
from tourney.games.blackjack.exact.dynamic_programme import BestPlay
from tourney.games.blackjack.exact.infinite import (
    ENDS,
    Finals,
    infinite_value,
    make_dealer,
    sign_against,
)
from tourney.games.blackjack.exact.policy import ChartPolicy
from tourney.games.blackjack.exact.value import ExactValue
from tourney.games.blackjack.players import Chart, write_chart
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.players.grid import HARD, SOFT, Cell
from tourney.games.blackjack.position import (
    PAIR,
    RANK_OF,
    RANK_VALUES,
    SPLIT_ACES,
    SURRENDERED,
    Position,
    acted,
    after,
)
from tourney.games.blackjack.rules import BlackjackRules

PREFERRED = (Action.STAND, Action.HIT, Action.DOUBLE, Action.SPLIT, Action.SURRENDER)
"""Preference among moves of equal value."""

Values = dict[Action, Fraction]


class Solution(NamedTuple):
    """The best chart and its value."""

    chart: Chart
    value: ExactValue

    @property
    def text_value(self) -> ExactValue:
        """The value of the chart, the same as `value`."""
        return self.value

    @property
    def text(self) -> str:
        """The chart in the format of the course document."""
        return write_chart(self.chart)

    @property
    def notes(self) -> tuple[str, ...]:
        """Empty, as the chart is complete."""
        return ()


def solve(rules: BlackjackRules, *, surrender: bool = True, minimum: int = 1) -> Solution:
    """Find the best chart for a game.

    Args:
        rules: The game, with an infinite shoe.
        surrender: Whether the chart may surrender where the game allows it.
        minimum: The wager in chips.
    Returns: The chart, and its exact value per round in minimums.
    Raises: RulesError, if the shoe is not infinite.
    """
    if rules.decks != "infinite":
        raise RulesError(
            f"decks: this best chart needs an infinite shoe, not {rules.decks}; add decks=infinite"
        )
    rules = rules if surrender else replace(rules, surrender="never")
    shows_both = rules.dealer_shows == "both"
    any_chart = always(Action.STAND, shows_both=shows_both)
    finals = make_dealer(rules, ChartPolicy(any_chart)).finals
    numbers = range(len(any_chart.columns))
    columns = [tuple(_Column(rules, finals[number]).cells()) for number in numbers]
    chart = Chart(tuple(zip(*columns, strict=True)), shows_both, "solved")
    return Solution(chart, infinite_value(rules, ChartPolicy(chart), minimum))


class _Column(BestPlay[Fraction]):
    """The best play against the visible cards of the dealer.

    All values are in wagers, times the probability of these cards.
    """

    def __init__(self, rules: BlackjackRules, finals: Finals) -> None:
        super().__init__(rules)
        # A natural that ends the round leaves nothing to decide.
        ends = ENDS[:-1] if rules.dealer_natural == "wins-at-once" else ENDS
        self._finals = dict(zip(ends, finals, strict=False))

    def cells(self) -> Iterator[Cell]:
        """Yield the cells in the order of a chart's rows."""
        for total in HARD:
            yield self._cell(self._values(Position(total, PAIR)))
        for rank in RANK_OF:
            pair = after(after(Position(), rank), rank)
            values = self._values(pair)
            if Action.SPLIT in values:
                values[Action.SPLIT] = self._split_value(pair)
            # Aces that cannot be split have no row of a total to fall back on.
            has_no_total = pair.hand >= TOTALS and self.rules.split_aces == "played"
            yield self._cell(values, may_end_with_split=not has_no_total)
        for total in SOFT:
            yield self._cell(self._values(Position(TOTALS + total, PAIR)))

    def settled(self, position: Position) -> Fraction:
        if position.status == SURRENDERED:
            return -sum(self._finals.values(), Fraction(0)) / 2
        signs = {final: sign_against(self.rules, position.hand, final) for final in self._finals}
        return sum((p * signs[final] for final, p in self._finals.items()), Fraction(0))

    def best(self, moves: Mapping[Action, Fraction]) -> Fraction:
        return max(moves.values())

    def _values(self, position: Position) -> Values:
        """Return the value of each move; a hand without a choice stands."""
        stand = self.worth(acted(position, Action.STAND))
        return {Action.STAND: stand} | self.moves(position)

    def _cell(self, values: Values, *, may_end_with_split: bool = True) -> Cell:
        """Sort moves by value, up to the first that is always legal."""
        order = sorted(values, key=lambda action: (-values[action], PREFERRED.index(action)))
        ends = {Action.STAND, Action.HIT}
        if may_end_with_split:
            ends.add(Action.SPLIT)  # if it is illegal, the row of the total applies
        last = next(place for place, action in enumerate(order) if action in ends)
        cell = tuple(order[: last + 1])
        if Action.DOUBLE in cell and Action.SPLIT in cell[cell.index(Action.DOUBLE) :]:
            # A pair that is doubled first is never split: omit the split.
            return self._cell({each: values[each] for each in values if each is not Action.SPLIT})
        return cell

    def _split_value(self, pair: Position) -> Fraction:
        """Return the value of a pair that is split whenever this is legal."""
        rules, single = self.rules, acted(pair, Action.SPLIT)
        one_card = single.origin == SPLIT_ACES and rules.split_aces == "one-card"
        no_more = one_card or rules.hands == 2  # noqa: PLR2004 - this split is the last
        alike = 1 if rules.split == "by-rank" else RANK_VALUES.count(RANK_VALUES[pair.rank])
        pairs = Fraction(0 if no_more else alike, RANKS)
        unsplit = self.worth(after(single, pair.rank))
        other = self.worth(single) - pairs * unsplit  # of a hand that is not such a pair

        @cache
        def of_open(hands: int, open_pairs: int) -> Fraction:
            """Return the value of open pairs, by the number of hands."""
            if hands == rules.hands or not open_pairs:
                return open_pairs * unsplit
            found = 2 * other
            for new in range(3):  # pairs among the two hands of this split
                ways = comb(2, new) * pairs**new * (1 - pairs) ** (2 - new)
                found += ways * of_open(hands + 1, open_pairs - 1 + new)
            return found

        return of_open(1, 1)
