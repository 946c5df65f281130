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

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tourney.testing.acting import ActPlayerConformance
    from tourney.testing.conformance import PlayerConformance
    from tourney.testing.playing import GameConformance
    from tourney.testing.running import run_tests
    from tourney.testing.straights import StraightsPlayerConformance
    from tourney.testing.traits import TRAITS

_HOMES = {
    "TRAITS": "traits",
    "ActPlayerConformance": "acting",
    "GameConformance": "playing",
    "PlayerConformance": "conformance",
    "StraightsPlayerConformance": "straights",
    "run_tests": "running",
}

__all__ = [
    "TRAITS",
    "ActPlayerConformance",
    "GameConformance",
    "PlayerConformance",
    "StraightsPlayerConformance",
    "run_tests",
]


def __getattr__(name: str) -> object:
    """Import a public name from its home."""
    if home := _HOMES.get(name):
        return getattr(import_module(f"tourney.testing.{home}"), name)
    raise AttributeError(f"module 'tourney.testing' has no attribute {name!r}")
