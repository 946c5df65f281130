"""`compare`: which of two is better, after as few tables as it takes."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]
FEW = ("--table-rounds", 100, "--seed", 1, "--workers", 1, "--engine", "reference")


def test_a_clear_difference_ends_it_at_the_first_look(cli: Cli) -> None:
    """The answer is one line; what the looks showed stands beside it."""
    ran = cli("compare", "never-bust", "simple", *FEW)
    assert ran.status == 0
    assert ran.out.startswith("simple is better than never-bust at ve280,shuffle=uniform: +0.0")
    assert "(1 look, 50 tables of each, 10,000 rounds in all)" in ran.out
    assert ran.err.startswith("look 1: +0.0")


def test_the_first_may_be_the_better_one(cli: Cli) -> None:
    """The difference is always the second less the first."""
    ran = cli("compare", "simple", "never-bust", *FEW)
    assert ran.out.startswith("never-bust is worse than simple at ve280,shuffle=uniform: -0.0")


def test_a_strategy_is_equal_to_itself(cli: Cli) -> None:
    """At every table, exactly; so one look is enough."""
    ran = cli("compare", "simple", "simple", *FEW)
    assert ran.out.startswith("simple (second) and simple (first) at ")
    assert " are equal at every table (1 look" in ran.out


def test_a_margin_says_what_is_small(cli: Cli) -> None:
    """Practically equal is an answer, too."""
    ran = cli("compare", "simple", "mimic", "--margin", 0.5, "--max-tables", 60, *FEW)
    assert "better" in ran.out or "worse" in ran.out or "practically equal" in ran.out


def test_without_uniform_shuffles_results_are_raw(cli: Cli) -> None:
    """It says so, and takes longer."""
    ran = cli("compare", "simple", "counting", "--game", "ve280", "--max-tables", 50, *FEW)
    assert "luck is not taken out: luck is unknown, because shuffle: riffle" in ran.err
    assert "not separated yet" in ran.out


def test_two_are_compared_at_tables_of_four(cli: Cli) -> None:
    """Each plays the same cards in each seat, among copies of the other."""
    few = ("--table-rounds", 1, "--seed", 1, "--workers", 1, "--max-tables", 10)
    ran = cli("compare", "first-legal", "thrifty", "--game", "straights", *few)
    assert ran.status == 0
    # 10 deals in 8 seatings of 4 seats.
    assert "points a round (1 look, 10 tables of each, 320 rounds in all)" in ran.out
    assert ran.out.startswith("thrifty and first-legal at straights are not separated yet: +")


def test_equals_at_tables_of_four_need_enough_rounds(cli: Cli) -> None:
    """A difference that is rare does not show in a few deals."""
    few = ("--table-rounds", 2, "--seed", 1, "--workers", 1, "--json")
    ran = cli("compare", "thrifty", "thrifty", "--game", "straights", *few)
    found = json.loads(ran.out)
    assert (found["relation"], found["unit"]) == ("equal", "points")
    assert 10_000 <= found["rounds"] < 20_000


def test_a_long_comparison_says_what_it_can_find(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a second of play; here at once."""
    monkeypatch.setattr("tourney.research.compare.PILOT_SECONDS", 0.0)
    ran = cli("compare", "simple", "counting", "--max-tables", 120, *FEW)
    told = re.search(
        r"differences that will be found, in minimums of 10 a round: (0\.\d+) within about (.+)",
        ran.err,
    )
    assert told
    assert ran.out.endswith("rounds in all)\n")


def test_who_fails_is_compared_with_nobody(cli: Cli, write: Callable[[str, str], Path]) -> None:
    """Who plays no more loses no more, and would look better than who plays on."""
    write(
        "bad.py",
        "from tourney import Player\n\n\n"
        "class Bad(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        "    def draw(self, dealer, player):\n        return 1 / 0\n",
    )
    ran = cli("compare", "simple", "bad.py", "--table-rounds", 50, "--seed", 1, "--workers", 1)
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == (
        "bad: round 1: draw: expected an answer, got ZeroDivisionError: division by zero\n"
    )


def test_files_are_compared_confined(cli: Cli, write: Callable[[str, str], Path]) -> None:
    """As in a tournament."""
    text = (
        "from tourney import Player\n\n\n"
        "class Five(Player):\n"
        "    def bet(self, bankroll, minimum):\n        return minimum\n\n"
        "    def draw(self, dealer, player):\n        return player.total < 5\n"
    )
    write("five.py", text)
    ran = cli("compare", "five.py", "simple", "--table-rounds", 50, "--seed", 1, "--workers", 1)
    assert "simple is better than five" in ran.out
