"""How a game writes questions to players in other processes, and checks their answers.

The platform knows only the `seats` and the `rounds` of a batch of questions; a codec provides
everything else. Data from a player's process is never unpickled: an answer is a number, and the
codec checks it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tourney.game.arrays import NDArray, np
from tourney.game.columns import Column
from tourney.game.ledger import Verdict

FAULT = -1
"""The answer of a seat whose player broke its contract."""


class Codec(ABC):
    """Handles batches of questions to the players of one entrant, each to a different seat."""

    layout: ClassVar[tuple[Column, ...]] = ()
    """The columns of a batch in bytes, in order, for programs in other languages; empty for a
    pickle.
    """

    @abstractmethod
    def write(self, questions: Any) -> bytes:
        """Return a batch as bytes, for another process."""

    @abstractmethod
    def calls(self, questions: Any) -> Sequence[str]:
        """Return the name of the player's method that each question calls, for verdicts."""

    @abstractmethod
    def illegal(
        self, questions: Any, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Return the places of answers that no correct process would give.

        Args:
            questions: A batch of n.
            answers: Shape (n,).
            faulted: Places of reported faults; the answer there must be FAULT.
        """

    @abstractmethod
    def told(self, questions: Any, place: int, answer: int) -> str:
        """Name a legal answer, for people."""

    def are_decisions(self, questions: Any) -> NDArray[np.bool_]:
        """Return which questions need an answer, shape (n,)."""
        return np.ones(len(questions.seats), np.bool_)

    def is_met(self, questions: Any, place: int, verdict: Verdict) -> bool:
        """Return whether a verdict of the same round and decision is about this question."""
        del questions, place, verdict  # every question is a separate decision
        return True
