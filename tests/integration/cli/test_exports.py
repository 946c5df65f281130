"""Exports: the board as JSON is what its schema says, and the tables behind it can be had."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tourney.cli import run_warnings
from tourney.plugins.loading import load_plugins
from tourney.standings.columns import COLUMNS, Column

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

KINDS = {
    "bankrolls": "game: six-decks-s17\nbankroll: 100\nminimum: 5\n"
    "format: {kind: independent, tables: 3, rounds: 20}\n"
    "entrants: [{strategy: simple}, {strategy: mimic, as: M, group: staff}]\n",
    "points": "game: straights\nformat: {kind: duplicate, tables: 2, rounds: 2}\n"
    "entrants: [{strategy: thrifty}, {strategy: blocker}, {strategy: first-legal, count: 2}]\n",
    "places of games": "game: {preset: straights, limit: 40}\n"
    "format: {kind: match, tables: 2, games: 2}\n"
    "entrants: [{strategy: thrifty}, {strategy: blocker}, {strategy: first-legal, count: 2}]\n",
    "given places": "game: six-decks-s17\nbankroll: 100\nminimum: 5\n"
    "format: {kind: knockout, seats: 2, rounds: 5}\n"
    "entrants: [{strategy: simple}, {strategy: mimic}, {strategy: sharp}, {strategy: leader}]\n",
}
"""Small tournaments for every measure."""


def schema(cli: Cli, what: str) -> Any:
    """Give a published schema, which must be one."""
    found = json.loads(cli("schema", what).out)
    Draft202012Validator.check_schema(found)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_board_as_json_fits_its_schema(cli: Cli, write: Write, kind: str) -> None:
    """Every column that makes sense, and no key that the schema does not know."""
    write("cup.yaml", f"name: Cup\nseed: 3\n{KINDS[kind]}")
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    rows = json.loads(cli("leaderboard", "--format", "json").out)
    known = schema(cli, "leaderboard")
    Draft202012Validator(known).validate(rows)
    assert rows
    assert set(rows[0]) <= set(known["items"]["properties"])


def test_a_board_with_a_text_for_a_number_does_not_fit(cli: Cli, store: Path) -> None:
    """The schema tells something."""
    assert store.is_file()
    rows = json.loads(cli("leaderboard", "--format", "json").out)
    rows[0]["rounds"] = "480"
    assert not Draft202012Validator(schema(cli, "leaderboard")).is_valid(rows)


def test_a_plugin_column_that_fails_is_left_out(
    cli: Cli, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody listed it, so the other columns of an old run are exported."""
    assert store.is_file()
    faulty = Column("wager", "Wager", lambda row: row.handle / 0)
    registry = load_plugins()
    columns = {**registry.columns, "wager": faulty}
    monkeypatch.setattr(run_warnings, "load_plugins", lambda: replace(registry, columns=columns))
    ran = cli("leaderboard", "--format", "csv")
    assert (ran.status, ran.lines[0].split(",")[0]) == (0, "rank")
    assert "wager" not in ran.out
    assert ran.err.startswith("left out: column 'wager', row ")
    listed = cli("leaderboard", "--format", "csv", "--column", "wager")
    assert (listed.status, listed.out) == (2, "")


def test_the_schema_of_the_board_knows_every_column(cli: Cli) -> None:
    """By the names of `leaderboard.columns`."""
    properties = schema(cli, "leaderboard")["items"]["properties"]
    assert list(properties) == [column.name for column in COLUMNS]


def test_the_schema_of_a_site_is_the_one_that_lies_in_it(cli: Cli, store: Path) -> None:
    """Whoever has no site can print it."""
    assert store.is_file()
    cli("publish", "--output", "site", "--show-tables", "0", "--samples", "0")
    printed = cli("schema", "site").out
    assert printed == Path("site/data.schema.json").read_text()
    data = json.loads(Path("site/data.json").read_text())
    Draft202012Validator(json.loads(printed)).validate(data)


@pytest.mark.usefixtures("store")
def test_the_board_follows_from_the_tables(cli: Cli) -> None:
    """Means over tables, with luck and without."""
    tables = json.loads(cli("leaderboard", "--per-table", "--format", "json").out)
    for row in json.loads(cli("leaderboard", "--format", "json").out):
        own = [each for each in tables if each["entrant"] == row["entrant"]]
        assert sum(each["rounds"] for each in own) == row["rounds"]
        mean = sum(each["final"] for each in own) / len(own)
        assert mean == pytest.approx(row["mean_final_bankroll"], abs=1e-6)
        adjusted = sum(each["net"] - each["luck"] for each in own) / len(own) / 60
        assert adjusted == pytest.approx(row["adjusted_profit"], abs=1e-6)


