"""What a game says of the questions to players that sit in another process, and of their answers.

Whoever asks, recalls or compares knows no game: of a batch of questions it knows the `seats` and
the `rounds`, and asks the rest here. Nothing that comes out of such a process is unpickled; an
answer is a number, looked at here before anybody believes it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, ClassVar

from tourney.game.arrays import NDArray, np
from tourney.game.columns import Column
from tourney.game.ledger import Verdict

FAULT = -1
"""Stands for the answer of a seat whose player broke its contract."""


class Codec(ABC):
    """A batch of questions to the players of one entrant, each to another of its seats."""

    layout: ClassVar[tuple[Column, ...]] = ()
    """The columns of a batch in bytes, in order, for programs in other languages; none where the
    bytes are Python's own."""

    @abstractmethod
    def write(self, questions: Any) -> bytes:
        """Write a batch, as it goes to another process."""

    @abstractmethod
    def calls(self, questions: Any) -> Sequence[str]:
        """Name the methods that players are asked by, for verdicts."""

    @abstractmethod
    def illegal(
        self, questions: Any, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Give the places of answers that no honest process would give.

        Args:
            questions: A batch of n.
            answers: (n,)
            faulted: The places for which faults were told; there the answer has to be FAULT.
        """

    @abstractmethod
    def told(self, questions: Any, place: int, answer: int) -> str:
        """Name a legal answer, for people."""

    def are_decisions(self, questions: Any) -> NDArray[np.bool_]:
        """Say which questions have an answer; (n,)."""
        return np.ones(len(questions.seats), np.bool_)

    def is_met(self, questions: Any, place: int, verdict: Verdict) -> bool:
        """Say whether a verdict of the same round and decision is on this question."""
        del questions, place, verdict  # a decision of its own for every question
        return True
