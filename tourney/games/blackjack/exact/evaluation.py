"""The exact solver of blackjack: the value of a strategy, the best play, and a board's benchmark.

The benchmark is the mean result per round from a full shoe of a player that always wagers the
minimum, never runs out of chips, and plays best by all cards of its hand. If every round has a full
or an infinite shoe, no player that wagers the minimum can win more in the long run, except by using
the other hands of a split. Larger wagers can win more, if the game favours the player. If a shoe is
used for several rounds, the value of best play is unknown: card counters may win more, and a cut
card makes the result slightly worse.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

from tourney.errors import PluginError, RulesError, TourneyError
from tourney.game.players import BasePlayer
from tourney.game.solver import TOTALS, Solver
from tourney.games.blackjack.declaration import cell_text
from tourney.games.blackjack.exact.deviations import HIGH_LOW, Deviation, deviations
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import (
    FiniteValue,
    chart_value,
    check_finite,
    finite_value,
    solve_finite,
)
from tourney.games.blackjack.exact.fresh import ExactValue, fresh_value
from tourney.games.blackjack.exact.infinite import Solution, infinite_value, solve
from tourney.games.blackjack.exact.policy import ChartPolicy, PlayerPolicy, Policy
from tourney.games.blackjack.players import ActPlayer, Chart, ChartPlayer, Player
from tourney.games.blackjack.rules import PRESETS, BlackjackRules

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
    ) -> Solution[ExactValue] | Solution[FiniteValue]:
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

    def compare(self, best: Solution[Any], written: Chart, minimum: int) -> Iterator[str]:
        """Describe the differences, cell by cell."""
        differences = list(best.chart.differences(written))
        lost = float(best.value.mean - self._mean(written, minimum))
        cells = "1 other cell" if len(differences) == 1 else f"{len(differences)} other cells"
        digits = 15 if isinstance(best.value, ExactValue) else SURE_DIGITS
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


TENS = 10
"""All multiples of this minimum have the same value per minimum."""

VALUES = {
    ("ve280", 1, 5): -0.017688432486582067,
    ("ve280", 1, 10): -0.012861886483565472,
    ("ve280", 2, 5): -0.01991239332371632,
    ("ve280", 2, 10): -0.015132706990631933,
    ("ve280", 4, 5): -0.020950515606196006,
    ("ve280", 4, 10): -0.016193919545252112,
    ("ve280", 6, 5): -0.02128744002794583,
    ("ve280", 6, 10): -0.016538491227550065,
    ("ve280", 8, 5): -0.021453288951043873,
    ("ve280", 8, 10): -0.016708154567355263,
    ("csc24400", 1, 10): -0.04252976061666222,
    ("csc24400", 2, 10): -0.04472601423371462,
    ("csc24400", 4, 10): -0.04575628628963761,
    ("csc24400", 6, 10): -0.046096730569857566,
    ("csc24400", 8, 10): -0.04626597015820268,
    ("single-deck", 1, 10): -0.0015213914409938425,
    ("single-deck", 2, 10): -0.005254195578358208,
    ("single-deck", 4, 10): -0.007019319179568086,
    ("single-deck", 6, 10): -0.007598485015320625,
    ("single-deck", 8, 10): -0.007888116600994893,
    ("double-deck", 1, 10): -8.734728844915843e-05,
    ("double-deck", 2, 10): -0.0038038473126315725,
    ("double-deck", 4, 10): -0.005571930313842059,
    ("double-deck", 6, 10): -0.006153891229248365,
    ("double-deck", 8, 10): -0.00644553851919516,
    ("six-decks-h17", 1, 10): 0.00029275259521458624,
    ("six-decks-h17", 2, 10): -0.003142228995345258,
    ("six-decks-h17", 4, 10): -0.0047510630720718275,
    ("six-decks-h17", 6, 10): -0.005271915469456809,
    ("six-decks-h17", 8, 10): -0.00553001881204011,
    ("six-decks-s17", 1, 10): 0.0020428474647083694,
    ("six-decks-s17", 2, 10): -0.0012768699301947302,
    ("six-decks-s17", 4, 10): -0.0028072396368595057,
    ("six-decks-s17", 6, 10): -0.0033026803733750207,
    ("six-decks-s17", 8, 10): -0.003547628369037093,
    ("european", 1, 10): 0.0007450428540384454,
    ("european", 2, 10): -0.0028605661304820854,
    ("european", 4, 10): -0.004573939659794798,
    ("european", 6, 10): -0.0051405645529021375,
    ("european", 8, 10): -0.005423898070464915,
}
"""Values with uniform shuffles, in minimums, by preset, decks and minimum.

Computing one takes five seconds, too long for a board. `benchmarks/full_shoes.py` prints the table,
and a test computes it again.
"""


@cache
def best_play(rules: BlackjackRules, minimum: int) -> float | None:
    """Return the mean result of best play per round from a full shoe at the minimum, in chips.

    The first call takes a second if every round has a full shoe, or three to four seconds if a
    finite shoe has splits. For other shoes, the value is known for common rules only.

    Args:
        rules: The game.
        minimum: The wager in chips; it matters if payouts are rounded.
    Returns: `None` if the value is unknown.
    """
    if not rules.deals_fresh:
        value = value_from_full_shoe(rules, minimum)
        return None if value is None else value * minimum
    try:
        if rules.decks == "infinite":
            return float(solve(rules, minimum=minimum).value.mean * minimum)
        return best_mean(rules, minimum) * minimum
    except RulesError:  # unsupported settings
        return None


def best_mean(rules: BlackjackRules, minimum: int) -> float:
    """Compute the mean result of best play by all cards from a full shoe, in minimums.

    Raises: RulesError, with all unsupported settings.
    """
    return solve_finite(rules, attention=Information.CARDS, minimum=minimum).value.mean


def value_from_full_shoe(rules: BlackjackRules, minimum: int) -> float | None:
    """Look up the mean result of best play by all cards from a full shoe, in minimums.

    Args:
        rules: The game; the penetration of its shoes does not matter.
        minimum: The wager in chips. If payouts are rounded, only multiples of `TENS` and the
            minimums in VALUES are known.
    Returns: `None` if the rules are not in the table.
    """
    is_exact = rules.payout == "exact" or minimum % TENS == 0
    return _known().get((_full(rules), TENS if is_exact else minimum))


def _full(rules: BlackjackRules, **changes: Any) -> BlackjackRules:
    return replace(rules, reshuffle="every-round", reshuffle_percent=0, **changes)


@cache
def _known() -> dict[tuple[BlackjackRules, int], float]:
    """Return VALUES by rules with a shuffle before every round, and by minimum."""
    return {
        (_full(PRESETS[preset], decks=decks, shuffle="uniform"), minimum): value
        for (preset, decks, minimum), value in VALUES.items()
    }
