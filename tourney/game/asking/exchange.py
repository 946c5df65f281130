"""What goes to and fro between a pool and the tables, wherever the pool's players sit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.codec import FAULT, Codec
from tourney.game.ledger import Verdict

Verdicts: TypeAlias = dict[int, Verdict]
"""Faults, by the places of the questions in their batch."""


class SeatReply(NamedTuple):
    """What a table has to know of a player that has sat down."""

    acts: bool
    watches: bool
    verdict: Verdict | None = None  # if it could not be made


class Decided(NamedTuple):
    """Answers to a batch of questions."""

    answers: NDArray[np.int64]  # wagers in chips, numbers of actions, FAULT; (n,)
    faults: Verdicts


def all_failed(
    codec: Codec,
    questions: Any,
    decisions: NDArray[np.int64],
    fault: Callable[[int, str, int, int], Verdict],
) -> Decided:
    """Decide a batch of which every question has led to a fault.

    Args:
        codec: Of the game.
        questions: The batch.
        decisions: How many every seat has made before; (seats,)
        fault: Gives it by place in the batch, call, round and decision.
    """
    rounds, made = questions.rounds.tolist(), decisions[questions.seats].tolist()
    asked = zip(codec.calls(questions), rounds, made, strict=True)
    faults = {place: fault(place, *each) for place, each in enumerate(asked)}
    return Decided(np.full(len(faults), FAULT, np.int64), faults)


class Asking(Protocol):
    """Questions to a pool, from when they are known until their answers are; each step once."""

    def send(self) -> None:
        """Begin to ask. A pool is asked one thing at a time: all else has been waited for."""

    def wait(self) -> None:
        """Wait until players have answered, or cannot any more."""

    def answers(self) -> Decided:
        """Give the answers, in the order in which questions were sent."""


@dataclass(frozen=True, slots=True)
class AskedHere:
    """Questions to players in this process, which does one thing at a time."""

    decide: Callable[[], Decided]

    def send(self) -> None:
        """Do nothing yet."""

    def wait(self) -> None:
        """Do nothing yet."""

    def answers(self) -> Decided:
        """Ask the players."""
        return self.decide()


@dataclass(frozen=True, slots=True)
class ObservedAsking:
    """Questions to a pool whose answers pass through a function, which may note them."""

    asking: Asking
    observe: Callable[[Decided], Decided]

    def send(self) -> None:
        """Begin to ask."""
        self.asking.send()

    def wait(self) -> None:
        """Wait until players have answered."""
        self.asking.wait()

    def answers(self) -> Decided:
        """Give the answers, once the function has seen them."""
        return self.observe(self.asking.answers())


class AnyPool(Protocol):
    """Where the questions to one entrant arrive, in this process or in another."""

    @property
    def warning(self) -> str:
        """What its author and the organiser should know; empty for nothing."""

    def sit(self, seat_requests: Sequence[SeatRequest], /) -> list[SeatReply]:
        """Make players, in order; seats are numbered as they come, from 0."""

    def decide(self, questions: Any, /) -> Decided:
        """Ask players whose seats have not failed, each at most once.

        Args:
            questions: Of the pool's game.
        """

    def asking(self, questions: Any, /) -> Asking:
        """Prepare to ask what `decide` asks, so that something else may be done meanwhile."""

    def close(self) -> None:
        """Let everybody go."""
