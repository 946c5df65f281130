"""What a competitor in C++ costs beside its twin in Python: `python benchmarks/native.py`.

Counting is played by both at the same tables, confined, in one run: so the ratios count, whatever
else the machine does. Time is that of the clocks of the two processes, as in `confined_play`.
"""

import argparse
from pathlib import Path
from statistics import median
from time import process_time

import confined_play
import lockstep
from confined_play import TimedPool
from tabulate import tabulate

from tourney.game.asking.exchange import SeatRequest
from tourney.games.blackjack.engines.lockstep_play import SeatRows, play_wave
from tourney.games.blackjack.game import BLACKJACK
from tourney.sandbox.budgets import seconds_of
from tourney.sandbox.native.compilation import build
from tourney.sandbox.referee import SandboxedPool
from tourney.sandbox.wire import Submitted
from tourney.strategies.counting import Counting

NATIVE = Path(__file__).parents[1] / "tests" / "sandbox" / "cpp" / "counting.cpp"
TABLES, ROUNDS, SEATS, TIMES = 2_000, 50, 4_000, 5
KEY = bytes(16)


def played(submitted: Submitted) -> tuple[list[float], list[bytes]]:
    """Play; give hands a second of the host, of the referee and of both together, and digests."""
    blocks = lockstep.blocks(TABLES, ROUNDS)
    pool = TimedPool(BLACKJACK, submitted, None, confined_play.PATIENT)
    seat_rows = SeatRows(blocks, lambda _: Counting(), lambda *_: lockstep.ASKED, lambda _: pool)
    began = process_time()
    results = play_wave(blocks[0].rules, seat_rows)  # type: ignore[arg-type]  # blackjack
    referee = process_time() - began
    hands = sum(result.rounds for result in results)
    seconds = pool.clock, referee, pool.clock + referee
    return [hands / each for each in seconds], [result.digest for result in results]


def seated(submitted: Submitted, seats: int) -> tuple[float, float]:
    """Seat players; give milliseconds of computing from the start on, and MB of memory."""
    with SandboxedPool(BLACKJACK, submitted) as pool:
        pool.sit([SeatRequest(1, KEY)] * seats)
        assert pool.process
        status = Path(f"/proc/{pool.process}/status").read_text()
        kilobytes = next(line for line in status.splitlines() if line.startswith("VmHWM"))
        return 1e3 * seconds_of(pool.process), int(kilobytes.split()[1]) / 1e3


def main() -> None:
    """Measure both, in turn, and print the medians."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    program = build((("player.cpp", NATIVE.read_text()),), BLACKJACK.native_contracts()).program
    source = confined_play.SOURCE
    both = {
        "Python": Submitted(source.name, source.read_bytes()),
        "C++": Submitted("player.cpp", b"", program=program),
    }
    for submitted in both.values():
        seated(submitted, 1)  # starts the fork server
    runs = [{name: played(each) for name, each in both.items()} for _ in range(TIMES)]
    assert all(run["Python"][1] == run["C++"][1] for run in runs), "expected the same results"
    rows = []
    for name, submitted in both.items():
        speeds = [median(run[name][0][at] for run in runs) for at in range(3)]
        start = median(seated(submitted, 1)[0] for _ in range(20))
        rows.append([name, *speeds, start, *seated(submitted, SEATS)])
    ratio = median(run["C++"][0][2] / run["Python"][0][2] for run in runs)
    titles = ("", "host, hands/s", "referee, hands/s", "together, hands/s", "start, ms")
    seats = (f"{SEATS:,} seats, ms", f"{SEATS:,} seats, MB")
    print(tabulate(rows, (*titles, *seats), floatfmt=(*("",), *(",.0f",) * 3, *(",.1f",) * 3)))
    print(f"\ntogether with the referee C++ plays {ratio:.2f} times the hands; the same results")


if __name__ == "__main__":
    main()
