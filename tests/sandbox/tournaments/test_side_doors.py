"""Entrants that would tell each other something, or sleep, in a tournament as people run it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sandbox.attacks.asking import CORPUS
from tourney import play_tournament
from tourney.sandbox.levels import Level, probe
from tourney.sandbox.syscalls import X86_64, this_machine

from .classroom import BETS, busy, hand_in, honest_rows

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL or this_machine() is not X86_64,
    reason="this machine cannot confine players fully, or has other numbers of calls",
)

CUP = """
name: cup
seed: 7
game: {preset: ve280, shuffle: uniform}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 5}
limits: {max_sleep_seconds: 1}
entrants:
  - strategy: simple
"""


def verdicts(folder: Path, *names: str) -> dict[str, tuple[str, str]]:
    """Run a cup of attackers as people do; give the first verdict of each, cause and message."""
    for name in names:
        (folder / f"{name}.py").write_bytes((CORPUS / f"{name}.attack").read_bytes())
    entrants = "".join(f"  - file: {name}.py\n" for name in names)
    (folder / "cup.yaml").write_text(CUP + entrants, encoding="utf-8")
    _tourney(folder, "run", "cup.yaml", "--workers", "2")
    told = json.loads(_tourney(folder, "verdicts", "--json"))["verdicts"]
    return {each["entrant"]: (each["cause"], each["message"]) for each in told}


def _tourney(folder: Path, *words: str) -> str:
    whole = [sys.executable, "-m", "tourney", *words]
    ran = subprocess.run(whole, cwd=folder, capture_output=True, text=True, check=False)
    assert ran.returncode in {0, 1}, ran.stderr
    return ran.stdout


def test_a_scout_and_a_shark_are_caught_at_their_first_word(tmp_path: Path) -> None:
    """One would wait where the other wakes it, at a word of the library that both have loaded."""
    found = verdicts(tmp_path, "futex_tells", "futex_hears")
    assert set(found) == {"futex_tells", "futex_hears"}
    for cause, message in found.values():
        assert cause == "syscall"
        assert message.startswith("bet: forbidden system call 202, futex(")


def test_to_sleep_for_good_is_a_verdict_and_to_sleep_for_a_while_takes_no_time(
    tmp_path: Path,
) -> None:
    """Nine seconds, a hundred times for each wager, would be hours; a deadlock has an end, too."""
    found = verdicts(tmp_path, "naps", "deadlock")
    assert found == {"deadlock": ("stalled", "bet: it slept for 1 s instead of answering")}


BY_PROCESSORS = """
import os

from tourney import Player


class ByProcessors(Player):
    def bet(self, bankroll, minimum):
        return min(bankroll, minimum * (os.cpu_count() or 1))

    def draw(self, dealer, player):
        return player.total < 15
"""


def test_how_many_processors_there_are_changes_nothing(tmp_path: Path) -> None:
    """One worker may run anywhere, several of them on a processor each."""
    (tmp_path / "mine.py").write_text(BY_PROCESSORS, "utf-8")
    config = tmp_path / "cup.yaml"
    config.write_text(f"{CUP}  - file: mine.py\n", "utf-8")
    anywhere = play_tournament(config, store=tmp_path / "one.db", workers=1)
    everywhere = len(os.sched_getaffinity(0))
    apart = play_tournament(config, store=tmp_path / "all.db", workers=everywhere)
    assert [row.faults for row in anywhere.standings] == [0, 0]
    assert apart.standings == anywhere.standings


@pytest.mark.prove
def test_a_busy_machine_is_nobodys_sleep(tmp_path: Path) -> None:
    """Honest players wait for turns, often and long; a study is `benchmarks/busy_machine.py`."""
    config = hand_in(tmp_path / "class", len(BETS), (), tables=2)
    config.write_text(config.read_text("utf-8") + "limits: {max_sleep_seconds: 1}\n", "utf-8")
    # What is loaded once must not be loaded by a busy machine, which takes half a minute.
    alone = play_tournament(config, store=tmp_path / "alone.db", workers=1)
    with busy(4 * (os.cpu_count() or 1)):
        result = play_tournament(config, store=tmp_path / "class.db", workers=1)
    rows = honest_rows(result)
    assert rows == honest_rows(alone)
    assert len(rows) == len(BETS)
    assert not any(row.faults for row in rows)
