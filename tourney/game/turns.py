"""Turns, the tables that yield them, and the observers of a table.

A table's flow yields turns and receives answers. `seats` answers with players in this process,
lockstep with players in other processes.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Sequence
from dataclasses import fields, is_dataclass
from typing import Any, Generic, NamedTuple, Protocol, TypeAlias, TypeVar

from tourney.game.asking.player_calls import CompetitorError
from tourney.game.cards.card import Card
from tourney.game.cards.shoe import Shoe
from tourney.game.ledger import BlockResult, Verdict

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


class Watcher:
    """Receives every event at a table, in order; does nothing. Override the methods you need."""

    def shuffled(self, shoe: Shoe) -> None:
        """A new shoe begins."""

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is announced, before its shuffle and its wagers.

        In a game without chips, `bankrolls` are the points so far.
        """

    def seated(self, seats: tuple[int, ...]) -> None:
        """Seats begin a round in this order; called before `opened`, in games of chips.

        Except for `asked` and `faced`, other calls and records number seats by their turn in the
        round.
        """

    def dealt(self, hands: Sequence[Sequence[Card]]) -> None:
        """Hands were dealt, in games that deal all cards at the start."""

    def wagered(self, seat: int, wager: int) -> None:
        """A seat placed its wager."""

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """A seat has to answer; called before `asked`, which has its answer or fault.

        Args:
            seat: Its place at the table, even if other seats have left.
            view: Its view, as its game defines it.
            legal: Legal actions; empty if a number is asked for.
        """

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """A seat was shown its view, and answered.

        Args:
            seat: Its place at the table, even if other seats have left.
            call: The method of its player that was called, such as "bet".
            seen: Its view, in one line.
            answer: The answer; empty for a fault.
        """

    def acted(self, seat: int, place: int, told: str) -> None:
        """A seat, or its stand-in, acts; called before the action, at tables with a flow.

        Args:
            seat: By its turn in the round.
            place: Index of the action among the legal ones.
            told: The action in words.
        """

    def happened(self, record: Any) -> None:  # records differ from game to game
        """A card was dealt or turned, or a seat acted or was settled."""

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """A competitor broke its contract."""

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """The result of a seat's round; called immediately for a seat at fault.

        Args:
            seat: By its turn in the round.
            staked: All chips at stake in the end, in the unit of the rules.
            net: Net result in the same unit, or points.
            luck: Luck of the cards, in parts of 2**-32 of the unit; `None` if it is not followed.
        """

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """A round is over, and every account is settled."""
