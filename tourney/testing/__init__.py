"""Conformance suites that authors of plugins inherit, and mutants that grade test files.

Open `player_suite` first: it tries a player of any game; `games` checks a game, and `grading` runs
tests on the buggy programs in `mutants`. This room plays no tournaments.

    from tourney.testing import PlayerConformance

    class TestBold(PlayerConformance):
        competitor = Bold
        options = {"courage": 3}
        traits = {"bets_flat": False}

Run a suite with pytest, or with `run_tests` if pytest is not installed. Names are imported on
demand, because grading needs no table to play at.
"""

from typing import TYPE_CHECKING

from tourney.lazy import exports

if TYPE_CHECKING:
    from tourney.games.blackjack.testing.conformance import (
        TRAITS as TRAITS,
        ActPlayerConformance as ActPlayerConformance,
        PlayerConformance as PlayerConformance,
    )
    from tourney.games.straights.authoring import (
        StraightsPlayerConformance as StraightsPlayerConformance,
    )
    from tourney.testing.player_suite import GameConformance as GameConformance
    from tourney.testing.runner import run_tests as run_tests
else:
    __getattr__ = exports(__name__)
