"""Commands that play a run again name whom they cannot show again, and serve all others."""

import csv
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pyarrow import parquet

from tests.sandbox.tournaments.dicey import DUPLICATE, HONEST, KERNEL, SHARED, written
from tests.support.told import told_of
from tourney import open_store
from tourney.cli import main
from tourney.errors import DigestMismatchError, MissingHandsWarning
from tourney.sandbox.levels import Level, probe
from tourney.store.store import Store
from tourney.tournament import divergence

Cli = Callable[..., Any]

pytestmark = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)


def test_late_dice_cost_nobody_else_their_pages(tmp_path: Path, cli: Cli) -> None:
    """Whoever is never the same twice is named and marked; all other hands are shown."""
    config = written(tmp_path, DUPLICATE, late=200)
    cli("run", config)
    ran = cli("publish", "--output", "site")
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

COUNTED = """
import os

PLAY = int(os.environ["LUCK"])
os.environ["LUCK"] = str(PLAY + 1)


def roll():
    return 1 + PLAY % 50
"""
"""Dice that fall otherwise whenever the file is loaded, and the same in every run of the test."""


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
    assert cli("run", path, "--no-sandbox", "--workers", "1").status == 0
    ran = cli("verify", "--full", "--no-sandbox", "--workers", "1")
    assert ran.status == 1
    named = [line for line in ran.err.splitlines() if "never the same twice" in line]
    assert named
    assert all(line.startswith("dicey") for line in named)
    assert cli("publish", "--output", "site", "--no-sandbox").status == 1
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
        os.environ["LUCK"] = str(int(os.environ["LUCK"]) * 75 % 65_537)
        if int(os.environ["LUCK"]) % 256 < most:
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
    tmp_path: Path, cli: Cli, where: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Cards and answers are the same until then, so its fault is the first thing that differs.

    A random generator that outlasts a play stands in for chance: no two plays are the same,
    and the test always sees the same ones.
    """
    monkeypatch.setenv("LUCK", "1")
    path = trusted(tmp_path, DUPLICATE, REAL)
    failing = FAILING
    if where == "in its constructor":
        failing = FAILING.replace("+= 1", "= 0").replace("seen = 0\n", "seen = self.roll(128)\n", 1)
    (tmp_path / "dicey.py").write_text(failing, encoding="utf-8")
    cli("run", path, "--no-sandbox", "--workers", "1")
    ran = cli("verify", "--full", "--no-sandbox", "--workers", "1")
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
        assert cli("run", path, "--no-sandbox", "--workers", "1").status == 0
    monkeypatch.setenv("LUCK", "1")
    ran = cli("verify", "1", "--full", "--no-sandbox", "--workers", "1")
    assert ran.status == 1
    assert "dicey is never the same twice: the replay differs from the stored result" in ran.err
    ran = cli("verify", "2", "--full", "--no-sandbox", "--workers", "1")
    assert ran.status == 1
    assert "one of these does not play as it did: " in ran.err
    ran = cli("publish", "2", "--output", "site", "--no-sandbox")
    assert ran.status == 1
    assert "another player at the table, the game or the installed version" in ran.err


def test_a_board_marks_whom_a_run_has_blamed(tmp_path: Path, cli: Cli) -> None:
    """On the terminal, among the verdicts and on the pages; the pages are whole."""
    ran = cli("run", written(tmp_path, DUPLICATE))
    assert ran.status == 1
    assert "dicey: bet: the answer to the same question changed: " in ran.err
    told = cli("verdicts").out
    assert told.startswith("dicey: unrepeatable\n")
    assert "6 tables; it costs: all that the table is worth is lost" in told
    assert cli("publish", "--output", "site").status == 0
    page = Path("site/index.html").read_text("utf-8")
    assert page.count("(never the same twice)") == 1
    assert cli("verify", "--site", "site").status == 0


THREE = DUPLICATE.replace("  - file: dicey.py", "  - strategy: simple\n  - file: dicey.py")
MISSING = "expected the same answer whenever the same is asked"


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the folder of a run in which one player of three rolls real dice late."""
    folder = tmp_path_factory.mktemp("late")
    path = written(folder, THREE, KERNEL, late=200)
    assert main(["run", str(path), "--store", str(folder / "cup.db"), "--workers", "1"]) == 0
    return folder


def rows(path: Path) -> list[dict[str, Any]]:
    """Read a file of an export."""
    found: list[dict[str, Any]] = parquet.read_table(path).to_pylist()
    return found


def test_an_export_holds_all_hands_of_the_other_players(
    late: Path, tmp_path: Path, cli: Cli
) -> None:
    """The honest rows are those of a run without the late player; that player is named."""
    ran = cli("export", "--store", late / "cup.db", "--output", "data")
    assert ran.status == 1
    assert "the hands of 6 blocks are missing" in ran.err
    assert f"dicey is never the same twice: bet: {MISSING}" in ran.err
    with Path("data/missing.csv").open(encoding="utf-8") as file:
        missing = list(csv.DictReader(file))
    assert [(each["entrant"], each["table"]) for each in missing] == [
        ("dicey", str(table)) for table in range(1, 7)
    ]
    assert {each["differing"] for each in missing} == {"dicey"}
    alone = written(tmp_path, THREE.replace("  - file: dicey.py\n", ""), KERNEL)
    assert cli("run", alone, "--store", "alone.db").status == 0
    assert cli("export", "--store", "alone.db", "--output", "alone").status == 0
    assert not Path("alone/missing.csv").exists()
    for name in ("hands.parquet", "decisions.parquet"):
        assert rows(Path("data") / name) == rows(Path("alone") / name)


