"""An entrant is taken off the board of a finished run, which can still be verified."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.told import told_of

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

CONFIG = """\
name: Small
game: {{preset: ve280, shuffle: uniform}}
bankroll: 100
minimum: 5
maximum: 50
format: {kind}
entrants:
{entrants}
"""
NAMES = ("Ada", "Blaise", "Emmy", "Sofja")
PLAYERS = ("simple", "counting", "mimic", "never-bust")
FORMATS = {
    "duplicate": "{kind: duplicate, tables: 8, rounds: 60}",
    "independent": "{kind: independent, tables: 8, rounds: 60}",
    "multi-table": "{kind: multi-table, seats: 2, block_rounds: 10, level_rounds: 10}",
    "knockout": "{kind: knockout, seats: 2, rounds: 20}",
}


def written(write: Write, kind: str, *, without: str = "") -> None:
    """Write a configuration of four entrants, or of three of them."""
    entrants = "\n".join(
        f"  - {{strategy: {player}, as: {name}}}"
        for name, player in zip(NAMES, PLAYERS, strict=True)
        if name != without
    )
    write("small.yaml", CONFIG.format(kind=FORMATS[kind], entrants=entrants))


def board(cli: Cli, *options: object) -> list[dict[str, str]]:
    """Read the board of a run with all its columns."""
    ran = cli("leaderboard", *options, "--format", "csv")
    assert ran.status == 0, ran.err
    return list(csv.DictReader(ran.lines))


def test_the_board_is_that_of_a_run_without_the_entrant(cli: Cli, write: Write) -> None:
    """Where everybody plays alone, nobody's results depend on it."""
    for without in ("", "Blaise"):
        written(write, "duplicate", without=without)
        text = Path("small.yaml").read_text("utf-8")
        Path("small.yaml").write_text(f"seed: 7\n{text}", "utf-8")
        assert cli("run", "small.yaml", "--workers", 1).status == 0
    ran = cli("exclude", 1, "--entrant", "blaise", "--reason", "copied\nfrom Ada")
    assert (ran.status, ran.out) == (0, "")
    assert ran.err.startswith("Blaise is excluded from the board of run 1; publish")
    assert board(cli, 1) == board(cli, 2)
    assert "Blaise is excluded from the board: copied from Ada\n" in cli("leaderboard", 1).err
    assert "; excluded: copied from Ada" in cli("runs", 1).out
    assert cli("exclude", 1, "--entrant", "Blaise", "--undo").status == 0
    assert [row["entrant"] for row in board(cli, 1)] != [row["entrant"] for row in board(cli, 2)]
    assert "excluded" not in cli("runs", 1).out + cli("leaderboard", 1).err


@pytest.mark.parametrize("kind", FORMATS)
def test_those_behind_move_up_and_the_run_is_still_verified(
    cli: Cli, write: Write, kind: str
) -> None:
    """Places keep their order; pages do not name the entrant, and verify without the store."""
    written(write, kind)
    assert cli("run", "small.yaml", "--workers", 1).status == 0
    before = board(cli)
    told = cli("runs", 1).lines
    gone = before[1]["entrant"]
    assert cli("exclude", "--entrant", gone, "--reason", "dropped the course").status == 0
    after = board(cli)
    assert [row["entrant"] for row in after] == [
        row["entrant"] for row in before if row["entrant"] != gone
    ]
    places = [int(row["rank"]) for row in after]
    assert places == sorted(places)
    assert places[0] == 1
    assert all(int(row["rank_set"].split(" to ")[-1]) <= 3 for row in after)
    changed = set(told) ^ set(cli("runs", 1).lines)
    assert all(line.startswith("entrant ") for line in changed)  # digest and commitment stay
    assert cli("verify", "--full").status == 0
    assert cli("publish", "--output", "site").status == 0
    data = told_of("site")
    assert (data["policy"]["entrants"], data["policy"]["excluded"]) == (3, 1)
    pages = [each for each in Path("site").rglob("*") if each.suffix in {".html", ".json", ".js"}]
    assert not [each for each in pages if gone in each.read_text("utf-8")]
    assert "1 entrant was taken off this board" in Path("site/index.html").read_text("utf-8")
    verified = cli("verify", "--site", "site")
    assert verified.status == 0, verified.out + verified.err
    assert "why 1 entrant was taken off the board" in verified.out


def test_a_season_counts_without_it(cli: Cli, write: Write) -> None:
    """It has no row, and the others have the points of their new places."""
    written(write, "duplicate")
    assert cli("run", "small.yaml", "--workers", 1).status == 0
    best = board(cli)[0]["entrant"]
    assert cli("exclude", "--entrant", best, "--reason", "dropped").status == 0
    write("season.yaml", "name: Spring\nruns: [1]\npoints: [5, 3, 1]\n")
    ran = cli("season", "season.yaml", "--format", "csv")
    assert [(row["entrant"], row["points"]) for row in csv.DictReader(ran.lines)] == [
        (row["entrant"], points) for row, points in zip(board(cli), ("5", "3", "1"), strict=True)
    ]


def test_an_extension_keeps_it_off_the_board(cli: Cli, write: Write) -> None:
    """It plays on, since the run promises the same shoes to everybody."""
    written(write, "duplicate")
    assert cli("run", "small.yaml", "--workers", 1).status == 0
    assert cli("exclude", "--entrant", "Ada", "--reason", "dropped").status == 0
    ran = cli("extend", 1, "--tables", 12, "--workers", 1, "--format", "json")
    assert ran.status == 0, ran.err
    assert "Ada" not in {row["entrant"] for row in json.loads(ran.out)}
    assert "Ada" not in {row["entrant"] for row in board(cli)}
    assert cli("exclude", "--entrant", "Ada", "--undo").status == 0
    assert {int(row["tables"]) for row in board(cli)} == {12}


def test_what_cannot_be_done_is_refused(cli: Cli, write: Write) -> None:
    """With what to do instead."""
    written(write, "duplicate")
    assert cli("run", "small.yaml", "--workers", 1).status == 0
    for options, said in (
        (("--entrant", "Ada"), "Give either --reason TEXT, or --undo."),
        (("--entrant", "Ada", "--reason", "x", "--undo"), "Give either --reason TEXT, or --undo."),
        (("--entrant", "Ada", "--reason", " "), "Ada: give a reason"),
        (("--entrant", "Adda", "--reason", "x"), "did you mean 'Ada'?"),
        (("--entrant", "Ada", "--undo"), "Ada is on the board of run 1 already"),
    ):
        ran = cli("exclude", *options)
        assert ran.status != 0
        assert said in ran.err
    for name in NAMES[:3]:
        assert cli("exclude", "--entrant", name, "--reason", "x").status == 0
    ran = cli("exclude", "--entrant", "Sofja", "--reason", "x")
    assert ran.status != 0
    assert "tourney runs --delete 1" in ran.err
