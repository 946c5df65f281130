"""Working out values of blackjack, as the platform asks for it."""

from collections.abc import Iterator, Sequence

from tourney.errors import PluginError, TourneyError
from tourney.game.players import BasePlayer
from tourney.game.solver import Solver
from tourney.games.blackjack.exact.deviations import HIGH_LOW, Deviation, deviations
from tourney.games.blackjack.exact.solving import Solution, solve
from tourney.games.blackjack.exact.value import ExactValue
from tourney.games.blackjack.exact.working import exact_value
from tourney.games.blackjack.players import Chart, ChartPlayer, Player
from tourney.games.blackjack.players.grid import cell_text
from tourney.games.blackjack.rules import BlackjackRules


class BlackjackSolver(Solver):
    """Works out values by some rules."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    def value(self, kind: type[BasePlayer], name: str, minimum: int) -> ExactValue:
        """Follow all cards that can come."""
        player = kind()
        if not isinstance(player, Player):
            raise PluginError(f"{name}: expected a strategy of blackjack, got one of another game")
        return exact_value(self._rules, player, name, minimum=minimum)

    def best(self, minimum: int, *, surrender: bool = True) -> Solution:
        """Find the best chart."""
        return solve(self._rules, surrender=surrender, minimum=minimum)

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

    def compare(self, best: Solution, written: Chart, minimum: int) -> Iterator[str]:
        """Compare cell by cell."""
        differences = list(best.chart.differences(written))
        mean = exact_value(self._rules, written, written.source, minimum=minimum).mean
        lost = float(best.value.mean - mean)
        cells = "1 other cell" if len(differences) == 1 else f"{len(differences)} other cells"
        less = f"{cells}, {lost:.15f} less" if differences else "the same in every cell"
        yield f"{written.source}: {less}"
        for row, column, best_cell, cell in differences:
            yield f"{row} against {column}: {cell_text(cell)}, best is {cell_text(best_cell)}"
