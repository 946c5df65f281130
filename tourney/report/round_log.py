"""The rounds of an entrant in a replayed block: its view, its answers and its results."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from typing import Any

from tourney.game.ledger import Verdict
from tourney.game.narration import AsSeen
from tourney.game.turns import Watcher


@dataclass(slots=True)
class SeatRound:
    """A round of an entrant."""

    lines: list[str] = field(default_factory=list)  # its view, and its answers
    answers: list[str] = field(default_factory=list)
    news: list[tuple[str, ...]] = field(default_factory=list)  # what it saw before each answer
    net: int | None = None  # in parts of a chip, or points; None for a stand-in


class RoundLog(Watcher):
    """Records the rounds of an entrant.

    Args:
        seats: Its places at the table, from 0.
        make_view: Creates the writer of its view, given a function that takes a line.
    """

    def __init__(
        self,
        seats: Collection[int],
        make_view: Callable[[Callable[[str], None]], AsSeen] | None = None,
    ) -> None:
        self.rounds: dict[int, SeatRound] = {}
        self._seats = seats
        self._lines: list[str] = []
        self._view: Any = make_view(self._lines.append) if make_view else Watcher()
        self._order: Sequence[int] = ()  # places, by turn; empty if they are the turns
        self._now = SeatRound()

    def seated(self, seats: tuple[int, ...]) -> None:
        """Store the order of play."""
        self._order = seats
        self._view.seated(seats)

    def opened(self, number: int, bankrolls: tuple[int, ...]) -> None:
        """Begin a round."""
        self._view.opened(number, bankrolls)
        self._now.lines += self._lines[:-1]  # the last line announces the round
        self._lines.clear()
        self._now = self.rounds[number] = SeatRound()

    def shuffled(self, shoe: Any) -> None:
        """Pass on a shuffle."""
        self._view.shuffled(shoe)

    def happened(self, record: Any) -> None:
        """Pass on a record."""
        self._view.happened(record)

    def asked(self, seat: int, call: str, seen: str, answer: str) -> None:
        """Record an answer of the entrant."""
        before = len(self._lines)
        self._view.asked(seat, call, seen, answer)
        if seat in self._seats:
            self._now.answers.append(answer)
            self._now.news.append(tuple(self._lines[before:-1]))

    def faulted(self, seat: int, verdict: Verdict) -> None:
        """Pass on a fault."""
        self._view.faulted(seat, verdict)

    def settled(self, seat: int, staked: int, net: int, luck: int | None = None) -> None:
        """Record the result of the entrant."""
        del staked, luck
        if (self._order[seat] if self._order else seat) in self._seats:
            self._now.net = (self._now.net or 0) + net

    def close(self) -> None:
        """Record the lines after the last answer."""
        self._view.close()
        self._now.lines += self._lines
        self._lines.clear()
