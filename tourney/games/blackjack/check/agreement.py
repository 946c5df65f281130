"""What players would have answered who look on at a match: looked up in what they declare.

They are shown every card and asked every question that somebody else is asked, so nobody has to ask
them: all questions of a match are answered at once. Leaves out players that do not answer `draw`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tourney.games.blackjack.action import Action
from tourney.games.blackjack.asking.views import LEGAL
from tourney.games.blackjack.declaration import TOTALS, VALUES, Declaration
from tourney.games.blackjack.players.questions import (
    FAULT,
    SHUFFLED,
    Call,
    Questions,
    limits,
    pick,
    starts,
)

FIRST_LEGAL = np.array([moves[0] if moves else FAULT for moves in LEGAL])
"""What is answered, by the bits of `Questions.legal`, where nobody may hit."""


class Wave(NamedTuple):
    """Questions, and their answers; (n,)."""

    questions: Questions
    answers: NDArray[np.int64]


def in_order(waves: Sequence[Wave], tables: NDArray[np.int64]) -> Wave:
    """Put what was asked one after another in the order of tables, and of each as it was asked.

    Args:
        waves: At least one, with cards shown.
        tables: Numbers of the tables by seat.
    """
    columns = zip(*(wave.questions for wave in waves), strict=True)
    joined = Questions(*map(np.concatenate, columns))
    joined = joined._replace(
        card_stops=_stops([wave.questions.card_stops for wave in waves]),
        exposed_stops=_stops([wave.questions.exposed_stops for wave in waves]),
    )
    order = np.argsort(tables[joined.seats], kind="stable")
    answers = np.concatenate([wave.answers for wave in waves])
    return Wave(pick(joined, order), answers[order])


def agreements(onlooker: Declaration, by_table: Wave) -> int:
    """Count the decisions that a player would have made like the one who made them.

    Args:
        onlooker: What the player declares.
        by_table: All that was asked, `in_order`.
    """
    questions, answers = by_table
    is_decided = (questions.calls != Call.LOOK) & (answers != FAULT)
    return int(((_answers(onlooker, questions) == answers) & is_decided).sum())


def _stops(pieces: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Join ends of pieces that lie one after another."""
    ends = np.cumsum([piece[-1] for piece in pieces])
    return np.concatenate(
        [piece + first for piece, first in zip(pieces, starts(ends), strict=True)]
    )


def _answers(onlooker: Declaration, questions: Questions) -> NDArray[np.int64]:
    """Give its answers; of LOOK anything."""
    assert not onlooker.moves, "it answers draw"
    assert not onlooker.own_bet, onlooker.own_bet
    points = _points(onlooker, questions)
    units = np.array(onlooker.units)
    wagers = units[np.clip(points - onlooker.first, 0, len(units) - 1)]
    _, least, most = limits(questions.table)
    wagers = least * wagers
    wagers = np.where(wagers <= most, wagers, most if onlooker.bets_rest else least)
    totals, is_soft = questions.hand_values()
    places = (is_soft * TOTALS + totals) * VALUES + questions.upcard_values()
    is_hit = points < np.array(onlooker.stand_from)[places]
    may_hit = (questions.calls == Call.DRAW) | (questions.legal >> Action.HIT & 1 > 0)
    moves = np.where(is_hit, Action.HIT, Action.STAND)
    moves = np.where(may_hit, moves, FIRST_LEGAL[questions.legal])
    return np.where(questions.calls == Call.WAGER, wagers, moves)


def _points(onlooker: Declaration, questions: Questions) -> NDArray[np.int64]:
    """Give the count at every question, by the cards of its table since the last shuffle."""
    assert not onlooker.decks, "it takes the running count"
    is_first = np.diff(questions.seats, prepend=-1) != 0
    tags = np.zeros(SHUFFLED + 1, np.int64)
    tags[: len(onlooker.tags)] = onlooker.tags
    # Where counts begin anew: behind a shuffle, and with the first card of a table.
    begins = np.zeros(len(questions.exposed) + 1, np.int64)
    shuffles = np.flatnonzero(questions.exposed == SHUFFLED) + 1
    firsts = starts(questions.exposed_stops)[is_first]
    begins[shuffles], begins[firsts] = shuffles, firsts
    np.maximum.accumulate(begins, out=begins)
    so_far = np.zeros(len(begins), np.int64)
    np.cumsum(tags[questions.exposed], out=so_far[1:])
    stops = questions.exposed_stops
    return so_far[stops] - so_far[begins[stops]]
