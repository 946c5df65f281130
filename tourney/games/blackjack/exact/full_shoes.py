"""What best play wins a round from a full shoe, for rules that many play: worked out before.

To work one out takes five seconds, which no board shall wait for. A test works all of them out
again; `benchmarks/full_shoes.py` writes them.
"""

from dataclasses import replace
from functools import cache

from tourney.games.blackjack.rules import PRESETS, BlackjackRules

TENS = 10
"""A minimum whose multiples all have one value; of others it is known for that one alone."""

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
"""In minimums, by preset, decks and minimum; with uniform shuffles."""


def value_from_full_shoe(rules: BlackjackRules, minimum: int) -> float | None:
    """Give what best play by all cards of a hand wins a round from a full shoe, in minimums.

    Args:
        rules: The game; how deep it deals its shoes does not matter.
        minimum: The wager in chips. Where chips are paid in parts, any has the same value; else
            only multiples of `TENS` are known, and what VALUES lists.
    Returns: None for rules that nobody worked it out for.
    """
    known = _known().get(_full(rules), {})
    is_exact = rules.payout == "exact" or minimum % TENS == 0
    return known.get(TENS if is_exact else minimum)


def _full(rules: BlackjackRules) -> BlackjackRules:
    return replace(rules, reshuffle="every-round", reshuffle_percent=0)


@cache
def _known() -> dict[BlackjackRules, dict[int, float]]:
    """Give values by minimum, by rules that shuffle for every round."""
    found: dict[BlackjackRules, dict[int, float]] = {}
    for (preset, decks, minimum), value in VALUES.items():
        rules = replace(PRESETS[preset], decks=decks, shuffle="uniform", reshuffle="every-round")
        found.setdefault(_full(rules), {})[minimum] = value
    return found
