"""A board on a terminal: as many columns as fit, and a word about the others."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import main

Start = Callable[..., Any]

SMALL = """\
name: Small
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 8, rounds: 60}
entrants:
  - strategy: simple
  - strategy: counting
"""
RAN = ("run", "small.yaml", "--workers", "1")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")
"""With which a terminal draws a bar and clears it."""
LEFT_OUT = "Columns not shown: "


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a tournament; the terminal has 80 columns."""
    (tmp_path / "small.yaml").write_text(SMALL, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")
    return tmp_path


def shown(terminal: Start, *arguments: str) -> list[str]:
    """Run a command on a terminal and give the lines of its screen."""
    program = terminal(*arguments)
    last = program.end()
    assert last.status == 0, last.text
    return [line.rpartition("\r")[2] for line in CONTROL.sub("", last.text).split("\n")]


def test_a_board_fits_the_terminal(terminal: Start, folder: Path) -> None:
    """The commands that print one say which columns they left out, and how to see them."""
    for command in (RAN, ("leaderboard",), ("extend", "1", "--tables", "12", "--workers", "1")):
        lines = shown(terminal, *command)
        # The live board has places too, but no ranks.
        top = next(place for place, line in enumerate(lines) if line.split()[1:2] == ["Possible"])
        board = lines[top : top + 6]
        assert max(map(len, board)) <= 80
        assert board[0].split()[:4] == ["Place", "Possible", "Entrant", "Profit"]
        (told,) = [line for line in lines if line.startswith(LEFT_OUT)]
        assert told.startswith(f"{LEFT_OUT}Profit per round")
        assert told.endswith("--wide shows them with a legend.")
        assert "95th percentile, Ruin, Rounds" in told


@pytest.mark.parametrize("option", [("--wide",), ("--format", "simple"), ("--format", "csv")])
def test_who_asks_gets_all_columns(
    terminal: Start,
    folder: Path,
    option: tuple[str, ...],
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The same lines as through a pipe."""
    assert main(list(RAN)) == 0
    capsys.readouterr()
    assert main(["leaderboard", *option]) == 0
    piped = capsys.readouterr().out.splitlines()
    assert shown(terminal, "leaderboard", *option)[: len(piped)] == piped


def test_a_wide_terminal_leaves_nothing_out(
    terminal: Start, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And a very narrow one never the place, the entrant and the result."""
    assert main(list(RAN)) == 0
    monkeypatch.setenv("COLUMNS", "200")
    assert LEFT_OUT not in "".join(shown(terminal, "leaderboard"))
    monkeypatch.setenv("COLUMNS", "10")
    assert shown(terminal, "leaderboard")[0].split() == ["Place", "Entrant", "Profit", "per"]
