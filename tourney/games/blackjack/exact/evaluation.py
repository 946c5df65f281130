"""The exact solver of blackjack: the value of a strategy, and the best play."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from tourney.errors import PluginError, RulesError, TourneyError
from tourney.game.players import BasePlayer
from tourney.game.solver import TOTALS, Solver
from tourney.games.blackjack.exact.deviations import HIGH_LOW, Deviation, deviations
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import (
    FiniteSolution,
    FiniteValue,
    chart_value,
    check_finite,
    finite_value,
    solve_finite,
)
from tourney.games.blackjack.exact.fresh import fresh_value
from tourney.games.blackjack.exact.infinite import infinite_value
from tourney.games.blackjack.exact.infinite_solution import Solution, solve
from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy, Policy
from tourney.games.blackjack.exact.value import ExactValue
from tourney.games.blackjack.players import ActPlayer, Chart, ChartPlayer, Player
from tourney.games.blackjack.players.grid import cell_text
from tourney.games.blackjack.rules import BlackjackRules

SURE_DIGITS = 12
"""Reliable digits of sums in floating point."""


class BlackjackSolver(Solver):
    """Computes values and best play under the given rules."""

    def __init__(self, rules: BlackjackRules) -> None:
        self._rules = rules

    def value(self, kind: type[BasePlayer], name: str, minimum: int) -> ExactValue | FiniteValue:
        """Compute the exact value of a class of players."""
        player = kind()
        if not isinstance(player, Player):
            raise PluginError(f"{name} is not a strategy of blackjack")
        return exact_value(self._rules, player, name, minimum=minimum)

    def best(
        self, minimum: int, *, surrender: bool = True, by: str = TOTALS
    ) -> Solution | FiniteSolution:
        """Find the best chart; with an infinite shoe, only totals matter, whatever `by` is."""
        if self._rules.decks == "infinite":
            return solve(self._rules, surrender=surrender, minimum=minimum)
        rules = self._rules if surrender else replace(self._rules, surrender="never")
        return solve_finite(rules, attention=Information(by), minimum=minimum)

    def deviations(self, tags: Sequence[int] = ()) -> Sequence[Deviation]:
        """Find the moves that change with a count."""
        return deviations(self._rules, tags or HIGH_LOW)

    def written(self, kind: type[BasePlayer], name: str) -> Chart:
        """Return the chart of a class."""
        if issubclass(kind, ChartPlayer):
            return kind.chart
        raise TourneyError(f"{name} plays without a chart; name a file with a chart")

    def compare(
        self, best: Solution | FiniteSolution, written: Chart, minimum: int
    ) -> Iterator[str]:
        """Describe the differences, cell by cell."""
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


def exact_value(
    rules: BlackjackRules, competitor: Chart | Player, name: str, *, minimum: int = 1
) -> ExactValue | FiniteValue:
    """Compute the value of a competitor per round, alone and with an unlimited bankroll.

    Args:
        rules: The game; a finite shoe is full in every round.
        competitor: A chart, or a player that wagers the minimum and watches no cards.
        name: Its name in messages.
        minimum: The least wager in chips; it matters if payouts are rounded.
    Raises: RulesError, if there is no exact value; CompetitorFailedError, if the player breaks its
        contract.

    >>> from tourney.games.blackjack.rules import EASYBJ
    >>> from tourney.games.blackjack.action import Action
    >>> from tourney.games.blackjack.players.chart import always
    >>> float(exact_value(EASYBJ, always(Action.STAND), "stands").mean)
    -0.15784767628991145
    """
    if rules.decks != "infinite":
        check_finite(rules, "an exact value")
    policy = policy_of(competitor, name)
    if isinstance(policy, PlayerPolicy):
        policy.check_wagers(rules, minimum)
    if rules.decks == "infinite":
        return infinite_value(rules, policy, minimum)
    if rules.is_hit_or_stand and rules.deals_fresh:
        return fresh_value(rules, policy, minimum)
    if isinstance(policy, PlayerPolicy):
        policy.check_plain(rules)
    elif isinstance(policy, ChartPolicy) and (problem := policy.chart.misfit(rules)):
        raise RulesError(f"{policy.chart.source}: {problem}")
    return finite_value(rules, policy, minimum=minimum)


def policy_of(competitor: Chart | Player, name: str) -> Policy:
    """Convert a competitor to a policy.

    Raises: RulesError, if it watches cards.
    """
    if isinstance(competitor, Chart):
        return ChartPolicy(competitor)
    kind = type(competitor)
    if isinstance(competitor, ChartPlayer) and _only_reads(kind):
        return ChartPolicy(competitor.chart)
    return PlayerPolicy(competitor, name)


def _only_reads(kind: type[Player]) -> bool:
    """Return whether a class of chart players makes all decisions by its chart."""
    whole = {"act": ChartPlayer.act, "draw": ActPlayer.draw, "bet": ActPlayer.bet}
    watching = {"expose": Player.expose, "shuffled": Player.shuffled}
    return all(getattr(kind, name) is method for name, method in (whole | watching).items())
