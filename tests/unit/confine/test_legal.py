"""The referee's own look at answers: what no honest pool lets through is a lie."""

import numpy as np
import pytest

from tests.attacks.asking import BANKROLL, MINIMUM, questions
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.laid_out import illegal_places
from tourney.games.blackjack.players.questions import FAULT, Call


@pytest.mark.parametrize(
    ("call", "answer", "is_legal"),
    [
        (Call.WAGER, MINIMUM, True),
        (Call.WAGER, BANKROLL, True),
        (Call.WAGER, MINIMUM - 1, False),
        (Call.WAGER, BANKROLL + 1, False),
        (Call.WAGER, -(1 << 63), False),
        (Call.DRAW, Action.HIT, True),
        (Call.DRAW, Action.STAND, True),
        (Call.DRAW, Action.DOUBLE, False),
        (Call.DRAW, 0, False),
        (Call.ACT, Action.HIT, True),
        (Call.ACT, Action.SPLIT, False),
        (Call.ACT, 0, False),
        (Call.ACT, 8, False),
        (Call.ACT, 257, False),
        (Call.ACT, -(1 << 63), False),
        (Call.LOOK, 1 << 62, True),
    ],
)
def test_an_answer_is_what_the_question_allows(call: Call, answer: int, is_legal: bool) -> None:
    """Wagers between the limits, moves among the legal ones; a look needs no answer."""
    asked = questions(call, 1, [0, 1])
    good = {Call.WAGER: MINIMUM, Call.LOOK: 0}.get(call, int(Action.STAND))
    places = illegal_places(asked, np.array([good, answer]), [])
    assert places.tolist() == ([] if is_legal else [1])


def test_a_fault_has_no_answer() -> None:
    """Where one is told the answer is FAULT, and only there."""
    asked = questions(Call.WAGER, 1, [0, 1])
    assert illegal_places(asked, np.array([FAULT, MINIMUM]), [0]).tolist() == []
    assert illegal_places(asked, np.array([MINIMUM, MINIMUM]), [0]).tolist() == [0]
    assert illegal_places(asked, np.array([FAULT, MINIMUM]), []).tolist() == [0]
