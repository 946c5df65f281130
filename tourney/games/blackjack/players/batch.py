"""A player that answers for many seats in one call, for authors who use NumPy."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Any

from tourney.game.arrays import NDArray, np
from tourney.game.cards.card import Card
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.hand import Hand
from tourney.games.blackjack.players.player import ActPlayer
from tourney.games.blackjack.players.questions import SHUFFLED, Call, Questions, question


class BatchPlayer(ActPlayer):
    """A player that decides for many seats with one method.

    In lockstep play, one object answers for all seats of its entrant and stores its data by
    `questions.seats`, numbered from 0. The reference engine creates an object for each seat and
    asks one question at a time. Both give the same results if the seats are treated independently
    and without random choices.
    """

    _exposed = b""  # codes since the last question, in the reference engine

    @abstractmethod
    def act_batch(self, questions: Questions) -> NDArray[np.int64]:
        """Answer a batch of questions, each to another seat.

        Args:
            questions: Questions; `calls` holds the kind of each. The reference engine shows the
                cards of LOOK with the seat's next question, does not show the last ones, and sets
                `rounds` to 0.
        Returns: A wager in chips for WAGER, the number of a legal `Action` for ACT, any number
            for LOOK; shape (n,), of an integer type. Any other answer is a fault of each seat.
        """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager with `act_batch`."""
        del bankroll, minimum  # the table shows them
        return self._answer(Call.WAGER)

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Choose a move with `act_batch`."""
        number = self._answer(Call.ACT, dealer.cards, player.cards, legal)
        return self.move(number)  # type: ignore[return-value]  # a number is found illegal

    @staticmethod
    def move(number: int) -> Action | int:
        """Return the action with a number, or the number itself if it is not an action."""
        return Action(number) if number in list(Action) else number

    def expose(self, card: Card) -> None:
        """Store a card for the next question."""
        self._exposed += bytes((card.code,))

    def shuffled(self) -> None:
        """Store a shuffle for the next question."""
        self._exposed += bytes((SHUFFLED,))

    def _answer(self, call: Call, *seen: Iterable[Any]) -> int:
        exposed, self._exposed = self._exposed, b""
        asked = question(call, self.table, *seen, exposed=exposed)
        return int(checked_answers(self.act_batch(asked), 1)[0])


def checked_answers(answers: object, questions: int) -> NDArray[np.int64]:
    """Return the answers to a batch as int64; they may still be illegal.

    Raises: TypeError, unless there is one whole number per question.

    >>> checked_answers(np.array([5, 10], np.int32), 2)
    array([ 5, 10])
    """
    expected = f"act_batch: expected an array of {questions} whole numbers"
    if not isinstance(answers, np.ndarray):
        raise TypeError(f"{expected}, got {type(answers).__name__}")
    if answers.shape != (questions,) or answers.dtype.kind not in "iu":
        raise TypeError(f"{expected}, got {answers.dtype} of shape {answers.shape}")
    return answers.astype(np.int64)
