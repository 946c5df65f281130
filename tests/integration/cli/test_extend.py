"""`extend`: a finished run goes on, and gives what a run of that size would have given."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import run_warnings
from tourney.store.store import Store

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

START = """\
name: Small
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: TABLES, rounds: 60, batch_tables: 3}
entrants:
  - strategy: simple
  - strategy: counting
"""
LATE = "  - strategy: mimic\n"


def results(path: Path) -> dict[object, bytes]:
    """Give the digest of every block of a store's only run."""
    with Store.open(path, create=False) as store:
        return {block.key: block.digest for block in store.blocks(1)}


def start(write: Write, tables: int, more: str = "") -> Path:
    """Write a configuration."""
    return write("small.yaml", START.replace("TABLES", str(tables)) + more)


def test_tables_and_entrants_may_come_late(cli: Cli, write: Write, tmp_path: Path) -> None:
    """The same blocks as if all had been there from the beginning."""
    cli("run", start(write, 8), "--workers", 1)
    assert cli("extend", 1, "--tables", 13, "--workers", 1).status == 0
    ran = cli("extend", 1, "--add", "mimic", "--as", "Late", "--workers", 1)
    assert "Late" in ran.out
    cli("run", start(write, 13, LATE), "--workers", 1, "--store", "whole.db")
    assert results(tmp_path / "tourney.db") == results(tmp_path / "whole.db")


def test_only_new_blocks_are_played(cli: Cli, write: Write, tmp_path: Path) -> None:
    """What was stored stays as it was, with the time it took."""
    cli("run", start(write, 8), "--workers", 1)
    with Store.open(tmp_path / "tourney.db") as store:
        before = store.batch_digests(1)
    cli("extend", 1, "--tables", 9, "--workers", 1)
    with Store.open(tmp_path / "tourney.db") as store:
        after = store.batch_digests(1)
        assert store.run(1).status == "finished"
    assert after.items() >= before.items()
    assert len(after) == len(before) + 2


def test_the_board_says_that_it_was_looked_at_before(cli: Cli, write: Write) -> None:
    """Whoever extends a run until it pleases would be wrong more often."""
    cli("run", start(write, 8), "--workers", 1)
    ran = cli("extend", 1, "--tables", 16, "--workers", 1)
    assert "look 2 of at most 2: 16 tables of at most 16" in ran.err


def test_an_extended_run_can_be_verified(cli: Cli, write: Write) -> None:
    """All of it."""
    cli("run", start(write, 4), "--workers", 1)
    cli("extend", 1, "--tables", 8, "--workers", 1)
    ran = cli("verify", "--full", "--workers", 1)
    assert re.match(r"run 1: (\d+) of \1 replayed", ran.out)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--tables", 8), "expected more than the 8 it has, and at most 1,000,000; got 8"),
        (("--tables", 1_000_001), "and at most 1,000,000; got 1000001"),
        (("--add", "simple"), "run 1 already has an entrant 'simple'; choose another"),
        (("--add", "ramp,spread=0"), "ramp: spread: expected a whole number of at least 1"),
        ((), "nothing to add; pass --tables or --add"),
    ],
)
def test_what_adds_nothing_is_refused(
    cli: Cli, write: Write, options: tuple[object, ...], fault: str
) -> None:
    """Expected, got."""
    cli("run", start(write, 8), "--workers", 1)
    ran = cli("extend", 1, *options, "--workers", 1)
    assert ran.status == 2
    assert fault in ran.err


def test_a_typing_error_in_the_tables_spoils_no_run(
    cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So many have to be wanted, as when a run begins; the run stays finished."""
    cli("run", start(write, 8), "--workers", 1)
    monkeypatch.setattr(run_warnings, "LARGE_ROUNDS", 2 * 60 * 9)
    refused = cli("extend", 1, "--tables", 10, "--workers", 1)
    assert refused.status == 2
    assert "1,440 rounds of seats; reduce it to at most 1,080 rounds, or" in refused.err
    assert "not finished" not in cli("leaderboard").err
    assert cli("extend", 1, "--tables", 10, "--workers", 1, "--yes").status == 0


def test_a_run_that_is_not_over_is_gone_on_with_first(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """By a command that finds it."""
    cli("run", start(write, 8), "--workers", 1)
    with Store.open(tmp_path / "tourney.db") as store:
        store.reopen_run(1)
    ran = cli("extend", 1, "--tables", 10)
    assert ran.status == 2
    assert "run 1 is not finished; resume it first: tourney resume 1 --store " in ran.err


def test_a_run_that_stops_by_a_rule_is_not_extended(cli: Cli, write: Write) -> None:
    """What may be wrong of it is spent."""
    text = START.replace("TABLES", "8, stop: separated, looks: [4]")
    cli("run", write("small.yaml", text), "--workers", 1)
    assert (
        "`stop: separated` has spent its 5 %"
        in cli("extend", 1, "--tables", 99, "--workers", 1).err
    )


@pytest.mark.parametrize(
    ("board", "said"),
    [
        (
            "{}",
            "the secret of the run is already published; a late entrant could have known the shoes",
        ),
        (
            '{freeze: "2020-05-01T12:00"}',
            "the secret of the run is hidden with its results, but readers of the store know it; "
            "a late entrant could have known the shoes",
        ),
    ],
    ids=["told", "frozen"],
)
def test_who_comes_late_hears_who_may_know_the_shoes(
    cli: Cli, write: Write, board: str, said: str
) -> None:
    """The secret of a frozen run was not published, and a board that is empty has its reason."""
    text = START.replace("TABLES", "8").replace("seed: 7\n", f"leaderboard: {board}\n")
    cli("run", write("small.yaml", text), "--workers", 1)
    ran = cli("extend", 1, "--add", "mimic", "--workers", 1)
    assert said in ran.err.splitlines()
    frozen = "all results (--show-hidden shows them); the last came in after 2020-05-01 12:00 UTC"
    assert (frozen in ran.err) == ("freeze" in board)
