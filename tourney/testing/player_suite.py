"""The suite for players of any game whose table has a flow; inherit it and name the competitor.

It plays by all installed rules of the game. A game may provide a more specific suite.
"""

from collections.abc import Sequence

from tourney.game.conformance import TurnConformance
from tourney.game.players import BasePlayer, contract_of
from tourney.game.rules import Rules
from tourney.plugins.loading import load_plugins


class GameConformance(TurnConformance):
    """Tests of a game's contract; subclass it with a competitor."""

    @property
    def contract(self) -> type:  # type: ignore[override]  # it follows from the competitor
        """The contract, a base class of the competitor."""
        return contract_of(self.competitor) or BasePlayer

    @property
    def tables(self) -> Sequence[tuple[Rules, int]]:  # type: ignore[override]  # as above
        """Rules to play 200 rounds by, with numbers of seats: all installed rules of the game."""
        presets = [each.rules for each in load_plugins().games.values()]
        found = [rules for rules in presets if rules.game.contract() is self.contract]
        name = self.competitor.__name__
        assert found, f"{name} is not a player of an installed game"
        own = found[0].game.conformance()
        assert issubclass(own, TurnConformance), (
            f"{name}: GameConformance does not cover {found[0].game}, because it asks only at "
            f"turns; inherit {own.__name__} or another suite of that game"
        )
        return [(rules, rules.seats.start) for rules in found]
