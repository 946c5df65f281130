"""Hosts: what a competitor finds there, what it may use, and how they end."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from tests.sandbox.attacks.asking import HONEST, QUICK, SEAT_REQUESTS, SEATS, play, questions
from tourney.errors import ConfinementError
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_process import Setup
from tourney.sandbox.kernel import system_call
from tourney.sandbox.levels import Level, probe, setup_for
from tourney.sandbox.lockdown import LAYERS, Limits
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.syscalls import X86_64
from tourney.sandbox.wire import Submitted

needs_confinement = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)
pytestmark = needs_confinement

PLAYER = """
from tourney import Player

class One(Player):
    def bet(self, bankroll, minimum):
        {bet}

    def draw(self, dealer, player):
        return False
"""


KCMP_FILE = 0


def player(bet: str, top: str = "") -> bytes:
    """Write a competitor."""
    return (top + PLAYER.format(bet=bet)).encode()


def test_a_confined_player_answers_as_it_would_at_home() -> None:
    """A pool in this process gives the same answers."""
    from tourney.games.blackjack.asking.pool import Pool
    from tourney.sandbox.host_modules import load
    from tourney.sandbox.wire import Opening

    at_home = Pool(load(Opening("honest.py", HONEST, "", [])))
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST)) as confined:
        assert [bool(each.acts) for each in at_home.sit(SEAT_REQUESTS)] == [  # type: ignore[arg-type]  # alike
            each.acts for each in confined.sit(SEAT_REQUESTS)
        ]
        for call in (Call.WAGER, Call.DRAW, Call.ACT, Call.LOOK):
            asked = questions(call, 1, list(range(SEATS)))
            here, there = at_home.decide(asked), confined.decide(asked)
            assert here.answers.tolist() == there.answers.tolist()
            assert (here.faults, there.faults) == ({}, {})


def test_a_host_need_not_load_numpy() -> None:
    """Columns come as memory views then, with lengths, items and lists."""
    body = "import sys\n        assert 'numpy' not in sys.modules\n        return bankroll // 2"
    source = player(body).replace(b"return False", b"return player == [3, 9] and dealer == 20")
    folder = str(Path(__file__).parent)
    setup = Setup("plain_pool:PlainPool", has_numpy=False, roots=(folder,))
    wager, hit = (500,) * SEATS, (1,) * SEATS
    assert play(source, setup).answers == (wager, hit, (0,) * SEATS) * 2


@pytest.mark.parametrize("level", [Level.FULL, Level.REDUCED, Level.UNSAFE])
def test_an_honest_player_plays_at_every_level(level: Level) -> None:
    """Confinement changes no answer."""
    assert play(HONEST, setup_for(level)) == play(HONEST)


@pytest.mark.parametrize("missing", LAYERS)
def test_layers_back_each_other(missing: str) -> None:
    """With any one of them off, nobody writes a file."""
    layers = tuple(layer for layer in LAYERS if layer != missing)
    source = player("open('/tmp/left-by-an-attacker', 'w')")
    played = play(source, Setup(limits=Limits(layers=layers)))
    assert {verdict.cause for verdict in played.verdicts} <= {"syscall", "raised"}
    assert played.verdicts
    assert not Path("/tmp/left-by-an-attacker").exists()  # noqa: S108 - where it would be


def test_a_verdict_names_the_system_call() -> None:
    """Its number, its name and its arguments."""
    played = play(player("_socket.socket(2, 1)", top="import _socket\n"))
    assert played.verdicts[0].cause == "syscall"
    call = "forbidden system call 41, socket(0x2, 0x80001, 0x0, …)"
    message = f"bet: it tried to use the network ({call})"
    if os.uname().machine == "x86_64":
        assert played.verdicts[0].message == message
    assert [verdict.call for verdict in played.verdicts] == ["bet"] * SEATS


def test_a_verdict_shows_the_authors_line() -> None:
    """Although there is no file any more."""
    verdict = play(player("return 1 / 0")).verdicts[0]
    assert (verdict.cause, verdict.call, verdict.round) == ("raised", "bet", 1)
    assert verdict.place == "attacker.py:6"
    assert "return 1 / 0" in verdict.traceback


def test_a_file_that_cannot_be_read_says_where() -> None:
    """Every seat has the same verdict, in its own round."""
    played = play(b"import math\n\nmath.nothing\n")
    assert [verdict.place for verdict in played.verdicts] == ["attacker.py:3"] * SEATS
    assert [verdict.call for verdict in played.verdicts] == ["import"] * SEATS


def test_what_it_prints_is_kept_for_its_author() -> None:
    """Escaped, and up to a limit."""
    printed = play(player("print('seen', minimum, chr(27)); return minimum")).printed
    assert printed.startswith("seen 10 \\x1b\n")
    much = play(player("print('x' * 10**6); return minimum")).printed
    assert Limits().output - 1000 < len(much) <= Limits().output


@pytest.mark.parametrize(
    "name", ["Player", "ActPlayer", "Card", "Rank", "Suit", "Hand", "Deck", "Action", "hookimpl"]
)
def test_the_public_page_is_there(name: str) -> None:
    """A player's names are found although no file can be opened."""
    assert not play(player("return minimum", top=f"from tourney import {name}\n")).verdicts


