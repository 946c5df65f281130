"""The codec for batches of blackjack questions.

An honest host has already found illegal answers, so any that are found here are manipulated.
Situations are described in the same words as by the reference engine.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import CARDS
from tourney.game.codec import Codec
from tourney.game.ledger import Verdict
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.seats import (
    action_seen,
    draw_seen,
    fixed_seen,
    wager_seen,
)
from tourney.games.blackjack.asking.views import LEGAL, LOOK, NAMES, illegal_places
from tourney.games.blackjack.players.questions import (
    BANKROLLS,
    BEFORE_ROUND,
    LAYOUT,
    MINIMUM,
    NO_CARD,
    SEAT,
    WAGERS,
    Call,
    Questions,
    limits,
    starts,
    write_questions,
)


class QuestionsCodec(Codec):
    """Questions in arrays: wagers in chips, and moves by their numbers."""

    layout = LAYOUT

    def write(self, questions: Questions) -> bytes:
        """Write a batch."""
        return write_questions(questions)

    def calls(self, questions: Questions) -> Sequence[str]:
        """Return the names of the called methods."""
        return [NAMES[Call(call)] for call in questions.calls.tolist()]

    def are_decisions(self, questions: Questions) -> NDArray[np.bool_]:
        """Return which questions are decisions, not only exposures of cards."""
        return np.asarray(questions.calls != LOOK)

    def illegal(
        self, questions: Questions, answers: NDArray[np.int64], faulted: Sequence[int]
    ) -> Sequence[int]:
        """Return the positions of answers that a pool could not give."""
        return illegal_places(questions, answers, faulted).tolist()  # type: ignore[no-any-return]  # whole numbers

    def is_met(self, questions: Questions, place: int, verdict: Verdict) -> bool:
        """Return whether a verdict fits the seat's situation.

        The method is not compared: a fault while cards are shown names the method called then, not
        the question that follows.
        """
        return verdict.seen == seen_at(questions, place)

    def told(self, questions: Questions, place: int, answer: int) -> str:
        """Write a wager or a move."""
        call = Call(questions.calls[place])
        if call is Call.LOOK:
            return "none"
        return f"{answer:,}" if call is Call.WAGER else Action(answer).name.lower()


def seen_at(questions: Questions, place: int) -> str:
    """Describe the seat's situation; empty if it was only shown the last cards.

    Args:
        questions: A batch.
        place: Position of the seat's question.
    """
    call, row = Call(questions.calls[place]), questions.table[place]
    if call is Call.LOOK and questions.legal[place] != BEFORE_ROUND:
        return ""
    if call is Call.LOOK:
        return fixed_seen(int(row[BANKROLLS + row[SEAT]]), int(row[MINIMUM]))
    if call is Call.WAGER:
        found = limits(questions.table[place : place + 1])
        bankroll, least, most = (int(each[0]) for each in found)
        return wager_seen(bankroll, least, most)
    chips = int(row[BANKROLLS + row[SEAT]]), int(row[WAGERS + row[SEAT]])
    first, stop = starts(questions.card_stops)[place], questions.card_stops[place]
    hand = [CARDS[code] for code in questions.cards[first:stop].tolist()]
    dealer = [CARDS[code] for code in questions.dealer[place].tolist() if code != NO_CARD]
    if call is Call.DRAW:
        return draw_seen(chips, dealer[0], hand)
    return action_seen(chips, dealer, hand, LEGAL[questions.legal[place]])
