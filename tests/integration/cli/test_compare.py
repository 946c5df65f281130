"""`compare`: which of two is better, after as few tables as it takes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Cli = Callable[..., Any]
FEW = ("--table-rounds", 100, "--seed", 1, "--workers", 1, "--engine", "reference")


def test_a_clear_difference_ends_it_at_the_first_look(cli: Cli) -> None:
    """The answer is one line; what the looks showed stands beside it."""
    ran = cli("compare", "never-bust", "simple", *FEW)
    assert ran.status == 0
    assert ran.out.startswith("simple is better than never-bust: +0.0")
    assert "(look 1, 50 tables of each, 10,000 rounds in all)" in ran.out
    assert ran.err.startswith("look 1: +0.0")


def test_the_first_may_be_the_better_one(cli: Cli) -> None:
    """The difference is always the second less the first."""
    ran = cli("compare", "simple", "never-bust", *FEW)
    assert ran.out.startswith("never-bust is worse than simple: -0.0")


def test_a_strategy_is_equal_to_itself(cli: Cli) -> None:
    """At every table, exactly; so one look is enough."""
    ran = cli("compare", "simple", "simple", *FEW)
    assert ran.out.startswith("simple (second) and simple (first) are equal at every table (look 1")


def test_a_margin_says_what_is_small(cli: Cli) -> None:
    """Practically equal is an answer, too."""
    ran = cli("compare", "simple", "mimic", "--margin", 0.5, "--max-tables", 60, *FEW)
    assert "better" in ran.out or "worse" in ran.out or "practically equal" in ran.out


def test_without_uniform_shuffles_results_are_raw(cli: Cli) -> None:
    """It says so, and takes longer."""
    ran = cli("compare", "simple", "counting", "--game", "ve280", "--max-tables", 50, *FEW)
    assert "luck is not taken out: luck is unknown, because shuffle: riffle" in ran.err
    assert "not separated yet" in ran.out


def test_games_of_several_seats_need_a_tournament(cli: Cli) -> None:
    """Nobody plays Straights alone."""
    ran = cli("compare", "simple", "simple", "--game", "straights", *FEW)
    assert ran.status == 2
    assert "one seat cannot play straights alone" in ran.err


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
