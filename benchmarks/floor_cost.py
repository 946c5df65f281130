"""What the floor costs per block: simulate many blocks, with too few dealers and with enough.

Prints the microseconds of the processor for each simulated block. Plays no cards.
"""

import argparse
import json
import time
from collections.abc import Iterator

from tourney.config.model import FloorConfig
from tourney.floor.block_durations import Sitting
from tourney.floor.room import Floor
from tourney.floor.utilization import duration_words

TABLES = 20
SCARCE_DEALERS = 15


def sittings(blocks: int) -> Iterator[Sitting]:
    """Make blocks of unequal length, one at a time, as a tournament does."""
    for block in range(blocks):
        yield Sitting(seats=1 + block % 7, rounds=20 + block % 31, shuffles=block % 4)


def microseconds_per_block(blocks: int, dealers: int) -> tuple[float, float]:
    """Simulate one wave; return its cost per block and its simulated seconds."""
    floor = Floor(FloorConfig(tables=TABLES, dealers=dealers, break_every_levels=4))
    begin = time.process_time()
    floor.play(sittings(blocks))
    cost = time.process_time() - begin
    return cost / blocks * 1e6, floor.now


def main() -> None:
    """Measure both rooms and print a table or JSON; JSON holds the dearer one."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--blocks", type=int, default=100_000)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    arguments = parser.parse_args()
    costs = {
        dealers: microseconds_per_block(arguments.blocks, dealers)
        for dealers in (SCARCE_DEALERS, TABLES)
    }
    if arguments.json:
        worst = max(cost for cost, _ in costs.values())
        print(json.dumps({"blocks": arguments.blocks, "microseconds_per_block": round(worst, 3)}))
        return
    for dealers, (cost, seconds) in costs.items():
        room = f"{TABLES} tables, {dealers} dealers"
        print(f"{room}: {cost:.2f} µs per block ({duration_words(seconds)} simulated)")


if __name__ == "__main__":
    main()
