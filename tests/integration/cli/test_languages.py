"""A language that a plugin brings is taken in, played, confined and verified like the others.

Nothing in the platform knows of it; `tiny_language` is what its author writes.
"""

import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.resilience.damage.crafted import seal_as_it_is
from tourney.competitors.sources import digest_of
from tourney.plugins.loading import installed_languages, installed_plugins
from tourney.sandbox.levels import Level, probe

CUP = """\
name: cup
seed: 7
game: {preset: ve280}
bankroll: 1000
minimum: 5
format: {kind: duplicate, tables: 4, rounds: 20, batch_tables: 2}
entrants:
  - strategy: simple
"""
PLATFORMS = ("strategy", "file", "cpp", "chart", "package", "class", "program", "command")
PLAYER = "bet 5\ndraw below 15\n"
TWIN = """\
from tourney import Player


class Twin(Player):
    def bet(self, bankroll, minimum):
        return min(5, bankroll)

    def draw(self, dealer, player):
        return player.total < 15
"""
ENTRY_POINTS = "[tourney]\ntiny = tiny_language\n"
METADATA = "Metadata-Version: 2.1\nName: tiny-language\nVersion: 1.0\n"

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

confines = pytest.mark.skipif(
    probe() is not Level.FULL, reason="this machine cannot confine players fully"
)