@pytest.mark.usefixtures("store")
def test_tables_tell_no_more_than_the_policy_allows(cli: Cli) -> None:
    """Handles for names, the first only, and nothing while results are sealed."""
    asked = ("leaderboard", "--per-table", "--format", "csv")
    ran = cli(*asked, "--names", "handles", "--top", "1")
    assert len(ran.lines) == 1 + 8
    assert {line.partition(",")[0] for line in ran.lines[1:]} == {"Player 1"}
    assert len(cli(*asked, "--freeze", "2001-01-01").lines) == 1


def test_the_tables_of_a_group_are_those_of_its_entrants(cli: Cli, write: Write) -> None:
    """Also where an entrant of another group is ahead of them on the board."""
    entrants = "[{strategy: simple, group: one}, {strategy: mimic, group: two}]"
    write(
        "cup.yaml",
        "name: Cup\nseed: 3\ngame: six-decks-s17\nbankroll: 100\nminimum: 5\n"
        f"format: {{kind: independent, tables: 3, rounds: 20}}\nentrants: {entrants}\n",
    )
    assert cli("run", "cup.yaml", "--workers", "1").status == 0
    asked = ("leaderboard", "--per-table", "--format", "json")
    tables = json.loads(cli(*asked).out)
    of_groups = [json.loads(cli(*asked, "--group", group).out) for group in ("one", "two")]
    assert [len(own) for own in of_groups] == [3, 3]
    for own in of_groups:
        (entrant,) = {each["entrant"] for each in own}
        assert own == [each for each in tables if each["entrant"] == entrant]


@pytest.mark.usefixtures("store")
def test_tables_in_a_format_for_people_are_refused(cli: Cli) -> None:
    """With those that can be had."""
    ran = cli("leaderboard", "--per-table")
    assert ran.status == 2
    assert "--per-table: choose --format csv, json, parquet, not 'simple'" in ran.err


@pytest.mark.usefixtures("store")
def test_a_file_that_cannot_be_written_is_named(cli: Cli) -> None:
    """Instead of a traceback."""
    ran = cli("leaderboard", "--format", "csv", "--output", "nowhere/board.csv")
    assert ran.status == 2
    assert "nowhere/board.csv cannot be written (No such file" in ran.err


@pytest.mark.usefixtures("store")
def test_any_format_can_go_into_a_file(cli: Cli) -> None:
    """The same text as is printed."""
    printed = cli("leaderboard", "--format", "github").out
    ran = cli("leaderboard", "--format", "github", "--output", "board.md")
    assert ran.out == ""
    assert Path("board.md").read_text() == printed


@pytest.mark.usefixtures("store")
def test_the_ending_of_the_file_chooses_the_format(cli: Cli) -> None:
    """A spreadsheet could not read the board for people; a named format counts more."""
    printed = cli("leaderboard", "--format", "csv").out
    assert cli("leaderboard", "--output", "Board.CSV").status == 0
    assert Path("Board.CSV").read_text() == printed
    assert cli("leaderboard", "--output", "tables.json", "--per-table").status == 0
    assert json.loads(Path("tables.json").read_text())
    assert cli("leaderboard", "--output", "board.csv", "--format", "github").status == 0
    assert Path("board.csv").read_text().startswith("|")


@pytest.mark.parametrize("replace", [(), ("--replace",)])
def test_no_file_is_written_over_by_mistake_and_a_store_never(
    cli: Cli, store: Path, replace: tuple[str, ...]
) -> None:
    """With all runs, sources and secrets in it."""
    before, board = store.read_bytes(), Path("board.csv")
    board.write_text("mine")
    ran = cli("leaderboard", "--format", "csv", "--output", store, *replace)
    assert (ran.status, store.read_bytes()) == (2, before)
    assert f"{store} is a store and is not replaced; name another file with --output" in ran.err
    ran = cli("leaderboard", "--format", "csv", "--output", board, *replace)
    assert (ran.status, board.read_text() == "mine") == ((0, False) if replace else (2, True))
    assert replace or "board.csv already exists; name another file with --output, or" in ran.err
