"""How fast a confined player plays, its referee included: `python benchmarks/confined_play.py`.

Counting, handed in as one file, plays in a process of its own. The referee and that process take
turns, so the time of both is the sum of their own clocks, which other programs do not disturb. The
time on the wall stands beside it, and is the same on an idle machine.

The last lines say what it costs to ask players the first tenth of all again, as a run does: the
time of their second processes as a share of the first ones', start and loading included.
"""

import argparse
from pathlib import Path
from time import perf_counter, process_time
from typing import NamedTuple

import lockstep
from tabulate import tabulate

from tourney.execution.engine_selection import play_batch
from tourney.game.blocks import Batch
from tourney.game.ledger import BlockResult
from tourney.game.lineup import Lineup
from tourney.games.blackjack.engines.lockstep_play import SeatRows, play_lockstep, play_wave
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.budgets import Budget, seconds_of
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted
from tourney.strategies.counting import Counting

SOURCE = Path(__file__).with_name("counting_alone.py")
TABLES, ROUNDS = 4_000, 100
FEW_TABLES = 20
MOST_IN_A_CLASS = 1_000
PATIENT = Budget(base=60.0)


class Measured(NamedTuple):
    """The results of a play, and the seconds that it took."""

    results: list[BlockResult]
    host: float  # by the clock of its process
    referee: float  # by its own
    wall: float


class TimedPool(SandboxedPool):
    """A confined pool that keeps what the clock of its process said in the end."""

    clock = 0.0

    def close(self) -> None:
        """Read the clock for the last time."""
        self.clock = (seconds_of(self.process) if self.process else 0.0) or self.clock
        super().close()


def play(tables: int) -> Measured:
    """Play with a confined player."""
    blocks = lockstep.blocks(tables, ROUNDS)
    pool = TimedPool(BLACKJACK, Submitted(SOURCE.name, SOURCE.read_bytes()), None, PATIENT)
    seat_rows = SeatRows(blocks, lambda _: Counting(), lambda *_: lockstep.ASKED, lambda _: pool)
    began, began_wall = process_time(), perf_counter()
    results = play_wave(blocks[0].rules, seat_rows)  # type: ignore[arg-type]  # blackjack
    referee = process_time() - began
    return Measured(results, pool.clock, referee, perf_counter() - began_wall)


def asked_again(tables: int) -> float:
    """Give what the processes of those who are asked again take, as a share of the first ones'."""
    pools: list[TimedPool] = []

    def open_pool(_: int) -> TimedPool:
        pools.append(
            TimedPool(BLACKJACK, Submitted(SOURCE.name, SOURCE.read_bytes()), None, PATIENT)
        )
        return pools[-1]

    lineup = Lineup(lambda _: Counting(), lambda *_: lockstep.ASKED, confined=open_pool)
    batch = Batch(0, 0, tuple(lockstep.blocks(tables, ROUNDS)))
    assert not play_batch(batch, lineup, asks_again=True).differing
    first, again = (pool.clock for pool in pools if pool.clock)
    return again / first


def check() -> None:
    """Make sure that it plays as Counting does."""
    lineup = Lineup(lambda _: Counting(), lambda *_: lockstep.ASKED)
    expected = play_lockstep(lockstep.blocks(FEW_TABLES, ROUNDS), lineup).results
    assert play(FEW_TABLES).results == expected


def measure(times: int = 3, tables: int = TABLES) -> dict[str, float]:
    """Give hands a second, the best of several measurements."""
    check()
    best: dict[str, float] = {}
    for _ in range(times):
        played = play(tables)
        hands = sum(result.rounds for result in played.results)
        for name, seconds in (
            ("confined, Counting", played.host + played.referee),
            ("confined, Counting: its host", played.host),
            ("confined, Counting: its referee", played.referee),
            ("confined, Counting: by the clock on the wall", played.wall),
        ):
            best[name] = max(best.get(name, 0.0), hands / seconds)
    return best


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=TABLES, help="that advance together")
    parser.add_argument("--times", type=int, default=3, help="measurements of each")
    wanted = parser.parse_args()
    found = measure(wanted.times, wanted.tables)
    print(tabulate(found.items(), headers=["", "hands a second"], floatfmt=",.0f"))
    for tables in (wanted.tables, MOST_IN_A_CLASS, FEW_TABLES):
        share = min(asked_again(tables) for _ in range(wanted.times))
        print(
            f"asked again, {tables:,} tables of {ROUNDS} rounds: {share:.1%} of its processes' time"
        )


if __name__ == "__main__":
    main()
