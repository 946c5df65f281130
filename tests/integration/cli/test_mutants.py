"""`mutants`: which bugs a file of tests catches, in a table for people and in JSON for programs."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.games.blackjack.testing.mutants import MUTANTS

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

EXAMPLE = Path(__file__).parents[3] / "examples" / "tests_of_a_student" / "test_blackjack.py"

TESTS = """\
    from tourney import Deck, Hand

    def test_a_new_deck():
        assert Deck().cards_left == 52

    def test_a_wrong_one():
        assert Deck().cards_left == 51
"""

TABLE = """\
Test                Line  Bugs    Catches
----------------  ------  ------  --------------
test_a_new_deck        3  1       deck-10
test_a_wrong_one       6          does not count

Class       Caught    Of  Missed
--------  --------  ----  -------------------------------
Deck             1    24  deck-01 to 09, deck-11 to 24
Hand             0    17  hand-01 to 17
Simple           0    20  simple-01 to 20
Counting         0    24  counting-01 to 24
"""


def lines_of(table: str) -> list[list[str]]:
    """Give the words of a table, whatever the widths of its columns."""
    return [line.split() for line in table.splitlines() if not line.startswith("-")]


def test_a_table_tells_what_is_caught_and_how_much_is_missed(cli: Cli, write: Write) -> None:
    """Faults go to standard error, and end with status 1."""
    ran = cli("mutants", write("test_mine.py", TESTS))
    assert lines_of(ran.out) == lines_of(TABLE)
    assert ran.status == 1
    assert ran.err == (
        "test_mine.py:7: test_a_wrong_one: fails with the correct implementations: "
        "AssertionError in `assert Deck().cards_left == 51`; it does not count until it "
        "is fixed\n"
    )


def test_nothing_is_given_away_unless_asked(cli: Cli, write: Write) -> None:
    """A number tells nobody what to look for; `--show-missed` does."""
    file = write("test_mine.py", TESTS)
    missed = [bug for bug in MUTANTS.buggy if bug.name != "deck-10"]
    for option, told in ((), False), (("--show-missed",), True):
        for form in ((), ("--json",)):
            words = " ".join(cli("mutants", file, *option, *form).out.split())
            assert all((bug.story in words) is told for bug in missed)
            assert all((bug.caught_by in words) is told for bug in missed)


def test_json_has_the_same_facts(cli: Cli, write: Write) -> None:
    """For whoever gives marks."""
    ran = cli("mutants", write("test_mine.py", TESTS), "--json")
    assert (ran.status, ran.err) == (1, "")
    found = json.loads(ran.out)
    assert sorted(found) == ["classes", "tests"]
    good, wrong = found["tests"]
    assert good == {
        "name": "test_a_new_deck",
        "line": 3,
        "fault": "",
        "catches": ["deck-10"],
        "counts": True,
    }
    assert (wrong["counts"], wrong["catches"]) == (False, [])
    assert wrong["fault"].startswith("test_mine.py:7: test_a_wrong_one: fails with")
    assert found["classes"]["Deck"]["caught"] == ["deck-10"]
    names = [name for each in found["classes"].values() for name in each["missed"]]
    assert names == [bug.name for bug in MUTANTS.buggy if bug.name != "deck-10"]


def test_the_tests_of_the_example_catch_most_bugs(cli: Cli) -> None:
    """All of them count; what they miss is left for the reader to find."""
    ran = cli("mutants", EXAMPLE, "--json")
    assert (ran.status, ran.err) == (0, "")
    for facts in json.loads(ran.out)["classes"].values():
        assert len(facts["caught"]) > len(facts["missed"]) > 0
    table = cli("mutants", EXAMPLE)
    assert (table.status, table.err) == (0, "")
    assert max(map(len, table.lines)) <= 100


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.py", None, "gone.py does not exist; check the spelling"),
        ("\x1b[2J", None, r"\x1b[2J does not exist; check the spelling"),
        (
            ".",
            None,
            ".: the folder has no test cases in C++; pass a Python file of tests, or a folder",
        ),
        ("gone.cpp", None, "gone.cpp does not exist; check the spelling"),
        (
            "mine.cpp",
            b"",
            "mine.cpp: this is not the name of a test case such as deck.case.1.cpp; rename it",
        ),
        ("a.py", b"", "a.py has no functions named test_"),
        ("a.py", b"def test_a(:", "a.py:1: this is not valid Python: invalid syntax"),
        ("a.py", b"#\n\xff", "a.py:2: the byte 0xff is not UTF-8; save the file"),
        ("a.py", b"#" * 1_000_001, "a.py is larger than 1,000,000 bytes; shorten it"),
        (
            "a.py",
            b"import nothing_there\ndef test_a(): ...",
            "a.py:1: the file does not load with the correct implementations: ModuleNotF",
        ),
    ],
)
def test_a_file_that_does_not_load_is_wrong_usage(
    cli: Cli, tmp_path: Path, name: str, content: bytes | None, words: str
) -> None:
    """Status 2, with the place and no traceback."""
    if content is not None:
        (tmp_path / name).write_bytes(content)
    ran = cli("mutants", name)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(words)
    assert "Traceback" not in ran.err


def test_a_file_beside_the_tests_is_no_module_of_python(cli: Cli, write: Write) -> None:
    """Whatever else lies in the folder of a student."""
    write("random.py", "raise SystemExit('not the one that was meant')")
    assert cli("mutants", write("test_mine.py", TESTS.partition("def test_a_wrong")[0])).status == 0


def test_a_game_may_be_named(cli: Cli, write: Write) -> None:
    """One that has mutants is the same as none named, as it is the only one; others are refused."""
    file = write("test_mine.py", TESTS)
    assert cli("mutants", file, "--game", "easybj").out == cli("mutants", file).out
    ran = cli("mutants", file, "--game", "straights")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == ("straights has no mutants for tests to catch; name another game\n")
