"""What the best play there is wins, for a board to aim at.

It is what somebody wins a round who always wagers the minimum, never runs out of chips and plays
the best chart. It is told for infinite shoes alone: the best chart for a shoe that ends is worked
out for rounds from a full one, and nobody plays only those. Nobody who wagers the minimum can do
better in the long run; who wagers more may, where the game favours the player.
"""

from functools import cache

from tourney.errors import RulesError
from tourney.games.blackjack.exact.solving import solve
from tourney.games.blackjack.rules import BlackjackRules


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
