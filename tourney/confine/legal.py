"""Whether answers could come from a desk: the referee's own look at the rules of a question.

A host that is honest has found illegal answers itself, so whatever is found here is a lie.
"""

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.players.questions import FAULT, Call, Questions, limits

DRAWS = (Action.HIT, Action.STAND)


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
    is_legal = calls == Call.LOOK
    wagers = calls == Call.WAGER
    if wagers.any():
        _, least, most = limits(questions.table)
        is_legal |= wagers & (least <= answers) & (answers <= most)
    is_legal |= (calls == Call.DRAW) & np.isin(answers, DRAWS)
    known = (answers >= 0) & (answers < ACTION_CODES)
    bits = questions.legal >> np.where(known, answers, 0).astype(np.uint8)
    is_legal |= (calls == Call.ACT) & known & (bits & 1).astype(bool)
    is_legal[faulted] = answers[faulted] == FAULT
    return np.flatnonzero(~is_legal)
