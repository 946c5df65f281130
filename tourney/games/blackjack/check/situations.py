"""Asking a player about rare situations, each with a player of its own."""

import numpy as np
from numpy.typing import NDArray

from tourney.game.asking.exchange import AnyPool
from tourney.game.asking.seat_request import SeatRequest
from tourney.game.blocks import HOUSE_LIMIT
from tourney.game.examiner import Situations
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.check.scenarios import (
    Scenario,
    hand_questions,
    scenarios,
    wager_questions,
    without_cards_shown,
)
from tourney.games.blackjack.players.questions import Questions
from tourney.games.blackjack.rules import BlackjackRules


def ask_situations(
    pool: AnyPool,
    rules: BlackjackRules,
    minimum: int,
    maximum: int = HOUSE_LIMIT,
    *,
    hands_only: bool = False,
) -> Situations:
    """Ask about everything that the rules make possible and games seldom bring.

    Args:
        pool: With nobody seated yet.
        rules: Of the game.
        minimum: The least wager, in chips.
        maximum: The greatest.
        hands_only: Ask for no wagers.
    """
    asked = scenarios(rules, minimum, maximum)
    seat_requests = [SeatRequest(1, seat.to_bytes(8, "little")) for seat in range(len(asked))]
    seatings = pool.sit(seat_requests)
    came = Situations(len(asked))
    came.unseated = next((each.verdict for each in seatings if each.verdict), None)
    if came.unseated:
        return came
    acts, watches = seatings[0].acts, seatings[0].watches
    round_ = _Round(pool, came, watches=watches)
    wagers = np.full(len(asked), minimum)
    if rules.wager == "chosen" and not hands_only:
        everybody = list(range(len(asked)))
        wagers = round_.ask(asked, wager_questions(rules, asked, everybody))
    came.unasked = sum(bool(asked[seat].hand) for seat in round_.failed)
    sitting = [
        seat
        for seat, each in enumerate(asked)
        if each.hand and seat not in round_.failed and (acts or Action.HIT in each.legal)
        if each.may_follow(int(wagers[seat]))
    ]
    about = [asked[seat] for seat in sitting]
    if about:
        staked = [int(wagers[seat]) for seat in sitting]
        round_.ask(about, hand_questions(about, sitting, staked, acts=acts))
    return came


class _Round:
    """Asks, and keeps the faults with the words for where they arose."""

    def __init__(self, pool: AnyPool, came: Situations, *, watches: bool) -> None:
        self._pool, self._came, self._watches = pool, came, watches
        self.failed: set[int] = set()

    def ask(
        self, asked: tuple[Scenario, ...] | list[Scenario], questions: Questions
    ) -> NDArray[np.int64]:
        """Ask, in the order of the scenarios."""
        if not self._watches:
            questions = without_cards_shown(questions)
        answers, faults = self._pool.decide(questions)
        for place in sorted(faults):
            self.failed.add(int(questions.seats[place]))
            self._came.faults.append((asked[place].words, faults[place]))
        return answers
