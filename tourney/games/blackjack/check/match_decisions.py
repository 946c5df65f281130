"""The decisions of a match of a check, judged against optimal play."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from tourney.game.cards.card import RANKS
from tourney.game.hand_history import JudgedDecision, Judgement
from tourney.games.blackjack.action import HIT_OR_STAND, Action
from tourney.games.blackjack.asking.views import LEGAL
from tourney.games.blackjack.check.matches import Played, in_order
from tourney.games.blackjack.history.decision_log import Situation
from tourney.games.blackjack.history.judgement import MoveJudge
from tourney.games.blackjack.players.questions import (
    FAULT,
    NO_CARD,
    WAGERS,
    Call,
    starts,
)

DRAW = -1
"""Stands for the two answers of `draw`, beside the bits of `Questions.legal`."""


def match_decisions(played: Played, judge: MoveJudge) -> Iterator[tuple[int, JudgedDecision]]:
    """Yield the decisions of a match with known values, each with the number of its table.

    Args:
        played: A match of one player alone at each table.
        judge: Judges decisions by the rules of the match.
    """
    questions, answers = in_order(played.waves, played.tables)
    is_move = (questions.calls == Call.DRAW) | (questions.calls == Call.ACT)
    cards = (questions.cards % RANKS).tobytes()
    begins, ends = starts(questions.card_stops).tolist(), questions.card_stops.tolist()
    tables = played.tables[questions.seats].tolist()
    rounds, exposed = questions.rounds.tolist(), _exposed(questions.dealer)
    legal = np.where(questions.calls == Call.DRAW, DRAW, questions.legal.astype(np.intp)).tolist()
    wagers = questions.table[:, WAGERS].tolist()  # in chips
    before = split = (-1, -1)  # table and round of the last move, and of the last split
    wager = 0
    judged: dict[tuple[object, ...], Judgement | None] = {}  # most situations come up often
    for place in np.flatnonzero(is_move & (answers != FAULT)).tolist():
        here = tables[place], rounds[place]
        if here != before:  # later, the seat's chips include insurance and further hands
            before, wager = here, wagers[place]
        action = Action(int(answers[place]))
        held = cards[begins[place] : ends[place]]
        key = exposed[place], held, legal[place], here == split, action, wager
        if key not in judged:
            choice = HIT_OR_STAND if legal[place] == DRAW else LEGAL[legal[place]]
            situation = Situation(exposed[place], held, choice, is_split=here == split)
            judged[key] = judge.judge(situation, action, wager * judge.unit)
        if judgement := judged[key]:
            yield here[0], JudgedDecision(here[1], str(action), judgement)
        if action is Action.SPLIT:
            split = here


def _exposed(dealer: NDArray[np.integer]) -> list[bytes]:
    """Return the ranks of the dealer's face-up cards for each question."""
    ranks = np.where(dealer == NO_CARD, NO_CARD, dealer % RANKS)
    return [bytes(code for code in row if code != NO_CARD) for row in ranks.tolist()]
