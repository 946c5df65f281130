"""What confinement costs: starting a host, and a decision.

    python benchmarks/confine.py

CPU is read from the processes' own clocks, so it can be compared between busy machines and idle
ones of the same kind; beside it stands what the same player costs without a process of its own.
"""

import os
import sys
from pathlib import Path
from time import process_time

from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which make the questions

from tests.sandbox.attacks.asking import HONEST, questions
from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.asking.pool import Pool
from tourney.games.blackjack.game import BLACKJACK
from tourney.games.blackjack.players.questions import Call
from tourney.sandbox.budgets import Budget, seconds_of
from tourney.sandbox.fork_server import DESCRIPTORS
from tourney.sandbox.fork_servers import FORK_SERVERS, ForkServers
from tourney.sandbox.host_modules import load
from tourney.sandbox.host_process import Setup, at_game, order, preload
from tourney.sandbox.levels import probe
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Opening, Submitted

COUNTS = (1, 100, 1_000, 4_000)
"""Questions in a batch."""
QUESTIONS_EACH = 20_000
PLAIN_POOL = "tourney.sandbox.probes:OpensFolder"  # any pool that works without NumPy
PATIENT = Budget(base=60.0)


def starting_milliseconds(setup: Setup) -> float:
    """Give the CPU of a host until it has seated a player, and of its fork server to fork it."""
    fork_server = FORK_SERVERS.of(preload(setup)).number
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST), setup, PATIENT) as first:
        first.sit([SeatRequest(1, bytes(8))])  # until then it may still import
    before = seconds_of(fork_server)
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST), setup, PATIENT) as pool:
        pool.sit([SeatRequest(1, bytes(8))])
        assert pool.process is not None, pool.ended
        return 1_000 * (seconds_of(pool.process) + seconds_of(fork_server) - before)


def fork_servers_milliseconds(setup: Setup) -> float:
    """Give the CPU of a new fork server until it has forked a host."""
    fork_servers = ForkServers()
    fork_server = fork_servers.of(preload(setup))
    nowhere = os.open(os.devnull, os.O_RDWR)
    fork_server.reap(fork_server.fork(order(setup), [nowhere] * DESCRIPTORS))
    os.close(nowhere)
    return 1_000 * seconds_of(fork_server.number)


def confined_microseconds(count: int) -> tuple[float, float]:
    """Give the CPU of a decision, of its host and of the referee."""
    with SandboxedPool(BLACKJACK, Submitted("honest.py", HONEST), None, PATIENT) as pool:
        pool.sit([SeatRequest(1, bytes(8))] * count)
        asked = questions(Call.DRAW, 1, list(range(count)))
        times = max(1, min(QUESTIONS_EACH // count, 2_000))
        began = process_time()
        for _ in range(times):
            pool.decide(asked)
        referee = process_time() - began
        assert pool.ended is None
        return 1e6 * pool.cpu_seconds / (times * count), 1e6 * referee / (times * count)


def at_home_microseconds(count: int) -> float:
    """Give the CPU of a decision of the same player in this process."""
    pool = Pool(load(Opening("honest.py", HONEST, "", [])))
    pool.sit([SeatRequest(1, bytes(8))] * count)
    asked = questions(Call.DRAW, 1, list(range(count)))
    times = max(1, min(QUESTIONS_EACH // count, 2_000))
    began = process_time()
    for _ in range(times):
        pool.decide(asked)
    return 1e6 * (process_time() - began) / (times * count)


def measure(times: int = 3) -> dict[str, float]:
    """Measure everything in turn, several times, and take the best of each."""
    best: dict[str, float] = {}

    def take(name: str, value: float) -> None:
        best[name] = min(best.get(name, value), value)

    for _ in range(times):
        take("start without NumPy, ms", starting_milliseconds(Setup(PLAIN_POOL, has_numpy=False)))
        take("start, ms", starting_milliseconds(at_game(Setup(), BLACKJACK)))
        started = fork_servers_milliseconds(at_game(Setup(), BLACKJACK))
        take("start of what is forked for it, once a worker, ms", started)
        for count in COUNTS:
            host, referee = confined_microseconds(count)
            take(f"decision in batches of {count:,}: host, µs", host)
            take(f"decision in batches of {count:,}: referee, µs", referee)
            take(f"decision in batches of {count:,}: unconfined, µs", at_home_microseconds(count))
    return best


def main() -> None:
    """Print a table."""
    print(f"level: {probe()}")
    print(tabulate(measure().items(), headers=["CPU", ""], floatfmt=".2f"))


if __name__ == "__main__":
    main()
