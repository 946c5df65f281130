"""Batches of questions as three tables would ask them, and what came of asking."""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np

from tourney.game.asking.exchange import SeatRequest
from tourney.game.ledger import Verdict
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import NO_CARD, WIDTH, Call, Questions
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

CORPUS = Path(__file__).parent / "corpus"
"""Not called `.py`, so that no tool imports one by mistake."""

EXPECTED = re.compile(rb"^Expected: ([\w ]+?)(?: \((.*?)\)?)?\.$", re.MULTILINE)

SEATS = 3
MINIMUM, BANKROLL = 10, 1_000
SEAT_REQUESTS = [SeatRequest(1, bytes([seat + 1]) * 8) for seat in range(SEATS)]
QUICK = Budget(loading=0.5, base=0.4, decision=1e-3, batch_factor=2, stall=1.0)
"""Time is only lost on an attack that does not end."""

HONEST = b"""
from tourney import Player


class Honest(Player):
    def bet(self, bankroll, minimum):
        return minimum + self.random.randrange(20)

    def draw(self, dealer, player):
        return player.total < 17
"""


class Played(NamedTuple):
    """What came of asking a competitor."""

    verdicts: tuple[Verdict, ...]
    answers: tuple[tuple[int, ...], ...]  # of the seats still playing, batch by batch
    printed: str


def questions(call: Call, round_: int, seats: list[int]) -> Questions:
    """Ask all of some seats the same."""
    count = len(seats)
    table = np.zeros((count, WIDTH), np.int64)
    table[:, :5] = (0, 1, MINIMUM, BANKROLL, 9)
    table[:, 5] = BANKROLL
    table[:, 12] = 0 if call == Call.WAGER else MINIMUM
    held = 0 if call == Call.WAGER else 2
    legal = (1 << Action.HIT | 1 << Action.STAND) if call == Call.ACT else 0
    return Questions(
        seats=np.array(seats, np.int32),
        calls=np.full(count, call, np.uint8),
        rounds=np.full(count, round_, np.int64),
        legal=np.full(count, legal, np.uint8),
        dealer=np.tile(np.array([20, NO_CARD], np.uint8), (count, 1)),
        cards=np.tile(np.array([3, 9], np.uint8)[:held], count),
        card_stops=held * np.arange(1, count + 1),
        exposed=np.tile(np.array([5, 40], np.uint8), count),
        exposed_stops=2 * np.arange(1, count + 1),
        table=table,
    )


def play(source: bytes, setup: Setup | None = None, budget: Budget = QUICK) -> Played:
    """Seat a competitor three times, and ask it for two rounds."""
    answers: list[tuple[int, ...]] = []
    with SandboxedPool(BLACKJACK, Submitted("attacker.py", source), setup, budget) as pool:
        seatings = pool.sit(SEAT_REQUESTS)
        verdicts = [seating.verdict for seating in seatings if seating.verdict]
        sitting = [seat for seat in range(SEATS) if not seatings[seat].verdict]
        acting = bool(sitting) and seatings[sitting[0]].acts
        for round_ in (1, 2):
            for call in (Call.WAGER, Call.ACT if acting else Call.DRAW, Call.LOOK):
                if not sitting:
                    break
                decided = pool.decide(questions(call, round_, sitting))
                verdicts += decided.faults.values()
                answers.append(tuple(decided.answers.tolist()))
                sitting = [
                    seat for place, seat in enumerate(sitting) if place not in decided.faults
                ]
    return Played(tuple(verdicts), tuple(answers), pool.printed)


def expected(source: bytes) -> tuple[set[str], str]:
    """Read off an attack which causes its verdict may have, and what its message says."""
    found = EXPECTED.search(source)
    assert found, "an attack says what is expected of it"
    return set(found[1].decode().split(" or ")), (found[2] or b"").decode()
