"""The plugin: every suitable game of OpenSpiel as `openspiel-NAME`."""

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from tourney import hookimpl
from tourney.game.adapters import Action, AdaptedGame, AdaptedRules, AdaptedTable, SeatView
from tourney.game.blocks import Block
from tourney.game.cards.generator import Luck
from tourney.game.ledger import Account
from tourney.game.players import BasePlayer
from tourney.game.turns import Watcher
from tourney_openspiel import library
from tourney_openspiel.round import Match


class OpenSpielPlayer(BasePlayer, game="openspiel"):
    """Decides for one seat in any game of OpenSpiel."""

    @abstractmethod
    def act(self, view: SeatView) -> Action | int:
        """Choose one of view.legal, or its number."""


class OpenSpielTable(AdaptedTable):
    """A table at which every round is a match."""

    def begin(self, players: int, luck: Luck) -> Match:
        """Begin a match."""
        rules: Any = self.block.rules
        return Match(library.game(rules.name, rules.parameters, players), rules, luck)


class OpenSpiel(AdaptedGame[OpenSpielPlayer]):
    """All games of OpenSpiel; the rules name the one that is played."""

    name = "openspiel"
    version = 1

    def contract(self) -> type[OpenSpielPlayer]:
        """Return the class that players inherit."""
        return OpenSpielPlayer

    def table(
        self, block: Block, accounts: Sequence[Account], watcher: Watcher | None = None
    ) -> OpenSpielTable:
        """Set up a table."""
        return OpenSpielTable(self, block, accounts, watcher)

    def same_contract(self, one: Any, other: Any) -> bool:
        """Return whether both are rules of one OpenSpiel game, whatever its parameters."""
        return bool(one.name == other.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenSpielRules(AdaptedRules):
    """A game of OpenSpiel with its parameters."""

    game: ClassVar[OpenSpiel] = OpenSpiel()

    name: str = "kuhn_poker"
    """The short name in OpenSpiel; a preset sets it."""

    parameters: str = ""
    """Parameters of OpenSpiel, separated by spaces, such as `num_cards=4 imp_info=True`."""

    tensor: bool = False
    """Whether views have OpenSpiel's tensor as `numbers`; it makes play slower."""

    @property
    def seats(self) -> range:
        """The numbers of seats that the game can be loaded for."""
        return library.seats(self.name, self.parameters)

    @property
    def turns(self) -> float:
        """The mean number of turns of a seat in a match with random moves."""
        return library.turns(self.name, self.parameters)

    @property
    def utilities(self) -> tuple[float, float]:
        """The least and the greatest result of a seat at a table of any size."""
        games = [library.game(self.name, self.parameters, count) for count in self.seats]
        return min(each.min_utility() for each in games), max(each.max_utility() for each in games)


@hookimpl
def tourney_games() -> Mapping[str, OpenSpielRules]:
    """Offer the games."""
    return {
        f"openspiel-{name.replace('_', '-')}": OpenSpielRules(name=name, unit=library.parts(name))
        for name in library.short_names()
    }
