"""Whether the commands of every day are as quick as people expect: `python benchmarks/everyday.py`.

Each is run as people run it, on a class of 300 whose competitors are confined, and held against the
seconds that it may take on two idle cores. `--only play plan` chooses among the parts. The exit
status says whether all were in time; those that were not say by how much.
"""

import argparse
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which write the class

from tests.e2e.course.generated import class_of
from tests.e2e.course.walking import walk
from tests.sandbox.tournaments.classroom import HOSTILE, hand_in

ROOT = Path(__file__).parents[1]
TOURNEY = Path(sys.executable).with_name("tourney")
STUDENTS, TABLES, ROUNDS = 300, 60, 100
ON_THE_WAY = {"submit": 35.0, "publish": 35.0, "feedback": 20.0}
"""Seconds that commands of a class may take."""


class Took(NamedTuple):
    """A command, and what it took."""

    what: str
    seconds: float
    budget: float | None

    def held(self) -> tuple[str, str]:
        """Say what it may take, and by how much it took longer."""
        if self.budget is None:
            return "", ""
        over = self.seconds - self.budget
        return f"{self.budget:.1f}", f"{over:.1f} too long" if over > 0 else ""


def took(what: str, folder: Path, words: str, budget: float | None) -> Took:
    """Run a command in a folder; some competitors may fail, which status 1 says."""
    began = perf_counter()
    done = subprocess.run(  # noqa: S603 - this very program
        [TOURNEY, *words.split()], cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode not in {0, 1} or "Traceback" in done.stderr:
        sys.exit(f"expected {words} to run, got status {done.returncode}\n{done.stderr}")
    return Took(what, perf_counter() - began, budget)


def play(folder: Path) -> Iterator[Took]:
    """Play a class without attackers and with them, and replay some of it."""
    sizes = {"tables": TABLES, "rounds": ROUNDS}
    hand_in(folder / "honest", STUDENTS, (), **sizes)
    words = "run class.yaml --format csv"
    alone = took(f"run, {STUDENTS} confined", folder / "honest", words, 14.0)
    yield alone
    yield took("the same on 1 worker", folder / "honest", f"{words} --workers 1", None)
    yield took("verify, 20 batches of it", folder / "honest", "verify", 10.0)
    hand_in(folder / "all", STUDENTS, HOSTILE, **sizes)
    whose = f"run, with {len(HOSTILE)} attackers"
    yield took(whose, folder / "all", words, alone.seconds + 10.0)


def go(folder: Path) -> Iterator[Took]:
    """Go the way of a class from its gradebook to its marks."""
    for step in walk(folder, class_of(STUDENTS), "Moodle", TABLES, ROUNDS):
        word = step.command.split()[0]
        yield Took(f"class: {word}", step.seconds, ON_THE_WAY.get(word))


def plan(folder: Path) -> Iterator[Took]:
    """Plan every configuration."""
    for config in sorted((ROOT / "configs").glob("*.yaml")):
        yield took(f"plan {config.name}", folder, f"plan {config}", 10.0)


def begin(folder: Path) -> Iterator[Took]:
    """Play the first tournament, with machine code made before; and what only looks."""
    yield took("run quickstart.yaml", folder, f"run {ROOT / 'configs' / 'quickstart.yaml'}", 5.0)
    for words in ("list strategies", "runs", "leaderboard"):
        yield took(words, folder, words, None)


PARTS: dict[str, Callable[[Path], Iterator[Took]]] = {
    "begin": begin,
    "play": play,
    "class": go,
    "plan": plan,
}


def main() -> int:
    """Run the parts and print what each command took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    asked = parser.parse_args()
    took_all: list[Took] = []
    for part in asked.only:
        with TemporaryDirectory() as name:
            for each in PARTS[part](Path(name)):
                took_all.append(each)
                print(f"{each.seconds:7.1f} s  {each.what}", file=sys.stderr, flush=True)
    rows = [(each.what, f"{each.seconds:.1f}", *each.held()) for each in took_all]
    headers = ["command", "seconds", "may take", ""]
    sides = ("left", "right", "right", "left")
    print(tabulate(rows, headers, tablefmt="github", disable_numparse=True, colalign=sides))
    late = sum(bool(each.held()[1]) for each in took_all)
    print(f"{len(took_all) - late} of {len(took_all)} in time on {os.cpu_count()} processors")
    return int(bool(late))


if __name__ == "__main__":
    sys.exit(main())
