"""Building the attacks in C++, and playing them; as a program, as some user and with some layers.

Without some layers more could get away, so the program is only ever run inside an outer sandbox.
"""

import json
import os
import resource
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.sandbox.attacks.asking import QUICK, SEAT_REQUESTS, SEATS, Played, questions
from tests.sandbox.attacks.trying import files, left_running, processes
from tests.sandbox.cpp.attacks import ASKED, ATTACKS, HONEST, NUMBERS, WHOLE, Attack, all_asked
from tests.support.cpp_build import build
from tourney.errors import BuildError, ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import BANKROLLS, Call
from tourney.sandbox import host_process
from tourney.sandbox.host_process import Setup
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.native.compilation import Built
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

MOST_BYTES = 2 << 30
"""Of addresses for anybody, so that without limits the machine still has memory."""
TOGETHER, BESIDE = "together", "beside"
"""The program that has all attacks of which the bankroll chooses one, and the honest one."""


def programs() -> dict[str, bytes]:
    """Build them all: those that are whole files by their names."""
    texts = {TOGETHER: all_asked(), BESIDE: HONEST, **{each.name: each.act for each in WHOLE}}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        built = dict(zip(texts, pool.map(_built, texts.values()), strict=True))
    return {name: each.program for name, each in built.items() if each}


def _built(text: str) -> Built | None:
    try:
        return build((("player.cpp", text),))
    except BuildError:
        return None


def program_of(attack: Attack) -> str:
    """Say which program has an attack."""
    return TOGETHER if attack in ASKED else attack.name


def play_attack(attack: Attack, program: bytes, setup: Setup | None = None) -> Played:
    """Ask three seats for a wager, with the bankroll that chooses the attack; twice."""
    verdicts, answers = [], []
    submitted = Submitted("player.cpp", b"", program=program)
    with SandboxedPool(BLACKJACK, submitted, setup, QUICK) as pool:
        verdicts += [each.verdict for each in pool.sit(SEAT_REQUESTS) if each.verdict]
        for round_ in (1, 2):
            if verdicts:
                break
            asked = questions(Call.WAGER, round_, list(range(SEATS)))
            if attack in ASKED:
                asked.table[:, BANKROLLS] += NUMBERS[attack.name]
            decided = pool.decide(asked)
            verdicts += decided.faults.values()
            answers.append(tuple(decided.answers.tolist()))
    return Played(tuple(verdicts), tuple(answers), pool.printed)


class Beside:
    """An honest program that is asked once after each attack."""

    def __init__(self, program: bytes, setup: Setup | None = None) -> None:
        """Seat it."""
        submitted = Submitted("player.cpp", b"", program=program)
        self.pool = SandboxedPool(BLACKJACK, submitted, setup)
        self._round = 0
        self.pool.sit(SEAT_REQUESTS)

    def wagers(self) -> tuple[int, ...]:
        """Ask for the wagers of the next round; none, if it does not live any more."""
        self._round += 1
        try:
            decided = self.pool.decide(questions(Call.WAGER, self._round, list(range(SEATS))))
        except ConfinementError:
            return ()
        return () if decided.faults else tuple(decided.answers.tolist())


def honest_alone(program: bytes, setup: Setup | None = None) -> list[tuple[int, ...]]:
    """Give the wagers of the honest program, round by round, while no attack is played."""
    beside = Beside(program, setup)
    with beside.pool:
        return [beside.wagers() for _ in ATTACKS]


def main() -> None:
    """Play all attacks, held as the command line says, and tell what came of each."""
    order = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    if order["user"]:
        os.setgroups([])
        os.setresgid(order["user"], order["user"], order["user"])
        os.setresuid(order["user"], order["user"], order["user"])
    if order["stays_root"]:
        host_process.NOBODY = 0
    setup = Setup(limits=Limits(layers=tuple(order["layers"])))
    built = {path.name: path.read_bytes() for path in Path(order["folder"]).iterdir()}
    alone = honest_alone(built[BESIDE], setup)
    beside = Beside(built[BESIDE], setup)
    for attack, wagers in zip(ATTACKS, alone, strict=True):
        before, kept = processes(), files()
        played = play_attack(attack, built[program_of(attack)], setup)
        left = [*sorted(files() - kept), *("process" for _ in left_running(before))]
        causes = sorted({each.cause for each in played.verdicts} or {"plays"})
        told = [attack.name, causes, left, beside.wagers() == wagers]
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
