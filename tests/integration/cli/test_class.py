"""`class`: from a learning platform's export to a folder that a class hands in to."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tourney.course.commands import course
from tourney.course.roster_file import read_roster

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

EXPORT = """\
Student,ID,SIS Login ID,Section,Blackjack (4711)
    Points Possible,,,,20
"Lovelace, Ada",101,lovelace,001,
"Noether, Emmy",102,noether,002,
"Student, Test",103,,001,
"""
NEW = ("class", "new", "autumn", "--gradebook", "export.csv")
UPDATE = ("class", "update", "autumn", "--gradebook", "export.csv", "--yes")


@pytest.fixture(autouse=True)
def _export(write: Write) -> None:
    """Begin with an export."""
    write("export.csv", EXPORT)


def test_a_class_is_shown_before_it_is_kept(cli: Cli, tmp_path: Path) -> None:
    """Who is nobody to ask says --yes."""
    ran = cli(*NEW)
    assert ran.status == 0
    assert [line.split() for line in ran.lines[2:]] == [
        ["Ada", "Lovelace", "Ada", "Lovelace", "001", "101;", "lovelace"],
        ["Emmy", "Noether", "Emmy", "Noether", "002", "102;", "noether"],
    ]
    assert ran.err.splitlines() == [
        "export.csv: 2 students, exported by Canvas, UTF-8",
        "export.csv:5: skipped: the platform's test student",
        "nothing is saved yet; add --yes to save autumn with 2 students",
    ]
    assert not (tmp_path / "autumn").exists()


def test_a_class_is_a_folder_of_submissions(cli: Cli, tmp_path: Path) -> None:
    """With a roster, terms and a tournament, and nothing else."""
    assert cli(*NEW, "--yes").status == 0
    folder = tmp_path / "autumn"
    assert sorted(each.name for each in folder.iterdir() if each.name != ".lock") == [
        "roster.csv",
        "submissions.yaml",
        "tournament.yaml",
    ]
    assert (folder / "submissions.yaml").read_text() == (
        'game: {preset: ve280, shuffle: "uniform"}\n'
        "tournament: tournament.yaml\nroster: roster.csv\n"
    )
    # Else the platform would say of its own file how a ranking had better be shuffled.
    assert 'game: {preset: ve280, shuffle: "uniform"}\n' in (folder / "tournament.yaml").read_text()
    ran = cli(*NEW, "--yes")
    assert (ran.status, ran.out) == (2, "")
    assert "autumn is already a class. Import a newer export with" in ran.err


@pytest.mark.parametrize(
    ("game", "kept"),
    [
        ("ve280,shuffle=riffle", '{preset: ve280, shuffle: "riffle"}'),
        ("csc24400", "csc24400"),
        ("straights", "straights"),
    ],
)
def test_a_game_is_kept_as_it_was_said(cli: Cli, tmp_path: Path, game: str, kept: str) -> None:
    """Only a preset whose shuffle leaves luck in a ranking gets another one."""
    assert cli(*NEW, "--game", game, "--yes").status == 0
    for name in ("submissions.yaml", "tournament.yaml"):
        assert f"game: {kept}\n" in (tmp_path / "autumn" / name).read_text()


@pytest.mark.parametrize(("answer", "is_kept"), [(True, True), (False, False)])
def test_somebody_at_a_terminal_is_asked(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bool, is_kept: bool
) -> None:
    """And may say no."""
    asked = []
    for stream in ("stdin", "stderr"):
        monkeypatch.setattr(getattr(course.sys, stream), "isatty", lambda: True)
    monkeypatch.setattr(course.click, "confirm", lambda what, **_: asked.append(what) or answer)
    assert cli(*NEW).status == 0
    assert asked == ["Save autumn with 2 students?"]
    assert (tmp_path / "autumn" / "roster.csv").exists() is is_kept


def test_a_newer_export_tells_who_joins_and_leaves(cli: Cli, write: Write, tmp_path: Path) -> None:
    """What the organiser wrote stays."""
    assert cli(*NEW, "--yes").status == 0
    roster = tmp_path / "autumn" / "roster.csv"
    mine = roster.read_text().replace("Ada Lovelace,101", "Ada,101").replace("001,,,,", "001,,,4,")
    roster.write_text(mine)
    write("export.csv", EXPORT.replace('"Noether, Emmy",102,noether', '"Pascal, B.",104,pascal'))
    ran = cli(*UPDATE)
    assert (ran.status, ran.lines) == (
        0,
        [
            "joins: B. Pascal as B Pascal in 002",
            "leaves: Emmy Noether (Emmy Noether), excluded from now on",
        ],
    )
    ada, emmy, blaise = read_roster(roster).people
    assert (ada.names, ada.late_days, emmy.excluded) == (
        ("Ada",),
        4,
        "not in the export any more",
    )
    assert blaise.groups == ("002",)
    assert "autumn/roster.csv is unchanged" in cli(*UPDATE).err


def test_a_class_that_is_not_there_is_not_updated(cli: Cli) -> None:
    """The remedy is the command that makes one."""
    ran = cli(*UPDATE)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "autumn has no roster. Create the class with "
        "`tourney class new autumn --gradebook export.csv`.\n"
    )


def test_terms_that_are_there_stay(cli: Cli, write: Write, tmp_path: Path) -> None:
    """And name the roster from now on."""
    (tmp_path / "autumn").mkdir()
    terms = write("autumn/submissions.yaml", "game: easybj # mine\nper_day: 3")
    assert cli(*NEW, "--yes").status == 0
    assert terms.read_text() == "game: easybj # mine\nper_day: 3\nroster: roster.csv\n"


def test_faults_of_an_export_come_all_at_once(cli: Cli, write: Write) -> None:
    """With rows and columns, and nothing is kept."""
    write("export.csv", "Student,ID,Section\n,1,\nAda,1,\n")
    ran = cli(*NEW, "--yes")
    assert (ran.status, ran.out) == (2, "")
    assert [line.split(": ")[0] for line in ran.err.splitlines()] == [
        "export.csv:2:1",
        "export.csv:3:1",
    ]
