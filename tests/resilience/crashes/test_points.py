"""A run that is killed at any point of its work with the store goes on as if it never was."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.proving import with_more
from tourney.store.store import Store

from .points import POINTS, before_commits, before_statements

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")

ROOT = Path(__file__).parents[3]
CONFIG = """\
name: Killed
seed: 1912
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 6, rounds: 10, batch_tables: 3}
floor: {tables: 6, dealers: 4}
entrants:
  - strategy: simple
  - strategy: counting
"""


@pytest.mark.prove
@pytest.mark.parametrize("kind", with_more(["commits"], ["statements"]))
def test_a_run_killed_at_any_point_comes_to_the_same(kind: str, tmp_path: Path) -> None:
    """Nothing is half stored, whether the store was being made, written to or tidied."""
    config = tmp_path / "killed.yaml"
    config.write_text(CONFIG, encoding="utf-8")
    command = (
        sys.executable,
        "-m",
        "tests.resilience.crashes.points",
        str(config),
        str(tmp_path),
        kind,
    )
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    statements = (tmp_path / "statements.txt").read_text("utf-8").splitlines()
    lines = done.stdout.splitlines()
    assert len(lines) == len(POINTS[kind](statements)) >= 10
    with Store.open(tmp_path / "whole.db", create=False) as store:
        whole = store.run_digest(1).hex()
    assert {line.partition(" ")[0] for line in lines} == {whole}


def test_every_kind_is_killed_once() -> None:
    """The first and the last statement of a kind, and the first transaction of a kind."""
    begun = ["BEGIN", "INSERT", "COMMIT", "BEGIN", "INSERT", "INSERT", "COMMIT"]
    statements = [*begun, "BEGIN", "DELETE", "COMMIT"]
    assert sorted(before_commits(statements)) == [2, 9]
    assert sorted(before_statements(statements)) == [0, 1, 2, 5, 7, 8, 9]
