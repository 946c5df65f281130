"""`play`: the course drivers, and what they say to wrong arguments.

That they print what the originals print is shown byte for byte in tests/golden.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import play
from tourney.competitors.files import load_competitor
from tourney.plugins.registry import Plugin, Registry, Strategy

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

ONE_HAND = """\
# Shuffling the deck
cut at 39
cut at 22
cut at 33
cut at 37
cut at 38
cut at 37
cut at 38
# Hand 1 bankroll 100
# Player bets 5
Player dealt Ace of Spades
Dealer dealt Two of Spades
Player dealt Three of Clubs
"""


def test_ve280_plays_hands(cli: Cli) -> None:
    """Bankroll, minimum, hands and player, as in the course."""
    ran = cli("play", "ve280", 100, 5, 3, "simple")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[:8] == ONE_HAND.splitlines()[:8]
    assert ran.lines[-1].startswith("# Player has ")
    assert ran.lines[-1].endswith(" after 3 hands")


def test_eecs280_plays_without_the_marks(cli: Cli) -> None:
    """The minimum is 5 and no line begins with `# `."""
    ran = cli("play", "eecs280", 100, 3, "counting")
    assert (ran.status, ran.err) == (0, "")
    assert "#" not in ran.out
    assert "Player bets 5" in ran.lines


def test_competitor_stands_for_the_default_one(cli: Cli) -> None:
    """The word and the name play the same hands."""
    by_word = cli("play", "eecs280", 500, 40, "competitor")
    by_name = cli("play", "eecs280", 500, 40, play.DEFAULT_COMPETITOR)
    assert by_word.status == 0
    assert by_word.out == by_name.out


def test_a_file_of_cuts_shuffles_first(cli: Cli, write: Write) -> None:
    """Its cuts are announced, and only its."""
    write("cuts.txt", "26 0\n052")
    ran = cli("play", "ve280", 100, 5, 1, "simple", "cuts.txt")
    assert ran.lines[:5] == [
        "# Shuffling the deck",
        "cut at 26",
        "cut at 0",
        "cut at 52",
        "# Hand 1 bankroll 100",
    ]


def test_a_bad_file_of_cuts_is_wrong_usage(cli: Cli, write: Write) -> None:
    """The message names the file, the place and what was expected."""
    write("cuts.txt", "13 53")
    ran = cli("play", "ve280", 100, 5, 1, "simple", "cuts.txt")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith(
        "Error: cuts.txt: cut 2: expected a whole number from 0 to 52, got '53'\n"
    )


def test_an_unknown_player_is_answered_with_those_there_are(cli: Cli) -> None:
    """And with the one that was probably meant."""
    ran = cli("play", "ve280", 100, 5, 3, "simpel")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("there is no strategy 'simpel' (did you mean 'simple'?); choose ")


@pytest.mark.parametrize(
    "arguments",
    [
        ("ve280",),
        ("ve280", "100", "5", "3"),
        ("ve280", "0", "5", "3", "simple"),
        ("ve280", "100", "x", "3", "simple"),
        ("ve280", "100", "5", "-3", "simple"),
        ("ve280", "100", "5", "3", "simple", "cuts", "more"),
        ("eecs280", "100", "5", "3", "simple"),
        ("eecs280", "1.5", "3", "simple"),
        ("eecs482", "100", "3", "simple"),
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_wrong_usage(cli: Cli, arguments: tuple[str, ...]) -> None:
    """Nothing is played."""
    ran = cli("play", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert "Error: " in ran.err


def test_a_player_at_fault_ends_the_session(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hands are shown up to its fault; the message says where in its file it happened."""
    text = """\
from tourney import Player


class Late(Player):
    def bet(self, bankroll, minimum):
        if bankroll != 100:
            raise ValueError("lost my nerve")
        return minimum

    def draw(self, dealer, player):
        return True
"""
    plugin = Plugin(entry_point="late", value="late", distribution="late", version="1.0")
    strategy = Strategy("late", load_competitor(text, "late.py"), "", plugin)
    registry = Registry(strategies={"late": strategy}, plugins=(plugin,))
    monkeypatch.setattr(play, "load_plugins", lambda: registry)
    ran = cli("play", "ve280", 100, 5, 9, "late")
    assert ran.status == 1
    assert "# Hand 2 bankroll 95" in ran.lines
    assert not ran.lines[-1].startswith("# Player has")
    assert ran.err == (
        "hand 2: late.py:7: bet: expected an answer, got ValueError: lost my nerve\n"
    )


@pytest.mark.parametrize("program", [("ve280", 100, 5, 3), ("eecs280", 100, 3)])
def test_a_chart_of_both_cards_is_refused(cli: Cli, program: tuple[object, ...]) -> None:
    """Before a card is dealt, with what it plays."""
    ran = cli("play", *program, "easybj-chart")
    assert (ran.status, ran.out) == (2, "")
    assert "needs both of the dealer's cards, and this program shows only the upcard" in ran.err
