"""Competitors with dice of their own, and somebody honest beside them.

What the jail replaces are no dice there: `os.urandom`, `random` and Python's clocks. Whether a
process knows its number is up to the jail; the machine's clock and the kernel's dice are real.
"""

from pathlib import Path

DUPLICATE = """
name: cup
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 40}
entrants:
  - file: honest.py
  - file: dicey.py
"""
SHARED = """
name: room
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 200
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 5, level_rounds: 10}
entrants:
  - {strategy: simple, count: 3}
  - {file: honest.py, count: 3}
  - {file: dicey.py, count: 3}
"""
HONEST = """
import random
from tourney import Player

NAMES = {"one", "two", "three", "four", "five", "six", "seven"}


class Honest(Player):
    asked = 0

    def bet(self, bankroll, minimum):
        Honest.asked += 1
        luck = self.random.randrange(5) + random.randrange(5) + len(next(iter(NAMES)))
        return min(bankroll, minimum + luck + Honest.asked % 3 + hash("shoe") % 5)

    def draw(self, dealer, player):
        return player.total < 16
"""

# What differs from process to process whatever the jail replaces: the machine's own clock.
CLOCK = """
import ctypes


class Time(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


LIBC = ctypes.CDLL(None)


def roll():
    time = Time()
    LIBC.clock_gettime(1, ctypes.byref(time))
    return time.nanoseconds // 10 % 50
"""
KERNEL = """
import os


def roll():
    return os.getrandom(1)[0] % 50
"""
NUMBER = """
import os
import random

DICE = random.Random(os.getpid())


def roll():
    return DICE.randrange(50)
"""
DICEY = """
from tourney import Player


class Dicey(Player):
    rolls = 0

    def bet(self, bankroll, minimum):
        Dicey.rolls += 1
        return min(bankroll, minimum + (roll() if Dicey.rolls > {late} else 0))

    def draw(self, dealer, player):
        return player.total < 16
"""


STRAIGHTS = """
name: fours
seed: 7
game: straights
format: {kind: duplicate, tables: 6, rounds: 10}
entrants:
  - strategy: first-legal
  - strategy: thrifty
  - file: honest.py
  - file: dicey.py
"""
STRAIGHT = """
from tourney import StraightsPlayer


class Straight(StraightsPlayer):
    asked = 0

    def play(self, view):
        Straight.asked += 1
        cards = view.legal_plays or view.hand
        return cards[{index} % len(cards)]
"""


def written(folder: Path, config: str, dice: str = CLOCK, late: int = 0) -> Path:
    """Write a tournament of somebody honest and somebody with dice.

    Args:
        folder: Where.
        config: Of the tournament.
        dice: What defines `roll`.
        late: Wagers before the first roll.
    """
    honest, dicey = HONEST, dice + DICEY.format(late=late)
    if config is STRAIGHTS:
        honest = STRAIGHT.format(index="(Straight.asked + self.random.randrange(9))")
        dicey = dice + STRAIGHT.format(index="roll()")
    (folder / "honest.py").write_text(honest, encoding="utf-8")
    (folder / "dicey.py").write_text(dicey, encoding="utf-8")
    path = folder / "cup.yaml"
    path.write_text(config, encoding="utf-8")
    return path
