"""What the best play there is wins, for a board to aim at.

It is what somebody wins a round who always wagers the minimum, never runs out of chips and plays
the best chart. It is known where the best chart is: with an infinite shoe. Nobody who wagers the
minimum can do better in the long run; who wagers more may, where the game favours the player.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from tourney.errors import RulesError
from tourney.game.rules import Rules
from tourney.games.blackjack.exact.solving import solve
from tourney.games.blackjack.rules import BlackjackRules
from tourney.standings import BANKROLL, Standing


def with_best_play(rows: Sequence[Standing], rules: Rules, minimum: int) -> tuple[Standing, ...]:
    """Add to rows what best play wins a round, where bankrolls count and it is known.

    Args:
        rows: Of one board.
        rules: Of its game.
        minimum: The least wager in chips.
    """
    if not rows or rows[0].measure is not BANKROLL or not isinstance(rules, BlackjackRules):
        return tuple(rows)
    best = best_play(rules, minimum)
    return tuple(rows) if best is None else tuple(replace(row, best_play=best) for row in rows)


@cache
def best_play(rules: BlackjackRules, minimum: int) -> float | None:
    """Give what best play wins a round at the minimum, in chips; None if nobody knows.

    Takes a second the first time.

    Args:
        rules: The game.
        minimum: The wager in chips; where payouts are rounded, it matters.
    """
    try:
        return float(solve(rules, minimum=minimum).value.mean * minimum)
    except RulesError:  # a shoe that ends, or settings that are in the way
        return None
