"""Turns, and tables that yield them.

A table's flow yields turns and receives answers. `seats` answers with players in this process,
lockstep with players in other processes.
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

    seat: int  # its place at the table, from 0, independent of the order of play
    round: int  # of the heat, from 1
    call: str  # the method of its player to call
    view: ViewT_co  # everything that a person in that seat sees; immutable
    legal: tuple[ActionT, ...]  # a stand-in takes the first one


class Judge(Protocol):
    """The methods of a game for turns and answers; see `Game`."""

    def ask(self, player: Any, turn: Any, /) -> object:
        """Ask a player."""

    def accept(self, answer: object, turn: Any, /) -> Any:
        """Return the legal action that equals an answer; `None` if the answer is illegal."""

    def expected(self, turn: Any, /) -> str:
        """Describe the legal answers."""

    def told(self, action: Any, /) -> str:
        """Name an action, for people."""


Flow: TypeAlias = Generator[Turn[ViewT_co, ActionT], ActionT | CompetitorError, None]
"""A table at play: yields turns, and receives a legal action or a fault for each."""

MakePlayer: TypeAlias = Callable[[int], Any]
"""Makes a new player of the block's game from the number of an entrant."""


class Table(ABC):
    """A block at its table."""

    @abstractmethod
    def play(self, make_player: MakePlayer) -> BlockResult:
        """Play the block with players that are made in this process."""


class FlowTable(Table, Generic[ViewT_co, ActionT]):
    """A table that yields its turns, so that its players can sit in any process."""

    @abstractmethod
    def flow(self) -> Flow[ViewT_co, ActionT]:
        """Play the block, a pure function of the answers; no seat is asked again after a fault."""

    @abstractmethod
    def fault(self, seat: int, fault: CompetitorError, number: int) -> None:
        """Let a stand-in play for a seat.

        Args:
            seat: Its place at the table.
            fault: The fault; perhaps its player could not even be made.
            number: The round; the first one before the start.
        """

    @abstractmethod
    def result(self) -> BlockResult:
        """Return the result, after the flow has ended."""
