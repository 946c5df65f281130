"""The notation of recorded hands, and of players that are texts without code.

A line is a round: bankrolls, wagers and events, separated by bars. Bankrolls and wagers are listed
by seat, separated by commas, in parts of a chip; a seat that has left is empty.

Each game defines the notation of its events; see its story. The default is JSON with a list for
every turn: the seat, the action, the view before it, and the action in words. The action is its
index among the legal actions, from 0, or `STOOD_IN` or `FAULT`.

    1000,1000|,|[[0,1,"king after nothing","bet"],[1,0,"queen after bet","fold"]]
"""

import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from tourney.game.ledger import Verdict
from tourney.game.turns import Watcher

if TYPE_CHECKING:
    from tourney.game.players import BasePlayer

STOOD_IN = -1
"""A stand-in acted; it always takes the first legal action."""
FAULT = -2
"""The player was at fault, and a stand-in plays on."""


class HandsWriter(Watcher):
    """Records a block in this notation.

    Args:
        seats: Number of seats.
        decision_log: Optional log of decisions; it receives `seated`, `opened`, `faced`, `asked`.
    """

    def __init__(self, seats: int, decision_log: Watcher | None = None) -> None:
        self.decision_log = decision_log
        self.rounds: list[str] = []
        self.paths: list[list[int | None]] = []
        """Bankrolls by seat, before every round and after the last one; None for empty seats.

        A player that leaves between two rounds is listed once more with its last bankroll.
        """
        self._seats = seats
        self._order: Sequence[int] = range(seats)
        self._head = ""
        self._wagers: list[str] = []
        self._events: list[Any] = []
        self._seen: dict[int, str] = {}  # by seat, until it acts
        self._is_open = False
        self._closing: list[int | None] = [None] * seats  # bankrolls by seat after a round

    def seated(self, seats: tuple[int, ...]) -> None:
        """Store the order of play."""
        self._order = seats
        if self.decision_log:
            self.decision_log.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a line."""
        if self.decision_log:
            self.decision_log.opened(number, bankrolls)
        before = [] if self._is_open else self._events  # a shuffle comes before the first round
        self._end_line()
        now = self._by_seat(bankrolls)
        self._head = ",".join("" if chips is None else str(chips) for chips in now)
        left = zip(now, self._closing, strict=True)
        self.paths.append([after if chips is None else chips for chips, after in left])
        self._wagers = [""] * self._seats
        self._events = before
        self._is_open = True

    def closed(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """End a line."""
        del number
        self._end_line()
        self._closing = self._by_seat(bankrolls)

    def finish(self) -> None:
        """Store the final bankrolls, after the last event."""
        if self._is_open:  # no player was left for the announced round
            self._is_open = False
        elif self.rounds:
            self.paths.append(self._closing)

    def wagered(self, seat: int, wager: int) -> None:
        """Write a wager."""
        self._wagers[self._order[seat]] = str(wager)

    def faced(self, seat: int, view: Any, legal: Sequence[Any]) -> None:
        """Show the log of decisions the situation of a seat."""
        if self.decision_log:
            self.decision_log.faced(seat, view, legal)

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Remember the view of a seat that answers."""
        if self.decision_log:
            self.decision_log.asked(seat, call, seen, answer)
        if answer:
            self._seen[seat] = seen

    def acted(self, seat: int, place: int, told: str) -> None:
        """Write an action."""
        who = self._order[seat]
        seen = self._seen.pop(who, None)
        self._events.append([who, STOOD_IN if seen is None else place, seen or "", told])

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Write a fault."""
        if self._is_open:
            told = f"at fault ({verdict.cause}); a stand-in plays on"
            self._events.append([self._order[seat], FAULT, "", told])

    def written(self, events: Sequence[Any]) -> str:
        """Return the events of a round in this notation."""
        return json.dumps(events, ensure_ascii=False, separators=(",", ":"))

    def shown(self, bankroll: int) -> int | None:
        """Return a bankroll as it is published; `None` for a seat without one."""
        return bankroll

    def _by_seat(self, bankrolls: Sequence[int]) -> list[int | None]:
        """Return bankrolls by seat; `None` for a seat that has left."""
        chips: list[int | None] = [None] * self._seats
        for seat, bankroll in zip(self._order, bankrolls, strict=False):
            chips[seat] = self.shown(bankroll)
        return chips

    def _end_line(self) -> None:
        if self._is_open:
            self._is_open = False
            events = self.written(self._events)
            self.rounds.append(f"{self._head}|{','.join(self._wagers)}|{events}")
            self._events = []


@dataclass(frozen=True, slots=True)
class Notation(ABC):
    """A text format for players of one game; a competitor in such a format runs no code."""

    title: ClassVar[str]
    """Name of one such text, such as "a chart"."""
    handed_in: ClassVar[str]
    """Description of a submission, such as "a chart (.txt)"."""
    entered_as: ClassVar[str]
    """Meaning of the path in an entrant's setting of this name."""
    suffix: ClassVar[str]
    """File name suffix with its dot, in lower case."""
    maker: ClassVar[str]
    """"module:function"; the function makes a class of players from a text and the file's name."""

    def made(self, text: str, name: str) -> "type[BasePlayer]":
        """Make a class of players.

        Args:
            text: Contents of the file.
            name: Name of the file, for messages and the archive.
        Raises: TourneyError, with all faults of the text.
        """
        module, _, function = self.maker.partition(":")
        made: type[BasePlayer] = getattr(import_module(module), function)(text, name)
        return made

    @abstractmethod
    def text_at(self, path: Path) -> str:
        """Read a file, whatever its suffix.

        Raises: TourneyError, if it cannot be read, or with all its faults.
        """


class Written:
    """An attribute of a class of players that holds a text; the text is part of their source."""

    __slots__ = ()

    def written(self) -> tuple[str, str]:
        """Return the name of the file and its text."""
        raise NotImplementedError


def texts_in(kind: type) -> list[tuple[str, str]]:
    """Return the names and texts of all `Written` attributes of a class."""
    values: list[Any] = list(vars(kind).values())
    return [value.written() for value in values if isinstance(value, Written)]
