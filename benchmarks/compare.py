"""What changed between two runs of `bench.py`: `python benchmarks/compare.py OLD.json NEW.json`.

To compare two commits, check each out with `git worktree`, install it and run `bench.py --json`
in it. Where both files have a yardstick, figures are compared as multiples of it, so that two
machines, or two hours of one, can be compared.
"""

import argparse
import json
from pathlib import Path

from harness import Figure, short
from tabulate import tabulate

YARDSTICK = "yardstick"
NOTEWORTHY = 0.1
"""A change that is marked: about what one machine does by itself."""


def read(path: Path) -> dict[str, Figure]:
    """Read the figures of a run."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return {each["name"]: Figure(**each) for each in data["figures"]}


def speed_of_machine(old: dict[str, Figure], new: dict[str, Figure]) -> float:
    """Say how many times faster the machine was in the new run; 1 if nobody knows."""
    name = next((name for name in old if name.startswith(YARDSTICK)), None)
    return new[name].value / old[name].value if name in new and name else 1.0


def change(old: Figure, new: Figure, machine: float) -> float:
    """Say how many times better a figure has become."""
    if old.is_cost:
        return old.value / new.value / machine
    is_speed = old.unit.endswith("/s")
    return new.value / old.value / (machine if is_speed else 1.0)


def main() -> None:
    """Print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    wanted = parser.parse_args()
    old, new = read(wanted.old), read(wanted.new)
    machine = speed_of_machine(old, new)
    rows = []
    for name in [*old, *(name for name in new if name not in old)]:
        if name not in old or name not in new:
            rows.append((name, "", "", "", "gone" if name in old else "new"))
            continue
        better = change(old[name], new[name], 1.0 if name.startswith(YARDSTICK) else machine)
        mark = "faster" if better > 1 + NOTEWORTHY else "slower" if better < 1 - NOTEWORTHY else ""
        figures = (short(old[name].value), short(new[name].value))
        rows.append((name, *figures, f"{better:.2f} x", mark))
    print(f"the machine was {machine:.2f} times as fast in {wanted.new}; changes without that")
    print(tabulate(rows, headers=["", "old", "new", "change", ""], disable_numparse=True))


if __name__ == "__main__":
    main()
