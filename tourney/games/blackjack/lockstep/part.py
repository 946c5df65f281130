"""Tables of a wave that advance together, and what their seats are asked at once.

A wave may have several such parts: while the players at one of them think, in processes of their
own, another one goes on here. Leaves out who sits there; see `seat_rows`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import Asking, Decided
from tourney.games.blackjack.asking.questions_codec import seen_at
from tourney.games.blackjack.kernels.suspended_tables import WaitingTables
from tourney.games.blackjack.lockstep.seat_rows import SeatRows
from tourney.games.blackjack.players.questions import Questions, pick


class Record(NamedTuple):
    """What was answered at once."""

    rows: NDArray[np.int64]  # numbers of the seats among those of all tables
    calls: NDArray[np.uint8]
    answers: NDArray[np.int64]


class _Asked(NamedTuple):
    """What an entrant is asked at once."""

    places: NDArray[np.int64]  # of its questions, among those of the part
    questions: Questions
    asking: Asking


class FailedTogether(Exception):  # noqa: N818 - says what happened
    """All seats that an entrant was asked for at once failed, as if its process had ended."""


class Part:
    """Tables that advance together.

    Args:
        seat_rows: Who sits there; they have sat down.
        tables: The tables.
        first: Number of the first seat there, among those of all tables.
    """

    def __init__(self, seat_rows: SeatRows, tables: WaitingTables, first: int) -> None:
        self._seat_rows, self.tables, self._first = seat_rows, tables, first
        self._rows: NDArray[np.int64]
        self._calls: NDArray[np.uint8]
        self._asked: list[_Asked] = []

    def advance(self) -> bool:
        """Let every table play until it waits, and prepare to ask; say whether any waits."""
        pending = self.tables.advance()
        if pending:
            self._rows = pending.seats.astype(np.int64) + self._first
            self._calls = pending.calls
            self._asked = self._by_entrant(pending)
        return bool(pending)

    def send(self) -> None:
        """Begin to ask every entrant for its seats."""
        for each in self._asked:
            each.asking.send()

    def wait(self) -> None:
        """Wait until everybody has answered."""
        for each in self._asked:
            each.asking.wait()

    def take(self, *, is_whole: bool) -> Record:
        """Take the answers to the tables.

        Args:
            is_whole: Whether these are all tables of the wave.
        Raises: FailedTogether, if it is not the whole and what happened might have ended players
            at the others, too; nothing of the wave counts then.
        """
        answers = np.empty(len(self._rows), np.int64)
        for places, own, asking in self._asked:
            decided = asking.answers()
            if not is_whole and len(decided.faults) == len(places):
                raise FailedTogether
            answers[places] = decided.answers
            self._note(places, own, decided)
        self.tables.answer(answers)
        return Record(self._rows, self._calls, answers)

    def _by_entrant(self, pending: Questions) -> list[_Asked]:
        """Prepare the questions to every entrant."""
        questions = pending._replace(seats=self._seat_rows.seats[self._rows])
        entrants = self._seat_rows.entrants[self._rows]
        order = np.argsort(entrants, kind="stable")
        asked = []
        for places in np.split(order, np.flatnonzero(np.diff(entrants[order])) + 1):
            own = questions if len(places) == len(entrants) else pick(questions, places)
            pool = self._seat_rows.pools[int(entrants[places[0]])]
            asked.append(_Asked(places, own, pool.asking(own)))
        return asked

    def _note(self, places: NDArray[np.int64], own: Questions, decided: Decided) -> None:
        """Keep the verdicts on an entrant's seats."""
        for place, verdict in decided.faults.items():
            seen = verdict.seen or seen_at(own, place)
            row = int(self._rows[places[place]])
            self._seat_rows.verdicts[row] = replace(verdict, seen=seen)


def play_parts(parts: Sequence[Part]) -> Iterator[Record]:
    """Play all tables to their ends; give what is answered.

    Each pool is asked for one part at a time, and for the parts in turn, so what players are asked,
    and in which order, does not depend on how long anybody takes.
    """
    ready = [part for part in parts if part.advance()]
    asked: Part | None = None
    while ready or asked:
        following = ready.pop(0) if ready else None
        if asked:
            asked.wait()
        if following:
            following.send()
        if asked:
            yield asked.take(is_whole=len(parts) == 1)
            if asked.advance():
                ready.append(asked)
        asked = following