def test_addresses_hashes_and_luck_are_the_same_every_time() -> None:
    """What an honest player may depend on by accident."""
    told = "print(hash('card'), id(object), random.random(), list({'a', 'b', 'c'}))"
    source = player(f"{told}; return minimum", top="import random\n")
    first = play(source).printed
    assert first
    assert first == play(source).printed


def test_half_a_budget_is_a_warning() -> None:
    """Before it is a verdict."""
    # Past the clocks of `time`, which nobody's computing moves; in hundredths.
    busy = "until = sum(os.times()[:2]) + 0.1\n        while sum(os.times()[:2]) < until: pass"
    source = player(f"{busy}\n        return minimum", top="import os\n")
    budget = Budget(base=0.4, decision=1e-3, batch_factor=10)
    with SandboxedPool(BLACKJACK, Submitted("slow.py", source), None, budget) as pool:
        pool.sit(SEAT_REQUESTS)
        assert not pool.warning
        decided = pool.decide(questions(Call.WAGER, 1, list(range(SEATS))))
    assert not decided.faults
    assert "more than half" in pool.warning
    assert 0.25 <= pool.cpu_seconds <= 0.4


def test_a_dead_host_fails_every_question_that_follows() -> None:
    """With the number of the decision at which each seat stands."""
    with SandboxedPool(
        BLACKJACK, Submitted("dead.py", player("os._exit(3)", top="import os\n"))
    ) as pool:
        pool.sit(SEAT_REQUESTS)
        assert not pool.decide(questions(Call.DRAW, 1, [0])).faults
        decided = pool.decide(questions(Call.WAGER, 2, [0, 1]))
        assert np.array_equal(decided.answers, [-1, -1])
        found = {place: (each.round, each.decision) for place, each in decided.faults.items()}
        assert found == {0: (2, 1), 1: (2, 0)}
        assert pool.ended == (
            "died",
            "its process ended: exit status 3",
        )


def test_a_process_that_cannot_be_shut_in_is_nobodys_fault() -> None:
    """A pool that does not exist is an error of the run, no verdict."""
    pool = SandboxedPool(
        BLACKJACK, Submitted("honest.py", HONEST), Setup(pool="tourney.nothing:Pool")
    )
    with pytest.raises(
        ConfinementError, match=r"(?s)could not be set up: .*No module named 'tourney.nothing'"
    ):
        pool.sit(SEAT_REQUESTS)


