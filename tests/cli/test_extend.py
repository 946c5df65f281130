"""`extend`: a finished run goes on, and gives what a run of that size would have given."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import large, running
from tourney.cli.progress import LiveBoard
from tourney.event.store import Store

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
OWN = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return False
"""


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
    ran = cli("extend", 1, "--entrant", "mimic", "--as", "Late", "--workers", 1)
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
    ran = cli("verify", "--all", "--workers", 1)
    assert re.match(r"run 1: (\d+) of \1 replayed", ran.out)


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--tables", 8), "expected more than the 8 it has, and at most 1,000,000; got 8"),
        (("--tables", 1_000_001), "and at most 1,000,000; got 1000001"),
        (("--entrant", "simple"), "expected a name that run 1 does not have, got 'simple'"),
        (("--entrant", "ramp,spread=0"), "ramp: spread: expected a whole number of at least 1"),
        ((), "expected --tables or --entrant, got neither"),
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
    monkeypatch.setattr(large, "LARGE_ROUNDS", 2 * 60 * 9)
    refused = cli("extend", 1, "--tables", 10, "--workers", 1)
    assert refused.status == 2
    assert "expected at most 1,080 rounds of seats; got 1,440: make it fewer, or" in refused.err
    assert "not finished" not in cli("leaderboard").err
    assert cli("extend", 1, "--tables", 10, "--workers", 1, "--yes").status == 0


def interrupt(*_: object, **__: object) -> None:
    """Do as Ctrl-C."""
    raise KeyboardInterrupt


