"""Turns at many tables at once, in bytes and out of bytes again.

How they are written is a game's own business where that pays; any game's can be pickled, by the
referee, who is trusted, for players who are not. Leaves out who asks and who answers.
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

    seat: int  # of the entrant's, as they sat down, from 0
    turn: Turn[Any, Any]


Write: TypeAlias = Callable[[Sequence[QuestionBatch]], bytes]
"""Writes turns, each of another seat; it may count on what it has written before."""
Read: TypeAlias = Callable[[bytes], Sequence[QuestionBatch]]
"""Reads turns that were written so; it may count on what it has read before."""


class Turns(NamedTuple):
    """A batch of n turns, each of another seat, as whoever waits for the answers keeps it."""

    seats: NDArray[np.int32]  # (n,) which of the entrant's seats
    rounds: NDArray[np.int64]  # (n,) number of the round
    calls: tuple[str, ...]  # (n,) the methods that are asked
    legal: tuple[tuple[Any, ...], ...]  # (n,) an answer is a place in its seat's
    body: bytes  # what is asked, written


def turns_of(asked: Sequence[QuestionBatch], write: Write) -> Turns:
    """Gather turns, each of another seat."""
    turns = [each.turn for each in asked]
    return Turns(
        np.array([each.seat for each in asked], np.int32),
        np.array([turn.round for turn in turns], np.int64),
        tuple([turn.call for turn in turns]),
        tuple([turn.legal for turn in turns]),
        write(asked),
    )


class TurnCodec(Codec, Generic[ViewT_co, ActionT]):
    """Turns, pickled; an answer is a place among the legal actions.

    Only what a seat sees may hang on its view, since all of it is sent. Actions have to be alike
    by their values, as an action comes back to its player as another object.

    Args:
        game: Whose turns.
    """

    def __init__(self, game: Judge) -> None:
        self._game = game

    def writer(self) -> Write:
        """Give what writes the turns of one entrant's seats, from the first on."""
        return pickle.dumps

    def reader(self) -> Read:
        """Give what reads them, in the process that they are written for."""
        return pickle.loads

    def write(self, questions: Turns) -> bytes:
        """Give what was written as they were gathered."""
        return questions.body

    def calls(self, questions: Turns) -> Sequence[str]:
        """Name the methods."""
        return questions.calls

    def illegal(
        self, questions: Turns, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Find what is no place among the legal actions."""
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
