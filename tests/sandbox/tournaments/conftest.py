"""Folders of honest and hostile files, and tournaments of them."""

import os
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import CORPUS
from tourney.execution.workers.worker import start_fork_server
from tourney.execution.workers.worker_start import asked_for
from tourney.games.blackjack.rules import VE280

Enter = Callable[..., Path]

CUP = """
name: cup
seed: 7
game: {{preset: ve280, shuffle: uniform}}
bankroll: 1000
minimum: 5
format: {{kind: duplicate, tables: {tables}, rounds: 30}}
entrants:
  - strategy: simple
"""

HONEST = """
from tourney import Player


class Base(Player):
    def __init__(self):
        self.seen = 0

    def expose(self, card):
        self.seen += 1

    def bet(self, bankroll, minimum):
        return min(minimum + self.random.randrange(20) + self.seen % 3, bankroll)


class Honest(Base):
    def draw(self, dealer, player):
        return player.total < {total}
"""


@pytest.fixture(scope="session", autouse=True)
def _machine_code_is_loaded_once() -> None:
    """Load it in what workers are forked from, as a run does, and not in each of all the pools."""
    with asked_for(VE280):
        start_fork_server()


@pytest.fixture
def enter(tmp_path: Path) -> Enter:
    """Write a tournament of two honest files and of attackers after them."""

    def write(attackers: Sequence[str] = (), name: str = "cup", tables: int = 12) -> Path:
        lines = [CUP.format(tables=tables)]
        files = {f"honest{total}.py": HONEST.format(total=total).encode() for total in (14, 17)}
        attacks = {f"{each}.py": (CORPUS / f"{each}.attack").read_bytes() for each in attackers}
        # Last, since luck of their own goes by the number in the list.
        for file, source in {**files, **attacks}.items():
            (tmp_path / file).write_bytes(source)
            lines.append(f"  - file: {file}\n")
        path = tmp_path / f"{name}.yaml"
        path.write_text("".join(lines), encoding="utf-8")
        return path

    return write


def hosts() -> list[int]:
    """Give what hosts are forked from, of this process, and what nobody owns any more."""
    found = []
    for folder in Path("/proc").iterdir():
        try:
            line = (folder / "cmdline").read_bytes()
            parent = (folder / "stat").read_text("utf-8").rpartition(") ")[2].split()[1]
        except OSError:
            continue  # no process, or one that has just ended
        if b"tourney.sandbox" in line and int(parent) in {1, os.getpid()}:
            found.append(int(folder.name))
    return found