@pytest.fixture
def begin(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Give what extends run 1, and is interrupted before anything is stored."""

    def extend(*options: object) -> Any:
        with monkeypatch.context() as interrupted:
            interrupted.setattr(running, "play_run", interrupt)
            return cli("extend", 1, *options, "--workers", 1)

    return extend


@pytest.mark.parametrize("tables", [8, 12])
def test_tables_too_many_are_taken_back(
    cli: Cli, write: Write, tmp_path: Path, begin: Callable[..., Any], tables: int
) -> None:
    """To the board as it was, or to fewer more; the run says so, and everything of it holds."""
    cli("run", start(write, tables), "--workers", 1, "--store", "whole.db")
    board = cli("leaderboard", "--store", "whole.db").out
    cli("run", start(write, 8), "--workers", 1)
    ran = begin("--tables", 16)
    told = "to take its more tables back: tourney extend 1 --store tourney.db --tables 8"
    assert (ran.status, ran.err.count(told)) == (130, 1)
    ran = cli("extend", 1, "--tables", tables, "--workers", 1)
    said = "an extension to 16 tables was taken back before anything of it was stored"
    assert (ran.status, ran.err.count(said)) == (0, 1)
    assert results(tmp_path / "tourney.db") == results(tmp_path / "whole.db")
    shown = cli("leaderboard")
    assert said in shown.err
    assert ("look 2 of at most 2: 12 tables of at most 12" in shown.err) == (tables == 12)
    assert tables == 12 or shown.out == board
    ends = [cli("verify", "--workers", 1, *of).lines[-1] for of in ((), ("--store", "whole.db"))]
    assert tables == 12 or len(set(ends)) == 1  # by its digest, which may have been handed out
    assert re.search("taken back +an extension to 16 tables", cli("runs", 1).out)
    assert cli("verify", "--all", "--workers", 1).status == 0
    assert cli("extend", 1, "--tables", 16, "--workers", 1).status == 0


@pytest.mark.parametrize(("tables", "is_over"), [(7, False), (16, False), (17, False), (8, True)])
def test_only_tables_of_an_extension_that_goes_on_are_taken_back(
    cli: Cli, write: Write, begin: Callable[..., Any], tables: int, is_over: bool
) -> None:
    """Nobody chooses between two boards that are whole."""
    cli("run", start(write, 8), "--workers", 1)
    if is_over:
        cli("extend", 1, "--tables", 16, "--workers", 1)
    else:
        begin("--tables", 16)
    ran = cli("extend", 1, "--tables", tables)
    expected = "more than the 16 it has" if is_over else "from 8, as before its extension, to 15"
    assert (ran.status, expected in ran.err) == (2, True)


@pytest.mark.parametrize("batches", [1, 6], ids=["the first", "the last"])
def test_nothing_is_taken_back_of_which_a_batch_is_stored(
    cli: Cli, write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, batches: int
) -> None:
    """Whoever has seen results could choose the board that pleases; it is gone on with."""
    cli("run", start(write, 8), "--workers", 1)
    left = iter(range(batches - 1))

    def after_some(*_: object) -> None:
        if next(left, None) is None:
            raise KeyboardInterrupt

    with monkeypatch.context() as interrupted:
        interrupted.setattr(LiveBoard, "update", after_some)
        ran = cli("extend", 1, "--tables", 16, "--workers", 1)
    again = "tourney resume 1 --store tourney.db"
    assert (ran.status, again in ran.err, "take its more" in ran.err) == (130, True, False)
    with Store.open(tmp_path / "tourney.db") as store:
        before = store.batch_digests(1)
    assert len(before) == 6 + batches  # the extension has 6, as the run had
    for tables in (8, 12):
        ran = cli("extend", 1, "--tables", tables, "--workers", 1)
        wanted = f"got one that is not, and has batches of its extension stored: {again}"
        assert (ran.status, ran.err.rstrip().endswith(wanted)) == (2, True)
    with Store.open(tmp_path / "tourney.db") as store:
        assert store.batch_digests(1) == before
    assert "look 2 of at most 2: 16 tables" in cli("resume", 1, "--workers", 1).err


def test_where_only_somebody_came_late_no_tables_are_taken_back(
    cli: Cli, write: Write, begin: Callable[..., Any]
) -> None:
    """No numbers are asked for that do not exist."""
    cli("run", start(write, 8), "--workers", 1)
    assert "take its more" not in begin("--entrant", "mimic").err
    again = "tourney resume 1 --store tourney.db"
    for tables in (7, 8):
        ran = cli("extend", 1, "--tables", tables)
        wanted = f"expected a finished run, got one that is not: {again}"
        assert (ran.status, ran.err.rstrip().endswith(wanted)) == (2, True)


def test_the_command_that_takes_back_enters_files_as_before(
    cli: Cli, write: Write, begin: Callable[..., Any]
) -> None:
    """With --trust-submissions where the run had it; so it can be copied."""
    write("own.py", OWN)
    trusts = "--trust-submissions"
    cli("run", start(write, 4, "  - file: own.py\n"), trusts, "--workers", 1)
    err = begin("--tables", 8, trusts).err
    told = f"tourney extend 1 --store tourney.db --tables 4 {trusts}"
    assert f"to take its more tables back: {told}" in err.splitlines()
    assert cli(*told.split()[1:], "--workers", 1).status == 0


def test_an_anchor_has_what_was_taken_back(
    cli: Cli, write: Write, tmp_path: Path, begin: Callable[..., Any]
) -> None:
    """One commitment more, so that everybody sees both, and the site holds."""
    anchor = ("--anchor", "anchor.json")
    config = start(write, 4)
    cli("commit", config, *anchor)
    cli("run", config, *anchor, "--workers", 1)
    begin("--tables", 8, *anchor)
    assert "expected --anchor FILE" in cli("extend", 1, "--tables", 4).err
    assert cli("extend", 1, "--tables", 4, *anchor, "--workers", 1).status == 0
    assert (tmp_path / "anchor.json").read_text().count('"commitment"') == 3
    assert cli("publish", "--to", "site", *anchor, "--workers", 1).status == 0
    seen = cli("verify", "--site", "site", *anchor)
    assert seen.status == 0
    assert "commitments: 3, 2 of them of extensions" in seen.out


def test_a_run_that_is_not_over_is_gone_on_with_first(
    cli: Cli, write: Write, tmp_path: Path
) -> None:
    """By a command that finds it."""
    cli("run", start(write, 8), "--workers", 1)
    with Store.open(tmp_path / "tourney.db") as store:
        store.reopen_run(1)
    ran = cli("extend", 1, "--tables", 10)
    assert ran.status == 2
    assert (
        "run 1: expected a finished run, got one that is not: tourney resume 1 --store " in ran.err
    )


def test_a_run_that_stops_by_a_rule_is_not_extended(cli: Cli, write: Write) -> None:
    """What may be wrong of it is spent."""
    text = START.replace("TABLES", "8, stop: separated, looks: [4]")
    cli("run", write("small.yaml", text), "--workers", 1)
    assert "got stop: separated" in cli("extend", 1, "--tables", 99, "--workers", 1).err


@pytest.mark.parametrize(
    ("board", "said"),
    [
        ("{}", "its secret is published already: who comes late could have known the shoes"),
        (
            '{freeze: "2020-05-01T12:00"}',
            "its secret is withheld with its results, but stands in the store for who may read "
            "it: who comes late could have known the shoes",
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
    ran = cli("extend", 1, "--entrant", "mimic", "--workers", 1)
    assert said in ran.err.splitlines()
    frozen = "all results (--tell-all tells it); the last came in after 2020-05-01 12:00 UTC"
    assert (frozen in ran.err) == ("freeze" in board)
