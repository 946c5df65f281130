"""Tables for the arrows that end a round: actions, wagers won and wagers staked."""

import numpy as np

from tourney.games.blackjack.action import ACTION_CODES, Action
from tourney.games.blackjack.kernels.accounts import ACTIONS_U
from tourney.games.blackjack.kernels.automaton import DECLINED, ENDINGS, Ending, Kind
from tourney.games.blackjack.kernels.shoes import Words

KINDS, MOST_HITS = 16, 64


def _action_words() -> Words:
    """Compute the part of a round's hash word for its actions, by hits and ending."""
    words = np.zeros(MOST_HITS * ENDINGS, np.uint64)
    for place in range(len(words)):
        hits, ending = divmod(place, ENDINGS)
        ending, is_declined = ending % DECLINED, ending >= DECLINED
        hits -= ending == Ending.DOUBLED  # its card is not a hit
        moves = [Action.DECLINE] * is_declined + [Action.HIT] * hits
        last = (None, Action.STAND, Action.DOUBLE, Action.SURRENDER)[ending]
        packed = 0
        for move in (*moves, *([last] if last else [])):
            packed = packed * ACTION_CODES + move
        words[place] = packed * int(ACTIONS_U) % (1 << 64)
    words.setflags(write=False)
    return words


ACTION_WORDS = _action_words()
STAKES, SIGNS, IS_HIDDEN = (np.zeros(KINDS, np.int64) for _ in range(3))
"""By kind of ending: wagers staked, wagers won (0 for naturals and surrenders), and whether no hand
waits for the dealer."""
for _kind, _stakes, _sign, _hidden in (
    (Kind.LOSS, 1, -1, 0),
    (Kind.PUSH, 1, 0, 0),
    (Kind.WIN, 1, 1, 0),
    (Kind.NATURAL, 1, 0, 1),
    (Kind.BUST, 1, -1, 1),
    (Kind.LOSS_AT_ONCE, 1, -1, 0),
    (Kind.PUSH_AT_ONCE, 1, 0, 0),
    (Kind.DOUBLE_LOSS, 2, -2, 0),
    (Kind.DOUBLE_PUSH, 2, 0, 0),
    (Kind.DOUBLE_WIN, 2, 2, 0),
    (Kind.DOUBLE_BUST, 2, -2, 1),
    (Kind.SURRENDER, 1, 0, 1),
):
    STAKES[_kind], SIGNS[_kind], IS_HIDDEN[_kind] = _stakes, _sign, _hidden
for _table in (STAKES, SIGNS, IS_HIDDEN):
    _table.setflags(write=False)
