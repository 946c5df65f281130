"""A desk whose players fail where an earlier play of their batch had them fail, and nowhere else.

What depends on the machine, a player out of time or a process that died, is not derived twice: a
quicker machine would find otherwise. So such a fault is recorded, and happens again by its record,
in whose place nobody is asked. All else is asked and answered as ever.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from tourney.game.asking.newcomer import Newcomer
from tourney.game.asking.seating import AnyDesk, AskedHere, Decided, Seating
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import UNREPEATABLE, Verdict

OF_ONE_SEAT = "memory"
"""Ends a seat where it wanted too much."""
ENDS_NO_PROCESS = frozenset({OF_ONE_SEAT, UNREPEATABLE})
"""Causes that end nobody's process in the middle; the other ones end all of a player's seats."""
BEFORE_ALL = "import"


class RecallingDesk:
    """Asks at a desk until its players fail by the record.

    Args:
        desk: Where they sit.
        codec: Of their game.
        recorded: Faults by seat, numbered as at the desk; at least one.
    """

    def __init__(self, desk: AnyDesk, codec: Codec, recorded: Mapping[int, Verdict]) -> None:
        self._desk, self._codec, self._recorded = desk, codec, recorded
        self._ended: Verdict | None = None
        self._decisions = np.zeros(0, np.int64)  # by seat

    @property
    def warning(self) -> str:
        """Say what the desk warns of."""
        return self._desk.warning

    def sit(self, newcomers: Sequence[Newcomer]) -> list[Seating]:
        """Make players, unless nobody could be made then, or nothing of theirs counts."""
        self._decisions = np.zeros(len(newcomers), np.int64)
        first = self._recorded.get(0)
        if first and (first.call == BEFORE_ALL or first.cause == UNREPEATABLE):
            self._ended = first
            return [
                _failed(self._recorded.get(seat, replace(first, round=newcomer.first_round)))
                for seat, newcomer in enumerate(newcomers)
            ]
        seatings = self._desk.sit(newcomers)
        return [
            _failed(self._recorded[seat])
            if not seating.verdict and self._has_never_sat(seat)
            else seating
            for seat, seating in enumerate(seatings)
        ]

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        due = self._due(questions)
        ends = [verdict for verdict in due.values() if verdict.cause != OF_ONE_SEAT]
        if ends and not self._ended:
            self._ended = ends[0]
            self._desk.close()
        decided = self._all_failed(questions, due) if self._ended else self._ask(questions, due)
        self._decisions[questions.seats] += self._codec.are_decisions(questions)
        return decided

    def asking(self, questions: Any) -> AskedHere:
        """Prepare to ask; nobody hurries where a batch is judged again."""
        return AskedHere(partial(self.decide, questions))

    def close(self) -> None:
        """Let everybody go."""
        self._desk.close()

    def _has_never_sat(self, seat: int) -> bool:
        verdict = self._recorded.get(seat)
        return verdict is not None and verdict.call == "constructor"

    def _due(self, questions: Any) -> dict[int, Verdict]:
        """Give the faults that the record has for these questions, by their places."""
        due: dict[int, Verdict] = {}
        for place, seat in enumerate(questions.seats.tolist()):
            verdict = self._recorded.get(seat)
            if verdict and self._is_at(questions, place, verdict):
                due[place] = verdict
        return due

    def _is_at(self, questions: Any, place: int, verdict: Verdict) -> bool:
        return (
            verdict.round == questions.rounds[place]
            and verdict.decision == self._decisions[questions.seats[place]]
            and self._codec.is_met(questions, place, verdict)
        )

    def _ask(self, questions: Any, due: Mapping[int, Verdict]) -> Decided:
        answers, faults = self._desk.decide(questions)
        answers = answers.copy()
        answers[list(due)] = FAULT
        return Decided(answers, {**faults, **due})

    def _all_failed(self, questions: Any, due: Mapping[int, Verdict]) -> Decided:
        end = self._ended
        assert end
        faults = {
            place: due.get(place)
            or replace(
                end,
                call=call,
                round=round_,
                decision=int(self._decisions[seat]),
                seen="",
            )
            for place, (call, round_, seat) in enumerate(
                zip(
                    self._codec.calls(questions),
                    questions.rounds.tolist(),
                    questions.seats.tolist(),
                    strict=True,
                )
            )
        }
        return Decided(np.full(len(faults), FAULT, np.int64), faults)


def _failed(verdict: Verdict) -> Seating:
    return Seating(acts=False, watches=False, verdict=verdict)
