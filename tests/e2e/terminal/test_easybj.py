"""Easy Blackjack in front of a person, and at inputs that no person types."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Start = Callable[..., Any]

FIRST = "Stand (S) Hit (H) Double (D) Surrender (R): "
LATER = "Stand (S) Hit (H): "
GO_ON = "Press Any Key to Continue, (Q to Quit): "
SEED = 1567263509  # the document's session of one game: A 4 against 6 4
ONE_GAME = "Hands Played: 1\nFinal Balance: +$1.00\nPlayer Advantage: 100%\n"


def piped(
    *arguments: object, typed: bytes = b"", folder: Path | None = None
) -> tuple[int, str, str]:
    """Run the program at the end of a pipe and give its status and both outputs."""
    done = subprocess.run(
        [sys.executable, "-m", "tourney", "play", "easybj", *map(str, arguments)],
        input=typed,
        cwd=folder,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def test_a_person_plays_the_document_s_game(terminal: Start) -> None:
    """The screen is the page: questions stand there before they are answered."""
    program = terminal("play", "easybj", "-i", SEED)
    program.wait_for(FIRST)
    program.type("p\n")
    program.wait_for(FIRST, times=2)
    program.type("hello\n")
    program.wait_for(LATER)
    program.type("S\n")
    program.wait_for(GO_ON)
    program.type("q\n")
    last = program.end()
    assert last.status == 0
    assert last.text == (
        "Dealer: A 4 (soft 15)\nPlayer: 6 4 (10)\n"
        f"{FIRST}p\n{FIRST}hello\n"
        "Dealer: A 4 (soft 15)\nPlayer: 6 4 8 (18)\n"
        f"{LATER}S\n"
        "Dealer: A 4 T Q (bust)\nHand 1: 6 4 8 (18)\n"
        "Result: +$1.00\nCurrent Balance: +$1.00\n"
        f"{GO_ON}q\n{ONE_GAME}"
    )


@pytest.mark.parametrize(
    ("typed", "question", "ending"),
    [
        ("", FIRST, "Hands Played: 0\n"),
        ("h\n", LATER, "Hands Played: 0\n"),
        ("h\ns\n", GO_ON, ONE_GAME),
    ],
    ids=["first", "later", "after"],
)
def test_control_d_ends_the_program(
    terminal: Start, typed: str, question: str, ending: str
) -> None:
    """At every question: the summary on a line of its own, and status 0."""
    program = terminal("play", "easybj", "-i", SEED)
    program.type(typed)
    program.wait_for(question)
    program.end_input()
    last = program.end()
    assert last.status == 0
    assert last.text.endswith(f"{question}\n{ending}")


@pytest.mark.parametrize(
    ("typed", "question"),
    [("", FIRST), ("h\n", LATER), ("h\ns\n", GO_ON)],
    ids=["first", "later", "after"],
)
def test_control_c_leaves_at_once(
    terminal: Start, tmp_path: Path, typed: str, question: str
) -> None:
    """Status 130, no traceback and no recording."""
    program = terminal("play", "easybj", "-i", SEED, "-r", "record")
    program.type(typed)
    program.wait_for(question)
    program.interrupt()
    last = program.end()
    assert last.status == 130
    assert "Traceback" not in last.text
    assert last.text.removesuffix("\n").endswith(f"{question}^C")
    assert not list(tmp_path.iterdir())


def test_control_c_stops_a_chart(terminal: Start, tmp_path: Path) -> None:
    """In the middle of more games than anybody waits for."""
    wizard = Path(__file__).parents[2] / "golden" / "easybj" / "data" / "wizard.txt"
    program = terminal("play", "easybj", "-r", "record", "-a", wizard, 10**15)
    program.wait_for("Current Balance", times=100)
    program.interrupt()
    last = program.end()
    assert last.status == 130
    assert "Traceback" not in last.text
    assert not list(tmp_path.iterdir())


def test_a_recording_at_the_end_of_input_is_whole(terminal: Start, tmp_path: Path) -> None:
    """Whoever leaves by Control-D can play the same game again."""
    program = terminal("play", "easybj", "-i", SEED, "-r", "record")
    program.wait_for(FIRST)
    program.end_input()
    assert program.end().text.endswith("Hands Played: 0\nRecording shoe to record.\n")
    again = piped("-f", "record", typed=b"h\ns\nq\n", folder=tmp_path)
    assert again == piped("-i", SEED, typed=b"h\ns\nq\n")
    assert [path.name for path in tmp_path.iterdir()] == ["record"]


def test_ten_thousand_wrong_answers_are_asked_again() -> None:
    """Only the line of options comes again, and then the right answer counts."""
    status, shown, errors = piped("-i", SEED, typed=b"p\n" * 10_000 + b"h\ns\nq\n")
    assert (status, errors) == (0, "")
    assert shown.count(FIRST) == 10_001
    assert shown.count("Dealer: ") == 3
    assert shown.endswith(f"{GO_ON}{ONE_GAME}")


@pytest.mark.parametrize(
    "garbage",
    [bytes(range(256)) * 40, b"\x00" * 100_000, b"x" * 1_000_000, b"\xff\xfe" * 999 + b"\n"],
    ids=["bytes", "nulls", "megabyte", "no-text"],
)
def test_garbage_is_a_wrong_answer(garbage: bytes) -> None:
    """It is neither repeated nor an error."""
    typed = garbage + b"\nh\ns\n" + garbage + b"\n"
    status, shown, errors = piped("-i", SEED, typed=typed)
    assert (status, errors) == (0, "")
    assert "Hands Played: " in shown
    assert shown.isascii()


def test_a_megabyte_is_one_answer() -> None:
    """Of which the first letter counts."""
    typed = b"h" * 1_000_000 + b"\n" + b"s" * 1_000_000 + b"\nq"
    assert piped("-i", SEED, typed=typed) == piped("-i", SEED, typed=b"h\ns\nq\n")


def test_piped_input_that_ends_adds_no_line() -> None:
    """The output is what it would be after a q, but for the line that a terminal needs."""
    assert piped("-i", SEED, typed=b"h\ns\n") == piped("-i", SEED, typed=b"h\ns\nq\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
@pytest.mark.parametrize("redirection", ["<&-", "0>/dev/null", "</dev/null"])
def test_a_program_without_input_ends(redirection: str) -> None:
    """Whether it is closed, only for writing, or empty."""
    line = f'"$0" -m tourney play easybj -i {SEED} {redirection}'
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.endswith(b"Hands Played: 0\n")


@pytest.mark.skipif(os.name != "posix", reason="needs a shell")
def test_a_reader_may_leave() -> None:
    """A pipe that nobody reads any more is no failure, and ends the program."""
    line = 'yes s | "$0" -m tourney play easybj -i 1 | head -n 5'
    start = time.monotonic()
    done = subprocess.run(
        ["sh", "-c", line, sys.executable], capture_output=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 5
    assert time.monotonic() - start < 60


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
def test_a_recording_on_a_full_disk_is_told() -> None:
    """In one line, with status 1."""
    status, shown, errors = piped("-i", SEED, "-r", "/dev/full")
    assert (status, errors) == (
        1,
        "Error: cannot record shoe to /dev/full: No space left on device.\n",
    )
    assert shown.endswith("Hands Played: 0\n")


@pytest.mark.parametrize("argument", ["--help", "--version", "-V"])
def test_options_are_the_original_s(argument: str) -> None:
    """The platform's own stop at its name."""
    status, shown, errors = piped(argument)
    assert (status, shown) == (1, "")
    assert errors == f"./asst1: invalid option -- '{argument[1]}'\n"


def test_long_silent_games_show_how_far_they_are(terminal: Start) -> None:
    """On a terminal; the summary is all that stays."""
    wizard = Path(__file__).parents[2] / "golden" / "easybj" / "data" / "wizard.txt"
    program = terminal("play", "easybj", "-s", "-i", 0, "-a", wizard, 10**15)
    program.wait_for("Playing")
    program.interrupt()
    last = program.end()
    assert last.status == 130
    assert "Traceback" not in last.text


def test_long_silent_games_say_nothing_into_a_pipe() -> None:
    """But the summary; nobody would see a bar grow."""
    wizard = Path(__file__).parents[2] / "golden" / "easybj" / "data" / "wizard.txt"
    status, out, err = piped("-s", "-i", 0, "-a", wizard, 200_000)
    assert (status, err) == (0, "")
    assert out.splitlines()[0] == "Hands Played: 200000"
