"""A run of a plugin's game after the plugin has gone: what can be read, and what is asked for."""

from __future__ import annotations

import shutil
import sys
from typing import TYPE_CHECKING

import pytest

from tests.unit.plugins.test_mistakes import on_page
from tourney import cli
from tourney.cli import commands
from tourney.plugins.loading import installed_plugins
from tourney.sandbox.levels import Level, probe

if TYPE_CHECKING:
    from tests.unit.plugins.conftest import Shelf

CLUB = """\
name: Club night
seed: 3
game: high-card
bankroll: 500
format: {kind: roundrobin, rounds: 6, times: 2}
entrants:
  - {strategy: brave, as: Ada}
  - {strategy: careful, as: Emmy}
"""
INSTALL = "which is not installed; install it: pip install tourney-high-card==1.0"
BROKEN = """\
from tourney import hookimpl


@hookimpl
def tourney_games():
    import not_there
    return {"my-game": not_there.RULES}
"""


def forget() -> None:
    """Load plugins anew, as in another process."""
    installed_plugins.cache_clear()
    for module in ("high_card", "high_card_players"):
        sys.modules.pop(module, None)


@pytest.fixture
def played(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    """Play a run of a plugin's game, and uninstall the plugin."""
    return play_and_uninstall(shelf, monkeypatch)


def play_and_uninstall(
    shelf: Shelf,
    monkeypatch: pytest.MonkeyPatch,
    change: tuple[str, str] = ("", ""),
    status: int = 0,
) -> Shelf:
    """Play a run with players that are changed, and uninstall the plugin."""
    monkeypatch.chdir(shelf.folder)
    shelf.write("club.yaml", CLUB)
    shelf.write("high_card.py", on_page("add-a-game.md", "club/high_card.py"))
    players = on_page("add-a-game.md", "club/high_card_players.py")
    shelf.write("high_card_players.py", players.replace(*change))
    points = "[tourney]\nhigh-card = high_card\nhigh-card-players = high_card_players\n"
    shelf.register("tourney-high-card", points)
    forget()
    assert cli.main(["run", "club.yaml"]) == status
    for info in shelf.installed:
        shutil.rmtree(info)
    forget()
    return shelf


@pytest.mark.parametrize("players", ["high_card_players.py", ""])
def test_a_new_tournament_takes_players_of_a_plugin(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], players: str
) -> None:
    """In a format for the seats of the game; without any player the message says so."""
    monkeypatch.chdir(shelf.folder)
    points = "[tourney]\nhigh-card = high_card\n"
    shelf.write("high_card.py", on_page("add-a-game.md", "club/high_card.py"))
    if players:
        shelf.write(players, on_page("add-a-game.md", f"club/{players}"))
        points += "high-card-players = high_card_players\n"
    shelf.register("tourney-high-card", points)
    forget()
    status = cli.main(["new", "tournament", "--game", "high-card"])
    read = capsys.readouterr()
    if players:
        assert status == 0
        assert "kind: roundrobin" in (shelf.folder / "tournament.yaml").read_text("utf-8")
        assert cli.main(["run", "tournament.yaml", "--dry-run"]) == 0
    else:
        assert (status, "no installed strategy can enter" in read.err) == (2, True)
    forget()


@pytest.mark.usefixtures("played")
def test_a_board_is_read_without_the_plugin(capsys: pytest.CaptureFixture[str]) -> None:
    """The board has the results, and the missing package is named."""
    assert cli.main(["leaderboard"]) == 0
    read = capsys.readouterr()
    assert "wins 1, draws 0, losses 1" in read.out
    assert INSTALL in read.err
    assert "run 1 needs tourney-high-card 1.0 (game high-card, strategy brave and" in read.err


