"""What a process must load before it can ask a player."""

import subprocess
import sys

LOADS = """
import sys
import tourney.games.blackjack.asking.pool
import tourney.sandbox.host
print(*sorted({name.split(".")[1] for name in sys.modules if name.startswith("tourney.")}))
"""


def test_a_pool_needs_neither_engine_nor_schedule() -> None:
    """What a confined process has not loaded, nobody in there can reach."""
    ran = subprocess.run([sys.executable, "-c", LOADS], capture_output=True, text=True, check=True)
    assert ran.stdout.split() == ["errors", "game", "games", "lazy", "sandbox"]
