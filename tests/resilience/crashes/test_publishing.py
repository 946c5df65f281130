"""`publish` plays looked-at tables in workers: the same pages, whatever becomes of them."""

import sys
from pathlib import Path

import pytest

from .desk import Command, Desk

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs process groups")

CONFIG = """\
name: Looked at
seed: 4
game: {preset: ve280, shuffle: uniform}
bankroll: 30
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 5000, batch_tables: 1}
entrants:
  - strategy: simple
  - strategy: counting
"""
"""Ruin ends every table soon, but so many rounds might be played that workers are worth it."""

MOODY = """\
import os
import time
from pathlib import Path

from tourney import Card, Hand, Player

QUITS, SLEEPS = Path("quits"), Path("sleeps")


class Moody(Player):
    def bet(self, bankroll: int, minimum: int) -> int:
        if QUITS.exists():
            QUITS.unlink()
            os._exit(9)
        if SLEEPS.exists():
            SLEEPS.rename("asleep")
            time.sleep(600)
        return minimum

    def draw(self, dealer: Card, player: Hand) -> bool:
        return False
"""


@pytest.fixture
def played(tmp_path: Path) -> Desk:
    """Play a run with a competitor whose moods are files."""
    desk = Desk(tmp_path / "desk", CONFIG)
    desk.enter("moody.py", MOODY)
    last = desk.go_on(workers=1).end()
    assert last.status == 0, last.errors
    return desk


def _publish(desk: Desk, folder: str, workers: int) -> Command:
    how = ("--output", folder, "--no-sandbox", "--workers", str(workers), "--show-tables", "2")
    program = (sys.executable, "-m", "tourney", "publish", *how)
    return desk.start_program(*program, "--store", str(desk.store))


def _files(desk: Desk, folder: str) -> dict[str, bytes]:
    place = desk.folder / folder
    return {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in place.rglob("*")
        if path.is_file()
    }


@pytest.mark.prove
def test_workers_give_the_same_bytes_though_one_dies(played: Desk) -> None:
    """It is replaced, and its tables are played again."""
    assert _publish(played, "one", workers=1).end().status == 0
    (played.folder / "quits").touch()
    last = _publish(played, "several", workers=2).end()
    assert last.status == 0, last.errors
    assert not (played.folder / "quits").exists()
    assert len(_files(played, "one")) > 20
    assert _files(played, "one") == _files(played, "several")


def test_an_interrupt_ends_all_workers_and_leaves_no_half_a_site(played: Desk) -> None:
    """Nothing is written before everything was looked at."""
    (played.folder / "sleeps").touch()
    command = _publish(played, "site", workers=2)
    played.wait_for_file("asleep")
    command.interrupt(everybody=True)
    last = command.end()
    assert (last.status, last.output) == (130, "")
    assert "Traceback" not in last.errors
    assert command.is_left_alone()
    assert not (played.folder / "site").exists()
