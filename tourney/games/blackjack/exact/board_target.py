"""What the best play there is wins, for a board to aim at.

It is what somebody wins a round from a full shoe who always wagers the minimum, never runs out of
chips and plays best by all cards of the hand. Where every round is from a full shoe, as one from an
infinite shoe always is, nobody who wagers the minimum can do better in the long run, but for what
the other hands of a split tell; who wagers more may, where the game favours the player. From a shoe
that is played on nobody knows what the best wins, since it depends on what the rounds before have
left: who counts that may win more, and a cut card takes a little of it away.
"""

from functools import cache

from tourney.errors import RulesError
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.exact.full_shoes import value_from_full_shoe
from tourney.games.blackjack.exact.infinite_solution import solve
from tourney.games.blackjack.rules import BlackjackRules


@cache
def best_play(rules: BlackjackRules, minimum: int) -> float | None:
    """Give what best play wins a round from a full shoe at the minimum, in chips.

    Takes a second the first time where every round is from a full shoe, and with splits from one
    that ends three or four; of a shoe that is played on it is known for common rules alone.

    Args:
        rules: The game.
        minimum: The wager in chips; where payouts are rounded, it matters.
    Returns: None if nobody knows.
    """
    if not rules.deals_fresh:
        value = value_from_full_shoe(rules, minimum)
        return None if value is None else value * minimum
    try:
        if rules.decks == "infinite":
            return float(solve(rules, minimum=minimum).value.mean * minimum)
        return best_mean(rules, minimum) * minimum
    except RulesError:  # settings that are in the way
        return None


def best_mean(rules: BlackjackRules, minimum: int) -> float:
    """Work out what best play by all cards wins a round from a full shoe, in minimums.

    Raises: RulesError, with settings that are in the way.
    """
    return solve_finite(rules, attention=Information.CARDS, minimum=minimum).value.mean
