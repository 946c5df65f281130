"""What honest students write: ordinary Python works in there, and is the same every time."""

import sys
from pathlib import Path
from types import ModuleType

import pytest

from tests.sandbox.attacks.asking import play
from tourney.sandbox.budgets import Budget
from tourney.sandbox.host_modules import allowed
from tourney.sandbox.levels import Level, probe

pytestmark = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)

EVERYDAY = Path(__file__).with_name("everyday.player").read_bytes()
"""Not called `.py`, as no style fits a file that uses everything."""

CHANCE_AND_TIME = """
import os, random, secrets, time
from random import choice
from time import perf_counter

import numpy as np

from tourney import Player

MADE = time.time()

class Chancy(Player):
    def __init__(self):
        objects = {object() for _ in range(9)} | {type(name, (), {}) for name in "abc"}
        print(hash("card"), hash(("a", 2.5)), id(object()), id(self))
        print([id(each) for each in objects])
        print({"ace", "king", "queen"}, frozenset("cards"), hash(object()))
        print(random.random(), choice("abc"), random.Random().random())
        print(random.SystemRandom().random(), secrets.token_hex(4), os.urandom(4))
        print(np.random.random(), np.random.default_rng().random())
        print(MADE, time.time_ns(), perf_counter(), time.monotonic(), time.process_time())
        print(time.ctime(), time.localtime(), time.strftime("%c"), time.clock_gettime(0))

    def bet(self, bankroll, minimum):
        until = time.perf_counter() + 0.05
        looks = 0
        while time.perf_counter() < until:
            looks += 1
        time.sleep(3_600)
        print(looks, time.asctime(), self.random.random())
        return minimum

    def draw(self, dealer, player):
        return False
"""


def test_ordinary_python_works(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each line says the same as in a process that is not shut in."""
    module = ModuleType("competitor")
    monkeypatch.setitem(sys.modules, "competitor", module)
    exec(compile(EVERYDAY, "everyday.py", "exec", dont_inherit=True), module.__dict__)  # noqa: S102 - a file of ours
    at_home = module.work()
    played = play(EVERYDAY, budget=Budget())
    assert not played.verdicts
    assert played.printed.startswith("\n".join(at_home))
    assert "WARNING:root:logged" in played.printed


def test_what_is_not_there_is_named() -> None:
    """With what there is instead."""
    (first, *_) = play(b"import datetime\n").verdicts
    known = ", ".join(allowed())
    assert f"'datetime': not in the sandbox, where players can rely on {known}" in first.message


def test_what_authors_run_themselves_is_no_misspelling() -> None:
    """`tourney.ev` is a name of tourney, but not in the sandbox."""
    (first, *_) = play(b"from tourney import Player, ev\n").verdicts
    assert "'tourney.research': not in the sandbox, as it is for your own runs" in first.message


def test_a_class_that_lacks_a_method_is_named_with_its_line() -> None:
    """A run reports it as a check does."""
    source = b"from tourney import Player\n\nclass Mine(Player):\n    def bet(self, a, b): pass\n"
    (first, *_) = play(source).verdicts
    assert first.message == "import: Mine: expected a class that answers draw, got one without"
    assert first.place.endswith(":3")


def test_all_that_is_named_can_be_imported() -> None:
    """And what is named is all that a player is promised."""
    source = "".join(f"import {name}\n" for name in allowed())
    # No class follows, so that it comes to an end as soon as all is imported.
    (first, *_) = play(source.encode()).verdicts
    assert "expected one player in the file, got none" in first.message


def test_chance_and_time_are_the_same_every_time() -> None:
    """Hashes, addresses, sets, every generator, and every clock of Python's."""
    first, *others = (play(CHANCE_AND_TIME.encode(), budget=Budget()) for _ in range(4))
    assert not first.verdicts
    assert "Sat Jan  1 0" in first.printed
    assert others == [first] * 3


def test_who_thinks_until_a_time_has_passed_comes_to_an_end() -> None:
    """Each look at a clock puts it forward; sleep takes no time."""
    printed = play(CHANCE_AND_TIME.encode(), budget=Budget()).printed
    assert "\n49 Sat Jan  1 01:00:00 2000 " in printed
