"""Best play to aim at: below a board, in its exports and on its pages, and never as an entrant."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of
from tourney.games.blackjack.action import Action
from tourney.games.blackjack.exact.evaluation import best_play
from tourney.games.blackjack.players import write_chart
from tourney.games.blackjack.players.chart import always
from tourney.games.blackjack.rules import EASYBJ

from .conftest import AIM, SMALL

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

EASY = """\
name: Easy
seed: 3
game: easybj
bankroll: 1000
minimum: 10
format: {kind: duplicate, tables: 3, rounds: 20}
entrants:
  - {strategy: easybj-chart, as: Chart, author: Ada Lovelace}
  - {strategy: mimic, as: Mimic}
"""
VALUE = 1.166847041845085  # ten times what `tourney solve easybj` prints


@pytest.fixture
def played(cli: Cli, write: Write) -> Cli:
    """Play a small tournament of Easy Blackjack."""
    write("easy.yaml", EASY)
    assert cli("run", "easy.yaml", "--workers", "1").status == 0
    return cli


def test_the_board_says_what_to_aim_at(played: Cli) -> None:
    """Below the table, in the unit of its profits; a row of its own there is not."""
    ran = played("leaderboard")
    said = "benchmark: optimal play wins 1.1668 chips per round at the minimum wager of 10 (exact)"
    assert said in ran.err
    assert len(ran.lines) == 6


def test_exports_carry_it_in_a_column(played: Cli) -> None:
    """As many rows as entrants, each with the same value."""
    rows = list(csv.DictReader(played("leaderboard", "--format", "csv").lines))
    assert [row["best_play"] for row in rows] == [str(round(VALUE, 9))] * 2
    entries = json.loads(played("leaderboard", "--format", "json").out)
    assert [entry["best_play"] for entry in entries] == [round(VALUE, 9)] * 2


def test_pages_show_it_below_the_entrants(played: Cli) -> None:
    """Apart in the data, and in the foot of the table, so that nobody sorts it."""
    assert played("publish", "--output", "site", "--show-tables", "0", "--samples", "0").status == 0
    told = told_of("site")
    assert told["baseline"] == {
        "profit_per_round": pytest.approx(VALUE),
        "wager": 10,
        "from_full_shoe": False,
    }
    assert len(told["entrants"]) == 2
    page = Path("site/index.html").read_text()
    foot = page.partition("<tfoot>")[2].partition("</tfoot>")[0]
    assert "Optimal play (calculated)" in foot
    assert ">1.1668<" in foot
    assert "not a result of an entrant" in page


def test_a_shoe_that_is_played_on_is_told_from_a_full_one(cli: Cli, small: Path) -> None:
    """On the board and on its page, with what that leaves open."""
    assert AIM in cli("run", small, "--workers", "1").err
    cli("publish", "--output", "site", "--show-tables", "0", "--samples", "0")
    assert told_of("site")["baseline"]["from_full_shoe"]
    page = Path("site/index.html").read_text()
    assert "chips per round from a full shoe. This is an exact" in page
    assert "players that count cards may win more" in page


def test_a_game_that_nobody_has_solved_has_none(cli: Cli, small: Path) -> None:
    """A riffle: no line, no value, no row."""
    small.write_text(SMALL.replace(", shuffle: uniform", ""))
    ran = cli("run", small, "--workers", "1")
    assert "benchmark:" not in ran.err
    rows = list(csv.DictReader(cli("leaderboard", "--format", "csv").lines))
    assert {row["best_play"] for row in rows} == {""}
    cli("publish", "--output", "site", "--show-tables", "0", "--samples", "0")
    assert told_of("site")["baseline"] is None
    assert "<tfoot>" not in Path("site/index.html").read_text()


def test_who_wrote_an_entrant_is_kept_with_the_run(played: Cli) -> None:
    """For whoever asks for the column; handles take it away."""
    rows = list(
        csv.DictReader(played("leaderboard", "--format", "csv", "--column", "author").lines)
    )
    assert {row["entrant"]: row["author"] for row in rows} == {"Chart": "Ada Lovelace", "Mimic": ""}
    for codec in ("simple", "csv", "json"):
        assert "Lovelace" not in played("leaderboard", "--format", codec).out
    hidden = played("leaderboard", "--names", "handles", "--format", "json").out
    assert "Lovelace" not in hidden


def test_the_value_is_that_of_the_oracle() -> None:
    """The constant of this file."""
    assert best_play(EASYBJ, 10) == pytest.approx(VALUE, rel=1e-15)


def test_a_chart_of_other_columns_is_compared_with_none(cli: Cli, write: Write) -> None:
    """One by the upcard, where both cards of the dealer's lie face up; its page is there."""
    write("stands.txt", write_chart(always(Action.STAND, shows_both=False)))
    write("easy.yaml", EASY.replace("{strategy: mimic, as: Mimic}", "{chart: stands.txt}"))
    assert cli("run", "easy.yaml").status == 0
    published = cli("publish", "--output", "site", "--show-tables", "1", "--samples", "2")
    assert (published.status, published.err.count("\n")) == (0, 1)
    pages = [each.read_text() for each in Path("site/entrants").glob("*.html")]
    assert sum("Decisions</h2>" in each for each in pages) == 2
    assert sum("agree with the best chart for an infinite shoe" in each for each in pages) == 1
    assert cli("verify", "--site", "site").status == 0


def test_no_board_contains_an_e_mail_address(cli: Cli, tmp_path: Path) -> None:
    """Neither an author's nor that in the name of a file, unless the column is asked for."""
    named = "ada@uni.example.py"
    (tmp_path / named).write_text(
        "from tourney import Player\n\n\nclass Mailed(Player):\n"
        "    def bet(self, bankroll, minimum):\n        raise ValueError('ada@uni.example')\n\n"
        "    def draw(self, dealer, player):\n        return False\n",
        encoding="utf-8",
    )
    (tmp_path / "mailed.yaml").write_text(
        "name: Mailed\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 100\nminimum: 5\n"
        "format: {kind: duplicate, tables: 2, rounds: 3}\nentrants:\n  - strategy: simple\n"
        f"  - {{file: {named}, as: Ada, author: ada@uni.example}}\n",
        encoding="utf-8",
    )
    ran = cli("run", tmp_path / "mailed.yaml", "--workers", 1)
    codecs = "simple", "csv", "json"
    said = [ran.out, ran.err, *(cli("leaderboard", "--format", each).out for each in codecs)]
    said += [cli(*each).out for each in (("verdicts",), ("verdicts", "--json"), ("runs", 1))]
    cli("publish", "--output", "mailed", "--samples", 0)
    said += [each.read_text("utf-8") for each in Path("mailed").rglob("*.*") if each.is_file()]
    assert not [text for text in said if "uni.example" in text]
    assert sum("<address>" in text for text in said) > 3
    verified = cli("verify", "--site", "mailed")
    assert verified.status == 0
    assert "1 of the entrants: they are not published, since their files are named by e-mail" in (
        f"{verified.out}{verified.err}"
    )
    asked = cli("leaderboard", "--format", "json", "--column", "author").out
    assert "ada@uni.example" in asked
