"""What a shell proposes for a word that is begun, as it asks for it."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.shell_completion import BashComplete

from tests.integration.cli.conftest import SMALL, Cli
from tourney.cli.commands import tourney

Write = Callable[[str, str], Path]
Propose = Callable[..., list[tuple[str, str, str | None]]]


@pytest.fixture
def propose() -> Propose:
    """Give what is proposed after some words: kind, value and help."""

    def found(*words: str) -> list[tuple[str, str, str | None]]:
        shell = BashComplete(tourney, {}, "tourney", "_TOURNEY_COMPLETE")
        *before, begun = words
        return [(each.type, each.value, each.help) for each in shell.get_completions(before, begun)]

    return found


def test_runs_are_proposed_by_number_and_name(cli: Cli, write: Write, propose: Propose) -> None:
    """The latest first; a name of several words would have to be quoted, and its number serves."""
    for name in ("Small", "Two words"):
        write("small.yaml", SMALL.replace("Small", name))
        assert cli("run", "small.yaml", "--store", "kept.db").status == 0
    both = [("plain", "2", "Two words"), ("plain", "1", "Small"), ("plain", "Small", None)]
    assert propose("leaderboard", "--store", "kept.db", "") == both
    assert propose("resume", "--store", "kept.db", "S") == both[2:]
    assert propose("plan", "small.yaml", "--store", "kept.db", "--rates-from", "1") == both[1:2]


def test_a_store_that_cannot_be_read_proposes_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, propose: Propose
) -> None:
    """Nor is one made; the command tells what is wrong."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.db").write_text("no store")
    for name in ("text.db", "none.db"):
        assert propose("runs", "--store", name, "") == []
    assert not (tmp_path / "none.db").exists()


def test_strategies_and_games_are_proposed(propose: Propose) -> None:
    """Where a strategy may be a file, files are, unless a name begins like that."""
    known = [("plain", name, None) for name in ("counter", "counting", "counting-batch")]
    assert propose("ev", "count") == known
    assert propose("compare", "simple", "mine") == [("file", "mine", None)]
    assert propose("solve", "easyb") == [("plain", "easybj", None)]
    assert ("plain", "ve280", None) in propose("ev", "simple", "--game", "")


def test_a_shell_is_answered(tmp_path: Path) -> None:
    """As the script asks that `_TOURNEY_COMPLETE=bash_source` writes."""
    asked = subprocess.run(
        [sys.executable, "-P", "-c", "from tourney.cli import main; main()"],
        env={
            "_TOURNEY_COMPLETE": "bash_complete",
            "COMP_WORDS": "tourney solve easyb",
            "COMP_CWORD": "2",
        },
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert (asked.stdout, asked.stderr) == ("plain,easybj\n", "")