@pytest.mark.usefixtures("played")
def test_a_run_names_its_packages(capsys: pytest.CaptureFixture[str]) -> None:
    """`runs` lists them with versions, whether they are installed or not."""
    capsys.readouterr()
    assert cli.main(["runs", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    (line,) = (each for each in lines if each.startswith("plugins"))
    assert "tourney-high-card 1.0 (game high-card, " in line


def test_pages_are_written_without_the_plugin(
    played: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only the hands are left out, which would have to be played again."""
    assert cli.main(["publish", "--output", "site"]) == 0
    page = (played.folder / "site" / "index.html").read_text(encoding="utf-8")
    assert "Emmy" in page
    assert not list((played.folder / "site").glob("hands/*.html"))
    read = capsys.readouterr().err
    assert INSTALL in read
    assert "the pages show no hands, because they cannot be played again" in read


def test_faults_are_read_without_the_plugin(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A board and feedback have the verdicts of the run, which are stored."""
    play_and_uninstall(shelf, monkeypatch, ("return Move.STAY\n", "return Move.STAYS\n"), status=1)
    capsys.readouterr()
    for command in ("leaderboard", "verdicts", "publish --output site"):
        assert cli.main(command.split()) == 0
        assert "cannot be played\n" not in capsys.readouterr().err
    (shelf.folder / "class").mkdir()
    shelf.write("class/submissions.yaml", "roster: roster.csv\n")
    shelf.write("class/roster.csv", "person,as,ids,handle\nAda Lovelace,Ada,ada,\n")
    assert cli.main(["feedback", "--submissions", "class", "--output", "answers"]) == 0
    (page,) = (shelf.folder / "answers").glob("*.md")
    text = page.read_text(encoding="utf-8")
    assert "fix that line" in text
    assert "It saw: `Jack of Spades`" in text


@pytest.mark.usefixtures("played")
@pytest.mark.parametrize(
    "command", ["verify", "replay --entrant Ada --table 1", "export --output hands.csv"]
)
def test_play_asks_for_the_plugin(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """The message has the command that installs the version of the run."""
    assert cli.main(command.split()) == 2
    assert INSTALL in capsys.readouterr().err


@pytest.mark.parametrize(
    "command", ["list games", "list strategies", "schema", "new competitor bold"]
)
def test_every_command_names_plugins_in_quarantine(
    shelf: Shelf,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
) -> None:
    """A command that loads plugins names once each plugin that failed to load."""
    monkeypatch.chdir(shelf.folder)  # `new` writes files
    shelf.install("tourney-broken", BROKEN)
    installed_plugins.cache_clear()
    cli.main(command.split())
    told = capsys.readouterr().err
    assert told.count("is in quarantine: tourney_broken_module.py:") == 1
    assert "not_there" in told
    installed_plugins.cache_clear()


def test_a_missing_library_is_no_fault_of_the_output(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The message names the library, and does not speak of an output."""
    words = "libllvmlite.so: cannot open shared object file: No such file or directory"

    def fail(*_: object, **__: object) -> None:
        raise OSError(words)

    monkeypatch.setattr(commands.tourney, "main", fail)
    assert cli.main(["list", "games"]) == 1
    told = capsys.readouterr().err
    assert words in told
    assert "install tourney and its dependencies again" in told
    assert "output" not in told


TWO = """\
name: Two
seed: 3
game: ve280
bankroll: 200
minimum: 5
format: {kind: duplicate, tables: 2, rounds: 5}
entrants: [{strategy: NAME}, {strategy: mimic}]
"""


@pytest.mark.skipif(probe() is Level.UNSAFE, reason="this machine cannot confine players")
def test_a_run_is_verified_with_all_players_confined(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Installed strategies play in the sandbox, and give the results that they gave outside."""
    monkeypatch.chdir(shelf.folder)
    shelf.write("two.yaml", TWO.replace("NAME", "never-bust"))
    assert cli.main(["run", "two.yaml"]) == 0
    capsys.readouterr()
    assert cli.main(["verify", "--full", "--confine", "all"]) == 0
    assert "the code of 2 entrants ran in sandboxed processes" in capsys.readouterr().err


def test_a_run_is_extended_without_the_plugin_of_a_column(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The column is empty, and the rest of the board is as usual."""
    monkeypatch.chdir(shelf.folder)
    board = "leaderboard: {columns: [rank, entrant, loud]}\n"
    shelf.write("two.yaml", TWO.replace("NAME", "never-bust") + board)
    shelf.write("club_columns.py", on_page("add-a-column.md", "club/club_columns.py"))
    shelf.register("tourney-club", "[tourney]\nclub = club_columns\n")
    installed_plugins.cache_clear()
    assert cli.main(["run", "two.yaml"]) == 0
    for info in shelf.installed:
        shutil.rmtree(info)
    installed_plugins.cache_clear()
    capsys.readouterr()
    assert cli.main(["extend", "1", "--tables", "3"]) == 0
    board = capsys.readouterr().out
    assert "never-bust" in board
    assert "NEVER-BUST" not in board
    installed_plugins.cache_clear()


def test_a_long_list_names_the_command_that_shows_all(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    """A cut list of strategies says where the others are."""
    file = shelf.write("two.yaml", TWO.replace("NAME", "zzz"))
    assert cli.main(["run", str(file)]) == 2
    read = capsys.readouterr().err
    assert " others (`tourney list strategies` shows all); got 'zzz': if a plugin has it, " in read
    assert cli.main(["solve", "contraband"]) == 2
    assert "; got 'contraband': if a plugin has it, install its package" in capsys.readouterr().err
