"""`check` as an author uses it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.checks import pools
from tourney.research import check
from tourney.sandbox.levels import Level, probe
from tourney.tournament import sandbox_level

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

PLAYER = """\
from tourney import Player


class Bold(Player):
    def bet(self, bankroll, minimum):
        return WAGER

    def draw(self, dealer, player):
        return player.total < 16
"""

needs_confinement = pytest.mark.skipif(
    probe() is Level.UNSAFE, reason="this machine cannot confine players"
)


@pytest.fixture
def bold(write: Write) -> Path:
    """Write a player that is no copy and has no fault."""
    return write("bold.py", PLAYER.replace("WAGER", "minimum"))


@needs_confinement
def test_who_passes_hears_everything_that_was_measured(cli: Cli, bold: Path) -> None:
    """On standard output, with status 0."""
    ran = cli("check", bold)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[:2] == ["bold.py at ve280: passed", f"  Sandbox               {probe()}"]
    assert ran.lines[-5].startswith("  Compared with simple  ")
    assert ran.lines[-4].startswith("  Cost of decisions     ")
    assert all(" instead of " in line for line in ran.lines[-3:])


@needs_confinement
def test_who_fails_hears_where_and_how_to_mend_it(cli: Cli, write: Write) -> None:
    """With status 1."""
    ran = cli("check", write("bold.py", PLAYER.replace("WAGER", "2 * minimum")))
    assert ran.status == 1
    assert ran.lines[0] == "bold.py at ve280: failed"
    assert ran.lines[-2].startswith("bold.py:5: fault: with the least bankroll, 5 (and ")
    assert ran.lines[-1].startswith("  to fix it: wager whole chips")


@needs_confinement
def test_a_program_reads_json(cli: Cli, bold: Path) -> None:
    """The whole report, in the form that it is kept in."""
    ran = cli("check", bold, "--json", "--game", "six-decks-h17")
    told = json.loads(ran.out)
    assert (ran.status, told["passed"], told["game"]) == (0, True, "six-decks-h17")
    assert told["findings"] == []
    assert {each["what"] for each in told["measured"]} >= {"Cost", "Compared with simple"}
    assert len(told["mistakes"]) == 10
    names = {"situation", "answer", "best", "times", "cost_per_100"}
    assert all(set(each) == names for each in told["mistakes"])


@needs_confinement
def test_an_answer_takes_less_than_ten_seconds(
    bold: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    """Of computing, once machine code lies on the disk; other tests may be busy meanwhile."""
    command = [sys.executable, "-m", "tourney", "check", str(bold)]
    subprocess.run(command, env=environment, cwd=tmp_path, check=True, capture_output=True)
    began = os.times()
    ran = subprocess.run(
        command, env=environment, cwd=tmp_path, check=True, capture_output=True, text=True
    )
    ended = os.times()
    seconds = sum(ended[2:4]) - sum(began[2:4])  # of processes that have ended
    assert 0 < seconds < 10
    assert "\x1b" not in ran.stdout


@needs_confinement
def test_a_chart_is_checked_too(cli: Cli) -> None:
    """It is played like a file."""
    chart = Path(__file__).parents[3] / "configs" / "charts" / "optimal.txt"
    ran = cli("check", chart, "--game", "easybj")
    assert ran.status == 0, ran.out


def test_where_nothing_can_be_confined_an_author_must_say_so(
    cli: Cli, bold: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file would run with all rights."""
    monkeypatch.setattr(check, "probe", lambda: Level.UNSAFE)
    ran = cli("check", bold)
    assert (ran.status, ran.out) == (2, "")
    assert "if the file is your own, add --no-sandbox" in ran.err


@pytest.mark.parametrize(
    "arguments",
    [("check", "bold.py"), ("play", "ve280", 100, 5, 2, "bold.py"), ("run", "cup.yaml")],
    ids=["check", "play", "run"],
)
def test_where_nothing_can_be_confined_every_command_says_what_to_add(
    cli: Cli, bold: Path, write: Write, monkeypatch: pytest.MonkeyPatch, arguments: tuple[Any, ...]
) -> None:
    """As on macOS and Windows; with it, each of them does what it was asked for."""
    write("cup.yaml", CUP)
    monkeypatch.setattr(check, "probe", lambda: Level.UNSAFE)
    monkeypatch.setattr(sandbox_level, "probe", lambda: Level.UNSAFE)
    monkeypatch.setattr(pools, "HAS_PROCESSES", False)
    ran = cli(*arguments)
    assert ran.status != 0
    assert "add --no-sandbox" in ran.err
    assert "Traceback" not in ran.err
    assert cli(*arguments, "--no-sandbox").status == 0


