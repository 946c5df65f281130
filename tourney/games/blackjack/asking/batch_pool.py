"""Asking a player that answers for all seats of its entrant at once."""

from dataclasses import replace
from typing import NoReturn

import numpy as np
from numpy.typing import NDArray

from tourney.game.ledger import Verdict
from tourney.games.blackjack.asking.player_seat import PlayerSeat
from tourney.games.blackjack.asking.views import LEGAL, NAMES, illegal_places
from tourney.games.blackjack.players.batch import BatchPlayer, checked_answers
from tourney.games.blackjack.players.questions import FAULT, Call, Questions, limits


class BatchPool:
    """All seats of a `BatchPlayer`.

    Args:
        occupant: The first one's, whose player answers for all of them.
        seats: How many there are.
    """

    def __init__(self, occupant: PlayerSeat, seats: int) -> None:
        assert isinstance(occupant.player, BatchPlayer)
        self._occupant = occupant
        self._player = occupant.player
        self._player.look = _refuse_to_look
        self._decisions = np.zeros(seats, np.int64)

    def decide(self, questions: Questions) -> tuple[NDArray[np.int64], dict[int, Verdict]]:
        """Ask the player.

        Args:
            questions: To its seats.
        Returns: The answers, and the faults by their places.
        """
        try:
            found = self._player.act_batch(_as_shown(questions))
            answers = checked_answers(found, len(questions.calls))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # noqa: BLE001 - a player's code; becomes verdicts
            return self._all_failed(questions, error)
        failed = illegal_places(questions, answers, ()).tolist()
        faults = {place: self._refusal(questions, place, int(answers[place])) for place in failed}
        answers[failed] = FAULT
        self._decisions[questions.seats] += questions.calls != Call.LOOK
        return answers, faults

    def _all_failed(
        self, questions: Questions, error: BaseException
    ) -> tuple[NDArray[np.int64], dict[int, Verdict]]:
        verdict = self._occupant.raised(error).verdict
        faults = {
            place: self._at(questions, place, verdict) for place in range(len(questions.calls))
        }
        return np.full(len(questions.calls), FAULT, np.int64), faults

    def _refusal(self, questions: Questions, place: int, answer: int) -> Verdict:
        call = Call(questions.calls[place])
        if call is Call.WAGER:
            _, least, most = limits(questions.table[place : place + 1])
            fault = self._occupant.refused_wager(answer, int(least[0]), int(most[0]))
        else:
            legal = LEGAL[questions.legal[place]]
            fault = self._occupant.refused_action(BatchPlayer.move(answer), legal)
        return self._at(questions, place, fault.verdict)

    def _at(self, questions: Questions, place: int, verdict: Verdict) -> Verdict:
        """Give a verdict as that of one seat."""
        name = NAMES[Call(questions.calls[place])]
        return replace(
            verdict,
            call=name,
            message=f"{name}:{verdict.message.partition(':')[2]}",
            round=int(questions.rounds[place]),
            decision=int(self._decisions[questions.seats[place]]),
        )


def _as_shown(questions: Questions) -> Questions:
    """Give what a player is shown, which it cannot change: answers are checked by it."""
    shown = questions._replace(rounds=np.zeros_like(questions.rounds))
    shown = Questions._make(array.view() for array in shown)
    for array in shown:
        array.flags.writeable = False
    return shown


def _refuse_to_look() -> NoReturn:
    raise AttributeError("a BatchPlayer sees its tables in questions.table, not in self.table")
