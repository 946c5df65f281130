"""Test cases in C++ as the documents have them: what they catch, and what becomes of bad ones."""

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tourney.cli import main
from tourney.errors import ConfinementError, GradingError
from tourney.game.mutants import Implementation
from tourney.games.blackjack.testing.mutants import MUTANTS
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.native import tools
from tourney.sandbox.native.compilation import BuildError
from tourney.testing import grading
from tourney.testing.grading import Grade, grade_cases
from tourney.testing.mutants.native import CaseFailedError, CaseTrials
from tourney.testing.student_tests import NativeCase, read_cases

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or not shutil.which("g++") or os.uname().machine != "x86_64",
    reason="nothing can be compiled or confined here",
)

SUITE = Path(__file__).with_name("cases")
"""Of a student who has read the documents clause by clause."""
assert MUTANTS.native
NATIVE = MUTANTS.native

CASE = """\
#include <cassert>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>
#include "deck.h"
int main() {{
    Deck deck;
    {act}
    return deck.cardsLeft() != 52;
}}
"""


@pytest.fixture(scope="module")
def grade() -> Grade:
    """Grade the suite."""
    return grade_cases(read_cases(SUITE), seconds=1)


@pytest.fixture(scope="module")
def trials() -> CaseTrials:
    """Compile what one case after the other is tried on: of each class one bug."""
    first = {bug.of: bug for bug in reversed(NATIVE.buggy)}
    return CaseTrials(replace(NATIVE, buggy=tuple(first.values())), 0.5, Level.FULL)


def fault_of(trials: CaseTrials, act: str, name: str = "deck.case.1.cpp") -> tuple[str, str]:
    """Say where and how a case fails the correct implementation that does this in line 12."""
    with pytest.raises(CaseFailedError) as failed:
        trials.catches(NativeCase(name, CASE.format(act=act)))
    assert failed.value.other is None
    return failed.value.place, failed.value.got


def test_there_are_many_mutants_in_the_language_of_the_courses() -> None:
    """Numbered without a gap, which would show that one is correct; and each is told."""
    assert len(NATIVE.buggy) >= 25
    for of in NATIVE.homes:
        names = [bug.name for bug in NATIVE.buggy if bug.of == of]
        assert names == [f"{of.lower()}-{number:02}" for number in range(1, len(names) + 1)]
    assert [each.name for each in NATIVE.allowed] == ["correct-hand-13"]


@pytest.mark.parametrize("bug", NATIVE.buggy, ids=lambda bug: bug.name)
def test_a_bug_in_a_file_is_documented(bug: Implementation) -> None:
    """In one sentence what is wrong, and in another what catches it."""
    assert bug.story.endswith(".")
    assert bug.caught_by.endswith(".")
    assert "//" not in bug.story + bug.caught_by


@pytest.mark.prove
def test_a_good_suite_catches_every_bug_and_fails_no_correct_one(grade: Grade) -> None:
    """Each case bugs of the class that its name says."""
    assert grade.faults == ()
    assert [bug.name for of in NATIVE.homes for bug in grade.missed(of)] == []
    for test in grade.tests:
        homes = {NATIVE.homes[name.partition("-")[0].capitalize()] for name in test.catches}
        assert homes == {test.name.partition(".")[0]}


def test_a_header_may_be_included_from_a_folder(trials: CaseTrials) -> None:
    """Students keep their cases in a folder beside the code."""
    text = CASE.format(act="").replace('"deck.h"', '"../src/Deck.h"')
    assert trials.catches(NativeCase("deck.case.1.cpp", text)) == ()


def test_a_case_that_asks_nothing_catches_nothing(trials: CaseTrials) -> None:
    """And what it prints is dropped, however much it is."""
    act = "for (int i = 0; i < 100000; i++) std::cout << i << std::endl;"
    assert trials.catches(NativeCase("deck.case.1.cpp", CASE.format(act=act + "return 0;"))) == ()


