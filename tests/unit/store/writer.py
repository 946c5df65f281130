"""A program that writes batches into a store until it is stopped or the disk is full.

Tests start it as a process of its own: `writer.py PATH RUN BATCHES [LARGEST FILE]`. It prints
every batch's number when the batch is stored; a StoreError is printed and ends it.
"""

import resource
import sys
from pathlib import Path

from tourney.errors import StoreError
from tourney.game.ledger import BlockKey, BlockResult, SeatResult
from tourney.store.store import Store

BLOCKS = 20


def batch_of(number: int) -> tuple[BlockResult, ...]:
    """Give the results of a batch; the same whoever asks."""
    return tuple(
        BlockResult(
            key=BlockKey(0, 0, table, 0, 1 + number),
            rounds=1,
            shuffles=1,
            cards=6,
            seats=tuple(
                SeatResult(
                    seat=seat,
                    entrant=seat,
                    initial=100,
                    final=100 + number,
                    lowest=100,
                    highest=100 + number,
                    rounds=1,
                    left_round=None,
                    handle=5,
                    squares=number**2,
                    mix=2**64 - 1 - number,
                )
                for seat in range(2)
            ),
        )
        for table in range(BLOCKS)
    )


def write(path: Path, run: int, batches: int) -> int:
    """Write batches from the first on; give the exit code."""
    try:
        with Store(path) as store:
            for number in range(batches):
                new = store.add_batch(run, 0, number, batch_of(number), 0.1, "writer")
                sys.stdout.write(f"{number} {new}\n")
                sys.stdout.flush()
    except StoreError as error:
        sys.stdout.write(f"{error}\n")
        return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) > 4:
        largest = int(sys.argv[4])
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    sys.exit(write(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))
