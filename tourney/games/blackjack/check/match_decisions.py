"""The decisions of a match of a check, judged against optimal play."""

from collections.abc import Iterator

import numpy as np

from tourney.game.cards.card import RANKS
from tourney.game.hand_history import JudgedDecision
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


def match_decisions(played: Played, judge: MoveJudge) -> Iterator[tuple[int, JudgedDecision]]:
    """Yield the decisions of a match with known values, each with the number of its table.

    Args:
        played: A match of one player alone at each table.
        judge: Judges decisions by the rules of the match.
    """
    questions, answers = in_order(played.waves, played.tables)
    is_move = (questions.calls == Call.DRAW) | (questions.calls == Call.ACT)
    places = np.flatnonzero(is_move & (answers != FAULT))
    cards = (questions.cards % RANKS).tobytes()
    begins, ends = starts(questions.card_stops), questions.card_stops
    tables = played.tables[questions.seats]
    before = split = (-1, -1)  # table and round of the last move, and of the last split
    wager = 0
    for place in places.tolist():
        here = int(tables[place]), int(questions.rounds[place])
        if here != before:  # later, the seat's chips include insurance and further hands
            before, wager = here, int(questions.table[place, WAGERS])  # in chips
        action = Action(int(answers[place]))
        is_draw = questions.calls[place] == Call.DRAW
        situation = Situation(
            bytes(code % RANKS for code in questions.dealer[place].tolist() if code != NO_CARD),
            cards[begins[place] : ends[place]],
            HIT_OR_STAND if is_draw else LEGAL[questions.legal[place]],
            is_split=here == split,
        )
        judgement = judge.judge(situation, action, wager * judge.unit)
        if judgement:
            yield here[0], JudgedDecision(here[1], str(action), judgement)
        if action is Action.SPLIT:
            split = here
