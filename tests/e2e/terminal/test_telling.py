"""What a run withholds is not shown while it is played either, nor where it is watched."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.support.proving import with_more

Start = Callable[..., Any]

NAMES = ("Ada Q.", "Blaise W.", "Sofja X.", "Emmy N.")
CONFIG = """\
name: Evening
seed: 11
game: {{preset: ve280, shuffle: uniform}}
bankroll: 60
minimum: 5
format: {{{kind}}}
leaderboard: {{{policy}}}
entrants: [{{strategy: simple, as: Ada Q.}}, {{strategy: counting, as: Blaise W.}},
           {{strategy: mimic, as: Sofja X.}}, {{strategy: ramp, as: Emmy N.}}]
"""
TABLES = "kind: duplicate, tables: 8, rounds: 20, batch_tables: 1"
LEVELS = "kind: multi-table, seats: 2, block_rounds: 10, level_rounds: 10"


@pytest.mark.parametrize("kind", [TABLES, LEVELS], ids=["tables", "levels"])
@pytest.mark.parametrize(
    "policy", with_more(["freeze: 2001-01-01, names: handles"], ["names: handles"])
)
def test_no_name_is_on_the_screen_of_who_plays_or_watches(
    terminal: Start, tmp_path: Path, kind: str, policy: str
) -> None:
    """Standings so far, leaders and news call everybody by the row, or "somebody"."""
    (tmp_path / "it.yaml").write_text(CONFIG.format(kind=kind, policy=policy), encoding="utf-8")
    store = tmp_path / "tourney.db"
    played = terminal("run", tmp_path / "it.yaml", "--store", store, "--workers", 1).end()
    watched = terminal("watch", "--store", store, "--speed", 20_000).end()
    for shown in (played, watched):
        assert shown.status == 0
        assert not [name for name in NAMES if name in shown.text]
        assert ("Player 1" in shown.text) == ("freeze" not in policy)
    assert ("results are hidden" in watched.text) == ("freeze" in policy)
    if kind == LEVELS and "freeze" not in policy:
        assert "an entrant is out" in watched.text


def test_those_who_may_be_told_of_are_named(terminal: Start, tmp_path: Path) -> None:
    """With `top` by name, while it is played and afterwards."""
    (tmp_path / "it.yaml").write_text(CONFIG.format(kind=LEVELS, policy="top: 1"), encoding="utf-8")
    store = tmp_path / "tourney.db"
    terminal("run", tmp_path / "it.yaml", "--store", store, "--workers", 1).end()
    watched = terminal("watch", "--store", store, "--speed", 20_000).end()
    board = watched.text.rpartition("Finish")[2]
    assert sum(name in board for name in NAMES) == 1
    assert " is out" not in watched.text
