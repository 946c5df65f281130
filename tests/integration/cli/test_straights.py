"""Straights on the command line: strategies and files of another game are told apart."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

FOUR = """\
name: Four
game: straights
format: {kind: duplicate, tables: 2, rounds: 2}
entrants:
  - {strategy: thrifty, as: A}
  - {strategy: thrifty, as: B}
  - {strategy: first-legal, as: C}
  - {file: bold.py, as: D}
"""

BOLD = """\
from tourney import Player


class Bold(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""


def test_a_file_of_another_game_is_refused(cli: Cli, write: Write) -> None:
    """With the contract it should keep."""
    write("four.yaml", FOUR)
    write("bold.py", BOLD)
    ran = cli("run", "four.yaml", "--no-sandbox")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "entrant D: bold.py: Bold plays blackjack, not straights; derive it from "
        "tourney.StraightsPlayer: class NAME(StraightsPlayer)\n"
    )


def test_the_course_drivers_take_players_of_blackjack(cli: Cli) -> None:
    """A strategy for Straights is told apart from one that is not there."""
    ran = cli("play", "ve280", 100, 5, 10, "first-legal")
    assert ran.status == 2
    assert ran.err.startswith("strategy 'first-legal' plays straights, not blackjack; choose ")


def test_the_long_run_is_of_games_of_chips(cli: Cli) -> None:
    """Nobody can play Straights alone, and it has too many deals to list."""
    ran = cli("ev", "simple", "--game", "straights", "--rounds", 10)
    assert ran.status == 2
    assert ran.err.startswith(
        "straights: about 4e+89 ways to play a round, and the limit is 300,000"
    )


@pytest.mark.parametrize(
    ("chips", "game", "is_valid"),
    [
        ("", "straights", True),
        ("", "{preset: straights, limit: 60}", True),
        ("bankroll: 9\n", "straights", False),
        ("bankroll: 9\n", "ve280", True),
        ("", "ve280", False),
        ("", "{preset: ve280, decks: 2}", False),
    ],
)
def test_the_schema_knows_which_games_have_chips(
    cli: Cli, chips: str, game: str, is_valid: bool
) -> None:
    """An editor asks for a bankroll in blackjack, and for none in Straights."""
    schema = json.loads(cli("schema").out)
    config = yaml.safe_load(FOUR.replace("game: straights\n", f"game: {game}\n{chips}"))
    assert Draft202012Validator(schema).is_valid(config) == is_valid


def test_a_game_with_faults_is_not_asked_for_chips(cli: Cli, write: Write) -> None:
    """Nobody knows yet whether it has any."""
    write("bold.py", BOLD)
    write("limit.yaml", FOUR.replace("game: straights", "game: {preset: straights, limit: 0}"))
    ran = cli("run", "limit.yaml", "--dry-run")
    assert (ran.status, ran.err.count("bankroll")) == (2, 0)
    assert "game.limit: expected a whole number from 1 to 10000" in ran.err


def test_a_verdict_is_counted_once_for_its_table(cli: Cli, write: Write) -> None:
    """Whatever the number of seatings and games it failed in."""
    write(
        "faulty.py",
        "from tourney import StraightsPlayer\n\n\nclass Faulty(StraightsPlayer):\n"
        "    def play(self, view):\n        return view\n",
    )
    faulty = FOUR.replace("{file: bold.py, as: D}", "{file: faulty.py, as: D}")
    write("faulty.yaml", faulty)
    ran = cli("run", "faulty.yaml", "--no-sandbox", "--workers", 1, "--seed", 1)
    assert ran.status == 1
    assert re.search(r"D: play: expected to \w+ one of .* \(round 1; (\d+) of \1 tables\)", ran.err)


@pytest.mark.parametrize(
    "form", ["{kind: duplicate, tables: 4, rounds: 2}", "{kind: match, tables: 2}"]
)
def test_finishing_orders_are_rated(cli: Cli, write: Write, form: str) -> None:
    """In exports and where the column is listed; folded again from the store they are the same."""
    text = FOUR.replace("{file: bold.py, as: D}", "{strategy: pathfinder, as: D}")
    text = text.replace("{kind: duplicate, tables: 2, rounds: 2}", form)
    columns = "leaderboard: {columns: [entrant, plackett_luce]}\nseed: 3\n"
    write("four.yaml", text + columns)
    assert cli("run", "four.yaml", "--workers", "1").status == 0
    shown = cli("leaderboard").out
    assert re.search(r"D .* [+]\d[.]\d{3} ± \d[.]\d{3}\n", f"{shown}\n")
    kept = json.loads(cli("leaderboard", "--format", "json").out)
    assert abs(sum(row["plackett_luce"] for row in kept)) < 1e-5
    with closing(sqlite3.connect("tourney.db")) as database, database:
        database.execute("DELETE FROM standings")
    assert cli("leaderboard").out == shown


def test_ratings_are_refused_where_chips_decide(cli: Cli, small: Path) -> None:
    """There are no finishing orders at tables of one's own."""
    with small.open("a", encoding="utf-8") as file:
        file.write("leaderboard: {columns: [entrant, plackett_luce]}\n")
    ran = cli("run", small)
    assert ran.status == 2
    assert "leaderboard.columns[1]: 'plackett_luce' does not fit a board of" in ran.err
