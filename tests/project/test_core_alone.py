"""The core without its optional parts: course, portal and environments."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
OPTIONAL = ("course", "portal", "environments")
GAME_NAMES = re.compile("blackjack|straights|csc24400", re.IGNORECASE)
PROGRAM = """
import sys
import tourney

config = {
    "name": "Alone",
    "seed": 1,
    "game": {"preset": "ve280", "shuffle": "uniform"},
    "bankroll": 1000,
    "minimum": 5,
    "format": {"kind": "duplicate", "tables": 4, "rounds": 20},
    "entrants": [{"strategy": "simple"}, {"strategy": "counting"}, {"file": "mine.py"}],
}
result = tourney.play_tournament(config, store="alone.db", workers=1)
print(len(result.standings), tourney.__file__)
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("tourney.")}))
"""
MINE = """
from tourney import Player


class Mine(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 15
"""


def test_a_tournament_is_played_without_the_optional_parts(tmp_path: Path) -> None:
    """A copy of the tree without the three folders plays the same tournament."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(ROOT / "tourney", tmp_path / "copy" / "tourney", ignore=ignored)
    for part in OPTIONAL:
        shutil.rmtree(tmp_path / "copy" / "tourney" / part)
    (tmp_path / "mine.py").write_text(MINE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "copy")},
    )
    assert done.returncode == 0, done.stderr
    played, rooms = done.stdout.splitlines()
    assert played == f"3 {tmp_path / 'copy' / 'tourney' / '__init__.py'}"
    assert not set(OPTIONAL) & set(rooms.split())


def test_the_sandbox_names_no_game() -> None:
    """Not even in a text: `tourney.games` lists what players import, and callers name contracts."""
    files = sorted((ROOT / "tourney" / "sandbox").rglob("*"))
    texts = {path: path.read_text(encoding="utf-8") for path in files if path.suffix == ".py"}
    assert texts
    named = [path.name for path, text in texts.items() if GAME_NAMES.search(text)]
    assert named == []
