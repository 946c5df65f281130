"""The files a newcomer starts from: they run, they pass, and linters like them."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.checks.starter_files import starting_files
from tourney.competitors.files import load_competitor
from tourney.errors import SubmissionError
from tourney.game.rules import Rules
from tourney.games.blackjack.rules import PRESETS
from tourney.games.straights.rules import StraightsRules

GAMES: dict[str, Rules] = {**PRESETS, "straights": StraightsRules()}


@pytest.mark.parametrize("game", with_more(["ve280", "easybj", "straights"], ["six-decks-s17"]))
def test_a_newcomer_passes_its_own_tests(tmp_path: Path, game: str) -> None:
    """With pytest, in a folder that has nothing else."""
    for name, text in starting_files("card shark", GAMES[game]).items():
        (tmp_path / name).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_card_shark.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.parametrize("game", with_more(["ve280"], ["easybj", "straights"]))
def test_its_tests_run_without_a_test_runner(tmp_path: Path, game: str) -> None:
    """By themselves; a fault is told with its test, and changes the status."""
    files = starting_files("bold", GAMES[game])
    for name, text in files.items():
        (tmp_path / name).write_text(text, "utf-8")
    done = _run_tests_of(tmp_path)
    assert (done.returncode, done.stdout.endswith(" passed\n")) == (0, True), done.stdout
    test = tmp_path / "test_bold.py"
    end = '\n\nif __name__ == "__main__":'
    failing = "\n\ndef test_of_its_own() -> None:\n    assert 1 == 2\n"
    test.write_text(files["test_bold.py"].replace(end, failing + end), "utf-8")
    done = _run_tests_of(tmp_path)
    assert done.returncode == 1
    assert "test_of_its_own failed:\n" in done.stdout
    assert done.stdout.endswith(" passed, 1 failed\n")


def _run_tests_of(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-B", "test_bold.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("game", "contract"),
    [
        *(("ve280", "Player"), ("csc24400", "Player"), ("easybj", "ActPlayer")),
        *(("european", "ActPlayer"), ("straights", "StraightsPlayer")),
    ],
)
def test_the_game_decides_the_contract(game: str, contract: str) -> None:
    """Hit or stand, all moves, or a card."""
    competitor, test = starting_files("bold", GAMES[game]).values()
    assert f"class Bold({contract}):" in competitor
    assert f"class TestBold({contract}Conformance):" in test
    assert load_competitor(competitor, "bold.py").__name__ == "Bold"


@pytest.mark.parametrize(("game", "shown"), [("easybj", True), ("six-decks-s17", False)])
def test_the_test_knows_what_the_dealer_shows(game: str, shown: object) -> None:
    """Both cards or one."""
    _, test = starting_files("bold", GAMES[game]).values()
    assert f"dealer_shows_both = {shown}\n" in test


@pytest.mark.parametrize("game", GAMES)
def test_a_linter_likes_them(tmp_path: Path, game: str) -> None:
    """As people have it, without settings, and lines fit."""
    for name, text in starting_files("bold", GAMES[game]).items():
        (tmp_path / name).write_text(text, "utf-8")
        assert max(map(len, text.splitlines())) <= 88
    for command in (["check"], ["format", "--check"]):
        pytest.importorskip("ruff", reason="the linter is not installed")
        ruff = [sys.executable, "-m", "ruff", *command, "--isolated", "--no-cache", "."]
        done = subprocess.run(ruff, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "file", "made"),
    [
        ("bold", "bold.py", "Bold"),
        ("card-shark", "card_shark.py", "CardShark"),
        ("Card Shark 2", "card_shark_2.py", "CardShark2"),
        ("cardShark", "cardshark.py", "CardShark"),
    ],
)
def test_a_name_becomes_a_file_and_a_class(name: str, file: str, made: str) -> None:
    """As people write them in Python."""
    files = starting_files(name, GAMES["ve280"])
    assert list(files) == [file, f"test_{file}"]
    assert f"class {made}(Player):" in files[file]


@pytest.mark.parametrize(
    "name",
    ["", "2fast", "class", "None", "true", "False", "../bold", "a/b", "böld", "💰", "bold!"],
)
def test_a_name_that_cannot_be_one_is_refused(name: str) -> None:
    """With one that could."""
    with pytest.raises(
        SubmissionError, match=r"cannot name a file and a class; .*, such as bold or card-shark$"
    ):
        starting_files(name, GAMES["ve280"])


@pytest.mark.parametrize("name", ["random", "numpy", "tourney", "player", "hand", "test bold"])
def test_a_name_that_would_hide_something_is_refused(name: str) -> None:
    """A module of Python's, or what the file itself needs."""
    with pytest.raises(
        SubmissionError, match="would hide an existing module or class; choose another"
    ):
        starting_files(name, GAMES["ve280"])
