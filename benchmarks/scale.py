"""A large tournament from start to leaderboard: `python benchmarks/scale.py`.

By default 1,000 entrants play 400 tables of 1,000 rounds. Says how long it took, what memory
every process had after the first minute and at the end, and how long the store takes to give
the leaderboard. Prints JSON.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

from watch import watch

from tourney.plugins.loading import load_plugins
from tourney.report.text import columns_of, render
from tourney.store.store import Store
from tourney.tournament.loading import enter_again
from tourney.tournament.stored_standings import standings_of

TOURNEY = (sys.executable, "-m", "tourney")
SETTLED = 60.0  # seconds
HEAD = """\
name: Scale
seed: 280
game: {{preset: ve280, shuffle: uniform}}
bankroll: 1000
minimum: 5
maximum: 500
format: {{kind: duplicate, tables: {tables}, rounds: {rounds}}}
entrants:
"""


def config(entrants: int, tables: int, rounds: int) -> str:
    """Write a configuration in which a third each plays Simple, Counting and Ramp."""
    text = HEAD.format(tables=tables, rounds=rounds)
    for number in range(entrants):
        name = ("simple", "counting", "ramp")[number % 3]
        options = f", options: {{spread: {2 + number // 3}}}" if name == "ramp" else ""
        text += f"  - {{strategy: {name}, as: {name} {number}{options}}}\n"
    return text


def drawing_seconds(path: Path) -> float:
    """Give how long it takes to draw the leaderboard of the latest run from the store."""
    registry = load_plugins()
    with Store.open(path, create=False) as store:
        run = store.run()
        tournament = enter_again(run, registry, trusts_files=True)
        started = perf_counter()
        standings = standings_of(tournament, store, run)
        columns = columns_of(tournament, registry.columns)
        render(standings, columns, "simple")
        return perf_counter() - started


def command_seconds(path: Path) -> float:
    """Give how long the command takes that prints it, Python's start included."""
    started = perf_counter()
    command = (*TOURNEY, "leaderboard", "--store", str(path))
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603 - our own
    return perf_counter() - started


def main() -> None:
    """Play, watch and print JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entrants", type=int, default=1000)
    parser.add_argument("--tables", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=os.cpu_count())
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        yaml, path = Path(folder, "scale.yaml"), Path(folder, "scale.db")
        yaml.write_text(config(wanted.entrants, wanted.tables, wanted.rounds), encoding="utf-8")
        load = os.getloadavg()[0]
        options = ("--store", str(path), "--workers", str(wanted.workers))
        seen = watch((*TOURNEY, "run", str(yaml), *options))
        blocks = wanted.entrants * wanted.tables
        found = {
            **vars(wanted),
            "load_before": load,
            "status": seen.status,
            "seconds": seen.seconds,
            "blocks_per_second": blocks / seen.seconds,
            "store_mebibytes": path.stat().st_size / 2**20,
            "mebibytes_after_a_minute_and_at_the_end": list(seen.growth(SETTLED).values()),
            "drawing_seconds": drawing_seconds(path),
            "command_seconds": command_seconds(path),
        }
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
