"""The conformance suite for players of Straights."""

from collections.abc import Sequence
from typing import ClassVar

from tourney.game.conformance import TurnConformance
from tourney.game.rules import Rules
from tourney.games.straights.player import StraightsPlayer
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules


class StraightsPlayerConformance(TurnConformance):
    """Tests of the contract of `tourney.StraightsPlayer`; subclass it."""

    contract: ClassVar[type] = StraightsPlayer
    """The base class that players must have."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = (
        (StraightsRules(), SEATS),
        (StraightsRules(limit=80), SEATS),
    )
    """Rules and numbers of seats of the test rounds."""

    rounds: ClassVar[int] = 40
    """Most rounds of each rules; a round has 52 turns."""
