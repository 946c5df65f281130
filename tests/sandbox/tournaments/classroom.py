"""A class that hands in files, and its tournament with those who are hostile and without them."""

import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from operator import attrgetter
from pathlib import Path

from tests.sandbox.attacks.asking import CORPUS, expected
from tourney.standings.standing import Standing
from tourney.tournament.tournament import TournamentResult

CUP = """\
name: class
seed: 11
game: {{preset: ve280, shuffle: uniform}}
bankroll: 1000
minimum: 5
format: {{kind: duplicate, tables: {tables}, rounds: {rounds}}}
entrants:
"""

STUDENT = """\
import random
import time

from tourney import Player

LUCKY = {{"ace", "king", "queen", "{name}"}}


class Student(Player):
    def __init__(self):
        self.seen = 0

    def expose(self, card):
        self.seen += 1

    def bet(self, bankroll, minimum):
        {bet}
        return max(minimum, min(extra + minimum, bankroll))

    def draw(self, dealer, player):
        return player.total < {total}
"""

BETS = (
    "extra = 0",
    "extra = self.seen % 7",
    "extra = self.random.randrange(30)",
    "extra = random.randrange(30)",
    "extra = hash('{name}') % 20 + len(list(LUCKY)[0])",
    "extra = id(self) // 16 % 9 + id({{object(), object()}}.pop()) // 16 % 7",
    "extra = time.time_ns() % 13",
    "extra = bankroll // 50",
)
"""What honest students do, some of it unwise."""

HOSTILE = (
    *("socket", "wager_huge", "forged_frame", "fork", "exit_at_once", "memory_by_bytes"),
    *("kill_parent", "segfault", "wager_word", "draw_number", "str_raises", "syntax_error"),
    *("host_that_lies", "patch_builtins", "no_player", "recursion", "thread", "write_tmp"),
    *("loop_in_bet", "deadlock"),
)
"""Twenty of different kinds; those that take time come last."""


def student(number: int) -> bytes:
    """Write what an honest student hands in."""
    name = f"student{number:03}"
    bet = BETS[number % len(BETS)].format(name=name)
    return STUDENT.format(name=name, bet=bet, total=12 + number % 7).encode()


def hand_in(
    folder: Path, students: int, hostile: Sequence[str], tables: int = 12, rounds: int = 30
) -> Path:
    """Write the files of a class, and a tournament of them.

    Args:
        folder: Where; one for each tournament.
        students: How many honest ones.
        hostile: Attacks of the corpus, which come last, as luck goes by the place in the list.
        tables: Of the tournament.
        rounds: At a table.
    Returns: The configuration.
    """
    folder.mkdir(exist_ok=True)
    files = {f"student{number:03}": student(number) for number in range(students)}
    files |= {name: (CORPUS / f"{name}.attack").read_bytes() for name in hostile}
    lines = [CUP.format(tables=tables, rounds=rounds)]
    for name, source in files.items():
        (folder / f"{name}.py").write_bytes(source)
        lines.append(f"  - file: {name}.py\n")
    path = folder / "class.yaml"
    path.write_text("".join(lines), encoding="utf-8")
    return path


def by_itself(row: Standing) -> Standing:
    """Give a row without what it says of others: whoever joins a field is compared too."""
    return replace(
        row,
        place=None,
        rank_set=None,
        joint_half_width=None,
        above=None,
        above_half_width=None,
        least_tables=0,
        rarest_loss=0,
        relation="",
    )


def honest_rows(result: TournamentResult) -> list[Standing]:
    """Give the rows of the students by name, whatever their places."""
    rows = [by_itself(row) for row in result.standings]
    return sorted((row for row in rows if row.name.startswith("student")), key=attrgetter("name"))


def not_named(result: TournamentResult, hostile: Sequence[str]) -> list[str]:
    """Give the attackers without a verdict, or with one of another kind than theirs."""
    rows = {row.name: row for row in result.standings}
    return [
        name
        for name in hostile
        if not (verdict := rows[name].verdict)
        or verdict.cause not in expected((CORPUS / f"{name}.attack").read_bytes())[0]
    ]


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keep some processes busy, in sessions of their own, between which the kernel shares first."""
    program = f"import os\nwhile os.getppid() == {os.getpid()}: pass"  # not longer than this lives
    words = [sys.executable, "-S", "-c", program]
    processes = [subprocess.Popen(words, start_new_session=True) for _ in range(count)]
    try:
        yield
    finally:
        for each in processes:
            each.kill()
            each.wait()
