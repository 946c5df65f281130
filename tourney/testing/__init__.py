"""Conformance suites that authors of plugins inherit.

    from tourney.testing import PlayerConformance

    class TestBold(PlayerConformance):
        competitor = Bold
        options = {"courage": 3}
        traits = {"bets_flat": False}

Run by pytest or, where nobody has installed that, by `run_tests`; this package itself needs nothing
but the platform.
Its names are imported when they are asked for: who grades tests needs no table to play at.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.games.blackjack.testing.act_suite import ActPlayerConformance
    from tourney.games.blackjack.testing.conformance import PlayerConformance
    from tourney.games.blackjack.testing.traits import TRAITS
    from tourney.games.straights.conformance import StraightsPlayerConformance
    from tourney.testing.player_suite import GameConformance
    from tourney.testing.test_runner import run_tests
else:
    __getattr__ = exports(__name__)
