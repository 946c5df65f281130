"""Stores damaged at random and crafted on purpose: `python benchmarks/store_fuzz.py [--scale N]`.

Damages a small store in 1,000 places by a bit, cuts it off at 200 and crafts 200 to mislead, and
runs every command that reads or extends one on each: the board, its exports, verdicts, a replay,
`verify --full`, pages and an extension. A command has to show what the sound store shows, or to say
what is wrong; tracebacks, blame on the program, and other boards are counted, and none may be
there. Takes a quarter of an hour to half an hour.
"""

import argparse
import sys
import tempfile
from pathlib import Path

from tabulate import tabulate

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # for the tests, which hold what damages stores

from tests.resilience.damage.crafted import craft  # noqa: E402 - found by the line above
from tests.resilience.damage.trying import Damage, cut, flip, plugins_looked_for_once  # noqa: E402 - as above

KINDS = {"bits flipped": (flip, 1000), "cut off": (cut, 200), "crafted": (craft, 200)}


def main() -> int:
    """Damage stores and print what became of them; 1 if anything was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scale", type=float, default=1.0, help="of the numbers of stores")
    parser.add_argument("--seed", type=int, default=0, help="first seed")
    options = parser.parse_args()
    rows, faults = [], []
    with tempfile.TemporaryDirectory() as folder, plugins_looked_for_once():
        damage = Damage(Path(folder))
        for name, (kind, count) in KINDS.items():
            found = [
                damage.faults(kind, options.seed + seed)
                for seed in range(int(count * options.scale))
            ]
            wrong = [each for _, faults_of_one, _ in found for each in faults_of_one]
            changed = sum(is_changed for _, _, is_changed in found)
            rows.append((name, len(found), len(found) - changed, changed, len(wrong)))
            faults += wrong
    print(tabulate(rows, headers=["", "stores", "all as before", "told", "wrong"]))
    print(*faults, sep="\n")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
