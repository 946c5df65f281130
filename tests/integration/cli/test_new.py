"""`new competitor`: a file that plays at once, and its test."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[3]
Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CONFIG = """\
name: First
seed: 1
game: {game}
bankroll: 100
minimum: 5
format: {{kind: duplicate, tables: 4, rounds: 30}}
entrants:
  - file: card_shark.py
  - strategy: simple
"""


@pytest.mark.parametrize("game", ["ve280", "easybj", "six-decks-s17"])
def test_a_newcomer_plays_at_once(cli: Cli, write: Write, game: str) -> None:
    """What is written competes without a change, and nobody is at fault."""
    ran = cli("new", "competitor", "card-shark", "--game", game)
    assert (ran.status, ran.out) == (0, "wrote card_shark.py and test_card_shark.py\n")
    assert "python test_card_shark.py\n" in ran.err
    assert f"tourney check card_shark.py{'' if game == 've280' else f' --game {game}'}\n" in ran.err
    assert "--no-sandbox" not in ran.err
    assert "tourney submit card_shark.py --as NAME" in ran.err
    assert "- file: card_shark.py" in ran.err
    text = CONFIG.format(game=f"{{preset: {game}}}")
    if game == "easybj":
        text = text.replace("minimum: 5\n", "")
    write("first.yaml", text)
    ran = cli("run", "first.yaml", "--workers", 1, "--no-sandbox")
    assert ran.status == 0, ran.err
    assert "card_shark" in ran.out


def test_a_newcomer_plays_straights_at_once(cli: Cli, write: Write) -> None:
    """With three others."""
    cli("new", "competitor", "card-shark", "--game", "straights")
    config = CONFIG.format(game="straights").replace("bankroll: 100\nminimum: 5\n", "")
    config = config.replace("tables: 4, rounds: 30", "tables: 4, rounds: 4")
    others = "".join(f"  - {{strategy: first-legal, as: {name}}}\n" for name in "ABC")
    write("first.yaml", config.replace("  - strategy: simple\n", others))
    ran = cli("run", "first.yaml", "--workers", 1, "--no-sandbox")
    assert ran.status == 0, ran.err


@pytest.mark.parametrize("name", ["bold.py", "test_bold.py"])
def test_nothing_is_overwritten(cli: Cli, write: Write, tmp_path: Path, name: str) -> None:
    """Neither the competitor nor its test, nor is one of them written alone."""
    write(name, "mine\n")
    ran = cli("new", "competitor", "bold")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"{name} already exists; choose another name")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_text("utf-8") == "mine\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("random",), "the name 'random' would hide an existing module or class; choose another"),
        (("2fast",), "'2fast' cannot name a file and a class; use a letter from a to z and then"),
        (("bold", "--game", "ve281"), "--game: preset: expected"),
    ],
)
def test_a_mistake_is_told_in_one_line(
    cli: Cli, tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    """With what would do; nothing is written."""
    ran = cli("new", "competitor", *arguments)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert ran.err.startswith(said)
    assert not list(tmp_path.iterdir())


@pytest.mark.usefixtures("short_pilot")
def test_a_new_tournament_is_the_quickstart_and_can_be_played(cli: Cli) -> None:
    """Whoever has the package alone begins with what the README shows; nothing is overwritten."""
    ran = cli("new", "tournament")
    assert ran.out == "wrote tournament.yaml\n"
    assert "tourney run tournament.yaml" in ran.err
    written = Path("tournament.yaml").read_text(encoding="utf-8")
    shown = (ROOT / "configs" / "quickstart.yaml").read_text(encoding="utf-8")
    assert written.splitlines()[1:] == shown.splitlines()[1:]
    assert cli("run", "tournament.yaml", "--dry-run").status == 0
    again = cli("new", "tournament")
    assert (again.status, again.out) == (2, "")
    assert "already exists; choose another name" in again.err


@pytest.mark.usefixtures("short_pilot")
@pytest.mark.parametrize("game", ["straights", "easybj", "six-decks-h17,decks=2,reshuffle=30"])
def test_a_new_tournament_of_a_game_can_be_played(cli: Cli, game: str) -> None:
    """It has strategies of the game, and stakes and a format that the game takes."""
    assert cli("new", "tournament", "club.yaml", "--game", game).status == 0
    assert cli("run", "club.yaml", "--dry-run").status == 0


def test_a_new_tournament_of_an_unknown_game_is_refused(cli: Cli) -> None:
    """The message lists the games, and nothing is written."""
    ran = cli("new", "tournament", "club.yaml", "--game", "nope")
    assert (ran.status, ran.out) == (2, "")
    assert "got 'nope'" in ran.err
    assert not Path("club.yaml").exists()


def test_a_demo_is_played_to_its_board_without_a_file(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It ends with what to do next, and its run can be read as any other."""
    text = CONFIG.format(game="ve280").replace("file: card_shark.py", "strategy: mimic")
    monkeypatch.setattr("tourney.cli.demo.QUICKSTART", write("small.yaml", text))
    ran = cli("demo", "--store", "shown.db")
    assert ran.status == 0
    assert "simple" in ran.out
    assert "tourney new competitor NAME" in ran.err
    assert cli("leaderboard", "--store", "shown.db").out == ran.out
