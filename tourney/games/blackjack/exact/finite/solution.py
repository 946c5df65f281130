"""The best play with finite shoes, by three kinds of information, and the value of a chart.

Every round has a full shoe, with one seat at the table. A pair is split always or never, and hands
of a split are played like first hands with the same key.

Insurance never pays: of 52 n cards, 16 n are tens. Even if a player sees three other cards, the
probability of a dealer's natural is at most 16/49, and insurance is fair at one third.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tourney.errors import RulesError
from tourney.games.blackjack.exact.finite.charts import (
    Best,
    Improver,
    Keys,
    chart_of,
    notes_of,
    plan_of,
)
from tourney.games.blackjack.exact.finite.information import Information, keys_in_all, keys_of
from tourney.games.blackjack.exact.finite.upcard_game import UpcardGame, game_of
from tourney.games.blackjack.exact.fresh import full_shoe
from tourney.games.blackjack.exact.infinite import Solution
from tourney.games.blackjack.exact.policy import ChartPolicy, Policy
from tourney.games.blackjack.players import Chart
from tourney.games.blackjack.position import COPIES, VALUES
from tourney.games.blackjack.rules import BlackjackRules

TEN_RANKS = max(COPIES)


@dataclass(frozen=True, slots=True)
class FiniteValue:
    """The value of a round in floating point, correct to twelve decimals."""

    mean: float
    sd: None = None
    results: None = None


def solve_finite(
    rules: BlackjackRules,
    *,
    attention: Information = Information.TOTALS,
    minimum: int = 1,
    shoe: Sequence[int] | None = None,
    ten_ranks: int = TEN_RANKS,
) -> Solution[FiniteValue]:
    """Find the best play with a full shoe in every round.

    Args:
        rules: The game, with a number of decks.
        attention: The part of a hand on which its moves depend.
        minimum: The wager in chips; it matters if payouts are rounded.
        shoe: Cards of each of VALUES; by default, those of the decks.
        ten_ranks: Number of ranks among the tens of the shoe.
    Raises: RulesError, with all unsupported settings.
    """
    check_finite(rules)
    game = game_of(rules, minimum, np.array(shoe or full_shoe(rules)), ten_ranks)
    columns = [UpcardGame(game, place) for place in range(len(VALUES)) if game.shoe[place]]
    charted = best_plans(columns, Information.TOTALS)
    chart = chart_of(game, {c.upcard: best for c, best in zip(columns, charted, strict=True)})
    bests, notes = charted, tuple[str, ...]()
    if attention is not Information.TOTALS:
        bests = best_plans(columns, attention)
        pairs = zip(columns, charted, bests, strict=True)
        notes = tuple(note for three in pairs for note in notes_of(*three))
    return Solution(chart, _value(columns, bests), _value(columns, charted), notes)


def chart_value(
    rules: BlackjackRules,
    chart: Chart,
    *,
    minimum: int = 1,
    shoe: Sequence[int] | None = None,
    ten_ranks: int = TEN_RANKS,
) -> float:
    """Compute the mean result of a chart with a full shoe in every round, in minimums.

    Args: As for `solve_finite`.
    Raises: RulesError, as there, or if the chart needs both cards of the dealer.
    """
    if problem := chart.misfit(rules):
        raise RulesError(f"{chart.source}: {problem}")
    policy = ChartPolicy(chart)
    return finite_value(rules, policy, minimum=minimum, shoe=shoe, ten_ranks=ten_ranks).mean


def finite_value(
    rules: BlackjackRules,
    policy: Policy,
    *,
    minimum: int = 1,
    shoe: Sequence[int] | None = None,
    ten_ranks: int = TEN_RANKS,
) -> FiniteValue:
    """Compute the mean result of a policy with a full shoe in every round; insurance is declined.

    Args: As for `solve_finite`.
    Raises: RulesError, as there, or if the policy splits a pair once, but not again.
    """
    check_finite(rules)
    game = game_of(rules, minimum, np.array(shoe or full_shoe(rules)), ten_ranks)
    columns = (UpcardGame(game, place) for place in range(len(VALUES)) if game.shoe[place])
    mean = sum(each.chance * each.value(plan_of(policy, each)) for each in columns)
    return FiniteValue(float(mean))


def check_finite(rules: BlackjackRules, what: str = "a best chart") -> None:
    """Check that the solver supports a game.

    Args:
        rules: The rules of the game.
        what: The requested result, for messages.
    Raises: RulesError, with all unsupported settings.
    """
    faults = []
    if rules.shuffle != "uniform":
        faults.append(
            f"shuffle: {what} needs uniform shuffles, not {rules.shuffle}; add shuffle=uniform"
        )
    if rules.dealer_shows != "upcard":
        faults.append(
            f"dealer_shows: {what} with decks: {rules.decks} needs upcard, not "
            f"{rules.dealer_shows}; add dealer_shows=upcard or decks=infinite"
        )
    if faults:
        raise RulesError("\n".join(faults))


def _value(columns: Sequence[UpcardGame], bests: Sequence[Best]) -> FiniteValue:
    means = (each.chance * best.value for each, best in zip(columns, bests, strict=True))
    return FiniteValue(float(sum(means)))


def best_plans(columns: Sequence[UpcardGame], attention: Information) -> list[Best]:
    """Return the best play against each upcard for a player with this information."""
    game = columns[0].game
    split = {place: keys_of(kind, attention) for place, kind in game.split.items()}
    keys = Keys(keys_of(game.first, attention), split, keys_in_all(attention))
    return [Improver(column, keys).best() for column in columns]
