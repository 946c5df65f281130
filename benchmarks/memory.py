"""Whether memory stays flat in a long run: `python benchmarks/memory.py`.

Plays a long run of one strategy, ten minutes by default, and compares the memory of every
process after the first minute with that at the end. Ends with status 1 if one of them has
grown by more than a tenth.
"""

import argparse
import os
import sys

from harness import short
from tabulate import tabulate
from watch import watch

TOURNEY = (sys.executable, "-m", "tourney")
MOST_GROWTH = 1.1
ENDLESS = 10**15
"""Rounds; the run is interrupted."""


def main() -> None:
    """Play, watch and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--minutes", type=float, default=10.0, help="how long")
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    seconds = 60 * wanted.minutes
    game = ("--game", "ve280,shuffle=uniform", "--rounds", str(ENDLESS))
    command = (*TOURNEY, "ev", "simple", *game, "--workers", str(wanted.workers))
    growth = watch(command, seconds).growth(min(60.0, seconds / 10))
    rows = [
        (process, short(early), short(late), f"{late / early - 1:+.1%}")
        for process, (early, late) in growth.items()
    ]
    headers = ["process", "MiB after a minute", "MiB at the end", "grown by"]
    print(tabulate(rows, headers=headers))
    is_flat = all(late <= MOST_GROWTH * early for early, late in growth.values())
    print(f"{'flat' if is_flat else 'not flat'} over {wanted.minutes:g} minutes")
    sys.exit(0 if is_flat else 1)


if __name__ == "__main__":
    main()
