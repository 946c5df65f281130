"""A large event of many tables from start to leaderboard: `python benchmarks/multi_table.py`.

By default 10,000 entrants, half of them Simple and half Counting, on 100 dealers, once with one
worker and once with two. Prints JSON: times, the most memory of every process, and whether the
places were the same. `--entrants 100000 --workers 1` has a limit of 60 seconds and 1 GiB;
`within_limits` holds CPU time against it, to which other programs do not add.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from hashlib import blake2b
from pathlib import Path

from watch import watch

TOURNEY = (sys.executable, "-m", "tourney")
MOST_SECONDS, MOST_MEBIBYTES = 60, 1024
CONFIG = """\
name: Many tables
seed: 280
game: {{preset: ve280, shuffle: uniform}}
bankroll: 100
minimum: 5
format: {{kind: multi-table, block_rounds: 20, level_rounds: 20, rise_percent: 100}}
floor: {{tables: {dealers}, dealers: {dealers}}}
entrants:
  - {{strategy: simple, count: {simple}}}
  - {{strategy: counting, count: {counting}}}
"""


def played(yaml: Path, path: Path, workers: int) -> dict[str, object]:
    """Play an event and say what it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    options = ("--store", str(path), "--workers", str(workers))
    seen = watch((*TOURNEY, "run", str(yaml), *options))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    most = [round(max(memory for _, memory in each)) for each in seen.mebibytes.values()]
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return {
        "workers": workers,
        "status": seen.status,
        "seconds": seen.seconds,
        "cpu_seconds": cpu,
        "within_limits": cpu <= MOST_SECONDS and sum(most) <= MOST_MEBIBYTES,
        "most_mebibytes": sorted(most, reverse=True),
        "store_mebibytes": path.stat().st_size / 2**20,
        "places": places(path),
    }


def places(path: Path) -> str:
    """Give a digest of the leaderboard as CSV."""
    command = (*TOURNEY, "leaderboard", "--store", str(path), "--format", "csv")
    done = subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own
    return blake2b(done.stdout, digest_size=8).hexdigest()


def main() -> None:
    """Play with several numbers of workers and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=10_000)
    parser.add_argument("--dealers", type=int, default=100)
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2])
    wanted = parser.parse_args()
    half = wanted.entrants // 2
    text = CONFIG.format(dealers=wanted.dealers, simple=half, counting=wanted.entrants - half)
    with tempfile.TemporaryDirectory() as folder:
        yaml = Path(folder, "event.yaml")
        yaml.write_text(text, encoding="utf-8")
        load = os.getloadavg()[0]
        runs = [played(yaml, Path(folder, f"{each}.db"), each) for each in wanted.workers]
    same = len({run["places"] for run in runs}) == 1
    found = {**vars(wanted), "load_before": load, "same_places": same, "runs": runs}
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
