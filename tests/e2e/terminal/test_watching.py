"""A run that is watched on a terminal: a board that changes, and keys that leave it."""

import re
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.cli import main
from tourney.store.store import Store

Start = Callable[..., Any]

LAST_BATCH = 7
CURSOR = "\x1b[?25h"
"""What shows the cursor again."""

CONFIG = """\
name: Six at two tables
seed: 11
game: {preset: ve280, shuffle: uniform}
bankroll: 60
minimum: 5
format: {kind: multi-table, seats: 3, block_rounds: 10, level_rounds: 10}
floor: {tables: 2}
entrants: [{strategy: simple, count: 4}, {strategy: counting, count: 2}]
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Play a small tournament of two tables."""
    config, store = tmp_path / "six.yaml", tmp_path / "tourney.db"
    config.write_text(CONFIG, encoding="utf-8")
    assert main(["run", str(config), "--store", str(store), "--workers", "1"]) == 0
    return store


def test_a_finished_run_is_replayed_at_the_speed_asked_for(terminal: Start, store: Path) -> None:
    """Clock, level, tables, players, leaders and who went out last; then the board."""
    program = terminal("watch", "--store", store, "--speed", 6_000)
    program.wait_for("level 2, minimum 7")
    program.wait_for("Out last")
    shown = program.end()
    assert shown.status == 0
    for words in ("run 1: Six at two tables", "6 players, 2 tables", "Entrant", "News", "q leaves"):
        assert words in shown.text
    board = shown.text.rpartition("Finish")[2].partition("\n---")[2]
    places = [line.split()[0] for line in board.splitlines()[1:7]]
    assert places == list("123456")


def test_a_finished_run_is_shown_in_two_minutes(terminal: Start, store: Path) -> None:
    """Unless another speed is asked for; the speed is printed."""
    program = terminal("watch", "--store", store)
    program.wait_for("6 players")
    program.type("q")
    shown = program.end()
    assert shown.status == 0
    speed = re.search(r"shown (\d+) times as fast as on the floor", shown.text)
    assert speed
    assert int(speed[1]) * 2 == pytest.approx(2 * 60 + 19, abs=1)  # 2 h 19 min in two minutes


@pytest.mark.parametrize(("key", "status"), [("q", 0), ("\x03", 130)], ids=["q", "Control-C"])
def test_a_key_leaves(terminal: Start, store: Path, key: str, status: int) -> None:
    """There is a cursor again, and q says how far it was."""
    program = terminal("watch", "--store", store, "--speed", 1)
    program.wait_for("q leaves")
    program.type("x")  # a key that means nothing
    program.type(key)
    shown = program.end()
    assert shown.status == status
    assert "Traceback" not in shown.text
    after = shown.text.rpartition(CURSOR)[2]
    assert ("left at 0:00; run 1 is finished" in after) == (key == "q")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(
    terminal: Start, store: Path, number: signal.Signals
) -> None:
    """With a cursor, and without a traceback."""
    program = terminal("watch", "--store", store, "--speed", 1)
    program.wait_for("q leaves")
    program.send(number)
    shown = program.end()
    assert shown.status == 128 + number
    assert "Traceback" not in shown.text
    assert CURSOR in shown.text


def test_a_run_that_goes_on_is_waited_for(terminal: Start, store: Path) -> None:
    """The board says so, and q leaves here, too."""
    with Store.open(store) as kept:
        kept._database.execute("DELETE FROM batches WHERE number = ?", (LAST_BATCH,))
        kept.reopen_run(1)
    program = terminal("watch", "--store", store)
    program.wait_for("(waiting for the run to be resumed)")
    program.type("q")
    shown = program.end()
    assert shown.status == 0
    assert "run 1 is interrupted\nif no process plays it: tourney resume 1" in shown.text
