"""Verdicts that depend on the machine are played twice, then recorded and never found again."""

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tourney import play_tournament
from tourney.cli import main
from tourney.game.ledger import Verdict, caveat
from tourney.game.turns import Watcher
from tourney.plugins.loading import load_plugins
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store
from tourney.tournament.audit import find_blocks, replay_block, verify_run
from tourney.tournament.loading import enter_again

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)

CUP = """
name: cup
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 100
minimum: 5
format: {kind: duplicate, tables: 3, rounds: 6}
limits: {base_seconds: 0.05}
entrants:
  - strategy: simple
  - file: busy.py
"""

# More than a twentieth of a second for some decisions, and far less than ten times as much.
BUSY = """
from tourney import Player


class Busy(Player):
    def bet(self, bankroll, minimum):
        if bankroll < 95:
            sum(range(4_000_000))
        return minimum

    def draw(self, dealer, player):
        return player.total < 16
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Play a cup in which somebody computes too long."""
    (tmp_path / "busy.py").write_text(BUSY, encoding="utf-8")
    (tmp_path / "cup.yaml").write_text(CUP, encoding="utf-8")
    play_tournament(tmp_path / "cup.yaml", store=tmp_path / "cups.db")
    return tmp_path / "cups.db"


def verdicts(store: Store) -> list[Verdict]:
    """Give the verdicts of the only run."""
    return [seat.verdict for _, seat in store.faulted(1) if seat.verdict]


def test_a_recorded_fault_happens_again_where_it_would_not_be_found(store: Path) -> None:
    """Verifying allows ten times the time; digests are the same by the record, and only by it."""
    with Store.open(store) as kept:
        run = kept.run(1)
        tournament = enter_again(run, load_plugins())
        found = verdicts(kept)
        assert {verdict.cause for verdict in found} == {"cpu"}
        assert all(verdict.is_confirmed and verdict.seen for verdict in found)
        assert verify_run(tournament, kept, run, sample=None).differing == ()
        place = find_blocks(tournament, kept, run, 1, 0)[0]
        assert place[0].recorded
        replay_block(tournament, kept, run, place, Watcher())
        forgotten = (replace(place[0], recorded=()), place[1])
        with pytest.raises(Exception, match="the replay differs from the stored result"):
            replay_block(tournament, kept, run, forgotten, Watcher())


def test_what_a_competitor_may_take_belongs_to_the_run(store: Path) -> None:
    """It is read from the stored configuration again."""
    with Store.open(store) as kept:
        _, busy = enter_again(kept.run(1), load_plugins()).entrants
    assert (busy.budget.base, busy.budget.decision, busy.memory) == (0.05, 1e-4, 512 << 20)


def test_who_is_ended_at_several_tables_is_told_that_it_may_be_any(
    store: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its process was asked for all of them at once, and only it knows at which it computes."""
    words = "any of the decisions asked for at that time may be the cause, not just this one"
    assert main(["verdicts", "--store", str(store)]) == 0
    shown = capsys.readouterr().out
    assert re.search(rf"{words}\n  3 tables; it costs", shown)
    site = store.parent / "site"
    assert main(["publish", "--store", str(store), "--output", str(site)]) == 0
    assert "<h3>cpu, at 3 tables</h3>" in (page := (site / "entrants/2.html").read_text("utf-8"))
    assert (
        f"Note: the process of the player ended, and with it all its tables of a batch; {words}."
        in page
    )
    assert main(["verdicts", "--store", str(store), "--every-fault"]) == 0
    assert capsys.readouterr().out.count(words) == 3


@pytest.mark.parametrize(
    ("cause", "call", "tables", "is_told"),
    [
        ("cpu", "bet", 2, True),
        ("stalled", "draw", 60, True),
        ("cpu", "bet", 1, False),
        ("cpu", "constructor", 60, False),
        ("illegal", "bet", 60, False),
        ("memory", "draw", 60, False),
    ],
)
def test_only_an_ended_process_leaves_it_open(
    cause: str, call: str, tables: int, is_told: bool
) -> None:
    """A fault of one seat is that seat's, and so is one before any question."""
    assert bool(caveat(cause, call, tables)) is is_told
