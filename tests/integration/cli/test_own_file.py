"""`play ve280|eecs280 … FILE`: an author's own file at the original programs."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney import Action
from tourney.games.blackjack.players import write_chart
from tourney.games.blackjack.players.chart import always
from tourney.research import check
from tourney.sandbox.levels import Level, probe

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

SIMPLE = """\
from tourney import Player


class Twin(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        total, upcard = player.total, dealer.value
        if player.soft:
            return total <= 17 or total == 18 and upcard not in {2, 7, 8}
        if total == 12:
            return upcard not in {4, 5, 6}
        return total <= 11 or total <= 16 and upcard not in {2, 3, 4, 5, 6}
"""

COUNTING = SIMPLE.replace(
    "        return minimum\n",
    """\
        return 2 * minimum if self.count >= 2 and bankroll >= 2 * minimum else minimum

    count = 0

    def shuffled(self):
        self.count = 0

    def expose(self, card):
        self.count += (card.value < 7) - (card.value > 9)
""",
)

NERVOUS = SIMPLE.replace(
    "        return minimum\n",
    """\
        print("I have", bankroll)
        if bankroll != 100:
            raise ValueError("lost my nerve")
        return minimum
""",
)

needs_confinement = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)


@needs_confinement
@pytest.mark.parametrize("program", [("ve280", 500, 5, 300), ("eecs280", 60, 200)])
@pytest.mark.parametrize(("name", "text"), [("simple", SIMPLE), ("counting", COUNTING)])
def test_a_twin_of_the_documents_players_plays_as_they_do(
    cli: Cli, write: Write, program: tuple[object, ...], name: str, text: str
) -> None:
    """Confined, to the byte."""
    ran = cli("play", *program, write("twin.py", text))
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == cli("play", *program, name).out


@needs_confinement
def test_a_file_of_cuts_shuffles_for_a_file_too(cli: Cli, write: Write) -> None:
    """As for those who have a name."""
    write("twin.py", SIMPLE)
    write("cuts.txt", "26 0\n052")
    ran = cli("play", "ve280", 100, 5, 9, "twin.py", "cuts.txt")
    assert ran.out == cli("play", "ve280", 100, 5, 9, "simple", "cuts.txt").out


@needs_confinement
def test_a_fault_in_a_file_is_told_with_its_remedy(cli: Cli, write: Write) -> None:
    """After the hands before it, and what the file printed comes by itself."""
    ran = cli("play", "ve280", 100, 5, 9, write("nervous.py", NERVOUS))
    assert ran.status == 1
    assert "# Hand 2 bankroll 95" in ran.lines
    assert not ran.lines[-1].startswith("# Player has")
    assert "I have" not in ran.out
    assert ran.err == (
        "nervous.py printed:\nI have 100\nI have 95\n"
        "hand 2: nervous.py:8: bet: expected an answer, got ValueError: lost my nerve; "
        "write a test that asks the same question, and fix that line\n"
    )


@needs_confinement
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("class Twin(:\n", "bad.py:1: syntax error: invalid syntax; correct"),
        ("import socket\n", "bad.py:1: import: expected no exception, got ModuleNotFoundError"),
        ("x = 1\n", "bad.py: import: expected one player in the file, got none; write `class"),
        (
            SIMPLE.replace("return minimum", "return bankroll + 1"),
            "hand 1: bad.py:5: bet: your bet must be a whole number from 5 to 100; you bet 101; "
            "wager whole",
        ),
    ],
    ids=["syntax", "module", "nobody", "wager"],
)
def test_a_bad_file_is_told_as_by_check(cli: Cli, write: Write, text: str, said: str) -> None:
    """With the place, what was expected and how to mend it; and no traceback."""
    ran = cli("play", "eecs280", 100, 9, write("bad.py", text))
    assert ran.status == 1
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


def test_a_file_that_is_not_there_is_told(cli: Cli) -> None:
    """Not looked for among the names of strategies."""
    ran = cli("play", "eecs280", 100, 9, "bold.py")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("bold.py does not exist; check the spelling")


def test_where_nobody_can_be_confined_a_file_needs_trust(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message says how to give it, and then it plays."""
    monkeypatch.setattr(check, "probe", lambda: Level.UNSAFE)
    write("twin.py", SIMPLE)
    refused = cli("play", "eecs280", 100, 9, "twin.py")
    assert refused.out == ""
    assert refused.err.endswith("add --no-sandbox, and it runs with your permissions\n")
    trusted = cli("play", "eecs280", 100, 9, "twin.py", "--no-sandbox")
    assert trusted.out == cli("play", "eecs280", 100, 9, "simple").out


def test_a_chart_of_one_s_own_plays(cli: Cli, write: Write) -> None:
    """It is no program, so nobody has to be confined; and one of both cards is refused."""
    stands = write_chart(always(Action.STAND, shows_both=False))
    ran = cli("play", "eecs280", 100, 9, write("mine.txt", stands))
    assert (ran.status, ran.err) == (0, "")
    assert "Player busts" not in ran.lines
    assert ran.lines[-1].endswith("after 9 hands")
    both = Path(__file__).parents[2] / "golden" / "easybj" / "data" / "wizard.txt"
    assert "both cards of the dealer" in cli("play", "eecs280", 100, 9, both).err
