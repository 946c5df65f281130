"""What the best play there is wins, for a board to aim at.

It is what somebody wins a round who always wagers the minimum, never runs out of chips and plays
best by all cards of the hand. It is told where every round is from a full shoe, as an infinite one
always is: from one that is played on nobody knows what the best wins, since it depends on what the
rounds before have left. Nobody who wagers the minimum can do better in the long run, but for what
the other hands of a split tell; who wagers more may, where the game favours the player.
"""

from functools import cache

from tourney.errors import RulesError
from tourney.games.blackjack.exact.finite.attention import Attention
from tourney.games.blackjack.exact.finite.solving import solve_finite
from tourney.games.blackjack.exact.solving import solve
from tourney.games.blackjack.rules import BlackjackRules


@cache
def best_play(rules: BlackjackRules, minimum: int) -> float | None:
    """Give what best play wins a round at the minimum, in chips; None if nobody knows.

    Takes a second the first time, and with splits from a shoe that ends three or four.

    Args:
        rules: The game.
        minimum: The wager in chips; where payouts are rounded, it matters.
    """
    if not rules.deals_fresh:
        return None
    try:
        if rules.decks == "infinite":
            return float(solve(rules, minimum=minimum).value.mean * minimum)
        return solve_finite(rules, attention=Attention.CARDS, minimum=minimum).value.mean * minimum
    except RulesError:  # settings that are in the way
        return None
