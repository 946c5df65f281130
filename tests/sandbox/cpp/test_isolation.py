"""Many seats in one process against a process for each: nobody can tell which it was."""

import random
import shutil
from collections.abc import Sequence

import numpy as np
import pytest

from tests.sandbox.attacks.asking import questions
from tests.sandbox.cpp.test_twins import PATIENT, TWINS
from tests.support.cpp_build import build
from tests.support.proving import with_more
from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call, Questions
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++"), reason="nothing can be compiled here"
)

SHUFFLED, CARDS, ROUNDS = 255, 52, 30


def asked(rounds: Sequence[tuple[int, random.Random, int]]) -> Questions:
    """Ask seats in one wave: for a wager or a move, after cards of their own.

    Args:
        rounds: Of each question the seat, its chance and its round.
    """
    drawn = [chance.random() < 0.5 for _, chance, _ in rounds]
    shown = [
        chance.choices((*range(CARDS), SHUFFLED), k=chance.randrange(8)) for _, chance, _ in rounds
    ]
    held = [
        chance.sample(range(CARDS), 2) if draws else []
        for draws, (_, chance, _) in zip(drawn, rounds, strict=True)
    ]
    wave = questions(Call.WAGER, 1, [seat for seat, _, _ in rounds])
    wave.table[:, 12] = np.where(drawn, 10, 0)
    return wave._replace(
        calls=np.where(drawn, np.uint8(Call.DRAW), np.uint8(Call.WAGER)),
        rounds=np.array([each for _, _, each in rounds], np.int64),
        cards=np.array(sum(held, []), np.uint8),  # noqa: RUF017 - a few cards
        card_stops=np.cumsum([len(each) for each in held]),
        exposed=np.array(sum(shown, []), np.uint8),  # noqa: RUF017 - a few cards
        exposed_stops=np.cumsum([len(each) for each in shown]),
    )


def played(program: bytes, seats: Sequence[int]) -> list[list[int]]:
    """Play some seats in one process; give the answers of each, which depend on its number."""
    requests = [SeatRequest(1, seat.to_bytes(16, "little")) for seat in seats]
    chances = [random.Random(seat) for seat in seats]
    answers: list[list[int]] = [[] for _ in seats]
    with SandboxedPool(
        BLACKJACK, Submitted("player.cpp", b"", program=program), None, PATIENT
    ) as pool:
        assert not [each.verdict for each in pool.sit(requests) if each.verdict]
        for round_ in range(1, ROUNDS + 1):
            # Not everybody is asked each time.
            here = [at for at, chance in enumerate(chances) if chance.random() < 0.8]
            decided = pool.decide(asked([(at, chances[at], round_) for at in here]))
            assert not decided.faults
            for at, answer in zip(here, decided.answers.tolist(), strict=True):
                answers[at].append(answer)
    return answers


@pytest.mark.parametrize("seats", with_more([6], [1_000]))
@pytest.mark.parametrize("name", TWINS)
def test_a_seat_is_as_alone(name: str, seats: int) -> None:
    """Heap, statics, chance, exceptions, streams and several files: no answer differs."""
    program = build(tuple(sorted(TWINS[name][0].items()))).program
    together = played(program, range(seats))
    alone = [played(program, [seat])[0] for seat in range(seats)]
    assert together == alone
    assert len({tuple(each) for each in alone}) > 1
