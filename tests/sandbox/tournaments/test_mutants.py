"""Tests of students are strangers' code: they run shut in, and whatever they try is a fault."""

from collections.abc import Callable
from pathlib import Path

import pytest

import tourney.testing.grading
from tourney.cli import main
from tourney.errors import GradingError
from tourney.sandbox.levels import Level, probe
from tourney.testing.grading import grade_tests

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

EXAMPLE = Path(__file__).parents[3] / "examples" / "tests_of_a_student" / "test_blackjack.py"
HONEST = """
from tourney import Deck

def test_a_new_deck_has_52_cards():
    assert Deck().cards_left == 52

def test_mine():
    """
SECONDS = 0.5


def fault_of(line: str) -> str:
    """Say what is wrong with a test of one line; another one beside it must not suffer."""
    honest, mine = grade_tests(f"{HONEST}{line}\n", "mine.py", seconds=SECONDS).tests
    assert (honest.fault, honest.catches) == ("", ("deck-10",))
    assert mine.catches == ()
    return mine.fault


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("while True: pass", ": no answer within 0.5 s"),
        ("import select; select.select([3], [], [])", "fails with"),
        ("raise SystemExit(3)", ": SystemExit: 3"),
        ("import os; os._exit(0)", ": the end of its process"),
        ("import os; os.fork()", ": forbidden system call 5"),
        ("import os; os.kill(1, 9)", ": forbidden system call 62, kill(0x1, 0x9"),
        ("import _socket; _socket.socket()", ": forbidden system call 41, socket("),
        ("import _thread; _thread.start_new_thread(print, ())", ": forbidden system call "),
        ("import subprocess; subprocess.run('true')", ": forbidden system call "),
        ("open('/etc/passwd')", ": PermissionError: "),
        ("import os; os.listdir('/')", ": PermissionError: "),
        ("import os; assert not os.environ", ""),
        ("'a' * 10**12", ": MemoryError"),
        ("x = []\n    while True: x.append(bytes(2**28))", ": MemoryError"),
        ("raise ValueError('\\x1b[2J\\n\\u202e')", r": ValueError: \x1b[2J \u202e"),
        ("print('\\x1b[2J' * 10**5)", ""),
        ("import time; time.sleep(10**6)", ""),
        ("import os; os.write(4, b'x' * 100)", "fails with"),
        ("import os; os.close(4); raise ValueError", "fails with"),
        ("import sys; sys.setrecursionlimit(10**6)\n    (f := lambda: f())()", "fails with"),
    ],
)
def test_whatever_a_test_tries_is_its_own_fault(line: str, words: str) -> None:
    """And no harm to the others, nor to whoever grades; what does no harm counts."""
    fault = fault_of(line)
    assert words.removeprefix(": ") in fault
    assert bool(words) is bool(fault)
    assert "\x1b" not in fault
    assert len(fault) < 2000


MARKING = """
import os

def mark():
    try:
        with open({mark!r}, "w") as file:
            file.write("somebody has run this with rights")
    except BaseException:
        pass

mark()

def test_mine():
    mark()
"""


@pytest.fixture
def marking(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a file of tests that leaves a mark where it can; give where."""
    monkeypatch.chdir(tmp_path)
    tmp_path.chmod(0o777)
    (tmp_path / "mine.py").write_text(MARKING.format(mark=str(tmp_path / "mark")), encoding="utf-8")
    return tmp_path / "mark"


def test_nothing_of_a_file_runs_with_rights(
    marking: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Neither its tests nor what stands outside of them."""
    assert main(["mutants", "mine.py"]) == 2
    assert not marking.exists()
    assert (
        "the file does not load with the correct implementations: it tried to write a file "
        "(forbidden system call 257"
    ) in capsys.readouterr().err


def test_who_trusts_a_file_says_so(marking: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Then it runs with all rights, which is told."""
    assert main(["mutants", "mine.py", "--no-sandbox"]) == 0
    assert marking.exists()
    words = "sandbox unsafe: the tests ran with all permissions of the user who started the run\n"
    assert capsys.readouterr().err == words


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Callable[[Level], None]:
    """Have the machine confine as well as a test likes."""
    return lambda level: monkeypatch.setattr(tourney.testing.grading, "probe", lambda: level)


def test_what_cannot_be_confined_is_refused(
    marking: Path, machine: Callable[[Level], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """In one message, with the only way past it."""
    machine(Level.UNSAFE)
    assert main(["mutants", "mine.py"]) == 2
    assert not marking.exists()
    seen = capsys.readouterr()
    assert (seen.out, seen.err) == (
        "",
        "mine.py: this machine has no sandbox, so the tests would run with your permissions; "
        "read them, then add --no-sandbox\n",
    )
    with pytest.raises(GradingError, match="no sandbox"):
        grade_tests(HONEST + "pass", "mine.py")


def test_a_lower_level_is_told(
    marking: Path, machine: Callable[[Level], None], capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing lowers it in silence."""
    machine(Level.REDUCED)
    assert main(["mutants", str(EXAMPLE)]) == 0
    assert capsys.readouterr().err.startswith(
        "sandbox reduced: the tests ran in sandboxed processes"
    )


def test_honest_tests_are_graded_as_they_would_be_with_all_rights() -> None:
    """Those of the example, to the last bug."""
    source = EXAMPLE.read_text(encoding="utf-8")
    confined = grade_tests(source)
    trusted = grade_tests(source, trusts_files=True)
    assert confined.tests == trusted.tests
    assert (confined.level, trusted.level) == (Level.FULL, Level.UNSAFE)


def test_what_a_class_uses_is_there() -> None:
    """Pytest's `raises`, Python's `unittest`, NumPy and the bundled strategies."""
    source = """
import unittest

import numpy
import pytest
from tourney.strategies.sharp import Sharp
from tourney import Deck, DeckEmpty

def test_an_empty_deck_says_so():
    deck = Deck()
    for _ in range(52):
        deck.deal()
    with pytest.raises(DeckEmpty):
        deck.deal()
    with unittest.TestCase().assertRaises(DeckEmpty):
        deck.deal()
    assert numpy.zeros(3).sum() == pytest.approx(Sharp().bet(1000, 10) - 10)
"""
    (test,) = grade_tests(source).tests
    assert test.fault == ""
    assert test.catches
