"""Turns, and tables that yield them.

A table's flow yields turns and receives answers. `seats` answers with players in this process,
lockstep with players in other processes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator
from dataclasses import fields, is_dataclass
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


def view_words(turn: Turn[Any, Any]) -> str:
    """Describe a view in one line: its own text, or the fields of a record but the legal actions.

    >>> class View(NamedTuple):
    ...     claims: tuple[int, ...]
    ...     legal: tuple[str, ...]
    >>> view_words(Turn(0, 1, "act", View((8, 9), ("doubt",)), ("doubt",)))
    'claims (8, 9)'
    """
    view = turn.view
    parts = record_parts(view)
    name = type(view).__qualname__.rpartition(".")[2]
    usual = f"{name}({', '.join(f'{key}={part!r}' for key, part in (parts or {}).items())})"
    if parts is None or str(view) != usual:
        return str(view)
    shown = {key: part for key, part in parts.items() if part != turn.legal}
    return "; ".join(f"{key} {_words(part)}" for key, part in shown.items()) or "nothing"


def _words(part: Any) -> str:
    """Write a part of a view."""
    if isinstance(part, tuple) and not hasattr(part, "_fields"):
        return f"({', '.join(map(_words, part))})"
    return str(part)


def record_parts(record: Any) -> dict[str, Any] | None:
    """Return the fields of a NamedTuple or a dataclass by name; `None` for anything else."""
    if hasattr(record, "_asdict"):
        return dict(record._asdict())
    if is_dataclass(record) and not isinstance(record, type):
        return {each.name: getattr(record, each.name) for each in fields(record) if each.init}
    return None


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
