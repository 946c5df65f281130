"""Conformance suites that authors of plugins inherit.

    from tourney.testing import PlayerConformance

    class TestBold(PlayerConformance):
        competitor = Bold
        options = {"courage": 3}
        traits = {"bets_flat": False}

Run by pytest, which authors install; this package itself needs nothing but the platform.
"""

from tourney.testing.acting import ActPlayerConformance
from tourney.testing.conformance import PlayerConformance
from tourney.testing.straights import StraightsPlayerConformance
from tourney.testing.traits import TRAITS

__all__ = ["TRAITS", "ActPlayerConformance", "PlayerConformance", "StraightsPlayerConformance"]
