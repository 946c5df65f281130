"""A board follows from verified results: what was changed in a store is found, told and mended."""

import json
import re
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.conftest import AIM, HIDDEN, UNSEEN
from tests.resilience.damage.crafted import seal_as_it_is
from tests.support.told import told_of
from tourney.game.ledger import batch_digest
from tourney.store import results
from tourney.store.store import Store

Cli = Callable[..., Any]

FALSE = "UPDATE seats SET final = final + 500 WHERE entrant = 2"
READING = {
    "leaderboard": ("leaderboard",),
    "publish": ("publish", "--output", "site", "--samples", 0, "--show-tables", 0),
    "extend": ("extend", 1, "--tables", 12, "--workers", 1),
    "verify": ("verify", "--full", "--workers", 1),
    "per table": ("leaderboard", "--per-table", "--format", "csv"),
}


def change(store: Path, *statements: str) -> None:
    """Do something to a store that no run does."""
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA foreign_keys = ON")
        for statement in statements:
            database.execute(statement)
        database.commit()


@pytest.mark.parametrize("command", READING.values(), ids=READING)
def test_nothing_is_built_on_results_that_were_edited(
    cli: Cli, store: Path, command: tuple[object, ...]
) -> None:
    """Neither a board nor a page nor more tables, and `verify` says which batches it is about."""
    change(store, FALSE, "DELETE FROM standings")
    ran = cli(*command)
    assert (ran.status, ran.out) == (1, "")
    assert "damaged or changed" in ran.err
    assert "verify 1 --repair" in ran.err
    assert not Path("site").exists()
    assert cli("runs").lines[2].split()[3] == "finished"


def test_edited_standings_are_folded_again(cli: Cli, store: Path) -> None:
    """The true board is shown, whatever was written beside it."""
    board = cli("leaderboard").out
    change(store, "UPDATE standings SET lines = replace(lines, 'mimic', 'Mimic')")
    assert cli("leaderboard").out == board
    change(store, "UPDATE standings SET lines = 'not a board'")
    assert cli("leaderboard").out == board


def test_a_board_that_was_sealed_again_is_found(cli: Cli, store: Path) -> None:
    """`verify` folds results itself and compares."""
    with Store.open(store) as kept:
        run = kept.run(1)
        row = kept._database.first("SELECT version, lines FROM standings")
        assert row
        kept.keep_standings(run, row[0], row[1].replace('"mimic"', '"mimicry"'))
    ran = cli("verify", "--workers", 1)
    assert ran.status == 1
    assert "the stored board differs from the results" in ran.err
    assert cli("verify", "--repair", "--workers", 1).status == 0
    assert "mimicry" not in cli("leaderboard").out


@pytest.mark.parametrize(("changed", "holds"), [(1 + 1e-12, True), (1 + 1e-4, False)])
def test_the_last_digit_of_another_version_of_scipy_is_no_difference(
    cli: Cli, store: Path, changed: float, holds: bool
) -> None:
    """The width of an interval varies with it by 1e-13 of itself."""
    with Store.open(store) as kept:
        run = kept.run(1)
        row = kept._database.first("SELECT version, lines FROM standings")
        assert row
        lines = [json.loads(line) for line in row[1].splitlines()]
        for each in lines:
            each["half_width"] *= changed
        kept.keep_standings(run, row[0], "\n".join(map(json.dumps, lines)))
    ran = cli("verify", "--workers", 1)
    assert ("the stored board differs from the results" in ran.err) != holds
    assert (ran.status == 0) == holds


def test_results_with_digests_taken_anew_are_found_by_playing_again(cli: Cli, store: Path) -> None:
    """And whoever holds the digest of the run sees another."""
    handed_out = digest_of(cli)
    change(store, FALSE, "DELETE FROM standings")
    with Store.open(store) as kept:
        for number in kept.batch_numbers(1):
            false = batch_digest(results.of_batch(kept._database, 1, number))
            kept._database.execute(
                "UPDATE batches SET digest = ? WHERE number = ?", (false, number)
            )
    seal_as_it_is(store)
    assert cli("leaderboard").status == 0
    assert digest_of(cli) != handed_out
    ran = cli("verify", "--full", "--workers", 1)
    assert ran.status == 1
    assert "batch 2: its digest differs from the stored one" in ran.err


def digest_of(cli: Cli) -> str:
    """Give the digest that `runs` shows."""
    found = re.search(r"(?m)^digest +([0-9a-f]{32})$", cli("runs", 1).out)
    assert found
    return found[1]


@pytest.mark.usefixtures("store")
def test_the_digest_of_a_run_is_shown_wherever_it_is_told_of(cli: Cli) -> None:
    """By `runs`, by `verify`, on the page and in its data."""
    digest = digest_of(cli)
    assert f"run 1: digest {digest}\n" in cli("verify", "--workers", 1).out
    cli("publish", "--output", "site", "--samples", 0, "--show-tables", 0)
    assert digest in Path("site/index.html").read_text(encoding="utf-8")
    assert told_of("site")["run"]["digest"] == digest
    assert f"not verified: the digest of the run, {digest}" in cli("verify", "--site", "site").out


@pytest.mark.parametrize(
    "statements",
    [
        (FALSE,),
        ("UPDATE batches SET digest = zeroblob(16) WHERE number = 3",),
        ("DELETE FROM batches WHERE number = 4",),
        ("UPDATE blocks SET position = 1 - position",),
        ("UPDATE events SET value = value + 1",),
    ],
    ids=["seats", "digest", "missing", "order", "events"],
)
def test_what_was_lost_is_played_again(cli: Cli, store: Path, statements: tuple[str, ...]) -> None:
    """To the same board and the same digest, which proves it."""
    board, digest = cli("leaderboard").out, digest_of(cli)
    change(store, *statements, "DELETE FROM standings")
    ran = cli("verify", "--full", "--repair", "--workers", 1)
    assert ran.status == 0, ran.err
    assert ran.out.endswith(f"run 1: digest {digest}\n")
    again = cli("leaderboard")
    assert (again.out, again.err) == (board, HIDDEN + AIM + UNSEEN)


def test_a_damaged_page_is_mended(cli: Cli, store: Path) -> None:
    """What is sound of the file is saved, the rest is played again; the old file stays beside."""
    board, digest = cli("leaderboard").out, digest_of(cli)
    with closing(sqlite3.connect(store)) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = database.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = 'seats_by_block'"
        ).fetchone()
        (size,) = database.execute("PRAGMA page_size").fetchone()
    with store.open("r+b") as file:
        file.seek((page - 1) * size + 200)
        file.write(b"\xa5" * (size - 200))
    assert cli("verify", "--workers", 1).status == 1
    ran = cli("verify", "--full", "--repair", "--workers", 1)
    assert ran.status == 0, ran.err
    assert ran.out.endswith(f"run 1: digest {digest}\n")
    assert cli("leaderboard").out == board
    assert Path("tourney.db.damaged").exists()


def test_a_run_whose_configuration_is_damaged_is_said_to_be_lost(cli: Cli, store: Path) -> None:
    """No play brings it back, and the message says where it may come from."""
    change(store, "UPDATE runs SET config = replace(config, '100', '90')")
    ran = cli("leaderboard")
    assert (ran.status, ran.out) == (1, "")
    assert "its configuration, settings or times are not as stored" in ran.err
    assert "from a backup" in ran.err
