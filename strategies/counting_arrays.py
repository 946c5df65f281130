"""Counts and hands of thousands of seats together: the NumPy arithmetic of `counting_batch`."""

import numpy as np
from numpy.typing import NDArray

from tourney import Action, Call, Card, Hand, Questions, Rank, Suit
from tourney.strategies.counting import TAGS
from tourney.strategies.simple import Simple

MOST_CODES = 256
TAG_OF = np.zeros(MOST_CODES, np.int64)
"""Points of a seen card in the count, by code."""

for _suit in Suit:
    for _rank, _tag in TAGS.items():
        TAG_OF[Card(_rank, _suit).code] = _tag


def hits() -> NDArray[np.bool_]:
    """Return Simple's answer for every hand, by softness, total and value of the upcard."""
    table = np.zeros((2, 22, 12), np.bool_)
    simple = Simple()
    for upcard in (Card(rank, Suit.CLUBS) for rank in Rank):
        for first in Rank:
            for second in Rank:
                for third in (None, *Rank):
                    ranks = (first, second, third) if third else (first, second)
                    hand = Hand(Card(rank, Suit.CLUBS) for rank in ranks)
                    if not hand.is_bust:
                        answer = simple.draw(upcard, hand)
                        table[int(hand.soft), hand.total, upcard.value] = answer
    return table


HITS = hits()


class Counts:
    """The counts of all seats, and the answers by them."""

    def __init__(self) -> None:
        self._counts = np.zeros(0, np.int64)

    def answers(self, questions: Questions) -> NDArray[np.int64]:
        """Update the counts, and answer every question."""
        return np.where(
            questions.calls == Call.WAGER, self._wagers(questions), self._moves(questions)
        )

    def _wagers(self, questions: Questions) -> NDArray[np.int64]:
        counts = self._watch(questions)
        seat, minimum, maximum = questions.table[:, 0], questions.table[:, 2], questions.table[:, 3]
        bankrolls = questions.table[np.arange(len(seat)), 5 + seat]
        doubled = (counts >= 2) & (2 * minimum <= np.minimum(bankrolls, maximum))
        return np.where(doubled, 2 * minimum, minimum)

    def _watch(self, questions: Questions) -> NDArray[np.int64]:
        missing = int(questions.seats.max()) + 1 - len(self._counts)
        self._counts = np.pad(self._counts, (0, max(missing, 0)))
        places, have_shuffled, codes = questions.shown()
        self._counts[questions.seats[have_shuffled]] = 0
        np.add.at(self._counts, questions.seats[places], TAG_OF[codes])
        return self._counts[questions.seats]

    def _moves(self, questions: Questions) -> NDArray[np.int64]:
        totals, soft = questions.hand_values()
        may_hit = questions.legal >> Action.HIT & 1 > 0
        wants_to = HITS[soft.astype(np.int64), totals, questions.upcard_values()]
        is_asked_to_insure = questions.legal >> Action.DECLINE & 1 > 0
        stays = np.where(is_asked_to_insure, Action.DECLINE, Action.STAND)
        return np.where(may_hit & wants_to, Action.HIT, stays)
