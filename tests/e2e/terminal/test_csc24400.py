"""The CSC 24400 program in front of a person, and at inputs that no person types."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

Start = Callable[..., Any]

HOW_MANY = "How many decks do you wish to play with (max 20)?\n"
PLAY = "Do you wish to play a hand of blackjack? "
HIT_OR_STAND = "Hit or Stand: "
STARS = "*" * 65
END = "|      END OF OUTPUT      |\n---------------------------\n"
NOTHING_PLAYED = "A total of 0 hands were played\nDealer won 0 hands\nPlayer won 0 hands\n"


def piped(*arguments: str, typed: bytes = b"") -> tuple[int, str, str]:
    """Run the program at the end of a pipe and give its status and both outputs."""
    done = subprocess.run(
        [sys.executable, "-m", "tourney", "play", "csc24400", *arguments],
        input=typed,
        capture_output=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_person_plays_a_hand(terminal: Start) -> None:
    """Every question is on the screen before it is answered, and answers end its line."""
    program = terminal("play", "csc24400", "-s", 1)
    program.wait_for(HOW_MANY)
    program.type("20\n")
    program.wait_for(PLAY)
    program.type("yes\n")
    program.wait_for(HIT_OR_STAND)
    program.type("s\n")
    shown = program.wait_for(PLAY, times=2)
    assert f"{PLAY}yes\n{'=' * 65}\n{'=' * 65}\nDealer Hand:      sum: 10\n10H\n" in shown
    assert f"{HIT_OR_STAND}s\n{'=' * 65}\n" in shown
    assert "Dealer has winning hand!\nDealer Wins!\n" in shown
    program.type("n\n")
    last = program.end()
    assert last.status == 0
    assert f"{PLAY}n\n{STARS}\n{STARS}\nA total of 1 hands were played\n" in last.text
    assert last.text.endswith(END)


@pytest.mark.parametrize(
    ("typed", "question"),
    [((), HOW_MANY), (("6\n",), PLAY), (("6\n", "y\n"), HIT_OR_STAND)],
    ids=["decks", "play", "hit"],
)
def test_control_d_ends_the_program(terminal: Start, typed: tuple[str, ...], question: str) -> None:
    """At every question: statistics on a line of their own, footer, status 0."""
    program = terminal("play", "csc24400", "-s", 1)
    for line in typed:
        program.type(line)
    program.wait_for(question)
    program.end_input()
    last = program.end()
    assert last.status == 0
    assert last.text.endswith(END)
    assert f"\n{STARS}\n{STARS}\n{NOTHING_PLAYED}" in last.text


@pytest.mark.parametrize(
    ("typed", "question"),
    [((), HOW_MANY), (("6\n",), PLAY), (("6\n", "y\n"), HIT_OR_STAND)],
    ids=["decks", "play", "hit"],
)
def test_control_c_leaves_at_once(terminal: Start, typed: tuple[str, ...], question: str) -> None:
    """Status 130 and no traceback."""
    program = terminal("play", "csc24400", "-s", 1)
    for line in typed:
        program.type(line)
    program.wait_for(question)
    program.interrupt()
    last = program.end()
    assert last.status == 130
    assert "Traceback" not in last.text
    assert last.text.removesuffix("\n").endswith(f"{question}^C")


def test_a_wrong_answer_is_asked_again_on_the_screen(terminal: Start) -> None:
    """Long lines and letters of any alphabet included."""
    program = terminal("play", "csc24400", "-s", 1)
    program.wait_for(HOW_MANY)
    for wrong in ("0", "21", "zwölf", "", "x" * 1000):
        program.type(f"{wrong}\n")
    program.wait_for(HOW_MANY, times=6)
    program.type("1\nvielleicht\nno\n")
    last = program.end()
    assert last.status == 0
    assert last.text.count(PLAY) == 2
    assert NOTHING_PLAYED in last.text


def test_without_a_seed_the_program_tells_the_one_it_took() -> None:
    """With that one it can be played again."""
    typed = b"3\n" + b"y\nh\ns\ns\n" * 5 + b"n\n"
    status, first, errors = piped(typed=typed)
    assert (status, errors) == (0, "")
    (line,) = [line for line in first.splitlines() if line.startswith("Seed value is: ")]
    assert piped("-s", line.split()[-1], typed=typed) == (0, first, "")


@pytest.mark.parametrize(
    "arguments", [("--help",), ("-h",), ("--", "-s", "1"), ("-s", "1", "2"), ("-s", "9" * 5000)]
)
def test_the_usage_message_is_the_originals(arguments: tuple[str, ...]) -> None:
    """For a call for help too: the document knows one option."""
    header = "Blackjack\nCSC 24400 Project 4\n-----\n"
    assert piped(*arguments) == (1, f"{header}Usage: Blackjack [-s <number>]\n", "")


def test_a_seed_may_be_negative() -> None:
    """The command line does not take it for an option."""
    status, shown, errors = piped("-s", "-5", typed=b"1\nn\n")
    assert (status, errors) == (0, "")
    assert "Seed value is: -5\n" in shown


def test_ten_thousand_wrong_answers_are_asked_again() -> None:
    """One question each, and then the right answer counts."""
    status, shown, errors = piped("-s", "1", typed=b"nope\n" * 10_000 + b"1\nn\n")
    assert (status, errors) == (0, "")
    assert shown.count(HOW_MANY) == 10_001
    assert NOTHING_PLAYED in shown


@pytest.mark.parametrize(
    "garbage",
    [bytes(range(256)) * 40, b"\x00" * 100_000, b"y" * 1_000_000, b"\xff\xfe" * 999 + b"\n"],
    ids=["bytes", "nulls", "megabyte", "no-text"],
)
def test_garbage_is_a_wrong_answer(garbage: bytes) -> None:
    """It is neither repeated nor an error."""
    status, shown, errors = piped("-s", "1", typed=garbage + b"\n2\n" + garbage + b"\nn\n")
    assert (status, errors) == (0, "")
    assert NOTHING_PLAYED in shown
    assert shown.isascii()


def test_a_last_line_needs_no_end() -> None:
    """What stands before the end of the input is an answer."""
    _, shown, _ = piped("-s", "1", typed=b"1\nn")
    assert shown.count(PLAY) == 1
    assert f"{PLAY}{STARS}\n" in shown


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null", "</dev/null"])
def test_a_program_without_input_ends(redirection: str) -> None:
    """Whether it is closed, only for writing, or empty."""
    line = f'"$0" -m tourney play csc24400 -s 1 {redirection}'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert NOTHING_PLAYED in done.stdout.decode()


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_reader_may_leave() -> None:
    """A pipe that nobody reads any more is no failure."""
    line = 'yes maybe | "$0" -m tourney play csc24400 -s 1 | head -n 5'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, timeout=60, check=False
    )
    assert len(done.stdout.splitlines()) == 5
    assert b"rror" not in done.stderr.replace(b"yes: standard output: Broken pipe", b"")
