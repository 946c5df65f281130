"""Turns, and tables that give them.

Leaves out who answers. A table's flow is driven by whoever has the players: `seats` for those in
this process, lockstep for those in others.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from tourney.game.asking.player_calls import CompetitorError
from tourney.game.ledger import BlockResult

ViewT_co = TypeVar("ViewT_co", covariant=True)
ActionT = TypeVar("ActionT")


class Turn(NamedTuple, Generic[ViewT_co, ActionT]):
    """A seat must act."""

    seat: int  # its place at the table, from 0, whoever acts first in the round
    round: int  # of the heat, from 1
    call: str  # the method of its player that is asked
    view: ViewT_co  # what a person in that seat sees; it never changes
    legal: tuple[ActionT, ...]  # the first is what a stand-in does


class Judge(Protocol):
    """What is asked of a game about turns and answers; see `Game`, whose part it is."""

    def ask(self, player: Any, turn: Any, /) -> object:
        """Ask a player."""

    def accept(self, answer: object, turn: Any, /) -> Any:
        """Give the table's own action for an answer; None if it is illegal."""

    def expected(self, turn: Any, /) -> str:
        """Say what would have been legal."""

    def told(self, action: Any, /) -> str:
        """Name an action."""


Flow: TypeAlias = Generator[Turn[ViewT_co, ActionT], ActionT | CompetitorError, None]
"""A table at play: gives turns, and takes for each an action among the legal or a fault."""

MakePlayer: TypeAlias = Callable[[int], Any]
"""Makes a new player, of the block's game, for the number of an entrant."""


class Table(ABC):
    """A block at its table."""

    @abstractmethod
    def play(self, make_player: MakePlayer) -> BlockResult:
        """Play it with players that are made in this process."""


class FlowTable(Table, Generic[ViewT_co, ActionT]):
    """A table that can be asked for its turns, wherever its players sit."""

    @abstractmethod
    def flow(self) -> Flow[ViewT_co, ActionT]:
        """Play the block; no seat is asked again after a fault. Pure but for what is sent."""

    @abstractmethod
    def fault(self, seat: int, fault: CompetitorError, number: int) -> None:
        """Let a stand-in play on for a seat.

        Args:
            seat: Its place at the table.
            fault: Of its player, who may not even have been made.
            number: Of the round; of the first one, if none has begun.
        """

    @abstractmethod
    def result(self) -> BlockResult:
        """Read off what came of it."""
