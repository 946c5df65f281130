"""The suite of players of any game whose table has a flow: inherit it and name the competitor.

Asks what rounds at random bring. Leaves out what only one game knows; games may offer a suite of
their own.
"""

from collections.abc import Sequence
from typing import Any

from tourney.entrants import load_plugins
from tourney.game import Turn
from tourney.game.contracts import contract_of
from tourney.game.players import BasePlayer, give_luck
from tourney.game.rules import Rules
from tourney.game.situations import situations
from tourney.testing.base import Conformance


class GameConformance(Conformance[BasePlayer]):
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
        assert found, f"{self.competitor.__name__}: expected a player of an installed game"
        return [(rules, rules.seats.start) for rules in found]

    def tell(self, *, shuffles: bool = False) -> list[object]:
        """Ask a new player at the turns of rounds at random."""
        del shuffles  # there is nothing to tell of them but turns
        return [answer for _, _, answer in self._answers()]

    def test_it_answers_legally(self) -> None:
        """At every turn of rounds at random, in every seat."""
        for rules, turn, answer in self._answers():
            assert rules.game.accept(answer, turn) is not None, (
                f"{turn.call}, {rules.game.seen(turn)}: expected {rules.game.expected(turn)}, "
                f"got {answer!r}"
            )

    def _answers(self) -> list[tuple[Rules, Turn[Any, Any], object]]:
        said = []
        for rules, _ in self.tables:
            player = self.make()
            give_luck(player, 1)
            said += [(rules, turn, rules.game.ask(player, turn)) for turn in situations(rules)]
        return said
