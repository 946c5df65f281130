"""The plugin: every classic game of PettingZoo as `pettingzoo-NAME`."""

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
from tourney_pettingzoo.library import GAMES, PLAYERS
from tourney_pettingzoo.round import Match


class PettingZooPlayer(BasePlayer, game="pettingzoo"):
    """Decides for one seat in any classic game of PettingZoo."""

    @abstractmethod
    def act(self, view: SeatView) -> Action | int:
        """Choose one of view.legal, or its number."""


class PettingZooTable(AdaptedTable):
    """A table at which every round is a match."""

    def begin(self, players: int, luck: Luck) -> Match:
        """Begin a match; the game itself knows its number of players."""
        del players
        return Match(self.block.rules, luck)


class PettingZoo(AdaptedGame[PettingZooPlayer]):
    """All classic games; the rules name the one that is played."""

    name = "pettingzoo"
    version = 1

    def contract(self) -> type[PettingZooPlayer]:
        """Return the class that players inherit."""
        return PettingZooPlayer

    def table(
        self, block: Block, accounts: Sequence[Account], watcher: Watcher | None = None
    ) -> PettingZooTable:
        """Set up a table."""
        return PettingZooTable(self, block, accounts, watcher)

    def same_contract(self, one: Any, other: Any) -> bool:
        """Return whether both are rules of one classic game."""
        return bool(one.module == other.module)


@dataclass(frozen=True, slots=True, kw_only=True)
class PettingZooRules(AdaptedRules):
    """A classic game."""

    game: ClassVar[PettingZoo] = PettingZoo()
    seats: ClassVar[range] = range(PLAYERS, PLAYERS + 1)

    module: str = "tictactoe_v3"
    """The module below pettingzoo.classic; a preset sets it."""

    tensor: bool = False
    """Whether views have PettingZoo's observation as `numbers`; it makes play slower."""

    @property
    def utilities(self) -> tuple[float, float]:
        """The least and the greatest result of a seat."""
        return next(
            (each.least, each.most) for each in GAMES.values() if each.module == self.module
        )

    @property
    def turns(self) -> float:
        """The mean number of turns of a seat."""
        return next(float(each.turns) for each in GAMES.values() if each.module == self.module)


@hookimpl
def tourney_games() -> Mapping[str, PettingZooRules]:
    """Offer the games."""
    return {
        f"pettingzoo-{name}": PettingZooRules(module=classic.module, unit=classic.unit)
        for name, classic in GAMES.items()
    }
