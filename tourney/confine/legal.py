"""Whether answers could come from a desk: the referee's own look at the rules of a question.

A host that is honest has found illegal answers itself, so whatever is found here is a lie.
"""

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.players.questions import FAULT, Call, Questions, limits

HIT, STAND = int(Action.HIT), int(Action.STAND)
LOOK, WAGER, DRAW, ACT = map(int, (Call.LOOK, Call.WAGER, Call.DRAW, Call.ACT))
"""Plain numbers, which an array compares in a tenth of the time."""


def illegal_places(
    questions: Questions, answers: NDArray[np.int64], faulted: list[int]
) -> NDArray[np.int64]:
    """Give the places of answers that no desk would give.

    Args:
        questions: A batch of n.
        answers: (n,)
        faulted: The places for which faults were told.
    """
    calls = questions.calls
    is_legal = calls == LOOK
    wagers = np.flatnonzero(calls == WAGER)
    if len(wagers):
        _, least, most = limits(questions.table[wagers])
        is_legal[wagers] = (least <= answers[wagers]) & (answers[wagers] <= most)
    is_legal |= (calls == DRAW) & ((answers == HIT) | (answers == STAND))
    acts = np.flatnonzero(calls == ACT)
    if len(acts):
        moves = answers[acts]
        known = (moves >= 0) & (moves < ACTION_CODES)
        bits = questions.legal[acts] >> np.where(known, moves, 0).astype(np.uint8)
        is_legal[acts] = known & (bits & 1).astype(bool)
    is_legal[faulted] = answers[faulted] == FAULT
    return np.flatnonzero(~is_legal)