@pytest.fixture(autouse=True)
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Install the plugin, until it is removed from the path."""
    folder = tmp_path / "site"
    info = folder / "tiny_language-1.0.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(METADATA, encoding="utf-8")
    (info / "entry_points.txt").write_text(ENTRY_POINTS, encoding="utf-8")
    shutil.copy(Path(__file__).with_name("tiny_language.py"), folder)
    monkeypatch.syspath_prepend(folder)
    installed_plugins.cache_clear()
    yield folder
    installed_plugins.cache_clear()
    sys.modules.pop("tiny_language", None)


def board(cli: Cli) -> dict[str, object]:
    """Give the mean final bankroll of everybody, by name."""
    rows = json.loads(cli("leaderboard", "--format", "json").out)
    return {row["entrant"]: row["mean_final_bankroll"] for row in rows}


def test_it_stands_among_the_platforms_own() -> None:
    """In the order in which plugins are loaded."""
    assert list(installed_languages()) == [*PLATFORMS, "tiny", "wild"]


@confines
def test_check_takes_it_as_it_takes_a_file(cli: Cli, write: Write) -> None:
    """Confined, with situations and a match."""
    ran = cli("check", write("ada.tiny", PLAYER), "--json")
    report = json.loads(ran.out)
    assert (ran.status, report["passed"], report["findings"]) == (0, True, [])
    assert "Situations" in {each["what"] for each in report["measured"]}
    twin = json.loads(cli("check", write("twin.py", TWIN), "--json").out)
    assert report["score"] == twin["score"]


def test_its_faults_are_told_in_its_words(cli: Cli, write: Write) -> None:
    """Wherever it is read, and without a trace of Python."""
    said = "ada.tiny:1: expected 'bet N' and 'draw below T', got something else\n"
    bad = write("ada.tiny", "bet all\n")
    assert cli("check", bad).err == said
    assert cli("submit", bad, "--as", "Ada", "--game", "ve280").err == said
    cup = write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n")
    assert cli("run", cup, "--workers", "1").err == said


def test_what_it_cannot_play_is_refused(cli: Cli, write: Write) -> None:
    """By rules that ask for more, and by another game."""
    poor = write("ada.tiny", PLAYER.replace("bet 5", "bet 1"))
    ran = cli("submit", poor, "--as", "Ada", "--game", "eecs280")
    assert ran.err == "ada.tiny: expected a bet of at least 5, got 1\n"
    cup = write("cup.yaml", f"{CUP.replace('ve280', 'eecs280')}  - tiny: ada.tiny\n")
    assert "entrant ada: expected a bet of at least 5, got 1" in cli("run", cup).err
    ran = cli("check", poor, "--game", "straights")
    assert "a tiny player does not play straights" in ran.out + ran.err


def test_what_nobody_reads_is_refused_with_all_that_is_read(cli: Cli, write: Write) -> None:
    """The list grows with what is installed."""
    said = "a chart (.txt), a package's folder, a tiny player (.tiny) or a wild player (.wild), got"
    assert said in cli("check", write("ada.java", "class Ada {}\n")).err


def test_a_tournament_of_data_runs_unconfined_and_verifies(cli: Cli, write: Write) -> None:
    """Entered by path and by pattern, in this process and in others, with the same results."""
    write("ada.tiny", PLAYER)
    write("twin.py", TWIN)
    cup = write("cup.yaml", f"{CUP}  - tiny: a*.tiny\n  - file: twin.py\n")
    assert cli("run", cup, "--workers", "2", "--no-sandbox").status == 0
    means = board(cli)
    assert means["ada"] == means["twin"] != means["simple"]
    assert cli("verify", "1", "--full", "--workers", "1", "--no-sandbox").status == 0
    assert "ada: ada.tiny (a file), source" in cli("runs", "1").out


def test_who_brings_only_data_needs_no_trust(cli: Cli, write: Write) -> None:
    """As with charts; options are refused, as the language takes none."""
    write("ada.tiny", PLAYER)
    assert cli("run", write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n"), "--workers", "1").status == 0
    assert "no entrant brought code" in cli("runs", "1").out
    assert cli("verify", "1", "--workers", "1").status == 0
    cup = write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n    options: {{spread: 2}}\n")
    assert "a tiny has no options; remove them" in cli("run", cup).err


@confines
def test_a_tournament_of_programs_is_confined(cli: Cli, write: Write) -> None:
    """Of what was submitted and of what is named, and results are those of data."""
    write("ada.tiny", PLAYER)
    wild = write("leo.wild", PLAYER)
    taken = cli("submit", wild, "--as", "Leo", "--game", "ve280", "--to", "class", "--json")
    assert (taken.status, json.loads(taken.out)["kind"]) == (0, "wild")
    assert " wild " in cli("submissions", "class").out
    cup = write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n  - submissions: class\n")
    assert cli("run", cup, "--workers", "1").status == 0
    means = board(cli)
    assert means["ada"] == means["Leo"]
    assert "the code of 1 entrant ran in sandboxed processes" in cli("runs", "1").out
    assert cli("verify", "1", "--full", "--workers", "1").status == 0
    assert cli("replay", "1", "--entrant", "Leo", "--table", "1").status == 0


@confines
def test_what_a_store_calls_data_is_read_as_data(cli: Cli, write: Write, tmp_path: Path) -> None:
    """A stranger who puts a program there does not get it run."""
    mark = tmp_path / "mark"
    write("ada.tiny", PLAYER)
    assert cli("run", write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n"), "--workers", "1").status == 0
    with closing(sqlite3.connect(tmp_path / "tourney.db")) as rows, rows:
        files = (("ada.tiny", f"open({str(mark)!r}, 'w')\n{TWIN}"),)
        row = digest_of(files, ()), json.dumps(files)
        rows.execute("INSERT INTO sources (digest, files) VALUES (?, ?)", row)
        rows.execute("UPDATE entrants SET digest = ? WHERE number = 1", row[:1])
    seal_as_it_is(tmp_path / "tourney.db")
    ran = cli("verify", "1", "--workers", "1", "--no-sandbox")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("ada.tiny:1: expected 'bet N' and 'draw below T'")
    assert not mark.exists()


def test_a_run_of_a_language_that_is_gone_is_refused(cli: Cli, write: Write, site: Path) -> None:
    """What is stored stays as it is, and is played again once the plugin is back."""
    write("ada.tiny", PLAYER)
    assert cli("run", write("cup.yaml", f"{CUP}  - tiny: ada.tiny\n"), "--workers", "1").status == 0
    aside = site.rename(site.with_name("aside"))
    installed_plugins.cache_clear()
    ran = cli("verify", "1", "--workers", "1")
    assert (ran.status, ran.out) == (1, "")
    kinds = "a strategy, a file, a program in C++, a chart, a package, a class of this program, "
    assert f"entrant ada: unknown kind 'tiny', not {kinds}a program or a command" in ran.err
    aside.rename(site)
    installed_plugins.cache_clear()
    assert cli("verify", "1", "--workers", "1").status == 0
