"""`run`: what a tournament prints, where, and with which status."""

import csv
import json
import re
from collections.abc import Callable
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import tourney.tournament.sandbox_level
from tourney.cli import progress
from tourney.errors import DISTRIBUTION
from tourney.formats.solo import Duplicate
from tourney.sandbox.levels import Level, probe

from .conftest import AIM, HIDDEN, UNSEEN

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

BOARD = """\
  Place  Possible    Entrant              Profit per    Profit per          Gap to row    Faults
         ranks                           round (luck         round               above
                                            removed)
-------  ----------  -------------  ----------------  ------------  ------------------  --------
      1  1-3         simple         -0.1587 ± 1.5339       -0.0792
      2  1-3         counting       -0.1601 ± 5.6423       -0.1083  -0.0014 ± 2.5431 ?
      3  1-3         mimic [staff]  -0.2723 ± 6.5812       +0.0771  -0.1122 ± 2.5208 ?
"""
COMMITMENT = "38f3d097037aa4e43ff6a5b05c09bb001eba974e757e2569289209c2c46a6c73"

MESSAGES = f"""\
run 1 in tourney.db: Small, rehearsal (its seed is known), commitment {COMMITMENT}
{HIDDEN}{AIM + UNSEEN.rstrip()}
on the floor: 13 h simulated, 24 blocks; 2 tables in use 100%, 2 dealers 100% of the time
"""

PLAN = f"""\
Small: ve280, duplicate
  simple: simple (tourney {version(DISTRIBUTION)})
  counting: counting (tourney {version(DISTRIBUTION)})
  mimic: mimic (tourney {version(DISTRIBUTION)})
tables needed to separate neighbours (95 % interval, from a pilot of 1,000 tables):
  1 of 2 pairs: 9 to 12 tables, about TIME on 1 worker
  2 of 2 pairs: 46 to 130 tables, about TIME on 1 worker
at most 24 blocks in 6 batches, 60 rounds at a table
about TIME on 1 worker, if every bankroll lasts
"""


def test_a_run_prints_its_board_and_tells_the_rest_beside_it(cli: Cli, small: Path) -> None:
    """The board alone goes to standard output; how it went, to standard error."""
    ran = cli("run", small, "--workers", 1)
    assert (ran.status, ran.out, ran.err) == (0, BOARD, MESSAGES)


