"""A player that answers for many seats at once, for authors who think in NumPy."""

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
    """Who decides for many seats by one method.

    Where tables advance together, one object answers for all seats of its entrant, and keeps
    what it remembers by `questions.seats`, whose numbers count from 0. The reference engine
    makes an object for every seat and asks it one question at a time. Both give the same results
    if you treat seats independently of each other, and toss no coins.
    """

    _exposed = b""  # codes since the last question, where it is asked one at a time

    @abstractmethod
    def act_batch(self, questions: Questions) -> NDArray[np.int64]:
        """Answer a batch of questions, each to another seat.

        Args:
            questions: Whether a seat wagers or acts, say its `calls`. The cards of LOOK come
                with the seat's next question in the reference engine, which does not show the
                last ones; `rounds` are 0.
        Returns: A wager in chips for WAGER, the number of a legal `Action` for ACT, anything
            for LOOK; shape (n,), of an integer type. Anything else is a fault of every seat.
        """

    def bet(self, bankroll: int, minimum: int) -> int:
        """Wager as `act_batch` says."""
        del bankroll, minimum  # the table shows them
        return self._answer(Call.WAGER)

    def act(self, dealer: Hand, player: Hand, legal: tuple[Action, ...]) -> Action:
        """Move as `act_batch` says."""
        number = self._answer(Call.ACT, dealer.cards, player.cards, legal)
        return self.move(number)  # type: ignore[return-value]  # a number is found illegal

    @staticmethod
    def move(number: int) -> Action | int:
        """Give the action of a number, or the number itself if there is none."""
        return Action(number) if number in list(Action) else number

    def expose(self, card: Card) -> None:
        """Keep a card for the next question."""
        self._exposed += bytes((card.code,))

    def shuffled(self) -> None:
        """Keep a shuffle for the next question."""
        self._exposed += bytes((SHUFFLED,))

    def _answer(self, call: Call, *seen: Iterable[Any]) -> int:
        exposed, self._exposed = self._exposed, b""
        asked = question(call, self.table, *seen, exposed=exposed)
        return int(checked_answers(self.act_batch(asked), 1)[0])


def checked_answers(answers: object, questions: int) -> NDArray[np.int64]:
    """Give the answers to a batch of questions; whether they are legal is another matter.

    Raises: TypeError, if these are not whole numbers, one for each question.

    >>> checked_answers(np.array([5, 10], np.int32), 2)
    array([ 5, 10])
    """
    expected = f"act_batch: expected an array of {questions} whole numbers"
    if not isinstance(answers, np.ndarray):
        raise TypeError(f"{expected}, got {type(answers).__name__}")
    if answers.shape != (questions,) or answers.dtype.kind not in "iu":
        raise TypeError(f"{expected}, got {answers.dtype} of shape {answers.shape}")
    return answers.astype(np.int64)
