"""The interface between the tables and a pool of players, in any process."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Protocol, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import Verdict


class SeatRequest(NamedTuple):
    """A player that is to sit down."""

    first_round: int  # of the block
    random_key: bytes  # seeds the seat's own generator


Verdicts: TypeAlias = dict[int, Verdict]
"""Faults, by the places of the questions in their batch."""


class SeatReply(NamedTuple):
    """A pool's reply about a player that has sat down."""

    acts: bool
    watches: bool
    verdict: Verdict | None = None  # if it could not be made


class Decided(NamedTuple):
    """Answers to a batch of questions."""

    answers: NDArray[np.int64]  # shape (n,): wagers in chips, numbers of actions, or FAULT
    faults: Verdicts


def all_failed(
    codec: Codec,
    questions: Any,
    decisions: NDArray[np.int64],
    fault: Callable[[int, str, int, int], Verdict],
) -> Decided:
    """Return a fault for every question of a batch.

    Args:
        codec: Codec of the game.
        questions: The batch.
        decisions: Number of earlier decisions of every seat, shape (seats,).
        fault: Makes a verdict from place in the batch, call, round and decision.
    """
    rounds, made = questions.rounds.tolist(), decisions[questions.seats].tolist()
    asked = zip(codec.calls(questions), rounds, made, strict=True)
    faults = {place: fault(place, *each) for place, each in enumerate(asked)}
    return Decided(np.full(len(faults), FAULT, np.int64), faults)


class Asking(Protocol):
    """A batch of questions on its way through a pool; each step is called once."""

    def send(self) -> None:
        """Send the questions. The pool must have finished the previous batch."""

    def wait(self) -> None:
        """Wait until the players have answered or failed."""

    def answers(self) -> Decided:
        """Return the answers, in the order of the questions."""


@dataclass(frozen=True, slots=True)
class AskedHere:
    """Questions to players in this process, which are asked one after another."""

    decide: Callable[[], Decided]

    def send(self) -> None:
        """Do nothing."""

    def wait(self) -> None:
        """Do nothing."""

    def answers(self) -> Decided:
        """Ask the players."""
        return self.decide()


@dataclass(frozen=True, slots=True)
class ObservedAsking:
    """Questions whose answers pass through a function, such as a logger."""

    asking: Asking
    observe: Callable[[Decided], Decided]

    def send(self) -> None:
        """Send the questions."""
        self.asking.send()

    def wait(self) -> None:
        """Wait until players have answered."""
        self.asking.wait()

    def answers(self) -> Decided:
        """Return the answers, after the function has seen them."""
        return self.observe(self.asking.answers())


class AnyPool(Protocol):
    """Receives the questions to one entrant, in this process or in another."""

    @property
    def warning(self) -> str:
        """A warning for the author and the organiser, or an empty text."""

    def sit(self, seat_requests: Sequence[SeatRequest], /) -> list[SeatReply]:
        """Make players, in order; seats are numbered as they come, from 0."""

    def decide(self, questions: Any, /) -> Decided:
        """Ask players whose seats have not failed, each at most once.

        Args:
            questions: A batch of the pool's game.
        """

    def asking(self, questions: Any, /) -> Asking:
        """Prepare to ask like `decide`, so that the caller can work while players think."""

    def close(self) -> None:
        """Release all players."""


class ObservedPool(ABC):
    """A pool whose answers are noted.

    Args:
        pool: Gives the answers.
        codec: Codec of the players' game.
    """

    def __init__(self, pool: AnyPool, codec: Codec) -> None:
        self._pool, self._codec = pool, codec

    @property
    def warning(self) -> str:
        """The warning of the pool."""
        return self._pool.warning

    @abstractmethod
    def sit(self, seat_requests: Sequence[SeatRequest]) -> list[SeatReply]:
        """Make players, in order."""

    def decide(self, questions: Any) -> Decided:
        """Ask players whose seats have not failed, each at most once."""
        return self.note(questions, Decided(*self._pool.decide(questions)))

    def asking(self, questions: Any) -> Asking:
        """Prepare to ask."""
        return ObservedAsking(self._pool.asking(questions), partial(self.note, questions))

    def close(self) -> None:
        """Release all players."""
        self._pool.close()

    @abstractmethod
    def note(self, questions: Any, decided: Decided) -> Decided:
        """Note the answers to questions, and return them."""
