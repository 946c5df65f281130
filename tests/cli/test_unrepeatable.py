"""`verify` and `publish` name who is never the same twice, and show everybody else."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.confined.dicey import DUPLICATE, HONEST, SHARED, written
from tests.told import told_of
from tourney.jail.levels import Level, probe

Cli = Callable[..., Any]

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)


def test_late_dice_cost_nobody_else_their_pages(tmp_path: Path, cli: Cli) -> None:
    """Whoever is never the same twice is named and marked; all other hands are shown."""
    config = written(tmp_path, DUPLICATE, late=200)
    cli("run", config)
    ran = cli("publish", "--to", "site")
    assert ran.status == 1
    assert "dicey: 6 tables cannot be shown again: never the same twice: bet:" in ran.err
    data = told_of("site")
    dicey, honest = sorted(data["entrants"], key=lambda each: str(each["name"]))
    assert [each["cause"] for each in dicey["verdicts"]] == ["unrepeatable"]
    assert all(table["is_lost"] and not table["blocks"] for table in dicey["tables"])
    assert all(table["blocks"] for table in honest["tables"])
    assert (honest["lost"], honest["verdicts"]) == (0, [])
    assert "never the same twice" in Path("site/index.html").read_text("utf-8")
    assert cli("verify", "--site", "site").status == 0


REAL = """
import os


def roll():
    return os.urandom(1)[0] % 50
"""
THEN = """
import os


def roll():
    return int(os.environ["LUCK"])
"""


def trusted(folder: Path, config: str, dice: str) -> Path:
    """Write a tournament whose honest player keeps from dice that nobody replaces out here."""
    path = written(folder, config, dice)
    honest = HONEST.replace(" + random.randrange(5)", "")
    (folder / "honest.py").write_text(honest, encoding="utf-8")
    return path


@pytest.mark.parametrize("config", [DUPLICATE, SHARED], ids=["alone", "shared"])
def test_real_dice_of_the_trusted_cost_nobody_else_their_pages(
    tmp_path: Path, cli: Cli, config: str
) -> None:
    """In the platform's own process nobody is asked again; who looks at the run finds them."""
    path = trusted(tmp_path, config, REAL)
    assert cli("run", path, "--trust-submissions", "--workers", "1").status == 0
    ran = cli("verify", "--all", "--trust-submissions", "--workers", "1")
    assert ran.status == 1
    named = [line for line in ran.err.splitlines() if "never the same twice" in line]
    assert named
    assert all(line.startswith("dicey") for line in named)
    assert cli("publish", "--to", "site", "--trust-submissions").status == 1
    data = told_of("site")
    for entrant in data["entrants"]:
        is_dicey = entrant["name"].startswith("dicey")
        assert bool(entrant["verdicts"]) == is_dicey
        if config is DUPLICATE:
            assert bool(entrant["lost"]) == is_dicey
    assert cli("verify", "--site", "site").status == 0


FAILING = """
import os

from tourney import Player


class Dicey(Player):
    def __init__(self):
        self.seen = 0

    def roll(self, most):
        if os.urandom(1)[0] < most:
            raise ValueError("no")

    def expose(self, card):
        self.seen += 1
        if self.seen > 20:
            self.roll(12)

    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < 16
"""


@pytest.mark.parametrize("where", ["in expose", "in its constructor"])
def test_who_fails_by_chance_where_nobody_is_asked_is_named_and_not_the_game(
    tmp_path: Path, cli: Cli, where: str
) -> None:
    """Cards and answers are the same until then, so its fault is the first thing that differs."""
    path = trusted(tmp_path, DUPLICATE, REAL)
    failing = FAILING
    if where == "in its constructor":
        failing = FAILING.replace("+= 1", "= 0").replace("seen = 0\n", "seen = self.roll(128)\n", 1)
    (tmp_path / "dicey.py").write_text(failing, encoding="utf-8")
    cli("run", path, "--trust-submissions", "--workers", "1")
    ran = cli("verify", "--all", "--trust-submissions", "--workers", "1")
    assert ran.status == 1
    assert "game blackjack" not in ran.err
    assert "dicey is never the same twice: " in ran.err


def test_one_of_several_is_suspected_where_new_plays_are_alike(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It played otherwise then, and plays alike now: alone at a table it is named all the same."""
    monkeypatch.setenv("LUCK", "0")
    for config in (DUPLICATE, SHARED):
        path = trusted(tmp_path, config, THEN)
        assert cli("run", path, "--trust-submissions", "--workers", "1").status == 0
    monkeypatch.setenv("LUCK", "1")
    ran = cli("verify", "1", "--all", "--trust-submissions", "--workers", "1")
    assert ran.status == 1
    assert "dicey is never the same twice: expected the stored result" in ran.err
    ran = cli("verify", "2", "--all", "--trust-submissions", "--workers", "1")
    assert ran.status == 1
    assert "one of these does not play as it did: " in ran.err
    ran = cli("publish", "2", "--to", "site", "--trust-submissions")
    assert ran.status == 1
    assert "somebody else at them, or the game itself, is never the same twice" in ran.err


def test_a_board_marks_whom_a_run_has_blamed(tmp_path: Path, cli: Cli) -> None:
    """On the terminal, among the verdicts and on the pages; the pages are whole."""
    ran = cli("run", written(tmp_path, DUPLICATE))
    assert ran.status == 1
    assert "dicey: bet: expected the same answer whenever the same is asked, got " in ran.err
    told = cli("verdicts").out
    assert told.startswith("dicey: unrepeatable\n")
    assert "6 tables; it costs: all that the table is worth is lost" in told
    assert cli("publish", "--to", "site").status == 0
    page = Path("site/index.html").read_text("utf-8")
    assert page.count("(never the same twice)") == 1
    assert cli("verify", "--site", "site").status == 0