@pytest.mark.parametrize(
    ("act", "place", "words"),
    [
        ("return 3;", "", "exit status 3"),
        ("return -1;", "", "exit status 255"),
        ("assert(deck.cardsLeft() == 51);", ":12", "abort(), as after a failed assert"),
        ("throw 3;", ":12", "abort(), as after a failed assert or an exception"),
        ("for (;;) deck.reset();", "", "no end within 0.5 s"),
        ("pause();", "", "system call 34, pause("),
        ("int none; if (read(3, &none, 4)) { }", "", "no end within 0.5 s"),
        ("*(volatile int *)8 = 1;", ":12", "a pointer that leads nowhere"),
        ("volatile int none = 0; none = 3 / none;", ":12", "a division by zero"),
        ("socket(2, 1, 0);", "", "system call 41, socket("),
        ("fork();", "", "system call 56, clone("),
        ('execl("/bin/true", "true", (char *)0);', "", "system call 59, execve("),
        ("kill(getppid(), 9);", "", "system call 62, kill("),
        ('open("/tmp/left-by-a-case", O_CREAT | O_WRONLY, 0600);', "", "system call 257, openat("),
        ('assert(std::ifstream("deck.cpp"));', ":12", "abort()"),
        ('assert(open("/etc/passwd", O_RDONLY) != -1);', ":12", "abort()"),
        ('assert(open("/proc/self/exe", O_RDONLY) != -1);', ":12", "abort()"),
        ('assert(write(4, "0123456789abcdef", 16) != 16);', "", "something done to the pipe"),
        ("close(4); int none; if (read(3, &none, 4)) { }", "", "something done to the pipe"),
        ("for (;;) std::cout << (void *)new char[1 << 28];", ":12", "abort()"),
    ],
)
def test_whatever_a_case_tries_has_a_verdict(
    trials: CaseTrials, act: str, place: str, words: str
) -> None:
    """And its line, where the program itself can tell."""
    where, got = fault_of(trials, act)
    assert words in got
    assert where == (f"deck.case.1.cpp{place}" if place else "")
    assert not Path("/tmp/left-by-a-case").exists()  # noqa: S108 - where it would be


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("int main() { return x; }", "deck.case.1.cpp:1: expected C++ that compiles, got: 'x' was"),
        ('#include "deck.cpp"\nint main() { }', "deck.case.1.cpp:1: expected C++ that compiles, "),
        ('#include "/etc/passwd"\nint main() { }', "deck.case.1.cpp:1: expected C++ that compil"),
        (
            '#include "deck.h"\nint mian() { return 0; }',
            "deck.case.1.cpp:1: main is missing; ",
        ),
        (
            '#include "player.h"\nint main() { return !get_Simple(); }',
            "deck.case.1.cpp:2: expected C++ that compiles, got: undefined reference to `get_Simpl",
        ),
    ],
)
def test_a_case_that_does_not_build_is_told_where(
    trials: CaseTrials, source: str, words: str
) -> None:
    """In a line that its author can mend."""
    with pytest.raises(BuildError) as error:
        trials.catches(NativeCase("deck.case.1.cpp", source))
    assert words in str(error.value)
    assert "\n" not in str(error.value)


WRONG = """\
#include "hand.h"

int main() {
    Hand hand;
    Card ten = {TEN, SPADES};
    for (int i = 0; i < 3; i++) hand.addCard(ten);
    return hand.handValue().count == 30 ? 0 : -1;
}
"""


@pytest.mark.prove
def test_the_command_tells_faults_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder may hold more than cases, as one that is handed in does."""
    for name in ("deck.case.1.cpp", "hand.case.1.cpp"):
        shutil.copy(SUITE / name, tmp_path)
    (tmp_path / "hand.case.2.cpp").write_text(WRONG)
    (tmp_path / "deck.case.10.cpp").write_text("int main() { return deck; }\n")
    (tmp_path / "deck.cpp").write_text("not looked at")
    assert main(["mutants", str(tmp_path), "--seconds", "1"]) == 1
    seen = capsys.readouterr()
    assert seen.err == (
        "deck.case.10.cpp:1: expected C++ that compiles, got: 'deck' was not declared in this "
        "scope; check its spelling, or declare it, or include its header; names of the library "
        "begin with std::\n"
        "hand.case.2.cpp:3: does not return 0 with every correct Hand: exit status 255; it "
        "meets a Hand that totals 22 whenever it is over 21. The documents allow any total over 21 "
        "there. Test only what they promise\n"
    )
    rows = [line.split() for line in seen.out.splitlines()]
    assert rows[2][:3] == ["deck.case.1.cpp", "13", "10"]
    assert [row[0] for row in rows[2:6]] == [
        *("deck.case.1.cpp", "deck.case.10.cpp", "hand.case.1.cpp", "hand.case.2.cpp")
    ]
    assert ["Hand", "12", "12"] in rows


def test_one_case_may_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Alone, as data."""
    assert main(["mutants", str(SUITE / "hand.case.1.cpp"), "--json"]) == 0
    assert '"name": "hand.case.1.cpp", "line": 16' in capsys.readouterr().out


def test_a_case_of_something_else_is_told_so(trials: CaseTrials) -> None:
    """What it could be of is what there are mutants of."""
    words = (
        "driver.case.1.cpp:2: driver is not a tested class; the classes are deck, hand or player; "
        "name the case after its class"
    )
    with pytest.raises(BuildError) as error:
        trials.catches(NativeCase("driver.case.1.cpp", "\nint main() { return 0; }\n"))
    assert str(error.value) == words


def test_who_trusts_cases_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    """Then they run with all rights, which is told."""
    assert main(["mutants", str(SUITE / "hand.case.1.cpp"), "--no-sandbox"]) == 0
    seen = capsys.readouterr()
    assert seen.err.startswith("sandbox unsafe: the tests ran with all permissions")
    assert "hand-01 to 12" in seen.out


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Have the machine lack something."""

    def lack(what: str) -> None:
        if what == "confinement":
            monkeypatch.setattr(grading, "probe", lambda: Level.UNSAFE)
        else:
            monkeypatch.setattr(tools, "which", lambda *_, **__: None)
            tools.place_of.cache_clear()

    return lack


def test_without_a_compiler_there_is_one_line(without: Callable[[str], None]) -> None:
    """With the remedy."""
    without("g++")
    with pytest.raises(ConfinementError, match=r"g\+\+ is not in /usr/bin; install it"):
        tools.place_of("g++")
    tools.place_of.cache_clear()


def test_cases_that_cannot_be_confined_are_refused(without: Callable[[str], None]) -> None:
    """Before anything of them is compiled."""
    without("confinement")
    with pytest.raises(GradingError, match="this machine has no sandbox"):
        grade_cases(read_cases(SUITE))
