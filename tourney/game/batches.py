"""Batches of turns at many tables, and how they are written to bytes and read again.

By default turns are pickled: the trusted process writes them for untrusted players. A game may
bring a faster codec.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from typing import Any, Generic, NamedTuple, TypeAlias

from tourney.game.arrays import NDArray, np
from tourney.game.codec import FAULT, Codec
from tourney.game.turns import ActionT, Judge, Turn, ViewT_co


class QuestionBatch(NamedTuple):
    """A turn of one of an entrant's seats."""

    seat: int  # among the entrant's seats, in the order in which they sat down, from 0
    turn: Turn[Any, Any]


Write: TypeAlias = Callable[[Sequence[QuestionBatch]], bytes]
"""Writes turns of different seats; it may depend on everything that it has written before."""
Read: TypeAlias = Callable[[bytes], Sequence[QuestionBatch]]
"""Reads turns that `Write` has written; it may depend on everything that it has read before."""


class Turns(NamedTuple):
    """A batch of n turns of different seats, kept until the answers arrive."""

    seats: NDArray[np.int32]  # (n,) index among the entrant's seats
    rounds: NDArray[np.int64]  # (n,) number of the round
    calls: tuple[str, ...]  # (n,) names of the methods that are called
    legal: tuple[tuple[Any, ...], ...]  # (n,) an answer is an index into its seat's actions
    body: bytes  # the written questions


def turns_of(asked: Sequence[QuestionBatch], write: Write) -> Turns:
    """Collect turns of different seats in a batch."""
    turns = [each.turn for each in asked]
    return Turns(
        np.array([each.seat for each in asked], np.int32),
        np.array([turn.round for turn in turns], np.int64),
        tuple([turn.call for turn in turns]),
        tuple([turn.legal for turn in turns]),
        write(asked),
    )


class TurnCodec(Codec, Generic[ViewT_co, ActionT]):
    """Pickled turns; an answer is an index into the legal actions.

    The whole view of a turn is sent, so it must hold nothing that is hidden from its seat. Actions
    must compare by value, because a player receives copies of them.
    """

    def __init__(self, game: Judge) -> None:
        self._game = game

    def writer(self) -> Write:
        """Return a function that writes the turns of one entrant, from the first turn on."""
        return pickle.dumps

    def reader(self) -> Read:
        """Return the matching reader, in the process that the turns are written for."""
        return pickle.loads

    def write(self, questions: Turns) -> bytes:
        """Return the bytes that were written when the batch was collected."""
        return questions.body

    def calls(self, questions: Turns) -> Sequence[str]:
        """Return the name of the method that each question calls."""
        return questions.calls

    def illegal(
        self, questions: Turns, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Return the places of answers that are no index into the legal actions."""
        at_fault = set(faulted)
        return [
            place
            for place, (answer, legal) in enumerate(
                zip(answers.tolist(), questions.legal, strict=True)
            )
            if not (answer == FAULT if place in at_fault else 0 <= answer < len(legal))
        ]

    def told(self, questions: Turns, place: int, answer: int) -> str:
        """Name an action."""
        return self._game.told(questions.legal[place][answer])