def test_the_schedule_is_drawn_up_once_to_size_a_run_and_once_to_play_it(
    cli: Cli, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A schedule changes as it is played, so its outline is of another one; both are drawn once."""
    drawn: list[object] = []
    schedule = Duplicate.schedule
    monkeypatch.setattr(
        Duplicate, "schedule", lambda each, field: (drawn.append(field), schedule(each, field))[1]
    )
    assert cli("run", small, "--workers", 1).status == 0
    assert len(drawn) == 2


def test_a_log_says_now_and_then_how_far_a_run_is(
    cli: Cli, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In plain lines before the board's, as where nobody watches a terminal."""
    monkeypatch.setattr(progress, "SECONDS_BETWEEN_LINES", 0.0)
    ran = cli("run", small, "--workers", 1)
    lines = [f"{done} of 6 batches played" for done in range(1, 7)]
    assert ran.err.splitlines()[1:7] == lines
    assert ran.out == BOARD


def test_what_a_run_missed_is_compiled_when_its_board_is_there(
    cli: Cli, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And the next run begins with it; what goes wrong there is told, and changes no status."""
    monkeypatch.setattr("tourney.cli.run.missed_parts", lambda _: ["a part"])
    monkeypatch.setattr("tourney.cli.run.make_missed", lambda _: "exit status 1: disk full")
    ran = cli("run", small, "--workers", 1)
    assert (ran.status, ran.out) == (0, BOARD)
    assert ran.err == (
        f"{MESSAGES}the board is final, and you may press Ctrl-C: tourney makes machine code for "
        "later runs of installed strategies, once after an installation, for about a minute\n"
        "it could not be made (exit status 1: disk full): the next run goes without it again, "
        "more slowly\n"
    )


def test_a_run_is_kept_in_the_folder_it_was_started_in(cli: Cli, small: Path) -> None:
    """Without --store the file is called tourney.db."""
    cli("run", small, "--workers", 1)
    assert (small.parent / "tourney.db").is_file()


def test_store_names_the_file_that_keeps_the_run(cli: Cli, small: Path) -> None:
    """With --store nothing is written under the usual name."""
    ran = cli("run", small, "--workers", 1, "--store", "other file.db")
    assert ran.err.startswith("run 1 in other file.db: Small")
    assert (small.parent / "other file.db").is_file()
    assert not (small.parent / "tourney.db").exists()


def test_runs_are_numbered_within_a_store(cli: Cli, small: Path, store: Path) -> None:
    """A second tournament of a store is run 2."""
    assert cli("run", small, "--workers", 1).err.startswith("run 2 in tourney.db: Small")


@pytest.mark.parametrize("options", [("--workers", 2), ("--engine", "reference")], ids=str)
def test_neither_workers_nor_engines_change_a_board(
    cli: Cli, small: Path, options: tuple[object, ...]
) -> None:
    """How a run is played never shows in its results."""
    assert cli("run", small, *options).out == BOARD


def test_a_seed_on_the_command_line_takes_the_place_of_the_one_in_the_file(
    cli: Cli, small: Path
) -> None:
    """The same --seed gives the same board, another one another."""
    boards = [cli("run", small, "--workers", 1, "--seed", seed).out for seed in (8, 8, 9)]
    assert boards[0] == boards[1] != boards[2]
    assert BOARD not in boards


def test_without_a_seed_shoes_are_secret_until_the_end(cli: Cli, small: Path) -> None:
    """The commitment comes first, the secret that opens it last."""
    text = small.read_text(encoding="utf-8").replace("seed: 7\n", "")
    small.write_text(text, encoding="utf-8")
    ran = cli("run", small, "--workers", 1)
    first, *_, last = ran.err.splitlines()  # with rare luck, a result is marked as odd between
    assert re.fullmatch(r"run 1 in tourney.db: Small, secret shoes, commitment [0-9a-f]{64}", first)
    assert re.fullmatch(r"secret [0-9a-f]{64}, salt [0-9a-f]{32}", last)


def test_format_json_prints_one_list_of_objects(cli: Cli, small: Path) -> None:
    """Exports carry numbers, not what people read."""
    ran = cli("run", small, "--workers", 1, "--format", "json")
    rows = json.loads(ran.out)
    assert rows[0] == {
        "rank": 1,
        "rank_set": "1 to 3",
        "entrant": "simple",
        "strategy": "simple",
        "group": None,
        "adjusted_profit": -0.158689758,
        "profit_per_round": -0.079166667,
        "joint_half_width": 1.533917304,
        "best_play": -0.088442162,
        "sd": 0.550018037,
        "moved_sd": 0.6393899,
        "above": None,
        "above_half_width": None,
        "relation": None,
        "luck_errors": 0.381233112,
        "mean_final_bankroll": 95.25,
        "half_width": 27.589595,
        "q05": 54.45,
        "median": 99.0,
        "q95": 134.55,
        "ruin": 0.0,
        "tables": 8,
        "least_tables": 8,
        "rarest_loss": 3,
        "least_difference": None,
        "looks": None,
        "rounds": 480,
        "handle": 2400,
        "faults": 0,
    }
    assert [row["entrant"] for row in rows] == ["simple", "counting", "mimic"]


def test_format_csv_prints_a_header_and_a_line_for_each_entrant(cli: Cli, small: Path) -> None:
    """One header, one line each, nothing else."""
    ran = cli("run", small, "--workers", 1, "--format", "csv")
    assert ran.out.startswith(
        "rank,rank_set,entrant,strategy,group,adjusted_profit,profit_per_round,"
        "joint_half_width,best_play,sd,moved_sd,above,above_half_width,relation,luck_errors,"
        "mean_final_bankroll,half_width,q05,median,q95,ruin,tables,least_tables,rarest_loss,"
        "least_difference,looks,rounds,handle,faults\n"
        "1,1 to 3,simple,simple,,-0.158689758,-0.079166667,1.533917304,-0.088442162,0.550018037,"
        "0.6393899,,,,0.381233112,95.25,27.589595,54.45,99.0,134.55,0.0,8,8,3,,,480,2400,0\n"
    )
    assert len(list(csv.reader(StringIO(ran.out)))) == 4


def test_columns_are_those_the_organiser_chose(cli: Cli, small: Path) -> None:
    """`leaderboard: columns:` decides which, and in which order."""
    with small.open("a", encoding="utf-8") as file:
        file.write("leaderboard: {columns: [entrant, strategy, group, handle]}\n")
    ran = cli("run", small, "--workers", 1, "--format", "csv")
    assert ran.lines[:2] == ["entrant,strategy,group,handle", "simple,simple,,2400"]


def test_a_dry_run_shows_entrants_blocks_and_time(cli: Cli, small: Path) -> None:
    """It plays nothing that counts and keeps nothing."""
    ran = cli("run", small, "--workers", 1, "--dry-run")
    plan = re.sub(r"about .+ on", "about TIME on", ran.out)
    assert (ran.status, plan, ran.err) == (0, PLAN, "")
    assert not (small.parent / "tourney.db").exists()


def test_a_dry_run_counts_the_workers(cli: Cli, small: Path) -> None:
    """More workers need less time."""
    assert (
        cli("run", small, "--workers", 3, "--dry-run")
        .lines[-1]
        .endswith("on 3 workers, if every bankroll lasts")
    )


def test_a_dry_run_tells_whose_competitor_fails(cli: Cli, small: Path, write: Write) -> None:
    """A few rounds of every entrant are played on the side, so a fault is found before the run."""
    write("trial_fault.py", BROKEN)
    with small.open("a", encoding="utf-8") as file:
        file.write("  - file: trial_fault.py\n    options: {spread: 3}\n")
    ran = cli("run", small, "--workers", 1, "--dry-run", "--no-sandbox")
    assert ran.status == 1
    assert "  trial_fault: trial_fault.py spread=3 (a file)" in ran.lines
    assert ran.err == (
        "trial_fault: trial_fault.py:9: bet: expected an answer, got ZeroDivisionError: "
        "integer division or modulo by zero (round 1 of a trial)\n"
    )


BROKEN = """\
from tourney import Player


class Broken(Player):
    def __init__(self, spread):
        self.spread = spread

    def bet(self, bankroll, minimum):
        return bankroll // 0

    def draw(self, dealer, player):
        return False
"""


@pytest.mark.skipif(probe() is not Level.FULL, reason="this machine cannot confine players fully")
def test_files_of_others_are_confined(cli: Cli, small: Path, write: Write) -> None:
    """Whoever runs them gives them no rights, and every board says so; the run goes on as well."""
    write("broken.py", BROKEN.replace("spread)", "spread=1)"))
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: broken.py\n")
    words = "the code of 1 entrant ran in sandboxed processes"
    ran = cli("run", small, "--workers", 1)
    assert ran.status == 1
    assert f"sandbox full: {words}" in ran.err
    assert "broken.py:9: bet: expected an answer, got ZeroDivisionError" in ran.err
    assert f"sandbox full according to the store: {words}" in cli("leaderboard").err
    assert f"full according to the store: {words}" in cli("runs", 1).out
    verified = cli("verify", "--full", "--workers", 1)
    assert (verified.status, verified.err) == (0, f"sandbox full: {words}\n")
    assert cli("replay", "--entrant", "broken", "--table", 1).err.startswith("broken.py:9: bet")


def test_files_of_others_are_refused_where_they_can_only_be_trusted(
    cli: Cli, small: Path, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever runs a file there gives it all rights, and is told so first."""
    monkeypatch.setattr(tourney.tournament.sandbox_level, "probe", lambda: Level.UNSAFE)
    write("broken.py", BROKEN)
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: broken.py\n")
    ran = cli("run", small, "--workers", 1)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        f"{small}: 1 entrant brings its own code (broken.py), which would run with all your "
        "permissions, because this machine cannot run players in a sandbox. Read the code, then "
        "add --no-sandbox\n"
    )


def test_what_a_competitor_prints_does_not_mix_with_results(
    cli: Cli, small: Path, write: Write
) -> None:
    """A forgotten print() goes to standard error, so that JSON stays JSON."""
    write(
        "talker.py",
        """\
        from tourney import Player

        print("loading")


        class Talker(Player):
            def bet(self, bankroll, minimum):
                print("betting")
                return minimum

            def draw(self, dealer, player):
                return False
        """,
    )
    with small.open("a", encoding="utf-8") as config:
        config.write("  - file: talker.py\n")
    ran = cli("run", small, "--workers", 1, "--format", "json", "--no-sandbox")
    assert ran.status == 0
    assert len(json.loads(ran.out)) == 4
    assert "loading" in ran.err
    assert "betting" in ran.err


def test_names_with_brackets_are_no_markup(cli: Cli, small: Path) -> None:
    """A name is shown as it is, whatever it looks like to others."""
    text = small.read_text(encoding="utf-8")
    text = text.replace("name: Small", "name: '[/red]'").replace("group: staff", "as: '[/b]|=1+1'")
    small.write_text(text, encoding="utf-8")
    ran = cli("run", small, "--workers", 1)
    assert ran.status == 0
    assert "[/red]" in ran.err
    assert "[/b]|=1+1" in ran.out
