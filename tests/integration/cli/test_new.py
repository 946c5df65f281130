"""`new competitor`: a file that plays at once, and its test."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.plugins.loading import load_plugins

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
    at = "" if game == "ve280" else f" --game {game}"
    assert (
        f"card_shark.py{at}\nto play it:    tourney new tournament card_shark.yaml{at}\n" in ran.err
    )
    assert ran.err.endswith("and add at the end of card_shark.yaml:\n  - file: card_shark.py\n")
    text = CONFIG.format(game=f"{{preset: {game}}}")
    if game == "easybj":
        text = text.replace("minimum: 5\n", "")
    write("first.yaml", text)
    ran = cli("run", "first.yaml", "--workers", 1, "--no-sandbox")
    assert ran.status == 0, ran.err
    assert "card_shark" in ran.out


@pytest.mark.usefixtures("short_pilot")
@pytest.mark.parametrize(
    ("game", "other"),
    [
        ("ve280", "simple"),
        ("eecs280", "simple"),
        ("easybj", "easybj-chart"),
        ("straights", "first-legal"),
    ],
)
def test_the_next_steps_of_a_newcomer_work_as_printed(cli: Cli, game: str, other: str) -> None:
    """The comparison, and the tournament with the line at its end."""
    *_, compared, made, _, line = cli("new", "competitor", "bold", "--game", game).err.splitlines()
    words = compared.removeprefix("to compare it: tourney ").split()
    assert words[:3] == ["compare", other, "bold.py"]
    assert cli(*words, "--max-tables", 2, "--table-rounds", 2, "--no-sandbox").status == 0
    assert cli(*made.removeprefix("to play it:    tourney ").split()).status == 0
    with Path("bold.yaml").open("a", encoding="utf-8") as config:
        config.write(f"{line}\n")
    assert cli("run", "bold.yaml", "--dry-run", "--no-sandbox").status == 0


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
        (("bold", "--game", "ve281"), "game: preset: expected"),
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


@pytest.mark.parametrize(
    ("game", "settings", "entrants"),
    [
        ("ve280", "shuffle: uniform", "simple counting mimic never-bust ramp"),
        ("eecs280", "shuffle: uniform", "simple counting mimic never-bust ramp"),
        ("easybj", "", "easybj-chart mimic-chart never-bust-chart simple"),
        ("csc24400", "", "simple sharp mimic never-bust"),
        ("straights", "", "first-legal thrifty pathfinder salvager surveyor"),
        ("eecs280,shuffle=riffle", "shuffle: riffle", "simple counting mimic never-bust ramp"),
    ],
)
def test_a_new_tournament_has_the_strategies_of_its_course(
    cli: Cli, game: str, settings: str, entrants: str
) -> None:
    """Luck is removed where the shuffle allows it, unless the user names a shuffle."""
    assert cli("new", "tournament", "club.yaml", "--game", game).status == 0
    text = Path("club.yaml").read_text("utf-8")
    preset = game.partition(",")[0]
    line = ", ".join(filter(None, (f"preset: {preset}", settings)))
    assert f"\ngame: {{{line}}}\n" in text
    assert re.findall(r"strategy: ([\w-]+)", text) == entrants.split()


def test_every_preset_starts_with_strategies_that_can_enter(cli: Cli) -> None:
    """A strategy that is renamed, or that cannot play by the rules, would be left out silently."""
    for preset, game in load_plugins().games.items():
        names = game.rules.game.starters(preset)
        assert names
        assert cli("new", "tournament", f"{preset}.yaml", "--game", preset).status == 0
        text = Path(f"{preset}.yaml").read_text("utf-8")
        assert set(re.findall(r"strategy: ([\w-]+)", text)) == set(names)


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
