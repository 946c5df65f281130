"""The original Straights on a terminal: odd answers, the end of the input and interrupts."""

import sys
from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs pseudo-terminals")

Start = Callable[..., Any]
HUMANS = "h\nh\nh\nh\n"
PROMPTS_OF_INVITATION = 4


def test_a_game_of_computers_is_played_to_its_end(terminal: Start) -> None:
    """After the invitation nobody is asked."""
    program = terminal("play", "straights", 25)
    program.wait_for(">")
    program.type("c\nc\nc\nc\n")
    shown = program.end()
    assert shown.status == 0
    assert shown.text.endswith("Player1 wins!\nPlayer3 wins!\n")


@pytest.mark.parametrize("invited", ["", HUMANS], ids=["while inviting", "in a round"])
def test_the_end_of_the_input_ends_the_game(terminal: Start, invited: str) -> None:
    """At once, and without a complaint."""
    program = terminal("play", "straights", 44)
    program.type(invited)
    program.wait_for(">", invited.count("\n") + 1)
    program.end_input()
    shown = program.end()
    assert shown.status == 0
    assert "Traceback" not in shown.text
    assert shown.text.count(">") == invited.count("\n") + 1


@pytest.mark.parametrize("invited", ["", HUMANS], ids=["while inviting", "in a round"])
def test_control_c_ends_with_130(terminal: Start, invited: str) -> None:
    """And no traceback."""
    program = terminal("play", "straights", 44)
    program.type(invited)
    program.wait_for(">", invited.count("\n") + 1)
    program.interrupt()
    shown = program.end()
    assert shown.status == 130
    assert "Traceback" not in shown.text


def test_rubbish_is_answered_and_asked_again(terminal: Start) -> None:
    """Letters of any alphabet, control characters, and half a command."""
    program = terminal("play", "straights", 44)
    program.wait_for(">")
    program.type("\x01\x02\u00e9\u6771\n" + HUMANS)
    program.wait_for(">", PROMPTS_OF_INVITATION + 2)
    program.type("play\nplay 7X\ndiscard \x07\x1b[A\nragequit now\nquit\n")
    shown = program.end()
    assert shown.status == 0
    assert "Traceback" not in shown.text
    for answer in (
        "Expected h or c, got",
        "Expected a card after play, such as: play 7S",
        "Expected a card such as 7S or TH, got '7X'.",
        r"Expected a card such as 7S or TH, got '\x07\x1b[A'.",
        "Expected play and a card, discard and a card, deck, quit or ragequit, got 'ragequit now'.",
    ):
        assert answer in shown.text


def test_ten_thousand_wrong_answers_are_answered(terminal: Start) -> None:
    """The game goes on as if nothing had been."""
    program = terminal("play", "straights", 44)
    program.wait_for(">")
    program.type(HUMANS)
    program.type("dance\n" * 10_000)
    program.type("quit\n")
    shown = program.end()
    assert shown.status == 0
    assert "Traceback" not in shown.text
    assert shown.text.count("got 'dance'.") == 10_000
