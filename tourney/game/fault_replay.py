"""A pool whose players fail exactly where an earlier play of the batch recorded their faults.

Faults that depend on the machine, such as a time-out or a dead process, cannot be reproduced: a
faster machine would give another result. So they are recorded, and in a replay the record replaces
the question. All other questions are asked as usual.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from tourney.game.arrays import np
from tourney.game.asking.exchange import (
    AnyPool,
    AskedHere,
    Decided,
    SeatReply,
    SeatRequest,
    all_failed,
)
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import UNREPEATABLE, Verdict

OF_ONE_SEAT = "memory"
"""The only recorded cause that ends one seat and not the whole process."""
BEFORE_ALL = "import"


class ReplayedPool:
    """Asks a pool until its players fail by the record.

    Args:
        pool: The players.
        codec: Codec of their game.
        recorded: Faults by seat, numbered as in the pool; at least one.
    """

    def __init__(self, pool: AnyPool, codec: Codec, recorded: Mapping[int, Verdict]) -> None:
        self._pool, self._codec, self._recorded = pool, codec, recorded
        self._ended: Verdict | None = None
        self._decisions = np.zeros(0, np.int64)  # by seat

    @property
    def warning(self) -> str:
        """The warning of the pool."""
        return self._pool.warning

    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, unless the record has a fault before the first question of all of them."""
        self._decisions = np.zeros(len(seat_requests), np.int64)
        first = self._recorded.get(0)
        if first and (first.call == BEFORE_ALL or first.cause == UNREPEATABLE):
            self._ended = first
            return [
                _failed(self._recorded.get(seat, replace(first, round=seat_request.first_round)))
                for seat, seat_request in enumerate(seat_requests)
            ]
        seatings = self._pool.sit(seat_requests)
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
            self._pool.close()
        decided = self._all_failed(questions, due) if self._ended else self._ask(questions, due)
        self._decisions[questions.seats] += self._codec.are_decisions(questions)
        return decided

    def asking(self, questions: Any) -> AskedHere:
        """Prepare to ask; a replay needs no parallel play."""
        return AskedHere(partial(self.decide, questions))

    def close(self) -> None:
        """Release all players."""
        self._pool.close()

    def _has_never_sat(self, seat: int) -> bool:
        verdict = self._recorded.get(seat)
        return verdict is not None and verdict.call == "constructor"

    def _due(self, questions: Any) -> dict[int, Verdict]:
        """Return the recorded faults for these questions, by place."""
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
        answers, faults = self._pool.decide(questions)
        answers = answers.copy()
        answers[list(due)] = FAULT
        return Decided(answers, {**faults, **due})

    def _all_failed(self, questions: Any, due: Mapping[int, Verdict]) -> Decided:
        end = self._ended
        assert end

        def fault(place: int, call: str, round_: int, decision: int) -> Verdict:
            as_all = replace(end, call=call, round=round_, decision=decision, seen="")
            return due.get(place) or as_all

        return all_failed(self._codec, questions, self._decisions, fault)


def _failed(verdict: Verdict) -> SeatReply:
    return SeatReply(acts=False, watches=False, verdict=verdict)
