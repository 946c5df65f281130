"""How fast things are, as ratios within one run: `make bench`.

Every figure stands beside a plain loop of Python measured in the same run, because the speed
of a machine changes from minute to minute and a ratio does not.
"""

import argparse
import json
import sys
from pathlib import Path
from time import perf_counter

from tabulate import tabulate

from strategies.counting import Counting
from strategies.simple import Simple
from tourney.cards.keys import Secret
from tourney.engine import play_block
from tourney.games.blackjack.rules import BlackjackRules
from tourney.ledger import BlockKey
from tourney.players import Player
from tourney.schedule import Field

sys.path.insert(0, str(Path(__file__).parent))  # the scripts beside this one

from floor_cost import SCARCE_DEALERS, microseconds_per_block
from plain import play as play_plainly

TARGETS = {"reference, Simple": 80_000}


def reference(player: type[Player], hands: int) -> float:
    """Give the hands a second of the reference engine, records and digests included."""
    field = Field(1, BlackjackRules(), 10**9, 10, 10**9, Secret.from_seed(1))
    block = field.block(BlockKey(0, 0, 0, 0, 1), ((0, field.bankroll),), hands)
    started = perf_counter()
    play_block(block, lambda _: player())
    return hands / (perf_counter() - started)


def plain(hands: int) -> float:
    """Give the hands a second of a plain loop."""
    started = perf_counter()
    play_plainly(hands)
    return hands / (perf_counter() - started)


def measure(rounds: int, hands: int) -> dict[str, float]:
    """Measure everything in turn, several times, and take the best of each."""
    best: dict[str, float] = {}
    for _ in range(rounds):
        for name, speed in (
            ("plain loop, Simple", plain(4 * hands)),
            ("reference, Simple", reference(Simple, hands)),
            ("reference, Counting", reference(Counting, hands)),
        ):
            best[name] = max(best.get(name, 0.0), speed)
    return best


def main() -> None:
    """Print a table, or JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--hands", type=int, default=20_000, help="hands in one measurement")
    parser.add_argument("--rounds", type=int, default=5, help="measurements of each")
    arguments = parser.parse_args()
    speeds = measure(arguments.rounds, arguments.hands)
    floor, _ = microseconds_per_block(50_000, SCARCE_DEALERS)
    if arguments.json:
        print(json.dumps({"hands_per_second": speeds, "floor_microseconds_per_block": floor}))
        return
    yardstick = speeds["plain loop, Simple"]
    rows = [
        (name, f"{speed:,.0f}", f"{speed / yardstick:.2f}", f"{TARGETS.get(name, 0):,}")
        for name, speed in speeds.items()
    ]
    print(tabulate(rows, headers=["", "hands a second", "of the plain loop", "target"]))
    print(f"floor: {floor:.1f} µs a block")


if __name__ == "__main__":
    main()
