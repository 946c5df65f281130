"""Fork servers, from which hosts are forked: alike, apart from each other, and not for longer."""

import os
import signal
import socket
import subprocess
import sys
import threading
import time
from importlib.util import cache_from_source
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import HONEST, SEAT_REQUESTS, SEATS, questions
from tests.sandbox.process.test_hosts import ORPHANING, lives, needs_confinement
from tests.sandbox.process.test_hosts import player as player_that
from tourney.errors import ConfinementError, SandboxLostError
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox import host_modules, wire
from tourney.sandbox.budgets import Stopwatch
from tourney.sandbox.exchange import wait_until_held
from tourney.sandbox.fork_servers import FORK_SERVERS, PATIENCE_SECONDS, ForkServer, ForkServers
from tourney.sandbox.host_process import HostProcess, Setup, at_game, preload
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted

pytestmark = needs_confinement

USUAL = preload(at_game(Setup(), BLACKJACK))
PLAIN = USUAL._replace(has_numpy=False, module="tourney.sandbox.probes")


def _printed(bet: str) -> str:
    """Give what a player prints that is asked for a wager once."""
    with SandboxedPool(
        BLACKJACK, Submitted("told.py", player_that(f"{bet}; return minimum"))
    ) as pool:
        pool.sit(SEAT_REQUESTS)
        assert not pool.decide(questions(Call.WAGER, 1, list(range(SEATS)))).faults
    return pool.printed


def _kill(fork_server: ForkServer) -> None:
    os.kill(fork_server.number, signal.SIGKILL)
    until = time.monotonic() + 5
    while fork_server.lives and time.monotonic() < until:
        time.sleep(0.01)


def test_all_hosts_of_a_fork_server_begin_alike() -> None:
    """Not only what never moves lies where it lay, but what a player makes, too."""
    made = "id([]), id('x' * 1000), id(bytes(10**6)), id(type('A', (), {})), id(bytes(600))"
    assert len({_printed(f"print({made})") for _ in range(12)}) == 1


def test_fork_servers_begin_alike_whether_python_has_compiled_their_modules_or_not() -> None:
    """After an installation the first one compiles them, and begins again."""
    compiled = Path(cache_from_source(str(host_modules.__file__)))

    def anew() -> str:
        """Start another one, in a thread of its own."""
        found: list[str] = []
        made = "id([]), id('x' * 1000), id(type('A', (), {})), id(bytes(600)), id(object())"
        thread = threading.Thread(target=lambda: found.append(_printed(f"print({made})")))
        thread.start()
        thread.join()
        return found[0]

    before = anew()
    compiled.unlink()
    assert anew() == before
    assert compiled.exists()
    assert anew() == before


def test_nothing_of_one_host_is_in_the_next() -> None:
    """What a player changes, it changes for itself."""
    change = "import math, builtins; math.e = 3; builtins.found = minimum; "
    look = "print(math.e, vars(builtins).get('found'))"
    assert _printed(change + look).startswith("3 10\n")
    assert _printed("import math, builtins; " + look).startswith("2.718281828459045 None\n")


def test_a_fork_server_ends_with_the_referee() -> None:
    """Killed without a word, it takes the fork server along within a second."""
    whose = "\nprint(pool._host._fork_server.number, flush=True)\ntime.sleep(60)\n"
    program = ORPHANING.replace("\ntime.sleep(60)\n", whose)
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, cwd=Path(__file__).parents[3]
    ) as referee:
        assert referee.stdout is not None
        processes = [Path("/proc") / referee.stdout.readline().decode().strip() for _ in range(2)]
        assert all(map(lives, processes))
        referee.send_signal(signal.SIGKILL)
    until = time.monotonic() + 10
    while any(map(lives, processes)) and time.monotonic() < until:
        time.sleep(0.01)
    assert not any(map(lives, processes))


def test_a_fork_server_is_kept_and_one_that_has_ended_is_replaced() -> None:
    """By whoever asks next."""
    fork_servers = ForkServers()
    first = fork_servers.of(PLAIN)
    assert fork_servers.of(PLAIN) is first
    _kill(first)
    second = fork_servers.of(PLAIN)
    assert second is not first
    assert second.lives


def test_few_fork_servers_are_kept() -> None:
    """One that is given up ends, unless a host of hers lives."""
    fork_servers = ForkServers()
    first = Path(f"/proc/{fork_servers.of(PLAIN).number}")
    for number in range(3):
        fork_servers.of(PLAIN._replace(roots=(f"/nowhere/{number}",)))
    assert not lives(first)


def test_a_thread_has_fork_servers_of_its_own() -> None:
    """The kernel ends them with it."""
    found: list[int] = []
    thread = threading.Thread(target=lambda: found.append(FORK_SERVERS.of(PLAIN).number))
    thread.start()
    thread.join()
    assert found != [FORK_SERVERS.of(PLAIN).number]
    assert not lives(Path(f"/proc/{found[0]}"))


def test_the_end_of_a_fork_server_is_nobodys_fault() -> None:
    """Its hosts end with it, and the run stops; no player is blamed."""
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST)) as pool:
        pool.sit(SEAT_REQUESTS)
        _kill(FORK_SERVERS.of(USUAL))
        with pytest.raises(
            ConfinementError, match="the process that players' processes are forked from has ended"
        ):
            pool.decide(questions(Call.WAGER, 1, list(range(SEATS))))


def test_a_host_that_outlives_its_fork_server_is_not_waited_for() -> None:
    """Stopped before it asks to end with it, it would neither answer nor sleep nor end."""
    setup = at_game(Setup(is_confined=False), BLACKJACK)  # unconfined, it never asks
    host = HostProcess(setup)
    wait_until_held(host)
    os.kill(host.number, signal.SIGSTOP)
    _kill(FORK_SERVERS.of(preload(setup)))
    with pytest.raises(
        SandboxLostError, match="the process that players' processes are forked from has ended"
    ):
        host.receive(wire.Awaited(wire.Kind.LOADED, 0, 1), Stopwatch(host.sleep, 1.0, 1.0))
    host.end()
    assert not lives(Path(f"/proc/{host.number}"))


def test_a_line_that_a_newborn_holds_open_is_not_waited_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fork server may be killed before its last host has closed what it got from it."""
    held: list[socket.socket] = []
    pair = socket.socketpair

    def keep(*kind: int) -> tuple[socket.socket, socket.socket]:
        ours, theirs = pair(*kind)
        held.append(theirs.dup())
        return ours, theirs

    monkeypatch.setattr(socket, "socketpair", keep)
    fork_server = ForkServer(PLAIN)
    os.kill(fork_server.number, signal.SIGSTOP)
    killer = threading.Timer(0.2, os.kill, (fork_server.number, signal.SIGKILL))
    killer.start()
    began = time.monotonic()
    with pytest.raises(
        SandboxLostError, match="the process that players' processes are forked from has ended"
    ):
        fork_server.status(1)
    assert time.monotonic() - began < PATIENCE_SECONDS / 2
    killer.join()
    held[0].close()


def test_a_fork_server_that_is_lost_is_not_asked_again() -> None:
    """Though it has only closed its line, and takes its time to end."""
    fork_servers = ForkServers()
    first = fork_servers.of(PLAIN)
    first._line.shutdown(socket.SHUT_RDWR)
    os.kill(first.number, signal.SIGSTOP)
    assert first.lives
    with pytest.raises(SandboxLostError):
        first.status(1)
    assert not first.lives
    assert fork_servers.of(PLAIN) is not first
