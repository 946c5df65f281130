"""One way to be held, against the whole corpus: what `benchmarks/attacks.py` starts, shut in.

Without some layers attacks do get away, so this is only ever run inside an outer sandbox, in which
all processes are its own. It tells of each attack in a line of JSON before and after.
"""

import json
import os
import resource
import signal
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any

from tests.sandbox.attacks.asking import (
    CORPUS,
    HONEST,
    SEAT_REQUESTS,
    SEATS,
    expected,
    play,
    questions,
)
from tourney.errors import ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox import host_process
from tourney.sandbox.host_process import Setup
from tourney.sandbox.lockdown import Limits
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

MOST_BYTES = 6 << 30
"""Of addresses for anybody, so that without limits the machine still has memory."""

PATIENCE_SECONDS = 1.0
"""What is killed may take as long to be gone."""

WRITABLE = ("/tmp", "/dev/shm")  # noqa: S108 - where an attacker would write


def main() -> None:
    """Try all that the command line names."""
    order = json.loads(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    if order["user"]:
        os.setgroups([])
        os.setresgid(order["user"], order["user"], order["user"])
        os.setresuid(order["user"], order["user"], order["user"])
    if order["stays_root"]:
        host_process.NOBODY = 0
    layers = order["layers"]
    setup = Setup(is_confined=layers is not None, limits=Limits(layers=tuple(layers or ())))
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST), setup) as honest:
        honest.sit(SEAT_REQUESTS)
        if order["alone"]:
            try_all(order["attacks"], setup, zip(answers_of(honest), order["alone"], strict=False))
        else:
            tell(alone=list(islice(answers_of(honest), len(order["attacks"]))))


def try_all(attacks: list[str], setup: Setup, pairs: Iterator[tuple[list[int], list[int]]]) -> None:
    """Try attacks, and look after each whether somebody honest answers as without them.

    Args:
        attacks: Their names.
        setup: How players are held.
        pairs: What the honest one answers, and what it did alone.
    """
    for attack in attacks:
        tell(begins=attack)
        try:
            facts = tried(attack, setup)
        except ConfinementError as error:
            facts = {"found": ["lost"], "message": str(error)}
        answers, alone = next(pairs)
        tell(attack=attack, honest=answers == alone, **facts)
        if answers != alone or facts["found"] == ["lost"]:
            return  # whoever started this starts another one


def answers_of(honest: SandboxedPool) -> Iterator[list[int]]:
    """Ask somebody honest for a wager, again and again."""
    round_ = 0
    while True:
        round_ += 1
        decided = honest.decide(questions(Call.WAGER, round_, list(range(SEATS))))
        yield decided.answers.tolist()


def tried(attack: str, setup: Setup) -> dict[str, Any]:
    """Try one attack, and see what came of it."""
    source = (CORPUS / f"{attack}.attack").read_bytes()
    causes, message = expected(source)
    before, kept = processes(), files()
    played = play(source, setup)
    found = {verdict.cause for verdict in played.verdicts} or {"plays"}
    return {
        "found": sorted(found),
        "message": played.verdicts[0].message[:200] if played.verdicts else "",
        "expected": found <= causes and all(message in each.message for each in played.verdicts),
        "left": [*sorted(files() - kept), *("process" for _ in left_running(before))],
    }


def files() -> set[str]:
    """Give what lies where somebody could write."""
    return {str(path) for folder in WRITABLE for path in Path(folder).glob("*")}


def processes() -> set[int]:
    """Give the processes of this sandbox that have not ended, all but those started by this one."""
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat = (folder / "stat").read_text("utf-8", "replace").rpartition(") ")[2].split()
            if stat[0] not in "ZX" and int(stat[1]) != os.getpid():
                found.add(int(folder.name))
    return found


def left_running(before: set[int]) -> set[int]:
    """Give what an attack has left running, and end it."""
    until = time.monotonic() + PATIENCE_SECONDS
    while (left := processes() - before) and time.monotonic() < until:
        time.sleep(0.01)
    for number in left:
        with suppress(OSError):
            os.kill(number, signal.SIGKILL)
    return left


def tell(**facts: Any) -> None:
    """Tell whoever started this, at once: it may not live to say more."""
    sys.stdout.write(f"{json.dumps(facts)}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
