"""Honest players on a machine that is busy with other things, and sleepers on one that may be idle.

    python benchmarks/busy_machine.py [--students 50] [--tables 50] [--rounds 50] [--busy 4]

Four times as many processes as there are processors do nothing but compute, each in a session of
its own, as the kernel shares processors between sessions first. The exit status says whether none
of the honest has a verdict; and, without the busy ones, whether sleepers gain no time, or have
theirs within what is stated: twice the budget of computing, what they may sleep, and the queue.
"""

import argparse
import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

from tabulate import tabulate

sys.path.insert(0, str(Path(__file__).parents[1]))  # for the tests, which hold the corpus

from tests.sandbox.attacks.asking import CORPUS, play
from tests.sandbox.tournaments.classroom import busy, hand_in, honest_rows
from tourney import play_tournament
from tourney.sandbox import host_process
from tourney.sandbox.budgets import Budget, Sleep

SLEEPERS = ("naps", "frame_by_drops", "deadlock", "deadlock_on_import", "sleep_in_python")


def honest(students: int, tables: int, rounds: int, others: int) -> tuple[list[str], list[float]]:
    """Play a class while other processes compute.

    Returns: The names of those who failed, and how long the player of each batch is said to have
        slept, in seconds.
    """
    seen: list[Sleep] = []

    class Seen(Sleep):
        def __init__(self, number: int) -> None:
            super().__init__(number)
            seen.append(self)

    host_process.Sleep = Seen  # type: ignore[misc]  # to look at what is counted
    with TemporaryDirectory() as name, busy(others):
        config = hand_in(Path(name) / "class", students, (), tables=tables, rounds=rounds)
        result = play_tournament(config, store=Path(name) / "class.db", workers=1)
    host_process.Sleep = Sleep  # type: ignore[misc]  # as before
    failed = [row.name for row in honest_rows(result) if row.faults]
    return failed, [each.seconds for each in seen]


def main() -> int:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=50)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=50)
    parser.add_argument("--busy", type=int, default=4, help="processes for each processor")
    asked = parser.parse_args()
    is_well, rows = True, []
    for others in (0, asked.busy * (os.cpu_count() or 1)):
        began = perf_counter()
        failed, slept = honest(asked.students, asked.tables, asked.rounds, others)
        is_well &= not failed
        rows.append((others, perf_counter() - began, len(failed), max(slept)))
    headers = ("busy processes", "seconds", "honest with a verdict", "most sleep counted, s")
    print(tabulate(rows, headers=headers, floatfmt=".3f"))
    budget, rows = Budget(), []
    most = 2 * (budget.loading + 2 * budget.base) + budget.stall
    for name in SLEEPERS:
        began = perf_counter()
        played = play((CORPUS / f"{name}.attack").read_bytes(), budget=budget)
        seconds = perf_counter() - began
        is_well &= seconds < most
        rows.append((name, seconds, most, played.verdicts[0].message if played.verdicts else ""))
    print(tabulate(rows, headers=("sleeper", "seconds", "at most", "verdict"), floatfmt=".1f"))
    return int(not is_well)


if __name__ == "__main__":
    sys.exit(main())
