"""The tables of a wave, which advance together, and the questions to their seats.

Who sits at the tables is in `seat_rows`.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import Asking, Decided
from tourney.games.blackjack.asking.questions_codec import seen_at
from tourney.games.blackjack.engines.seat_rows import SeatRows
from tourney.games.blackjack.kernels.lockstep_tables import LockstepTables
from tourney.games.blackjack.players.questions import Questions, pick


class Record(NamedTuple):
    """The answers that were given at once."""

    rows: NDArray[np.int64]  # numbers of the seats among those of all tables
    calls: NDArray[np.uint8]
    answers: NDArray[np.int64]


class _Asked(NamedTuple):
    """The questions that an entrant is asked at once."""

    places: NDArray[np.int64]  # of its questions, among those of the wave
    questions: Questions
    asking: Asking


class Wave:
    """Tables that advance together, all to their next question.

    The questions to an entrant, and their order, depend on its own tables only: they are the
    same whichever tables of other entrants advance beside them.

    Args:
        seat_rows: Who sits there; they have sat down.
        tables: The tables.
    """

    def __init__(self, seat_rows: SeatRows, tables: LockstepTables) -> None:
        self._seat_rows, self.tables = seat_rows, tables

    def play(self) -> Iterator[Record]:
        """Play all tables to their ends; give the answers as they come.

        The processes of all entrants that are asked compute at the same time.
        """
        while pending := self.tables.advance():
            rows, asked = pending.seats.astype(np.int64), self._by_entrant(pending)
            for each in asked:
                each.asking.send()
            for each in asked:
                each.asking.wait()
            answers = np.empty(len(rows), np.int64)
            for places, own, asking in asked:
                decided = asking.answers()
                answers[places] = decided.answers
                self._note_faults(rows[places], own, decided)
            self.tables.answer(answers)
            yield Record(rows, pending.calls, answers)

    def _by_entrant(self, pending: Questions) -> list[_Asked]:
        """Prepare the questions to every entrant."""
        rows = pending.seats.astype(np.int64)
        questions = pending._replace(seats=self._seat_rows.seats[rows])
        entrants = self._seat_rows.entrants[rows]
        order = np.argsort(entrants, kind="stable")
        asked = []
        for places in np.split(order, np.flatnonzero(np.diff(entrants[order])) + 1):
            own = questions if len(places) == len(entrants) else pick(questions, places)
            pool = self._seat_rows.pools[int(entrants[places[0]])]
            asked.append(_Asked(places, own, pool.asking(own)))
        return asked

    def _note_faults(self, rows: NDArray[np.int64], own: Questions, decided: Decided) -> None:
        """Keep the verdicts on an entrant's seats."""
        for place, verdict in decided.faults.items():
            seen = verdict.seen or seen_at(own, place)
            self._seat_rows.verdicts[int(rows[place])] = replace(verdict, seen=seen)
