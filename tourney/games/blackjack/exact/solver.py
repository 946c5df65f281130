"""Working out values of blackjack, as the platform asks for it."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from tourney.errors import PluginError, TourneyError
from tourney.game.players import BasePlayer
from tourney.game.solver import TOTALS, Solver
from tourney.games.blackjack.exact.deviations import HIGH_LOW, Deviation, deviations
from tourney.games.blackjack.exact.evaluation import exact_value
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import (
    FiniteSolution,
    FiniteValue,
    chart_value,
    solve_finite,
)
from tourney.games.blackjack.exact.infinite_solution import Solution, solve
from tourney.games.blackjack.exact.value import ExactValue
from tourney.games.blackjack.players import Chart, ChartPlayer, Player
from tourney.games.blackjack.players.grid import cell_text
from tourney.games.blackjack.rules import BlackjackRules

SURE_DIGITS = 12
"""Of what is added up in floating point."""


class BlackjackSolver(Solver):
    """Works out values by some rules."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    def value(self, kind: type[BasePlayer], name: str, minimum: int) -> ExactValue | FiniteValue:
        """Follow all cards that can come."""
        player = kind()
        if not isinstance(player, Player):
            raise PluginError(f"{name}: expected a strategy of blackjack, got one of another game")
        return exact_value(self._rules, player, name, minimum=minimum)

    def best(
        self, minimum: int, *, surrender: bool = True, by: str = TOTALS
    ) -> Solution | FiniteSolution:
        """Find the best chart; with an infinite shoe, totals say all about a hand."""
        if self._rules.decks == "infinite":
            return solve(self._rules, surrender=surrender, minimum=minimum)
        rules = self._rules if surrender else replace(self._rules, surrender="never")
        return solve_finite(rules, attention=Information(by), minimum=minimum)

    def deviations(self, tags: Sequence[int] = ()) -> Sequence[Deviation]:
        """Look at every hand against every upcard at each true count."""
        return deviations(self._rules, tags or HIGH_LOW)

    def written(self, kind: type[BasePlayer], name: str) -> Chart:
        """Give the chart of a class."""
        if issubclass(kind, ChartPlayer):
            return kind.chart
        raise TourneyError(
            f"{name}: expected a chart, got a strategy that plays without one; name a chart's file"
        )

    def compare(
        self, best: Solution | FiniteSolution, written: Chart, minimum: int
    ) -> Iterator[str]:
        """Compare cell by cell."""
        differences = list(best.chart.differences(written))
        lost = float(best.value.mean - self._mean(written, minimum))
        cells = "1 other cell" if len(differences) == 1 else f"{len(differences)} other cells"
        digits = 15 if isinstance(best, Solution) else SURE_DIGITS
        less = f"{cells}, {lost:.{digits}f} less" if differences else "the same in every cell"
        yield f"{written.source}: {less}"
        for row, column, best_cell, cell in differences:
            yield f"{row} against {column}: {cell_text(cell)}, best is {cell_text(best_cell)}"

    def _mean(self, chart: Chart, minimum: int) -> Fraction | float:
        if self._rules.decks == "infinite":
            return exact_value(self._rules, chart, chart.source, minimum=minimum).mean
        return chart_value(self._rules, chart, minimum=minimum)
