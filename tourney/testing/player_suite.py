"""The suite of players of any game whose table has a flow: inherit it and name the competitor.

Plays by all rules of the game that are installed. Leaves out what only one game knows; games may
offer a suite of their own.
"""

from collections.abc import Sequence

from tourney.game.conformance import TurnConformance
from tourney.game.contracts import contract_of
from tourney.game.players import BasePlayer
from tourney.game.rules import Rules
from tourney.plugins.loading import load_plugins


class GameConformance(TurnConformance):
    """What the contract of a game asks, as tests; subclass it with a competitor."""

    @property
    def contract(self) -> type:  # type: ignore[override]  # it follows from the competitor
        """What the class is a subclass of."""
        return contract_of(self.competitor) or BasePlayer

    @property
    def tables(self) -> Sequence[tuple[Rules, int]]:  # type: ignore[override]  # as above
        """Rules to play 200 rounds by, and numbers of seats: all that are installed of the game."""
        presets = [each.rules for each in load_plugins().games.values()]
        found = [rules for rules in presets if rules.game.contract() is self.contract]
        name = self.competitor.__name__
        assert found, f"{name}: expected a player of an installed game"
        own = found[0].game.conformance()
        assert issubclass(own, TurnConformance), (
            f"{name}: expected a suite for players of {found[0].game}, got GameConformance, which "
            f"asks only at turns; inherit {own.__name__} or another one of that game"
        )
        return [(rules, rules.seats.start) for rules in found]
