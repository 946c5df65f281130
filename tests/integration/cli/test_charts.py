"""Charts as competitors: entered by pattern, archived with the run, refused with their places."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.resilience.damage.crafted import seal_as_it_is

Cli = Callable[..., Any]
CHARTS = Path(__file__).parents[3] / "strategies" / "charts"

CONFIG = """\
name: Charts
seed: 326
game: easybj
bankroll: 50
format: {kind: duplicate, tables: 6, rounds: 40, batch_tables: 3}
entrants:
  - chart: charts/*.txt
    group: ours
  - strategy: simple
"""


@pytest.fixture
def charts(tmp_path: Path) -> Path:
    """Write the configuration, and the charts next to it."""
    (tmp_path / "charts.yaml").write_text(CONFIG, encoding="utf-8")
    (tmp_path / "charts").mkdir()
    for name in ("easybj", "mimic", "never_bust"):
        chart = CHARTS / f"{name}.txt"
        text = chart.read_text(encoding="utf-8")
        (tmp_path / "charts" / chart.name).write_text(text, encoding="utf-8")
    return tmp_path / "charts.yaml"


def board(cli: Cli, *arguments: object) -> dict[str, Any]:
    """Read the leaderboard as a program would."""
    rows = json.loads(cli(*arguments, "--format", "json").out)
    return {row["entrant"]: row for row in rows}


def test_every_chart_of_a_pattern_competes(cli: Cli, charts: Path) -> None:
    """Called after its file; no trust is asked for, since a chart is no program."""
    ran = cli("run", charts, "--workers", "1")
    assert (ran.status, "Traceback" in ran.err) == (0, False)
    rows = board(cli, "leaderboard")
    assert sorted(rows) == ["easybj", "mimic", "never_bust", "simple"]
    assert {row["group"] for row in rows.values()} == {"ours", None}
    assert rows["easybj"]["strategy"] == "easybj.txt"
    assert all(row["rounds"] <= 240 and row["faults"] == 0 for row in rows.values())


def test_a_registered_chart_plays_like_its_file(cli: Cli, charts: Path) -> None:
    """The same table by name."""
    text = CONFIG.replace("strategy: simple", "strategy: easybj-chart")
    charts.write_text(text, encoding="utf-8")
    cli("run", charts, "--workers", "1")
    rows = board(cli, "leaderboard")
    names = ("mean_final_bankroll", "rounds", "handle")
    file, strategy = rows["easybj"], rows["easybj-chart"]
    assert [file[name] for name in names] == [strategy[name] for name in names]


def test_a_run_keeps_its_charts(cli: Cli, charts: Path, tmp_path: Path) -> None:
    """Verified and shown again after the files have changed and gone."""
    cli("run", charts, "--workers", "1")
    (tmp_path / "charts" / "mimic.txt").unlink()
    (tmp_path / "charts" / "easybj.txt").write_text("nothing\n", encoding="utf-8")
    verified = cli("verify", "--full")
    assert (verified.status, "8 of 8" in verified.out) == (0, True)
    replayed = cli("replay", "--entrant", "mimic", "--table", "1", "--range", "1-2")
    assert replayed.out.startswith("# Shuffling the deck\n# Hand 1 bankroll 50\n")


def test_a_run_of_charts_is_resumed(cli: Cli, charts: Path, tmp_path: Path) -> None:
    """From the archived charts, to the same board."""
    cli("run", charts, "--workers", "1")
    before = board(cli, "leaderboard")
    with closing(sqlite3.connect(tmp_path / "tourney.db")) as database, database:
        database.execute("PRAGMA foreign_keys = ON")
        database.execute("DELETE FROM batches WHERE number % 2")
        database.execute("UPDATE runs SET status = 'running', finished = NULL")
    database.close()
    seal_as_it_is(tmp_path / "tourney.db")
    (tmp_path / "charts" / "mimic.txt").unlink()
    assert cli("resume", "--workers", "1").status == 0
    assert board(cli, "leaderboard") == before


def test_faults_of_all_charts_are_told_at_once(cli: Cli, charts: Path, tmp_path: Path) -> None:
    """With file, line and column, and nothing is stored."""
    for name, old, new in (("easybj", "Dh ", "Dx "), ("mimic", "\n20 ", "\n2O ")):
        chart = tmp_path / "charts" / f"{name}.txt"
        text = chart.read_text(encoding="utf-8")
        chart.write_text(text.replace(old, new, 1), encoding="utf-8")
    ran = cli("run", charts)
    assert (ran.status, ran.out) == (2, "")
    assert "easybj.txt:2:" in ran.err
    assert "mimic.txt:18:1: expected" in ran.err
    assert not (tmp_path / "tourney.db").exists()


@pytest.mark.parametrize("game", ["ve280", "csc24400"])
def test_a_chart_of_both_cards_needs_to_see_both(cli: Cli, charts: Path, game: str) -> None:
    """Where the hole card lies face down it is refused before anything is played."""
    text = CONFIG.replace("game: easybj", f"game: {game}\nminimum: 1")
    charts.write_text(text, encoding="utf-8")
    ran = cli("run", charts)
    assert ran.status == 2
    assert ran.err.count("the chart's columns are both cards of the dealer") == 3
    charts.write_text(text.replace("chart: charts/*.txt", "strategy: easybj-chart"), "utf-8")
    ran = cli("run", charts)
    assert (ran.status, ran.err.count("entrant easybj-chart: the chart's columns are both")) == (
        2,
        1,
    )
