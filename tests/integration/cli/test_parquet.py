"""Exports as Parquet: the same as in the other formats, with types."""

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.report.text import as_parquet

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow, an extra, is not installed")


@pytest.mark.usefixtures("store")
def test_a_board_as_parquet_is_the_one_as_json(cli: Cli) -> None:
    """Value for value, with types."""
    assert cli("leaderboard", "--format", "parquet", "--output", "board.parquet").status == 0
    table = parquet.read_table("board.parquet")
    assert table.to_pylist() == json.loads(cli("leaderboard", "--format", "json").out)
    kinds = {name: str(table.schema.field(name).type) for name in ("entrant", "rank", "ruin")}
    assert kinds == {"entrant": "string", "rank": "int64", "ruin": "double"}


@pytest.mark.usefixtures("store")
def test_every_table_of_everybody_is_a_row(cli: Cli) -> None:
    """In all three formats the same."""
    for codec in ("csv", "json", "parquet"):
        asked = ("--per-table", "--format", codec, "--output", f"tables.{codec}")
        assert cli("leaderboard", *asked).status == 0
    rows = parquet.read_table("tables.parquet").to_pylist()
    assert len(rows) == 3 * 8
    assert rows == json.loads(Path("tables.json").read_text())
    lines = list(csv.DictReader(io.StringIO(Path("tables.csv").read_text())))
    assert [line["entrant"] for line in lines] == [row["entrant"] for row in rows]
    assert [float(line["net"]) for line in lines] == [row["net"] for row in rows]


@pytest.mark.usefixtures("store")
def test_without_pyarrow_the_message_says_how_to_get_it(
    cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is an extra."""
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    ran = cli("leaderboard", "--format", "parquet", "--output", "board.parquet")
    assert ran.status == 2
    assert (
        "--format parquet needs pyarrow; install it with: pip install 'tourney-cards[parquet]'"
        in ran.err
    )
    assert not Path("board.parquet").exists()


def test_a_column_of_numbers_and_texts_becomes_text() -> None:
    """As a plugin may give it; Parquet has one type for a column."""
    rows = [{"lead": 3}, {"lead": "far"}, {"lead": None}, {"lead": 2**70}]
    table = parquet.read_table(io.BytesIO(as_parquet(rows, {"lead": ""})))
    assert table.column("lead").to_pylist() == ["3", "far", None, str(2**70)]
