"""Tournaments so large that somebody has to want them."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import run_warnings

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

BIG = """\
name: Big
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: TABLES, rounds: ROUNDS}
entrants:
  - strategy: simple
  - strategy: counting
    count: COUNT
"""

MOST_MEGABYTES = 300
"""A third of what a million entrants would take beside what the program is."""


def big(count: int = 2, tables: int = 4, rounds: int = 5) -> str:
    """Write a configuration."""
    return (
        BIG.replace("COUNT", str(count))
        .replace("TABLES", str(tables))
        .replace("ROUNDS", str(rounds))
    )


@pytest.mark.skipif(sys.platform != "linux", reason="asks the kernel how much memory was taken")
@pytest.mark.parametrize("command", [("run", "big.yaml", "--dry-run"), ("plan", "big.yaml")])
def test_a_million_entrants_are_refused_before_memory_is_taken(
    tmp_path: Path, command: tuple[str, ...]
) -> None:
    """Where nobody can be asked; with the place, what they would take and how to go on."""
    (tmp_path / "big.yaml").write_text(big(1_000_000), encoding="utf-8")
    # What the system counts for a process begins with what its parent had.
    limited = (
        "import sys, tourney.cli as cli;"
        "status = cli.main(sys.argv[1:]);"
        "told = open('/proc/self/status').read().partition('VmHWM:')[2];"
        "print(int(told.split()[0]) // 1024); sys.exit(status)"
    )
    ran = subprocess.run(
        [sys.executable, "-c", limited, *command],
        cwd=tmp_path,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ran.returncode == 2
    assert ran.stderr == (
        "big.yaml:10:12: entrants[1].count: 1,000,001 entrants take about 3.8 GB of memory, "
        "and the limit is 100,000 entrants; reduce the count, or add --yes\n"
    )
    assert int(ran.stdout) < MOST_MEGABYTES


def test_who_is_sure_goes_on(cli: Cli, write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """With --yes nothing is asked."""
    monkeypatch.setattr(run_warnings, "LARGE_ENTRANTS", 2)
    write("big.yaml", big(3))
    assert cli("run", "big.yaml", "--dry-run").status == 2
    assert not Path("tourney.db").exists()
    assert cli("run", "big.yaml", "--dry-run", "--yes").status == 0


@pytest.mark.parametrize(
    ("tables", "rounds", "said"),
    [
        (
            1_000_000,
            100,
            "big.yaml: format: the tournament has 101,000,000 results of seats, about 20 GB of a "
            "store; reduce it to at most 50,000,000 results, or add --yes\n",
        ),
        (
            100_000,
            100_000,
            "big.yaml: format: the tournament has 1,010,000,000,000 rounds of seats; "
            "reduce it to at most 100,000,000,000 rounds, or add --yes\n",
        ),
    ],
)
def test_more_work_than_anybody_wants_by_mistake_is_refused(
    cli: Cli, write: Write, tables: int, rounds: int, said: str
) -> None:
    """Before a run is begun."""
    write("big.yaml", big(100, tables, rounds))
    ran = cli("run", "big.yaml")
    assert (ran.status, ran.out, ran.err) == (2, "", said)
    assert not Path("tourney.db").exists()