def test_an_export_of_nothing_but_missing_hands_keeps_the_files_of_the_one_before(
    late: Path, cli: Cli
) -> None:
    """A part of which no block comes out as it is stored is refused with the player's name."""
    assert cli("export", "--store", late / "cup.db", "--output", "data").status == 1
    before = {path: path.read_bytes() for path in Path("data").iterdir()}
    ran = cli("export", "--store", late / "cup.db", "--output", "data", "--entrant", "dicey")
    assert ran.status == 1
    assert "dicey is never the same twice" in ran.err
    assert {path: path.read_bytes() for path in Path("data").iterdir()} == before


def test_an_export_that_is_whole_removes_the_list_of_missing_seats(late: Path, cli: Cli) -> None:
    """The list belongs to the files beside it."""
    assert cli("export", "--store", late / "cup.db", "--output", "data").status == 1
    assert cli("export", "--store", late / "cup.db", "--output", "data", "--entrant", "simple")
    assert not Path("data/missing.csv").exists()


@pytest.mark.parametrize("how", [(), ("--as-seen",)])
def test_replay_names_the_player_and_shows_no_hand_that_was_not_played(
    late: Path, cli: Cli, how: tuple[str, ...]
) -> None:
    """It printed hands of another play before it said that they are not those of then."""
    there = ("--store", late / "cup.db", "--table", 1, *how)
    ran = cli("replay", *there, "--entrant", "dicey")
    assert (ran.status, ran.out) == (1, "")
    assert f"dicey is never the same twice: bet: {MISSING}" in ran.err
    honest = cli("replay", *there, "--entrant", "honest")
    assert honest.status == 0
    assert honest.out


def test_at_a_shared_table_all_blocks_are_served_but_those_that_come_out_differently(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows and missing seats make up the run; the player that differs alone is named."""
    monkeypatch.setenv("LUCK", "0")
    path = trusted(tmp_path, SHARED.replace("block_rounds: 5", "block_rounds: 10"), COUNTED)
    source = (tmp_path / "dicey.py").read_text("utf-8")
    poor = source.replace("Dicey.rolls > 0", "60 < bankroll < 120")
    (tmp_path / "dicey.py").write_text(poor, encoding="utf-8")
    how = ("--store", "cup.db", "--no-sandbox")
    assert cli("run", path, *how, "--workers", "1").status == 0
    ran = cli("export", *how, "--output", "data")
    assert ran.status == 1
    named = [line for line in ran.err.splitlines() if "never the same twice" in line]
    assert named
    assert all(line.startswith("dicey") for line in named)
    with Path("data/missing.csv").open(encoding="utf-8") as file:
        missing = list(csv.DictReader(file))
    assert all(each["differing"].startswith("dicey") for each in missing)
    left_out = {(each["entrant"], int(each["table"]), int(each["first_round"])) for each in missing}
    shown = {
        (each["entrant"], each["table"], (each["round"] - 1) // 10 * 10 + 1)
        for each in rows(Path("data/hands.parquet"))
    }
    with Store.open(Path("cup.db"), create=False) as kept:
        names = [each.name for each in kept.run(1).entrants]
        played = {
            (names[seat.entrant], block.key.table + 1, block.key.first_round)
            for block in kept.blocks(1)
            for seat in block.seats
        }
    assert shown | left_out == played
    assert not shown & left_out
    partly = {each[:2] for each in left_out} & {each[:2] for each in shown}
    entrant, table = min(partly)
    rest = sum((entrant, table) == each[:2] for each in shown)
    ran = cli("replay", *how, "--entrant", entrant, "--table", table)
    assert ran.status == 1
    assert "dicey" in ran.err
    assert ran.out.count("# Hand ") == 10 * rest


def test_python_gives_the_other_hands_and_warns_of_the_player(late: Path) -> None:
    """Rows that are left out are no silent loss."""
    with open_store(late / "cup.db") as runs:
        with pytest.warns(MissingHandsWarning, match="dicey is never the same twice"):
            hands = runs[1].hands()
        assert set(hands.column("entrant").to_pylist()) == {"honest", "simple"}
        with pytest.raises(DigestMismatchError, match="dicey is never the same twice"):
            runs[1].hands(entrant="dicey")
        with pytest.raises(DigestMismatchError, match="dicey is never the same twice"):
            runs[1].replay("dicey", 1)
        assert runs[1].replay("honest", 1).text


def test_a_season_shows_all_others_and_names_the_player(late: Path, cli: Cli) -> None:
    """As `publish` does; its exit status was 0, and it named nobody."""
    Path("season.yaml").write_text("name: S\nruns: [1]\npoints: [3, 2, 1]\n", encoding="utf-8")
    ran = cli("season", "season.yaml", "--store", late / "cup.db", "--output", "site")
    assert ran.status == 1
    assert "dicey: 6 tables cannot be shown again: never the same twice: bet" in ran.err
    data = told_of("site/run-1")
    assert [bool(each["lost"]) for each in data["entrants"]] == [
        each["name"] == "dicey" for each in data["entrants"]
    ]


def test_another_version_of_the_platform_costs_nobody_else_their_pages(
    late: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where no player can be blamed, all tables that come out as stored are shown all the same."""
    monkeypatch.setattr(divergence, "versions", lambda: (("tourney", "0"),))
    monkeypatch.setattr(divergence, "PLAYS", 1)
    ran = cli("publish", "--store", late / "cup.db", "--output", "site")
    assert ran.status == 1
    assert "dicey: 6 tables cannot be shown again: another player at the table, the game or" in (
        ran.err
    )
    ran = cli("export", "--store", late / "cup.db", "--output", "data")
    assert ran.status == 1
    assert "another version may play differently" in ran.err
    assert {each["entrant"] for each in rows(Path("data/hands.parquet"))} == {"honest", "simple"}