def test_a_game_in_a_folder_of_its_own_finds_what_is_installed(tmp_path: Path) -> None:
    """As a game does that is installed with `pip install -e`; what is not there is named."""
    for name in ("tabulate", "nothing_there"):
        (tmp_path / f"with_{name}.py").write_text(
            f"import {name}\nfrom tourney.games.blackjack.asking.pool import Pool\n"
        )
    found, lost = (
        SandboxedPool(
            BLACKJACK,
            Submitted("honest.py", HONEST),
            Setup(pool=f"with_{name}:Pool", roots=(str(tmp_path),)),
        )
        for name in ("tabulate", "nothing_there")
    )
    with found as pool:
        pool.sit(SEAT_REQUESTS)
        assert not pool.decide(questions(Call.DRAW, 1, [0])).faults
    with pytest.raises(
        ConfinementError, match=r"(?s)exit status 1\n.*: No module named 'nothing_there'"
    ):
        lost.sit(SEAT_REQUESTS)


def test_root_is_not_root_in_there() -> None:
    """And the listener of forbidden calls is not in there either."""
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST)) as pool:
        pool.sit(SEAT_REQUESTS)
        assert pool.held is not None
        assert pool.held.user != 0
        if os.getuid() == 0:
            opened = [each.name for each in Path(f"/proc/{pool.process}/fd").iterdir()]
            assert sorted(map(int, opened)) == [0, 1, 2, 3, 4]


def test_numbers_of_processes_and_users_are_zero() -> None:
    """They differ from run to run, and dice are seeded with them."""
    told = "print(os.getpid(), os.getppid(), os.getuid(), os.getegid())"
    printed = play(player(f"{told}; return minimum", top="import os\n")).printed
    assert set(printed.splitlines()) == {"0 0 0 0"}


def test_nothing_comes_from_a_keyboard() -> None:
    """A player that asks for a line hears that there are no more."""
    verdict = play(player("return int(input())")).verdicts[0]
    assert (verdict.cause, "EOFError" in verdict.message) == ("raised", True)


@pytest.mark.skipif(
    os.getuid() != 0 or os.uname().machine != "x86_64",
    reason="expected root, who may compare other processes' files, and calls by number",
)
def test_no_two_hosts_have_a_file_in_common() -> None:
    """Not even the one from which nothing comes, whose place both could move."""
    same = 0
    with (
        SandboxedPool(BLACKJACK, Submitted("one.py", HONEST)) as one,
        SandboxedPool(BLACKJACK, Submitted("other.py", HONEST)) as other,
    ):
        for pool in (one, other):
            pool.sit(SEAT_REQUESTS)
        assert one.process
        assert other.process
        pair = one.process, other.process
        assert system_call(X86_64.numbers["kcmp"], *pair, KCMP_FILE, 0, 0) != same
        assert (
            system_call(X86_64.numbers["kcmp"], one.process, one.process, KCMP_FILE, 0, 0) == same
        )


ORPHANING = """
import sys, time
from tests.sandbox.attacks.asking import SEAT_REQUESTS, HONEST
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted
from tourney.games.blackjack.game import BLACKJACK

pool = SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST))
pool.sit(SEAT_REQUESTS)
print(pool.process, flush=True)
time.sleep(60)
"""


def test_no_host_outlives_its_referee() -> None:
    """Killed without a word, it takes its host along within a second."""
    referee = subprocess.Popen(
        [sys.executable, "-c", ORPHANING], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    )
    assert referee.stdout is not None
    host = Path("/proc") / referee.stdout.readline().decode().strip()
    assert host.exists()
    referee.send_signal(signal.SIGKILL)
    referee.wait()
    referee.stdout.close()
    until = time.monotonic() + 1
    while lives(host) and time.monotonic() < until:
        time.sleep(0.01)
    assert not lives(host)


def lives(process: Path) -> bool:
    """Say whether a process runs; one that has ended may wait to be counted."""
    try:
        return process.joinpath("stat").read_text(encoding="ascii").split(")")[1].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_pool_nobody_closes_ends_its_host() -> None:
    """With the last that holds it."""
    pool = SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST), None, QUICK)
    pool.sit(SEAT_REQUESTS)
    host = Path(f"/proc/{pool.process}")
    assert lives(host)
    del pool
    assert not lives(host)
