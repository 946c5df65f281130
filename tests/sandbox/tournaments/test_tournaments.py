"""Tournaments of files that nobody has read: they end, and say who did what."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import CORPUS, expected
from tests.support.proving import with_more
from tourney import play_tournament
from tourney.game.turns import Watcher
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.standings.standing import Standing
from tourney.store.store import Store
from tourney.tournament.audit import find_blocks, replay_block, verify_run
from tourney.tournament.loading import enter_again
from tourney.tournament.tournament import TournamentResult

from .classroom import by_itself
from .conftest import Enter, hosts

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

ATTACKERS = (
    *("socket", "fork", "kill_parent", "exit_at_once", "segfault"),
    *("memory_by_bytes", "wager_huge", "wager_word", "draw_number", "str_raises", "syntax_error"),
    *("forged_frame", "host_that_lies", "patch_builtins", "no_player", "recursion", "thread"),
)
"""One of each kind, none of which takes long."""

OWN = """\
from tourney import Player


class Own(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 15
"""
OF_THE_CLOCK = ("Cost", "Start-up")
"""Lines of a report that are never the same."""


def honest_rows(result: TournamentResult) -> list[Standing]:
    """Give the rows of those who are no attackers, whatever their places."""
    return [
        by_itself(row) for row in result.standings if not (CORPUS / f"{row.name}.attack").exists()
    ]


def test_a_first_tournament_waits_for_no_machine_code(enter: Enter, tmp_path: Path) -> None:
    """Nothing is compiled for it, and its digest is that of machine code."""
    places = {"NUMBA_CACHE_DIR": str(tmp_path / "cache"), "PYTHONWARNINGS": "error"}
    program = [sys.executable, "-m", "tourney", "run", str(enter()), "--store", "first.db"]
    for workers in (1, 2):
        done = subprocess.run(
            [*program, "--workers", str(workers)],
            cwd=tmp_path,
            env={**os.environ, **places},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        assert "Warning" not in done.stderr
    assert list((tmp_path / "cache").rglob("*.nbc")) == []
    compiled = play_tournament(enter(), store=tmp_path / "second.db").run
    with Store(tmp_path / "first.db") as first, Store(tmp_path / "second.db") as second:
        uncompiled = {first.digest(first.run(number)) for number in (1, 2)}
        assert uncompiled == {second.digest(compiled)}


def test_a_first_check_waits_for_no_machine_code(tmp_path: Path) -> None:
    """It is what an author does first; the report is that of machine code but for what it took."""
    (tmp_path / "own.py").write_text(OWN)
    reports = []
    for cache in ({"NUMBA_CACHE_DIR": str(tmp_path / "cache")}, {}):
        done = subprocess.run(
            [sys.executable, "-m", "tourney", "check", "own.py", "--json"],
            cwd=tmp_path,
            env={**os.environ, **cache},
            capture_output=True,
            text=True,
            check=True,
        )
        reports.append(json.loads(done.stdout))
    assert list((tmp_path / "cache").rglob("*.nbc")) == []
    for report in reports:
        told = {each["what"]: each["told"] for each in report.pop("measured")}
        report["measured"] = {what: told[what] for what in told if what not in OF_THE_CLOCK}
    assert reports[0] == reports[1]


@pytest.mark.parametrize("workers", with_more([2], [1]))
def test_attackers_are_named_and_nobody_else_notices(
    enter: Enter, tmp_path: Path, workers: int
) -> None:
    """The run ends; verdicts name all of them; the other rows are those of a run without them."""
    store = tmp_path / "cups.db"
    alone = play_tournament(enter(), store=store)
    before = hosts()
    result = play_tournament(enter(ATTACKERS), store=store, workers=workers)
    assert honest_rows(result) == honest_rows(alone)
    assert len(honest_rows(alone)) == 3
    assert not any(row.faults for row in honest_rows(alone))
    attackers = {row.name: row for row in result.standings}
    for name in ATTACKERS:
        causes, _ = expected((CORPUS / f"{name}.attack").read_bytes())
        verdict = attackers[name].verdict
        assert verdict
        assert verdict.cause in causes
    assert result.run.confinement == "full"
    assert hosts() == before


def test_a_run_is_verified_and_shown_by_what_was_answered(enter: Enter, tmp_path: Path) -> None:
    """A table is played again from the answers of its confined player."""
    config = enter(("socket", "wager_huge"))
    result = play_tournament(config, store=tmp_path / "cups.db")
    registry = load_plugins()
    with Store.open(tmp_path / "cups.db") as store:
        tournament = enter_again(result.run, registry)
        assert verify_run(tournament, store, result.run, sample=None, workers=1).differing == ()
        for number in range(len(tournament.entrants)):
            place = find_blocks(tournament, store, result.run, number, 0)[0]
            replay_block(tournament, store, result.run, place, Watcher())


def test_a_file_may_say_who_competes(enter: Enter, tmp_path: Path) -> None:
    """As it may where it is trusted; and both play alike."""
    config = enter()
    honest = tmp_path / "honest14.py"
    helper = "\n\nclass Other(Base):\n    def draw(self, dealer, player):\n        return False\n"
    honest.write_text(honest.read_text("utf-8") + helper + "\n\ncompetitor = Honest\n", "utf-8")
    store = tmp_path / "cups.db"
    confined = play_tournament(config, store=store)
    trusted = play_tournament(config, store=store, trust_submissions=True)
    assert confined.standings == trusted.standings
    assert (confined.run.confinement, trusted.run.confinement) == ("full", "unsafe")