CUP = """name: Cup
game: {preset: ve280}
bankroll: 100
minimum: 5
maximum: 20
seed: 1
limits: {cpu_us_per_decision: 50}
format: {kind: duplicate, tables: 2, rounds: 10}
entrants:
  - file: bold.py
  - strategy: simple
"""


@needs_confinement
def test_a_check_for_a_tournament_goes_by_its_wagers_and_limits(
    cli: Cli, bold: Path, write: Write
) -> None:
    """The files of other entrants need not be there."""
    cup = write("cup.yaml", CUP.replace("bold.py", "somebody_elses.py"))
    ran = cli("check", bold, "--tournament", cup)
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == "bold.py at Cup: passed"
    assert "for 2 tables together, of 3.0 s allowed" in ran.out
    assert " a decision, of 50 µs allowed" in ran.out
    bolder = write("bolder.py", PLAYER.replace("WAGER", "min(5 * minimum, bankroll)"))
    assert cli("check", bolder).status == 0
    refused = cli("check", bolder, "--tournament", cup)
    assert refused.status == 1
    assert "at a table whose limit is the minimum" in refused.out


def test_a_check_without_confinement_says_so(cli: Cli, bold: Path) -> None:
    """In the report and beside it."""
    ran = cli("check", bold, "--no-sandbox")
    assert ran.status == 0
    assert ran.lines[1] == "  Sandbox               none: the file ran with all your rights"
    assert "checked without a sandbox" in ran.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nothing.py",), "nothing.py does not exist"),
        (("bold.py", "--game", "poker"), "expected"),
        (("bold.py", "--tournament", "none.yaml"), "none.yaml: no such file"),
        (
            ("bold.py", "--tournament", "none.yaml", "--game", "ve280"),
            "--tournament has its own game",
        ),
        ((), "nothing to check; pass FILE, a competitor, or --game GAME"),
    ],
)
def test_wrong_usage_has_a_status_of_its_own(
    cli: Cli, bold: Path, arguments: tuple[str, ...], message: str
) -> None:
    """Nothing is checked then."""
    ran = cli("check", *arguments)
    assert ran.status == 2
    assert message in ran.err


@needs_confinement
def test_a_player_built_on_a_bundled_strategy_is_taken_in_plays_and_verifies(
    cli: Cli, write: Write
) -> None:
    """Confined all the way, as it was checked."""
    text = "from tourney.strategies.counting import Counting\n\n\nclass Bold(Counting):\n    pass\n"
    bold = write("bold.py", text)
    handed_in = cli("submit", bold, "--as", "Ada", "--author", "ada", "--game", "ve280")
    assert handed_in.status == 0, handed_in.err
    ran = cli("run", write("cup.yaml", CUP), "--workers", 1)
    assert ran.status == 0, ran.err
    assert "sandbox full" in ran.err or "sandbox reduced" in ran.err
    assert cli("verify", "--full", "--workers", 1).status == 0


def test_a_misspelt_import_is_no_module_that_is_missing(cli: Cli, write: Write) -> None:
    """It is told by both names, not by the list of what may be imported."""
    write("own.py", "from tourney import Playr\n")
    ran = cli("check", "own.py")
    assert ran.status == 1
    assert "own.py:1: fault: import: expected no exception, got ImportError: " in ran.out
    assert "'Playr' from 'tourney'\n  to fix it: write Player instead of Playr" in ran.out


@pytest.mark.parametrize(
    ("left", "contents"),
    [((), "no files"), ((".hidden.py",), "only hidden files or files made by tools")],
    ids=["empty", "hidden"],
)
def test_a_folder_without_a_competitor_is_named(
    cli: Cli, tmp_path: Path, left: tuple[str, ...], contents: str
) -> None:
    """With what was found in it."""
    (tmp_path / "pkg").mkdir()
    for name in left:
        (tmp_path / "pkg" / name).touch()
    ran = cli("check", "pkg")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == f"pkg has {contents}; put the competitor's files there\n"
