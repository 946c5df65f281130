"""Somebody at a terminal is asked whether a large tournament is wanted."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Start = Callable[..., Any]

BIG = """\
name: Big
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 1000000, rounds: 5}
entrants:
  - strategy: simple
    count: 100
"""


def test_a_large_tournament_is_asked_about(terminal: Start, tmp_path: Path) -> None:
    """Whoever says no begins nothing."""
    (tmp_path / "big.yaml").write_text(BIG, encoding="utf-8")
    program = terminal("run", "big.yaml")
    program.wait_for("Continue? [y/N]: ")
    program.type("n\n")
    last = program.end()
    assert last.status == 130
    assert "about 20 GB of a store" in last.text
    assert not (tmp_path / "tourney.db").exists()
