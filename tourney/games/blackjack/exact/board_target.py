"""The value of best play that a board shows as its benchmark.

It is the mean result per round from a full shoe of a player that always wagers the minimum, never
runs out of chips, and plays best by all cards of its hand. If every round has a full or an
infinite shoe, no player that wagers the minimum can win more in the long run, except by using the
other hands of a split. Larger wagers can win more, if the game favours the player. If a shoe is
used for several rounds, the value of best play is unknown: card counters may win more, and a cut
card makes the result slightly worse.
"""

from dataclasses import replace
from functools import cache

from tourney.errors import RulesError
from tourney.games.blackjack.exact.finite.information import Information
from tourney.games.blackjack.exact.finite.solution import solve_finite
from tourney.games.blackjack.exact.infinite_solution import solve
from tourney.games.blackjack.rules import PRESETS, BlackjackRules

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
    known = _known().get(_full(rules), {})
    is_exact = rules.payout == "exact" or minimum % TENS == 0
    return known.get(TENS if is_exact else minimum)


def _full(rules: BlackjackRules) -> BlackjackRules:
    return replace(rules, reshuffle="every-round", reshuffle_percent=0)


@cache
def _known() -> dict[BlackjackRules, dict[int, float]]:
    """Return values by minimum, by rules with a shuffle before every round."""
    found: dict[BlackjackRules, dict[int, float]] = {}
    for (preset, decks, minimum), value in VALUES.items():
        rules = replace(PRESETS[preset], decks=decks, shuffle="uniform", reshuffle="every-round")
        found.setdefault(_full(rules), {})[minimum] = value
    return found
