"""`grades`: from a run to a gradebook."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tests.resilience.damage.crafted import seal_as_it_is

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

EXPORT = """\
Student,ID,SIS Login ID,Section,Blackjack (4711)
    Points Possible,,,,20
"Lovelace, Ada",101,simple,001,
Counting,102,other,001,12
"Euler, Leo",103,euler,001,7
"""

ASKED = ("grades", "--gradebook", "export.csv", "--fill-column", "blackjack", "--marks-by", "place")


@pytest.fixture(autouse=True)
def _export(store: Path, write: Write) -> Path:
    """Begin with the small tournament in the store, and an export."""
    return write("export.csv", EXPORT)


def cells(path: Path) -> list[str]:
    """Give the last cells of the students."""
    return [line.rpartition(",")[2] for line in path.read_text().splitlines()[2:]]


def test_what_would_change_is_shown_and_nothing_written(cli: Cli, tmp_path: Path) -> None:
    """With the formula, and who is left over."""
    before = sorted(tmp_path.iterdir())
    ran = cli(*ASKED)
    assert ran.status == 0
    assert [line.split()[:1] for line in ran.lines[2:]] == [["Ada"], ["Counting"], ["Leo"]]
    assert ran.lines[3].split() == ["Counting", "counting", "2", "2", "12", "0"]
    assert ran.lines[4].endswith("7             no entrant of this name")
    assert ran.err.splitlines() == [
        "mark = 20 * share; share = (2 - place) / 1, counted without house players",
        "marks: 2 different ones for 2 entrants, 0 of whom share theirs with another; blank cells: "
        "0 of 3",
        "left as they are: Leo Euler",
        "house players, which take no marks: mimic",
        "to match students with entrants, add --roster with a roster or folder of submissions",
        "2 of 3 cells of 'Blackjack (4711)' changed by --write, in export-grades.csv; "
        "nothing is written yet",
    ]
    assert sorted(tmp_path.iterdir()) == before


def test_an_excluded_entrant_keeps_its_cell(cli: Cli, tmp_path: Path) -> None:
    """Also where absent students get 0: the lecturer decides."""
    assert cli("exclude", "--entrant", "counting", "--reason", "copied").status == 0
    ran = cli(*ASKED, "--absent", "0", "--write")
    assert ran.status == 0
    assert ran.lines[3].endswith("excluded from the board: copied")
    assert cells(tmp_path / "export-grades.csv") == ["20", "12", "0"]


def test_a_new_file_is_written_when_asked(cli: Cli, tmp_path: Path) -> None:
    """The export stays."""
    assert cli(*ASKED, "--write").status == 0
    assert (tmp_path / "export.csv").read_text() == EXPORT
    assert cells(tmp_path / "export-grades.csv") == ["20", "0", "7"]


def test_nothing_is_written_over_unless_that_is_said(cli: Cli, tmp_path: Path) -> None:
    """Not an earlier file, and not the export."""
    for to in ("export.csv", "old.csv"):
        (tmp_path / "old.csv").write_text("old")
        ran = cli(*ASKED, "--write", "--output", to)
        assert (ran.status, ran.out) == (2, "")
        assert f"{to} already exists; name another file with --output, or add --replace" in ran.err
    assert cli(*ASKED, "--write", "--output", "export.csv", "--replace").status == 0
    assert cells(tmp_path / "export.csv") == ["20", "0", "7"]


def test_points_may_be_others_than_the_gradebook_says(cli: Cli) -> None:
    """The most and the least."""
    ran = cli(*ASKED, "--max-points", "50", "--min-points", "12.5")
    assert ran.err.startswith("mark = 12.5 + 37.5 * share; ")
    assert [line.split()[-1] for line in ran.lines[2:4]] == ["50", "12.5"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--max-points", "-1"), "expected a number from 0 to 100,000, got '-1'"),
        (("--max-points", "many"), "expected a number from 0 to 100,000, got 'many'"),
        (("--min-points", "21"), "--min-points: expected up to 20, got 21"),
        (("--roster", "nobody.csv"), "nobody.csv cannot be read: No such file"),
        (("--roster", "exprt.csv"), "No such file or directory (did you mean 'export.csv'?)"),
        (("--marks-by", "luck"), "marks by: expected place, rank, profit"),
        (("--fill-column", "Quiz"), "export.csv: column: expected 'Blackjack (4711)', got 'Quiz'"),
    ],
)
def test_wrong_usage_is_said(cli: Cli, options: tuple[str, ...], message: str) -> None:
    """Before anything is shown."""
    ran = cli(*ASKED, *options)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_a_run_that_goes_on_has_no_marks_yet(cli: Cli, store: Path) -> None:
    """Places may still change."""
    with closing(sqlite3.connect(store)) as connection, connection:
        connection.execute("UPDATE runs SET status = 'running', finished = NULL")
    connection.close()
    seal_as_it_is(store)
    ran = cli(*ASKED)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == ("run 1 is not finished: tourney resume 1 --store tourney.db\n")


def test_a_folder_of_submissions_knows_who_handed_in(cli: Cli, write: Write) -> None:
    """By the author of what plays; or by the roster of its terms."""
    chart = Path(__file__).parents[3] / "strategies" / "charts" / "basic_six_decks_s17.txt"
    submit = ("submit", chart, "--to", "desk", "--game", "ve280,shuffle=uniform")
    assert cli(*submit, "--as", "Leo", "--author", "euler").status == 0
    assert "Leo is not on the board" in cli(*ASKED, "--roster", "desk").lines[4]
    write("desk/submissions.yaml", "roster: roster.csv\n")
    write("desk/roster.csv", "person,as,ids\nLeonhard,counting,euler\n")
    cells = cli(*ASKED, "--roster", "desk").lines[4].split()
    assert cells == ["Leo", "Euler", "counting", "2", "1", "7", "20"]


@pytest.mark.parametrize(("what", "cell"), [("0", "0"), ("blank", ""), ("EX", "EX")])
def test_whoever_is_absent_gets_what_is_said(
    cli: Cli, write: Write, tmp_path: Path, what: str, cell: str
) -> None:
    """Nobody else; who is excused stays so, and who cannot be told apart is not absent."""
    more = 'Simple,104,simple,001,3\n"Noether, Emmy",105,emmy,002,EX\n'
    write("export.csv", EXPORT + more)
    ran = cli(*ASKED, "--absent", what, "--write")
    assert ran.status == 0
    assert ran.lines[4].split()[:3] == ["Leo", "Euler", "7"]
    assert ran.lines[4].split()[3] == (cell or "blank")
    assert "left as they are: Ada Lovelace, Simple, Emmy Noether" in ran.err
    assert cells(tmp_path / "export-grades.csv") == ["", "0", cell, "3", "EX"]


@pytest.mark.parametrize(
    ("heading", "platform"),
    [
        ("First name,Last name,Email address,Blackjack", "Moodle"),
        ("First Name,Last Name,SID,Blackjack", "Gradescope"),
    ],
)
def test_nobody_is_excused_where_only_canvas_would_know(
    cli: Cli, write: Write, heading: str, platform: str
) -> None:
    """The file would be refused by the platform, or hold a mark that means nothing."""
    write("export.csv", f"{heading}\nAda,Lovelace,ada,\n")
    ran = cli(*ASKED, "--absent", "EX", "--write")
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert f"export.csv: absent: {platform} does not read EX as excused, only Canvas" in ran.err
    assert not Path("export-grades.csv").exists()
    assert cli(*ASKED, "--absent", "blank").status == 0


def test_who_is_absent_and_has_that_already_stays(cli: Cli, write: Write) -> None:
    """A blank cell is not made blank, and a nought no nought."""
    write("export.csv", EXPORT.replace("001,7", "001,"))
    assert "2 of 3 cells" in cli(*ASKED, "--absent", "blank").err
    write("export.csv", EXPORT.replace("001,7", "001,0.0"))
    assert "2 of 3 cells" in cli(*ASKED, "--absent", "0").err


def test_points_that_nobody_says_are_told(cli: Cli, write: Write) -> None:
    """A gradebook without a line of points may be meant for others than 100."""
    write("export.csv", "\n".join(EXPORT.splitlines()[i] for i in (0, 2)) + "\n")
    said = (
        "export.csv has no maximum for 'Blackjack (4711)', so the first place gets 100 points; "
        "set another number with --max-points"
    )
    ran = cli(*ASKED)
    assert ran.err.splitlines()[:2] == ["mark = 100 * share; share = 1", said]
    assert "marks: 1 different one for 1 entrant, 0 of whom" in ran.err
    assert said not in cli(*ASKED, "--max-points", "100").err


def test_marks_that_are_alike_and_cells_without_are_counted(cli: Cli, write: Write) -> None:
    """Before anything is written: a rule may tell nobody apart."""
    write("export.csv", EXPORT.replace("001,7", "001,"))
    ran = cli(*ASKED, "--marks-by", "beats:counting")
    assert (
        "marks: 1 different one for 2 entrants, 2 of whom share theirs with another; blank cells: "
        "1 of 3"
    ) in ran.err


def test_a_strategy_that_is_named_as_a_person_counts_as_a_student(cli: Cli, write: Write) -> None:
    """Without a roster, only strategies under their own names are house players."""
    entrants = "[{strategy: simple}, {strategy: counting, as: Ada}, {strategy: mimic, as: Bo}]"
    write(
        "cup.yaml",
        "name: Cup\nseed: 3\ngame: {preset: ve280, shuffle: uniform}\nbankroll: 200\nminimum: 5\n"
        f"format: {{kind: duplicate, tables: 40, rounds: 20}}\nentrants: {entrants}\n",
    )
    assert cli("run", "cup.yaml").status == 0
    write("export.csv", "Student,ID,SIS Login ID,Section,Blackjack (1)\nAda,1,,1,\n")
    ran = cli(*ASKED)
    assert "house players, which take no marks: simple" in ran.err
    assert "entrants without a student: Bo" in ran.err
    assert "share = (2 - place) / 1, counted without house players" in ran.err
