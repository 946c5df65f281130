"""The first submissions of a class: several at once, and late ones before there is a deadline."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tourney.sandbox.levels import Level, probe

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

TRUST = ("--no-sandbox",) if probe() is Level.UNSAFE else ()
CHART = Path(__file__).parents[3] / "strategies" / "charts" / "basic_six_decks_s17.txt"
EXPORT = """\
Student,ID,SIS Login ID,Section,Cup (1)
"Perlman, Radia",1019,perlman,001,
"Johnson, Katherine",1020,johnson,001,
"Klein, Felix",1026,klein,001,
"""
FILES = ("perlmanradia_LATE_1019_7020_a.py", "johnsonkatherine_LATE_1020_7021_b.py")
PLAYER = """\
from tourney import Player


class Mine(Player):
    def bet(self, bankroll, minimum):
        return minimum

    def draw(self, dealer, player):
        return player.total < {total}
"""
DEADLINE = 'deadline: "2026-11-26 10:00+00:00"\n'
TAKE = ("submit", "--zip", "late.zip", "--to", "class", *TRUST)


def test_students_may_be_the_first_at_the_same_moment(tmp_path: Path) -> None:
    """Nobody is rejected because another process makes the folder and its rules."""
    command = [sys.executable, "-m", "tourney", "submit", str(CHART), "--to", "class"]
    command += ["--game", "ve280,shuffle=uniform"]
    running = [
        subprocess.Popen(
            [*command, "--as", name, "--author", name],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        for name in ("Ada", "Blaise", "Carl")
    ]
    told = [each.communicate()[0] for each in running]
    assert [each.returncode for each in running] == [0, 0, 0], told
    assert all("accepted as" in each for each in told)
    assert sum("from now on" in each for each in told) == 1
    assert (tmp_path / "class" / "submissions.yaml").read_text().count("game:") == 1


@pytest.fixture
def late(cli: Cli, write: Write, tmp_path: Path) -> Path:
    """Make a class and a download of Canvas, of which two files are late; give its rules."""
    write("export.csv", EXPORT)
    assert cli("class", "new", "class", "--gradebook", "export.csv", "--yes").status == 0
    with ZipFile(tmp_path / "late.zip", "w") as file:
        for number, name in enumerate((*FILES, "kleinfelix_1026_7027_c.py")):
            file.writestr(name, PLAYER.format(total=14 + number))
    return tmp_path / "class" / "submissions.yaml"


def test_a_late_file_is_late_whenever_the_deadline_is_written(cli: Cli, late: Path) -> None:
    """Before or after the first import; and the mark is mentioned while there is no deadline."""
    rules = late.read_text()
    first = cli(*TAKE)
    assert "the platform marks 2 of them as late" in first.err
    assert "3 accepted" in first.err
    late.write_text(rules + DEADLINE)
    listed = cli("submissions", "class", "--missing").out
    assert listed.count("rejected: The submission is 1 day late") == 2
    again = cli(*TAKE)
    assert "1 accepted, 2 rejected" in again.err
    late.write_text(rules + DEADLINE + "late_days: 1\n")
    assert (
        cli("submissions", "class", "--missing").err == "all students have a version that plays\n"
    )


def test_a_late_file_is_refused_with_a_deadline(cli: Cli, late: Path) -> None:
    """The students are named as missing, with the reason."""
    late.write_text(late.read_text() + DEADLINE)
    ran = cli(*TAKE)
    assert ran.status == 1
    assert "1 accepted, 2 refused" in ran.err
    listed = cli("submissions", "class", "--missing").out
    assert listed.count("refused: The submission is 1 day late") == 2
