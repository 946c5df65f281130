"""The suite of players of Straights."""

from collections.abc import Sequence
from typing import ClassVar

from tourney.game.conformance import TurnConformance
from tourney.game.rules import Rules
from tourney.games.straights.player import StraightsPlayer
from tourney.games.straights.records import SEATS
from tourney.games.straights.rules import StraightsRules


class StraightsPlayerConformance(TurnConformance):
    """What the contract of `tourney.StraightsPlayer` asks, as tests; subclass it."""

    contract: ClassVar[type] = StraightsPlayer
    """What the class is a subclass of."""

    tables: ClassVar[Sequence[tuple[Rules, int]]] = (
        (StraightsRules(), SEATS),
        (StraightsRules(limit=80), SEATS),
    )
    """Rules to play 200 rounds by, and numbers of seats."""

    rounds: ClassVar[int] = 40
    """At most so many of each rules: there are 52 turns in each."""
