"""`grades --season`: from the table of a season to a gradebook."""

import csv
import sqlite3
from collections.abc import Callable
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tests.resilience.damage.crafted import seal_as_it_is

Cli = Callable[..., Any]
Write = Callable[[str, str], Path]

RUN = """\
name: {name}
seed: {seed}
game: {{preset: ve280, shuffle: uniform}}
bankroll: 100
minimum: 5
format: {{kind: duplicate, tables: 6, rounds: 20}}
leaderboard: {{names: handles, reveal: "2126-01-01 00:00+00:00", freeze: "2026-01-01 00:00+00:00"}}
entrants:
  - {{strategy: simple, as: Ada}}
  - {{strategy: counting, as: {second}}}
  - {{strategy: never-bust, as: Sofja, group: "001"}}
  - {{strategy: mimic, group: staff}}
"""
SEASON = """\
name: Spring
points: [10, 6, 3, 1]
runs: [One, Two]
entrants: [{as: Blaise, names: [blaise v2]}]
leaderboard: {names: handles, top: 1}
"""
BOOK = (
    "\ufeffStudent,ID,SIS Login ID,Section,Season (4),Notes\r\n"
    '"    Points Possible",,,,20,\r\n'
    'Ada,1,ada,001,,"a ""quoted"" note"\r\n'
    "Pascal,2,bp,001,3, x \r\n"
    "\r\n"
    "Sofja,3,sk,002,EX,\r\n"
    "Nöther,4,en,002,,"
).encode()
ROSTER = "person,as,ids\nAda,Ada,\nPascal,blaise v2;Blaise,bp\nSofja,Sofja,\n"
ASKED = ("grades", "--season", "season.yaml", "--gradebook", "book.csv", "--fill-column", "Season")


@pytest.fixture
def played(cli: Cli, write: Write, tmp_path: Path) -> Cli:
    """Play two runs that hide names and results, in which Blaise plays under two names."""
    write("one.yaml", RUN.format(name="One", seed=3, second="Blaise"))
    write("two.yaml", RUN.format(name="Two", seed=5, second="blaise v2"))
    for name in ("one.yaml", "two.yaml"):
        assert cli("run", name).status == 0
    write("season.yaml", SEASON)
    write("roster.csv", ROSTER)
    (tmp_path / "book.csv").write_bytes(BOOK)
    return cli


def totals(cli: Cli) -> dict[str, Fraction]:
    """Give the points of students, added up from the boards of the runs and the rules' page."""
    points = {"Ada": Fraction(0), "Blaise": Fraction(0), "Sofja": Fraction(0)}
    for run in (1, 2):
        shown = cli("leaderboard", run, "--format", "csv", "--show-hidden")
        rows = list(csv.DictReader(shown.lines))
        for row in rows:
            name = {"blaise v2": "Blaise"}.get(row["entrant"], row["entrant"])
            same = [at for at, other in enumerate(rows) if other["rank"] == row["rank"]]
            if name in points:
                points[name] += Fraction(sum((10, 6, 3, 1)[at] for at in same), len(same))
    return points


def test_points_of_the_season_become_marks(played: Cli, tmp_path: Path) -> None:
    """Of students only, whatever the season and its runs hide; two names are one entrant."""
    ran = played(*ASKED, "--roster", "roster.csv", "--marks-by", "points:0:20", "--write")
    assert ran.status == 0, ran.err
    found = totals(played)
    wanted = [f"{float(found[name]):.10g}" for name in ("Ada", "Blaise")]
    filled = (tmp_path / "book-grades.csv").read_bytes()
    ada, blaise = wanted
    assert filled == BOOK.replace(b"001,,", f"001,{ada},".encode()).replace(
        b"001,3,", f"001,{blaise},".encode()
    )
    assert (tmp_path / "book.csv").read_bytes() == BOOK
    assert "house players, which take no marks: mimic" in ran.err
    assert "mark = 20 * share; share = (points - 0) / (20 - 0), from 0 to 1" in ran.err


def test_places_of_the_season_count_students_only(played: Cli) -> None:
    """The first student gets all points, and the last none, whatever the house players did."""
    found = totals(played)
    ran = played(*ASKED, "--roster", "roster.csv", "--marks-by", "place")
    assert ran.status == 0, ran.err
    assert "share = (3 - place) / 2, counted without house players" in ran.err
    marks = {line.split()[1]: line.split()[-1] for line in ran.lines[2:4]}
    for name in ("Ada", "Blaise"):
        place = 1 + sum(other > found[name] for other in found.values())
        assert marks[name] == str(10 * (3 - place))


def test_best_and_worst_student_span_the_points(played: Cli, write: Write) -> None:
    """Without limits the marks lie between the students' least and most points."""
    write(
        "plain.csv",
        "Student,ID,SIS Login ID,Section,Season (4)\nAda,1,,1,\nSofja,2,,1,\nBlaise,3,,1,\n",
    )
    options = ("--marks-by", "points", "--max-points", "100")
    ran = played(*ASKED[:3], "--gradebook", "plain.csv", *ASKED[5:], *options)
    assert ran.status == 0, ran.err
    marks = {line.split()[0]: float(line.split()[-1]) for line in ran.lines[2:]}
    found = totals(played)
    assert marks[max(found, key=lambda name: found[name])] == 100
    assert marks[min(found, key=lambda name: found[name])] == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--marks-by", "rank"), "marks by: expected place, points or points:LOW:HIGH; got 'rank'"),
        (("--marks-by", "beats:mimic"), "expected place, points or points:LOW:HIGH"),
        (("--marks-by", "points:3:3"), "two numbers of points, the lower first"),
        (("1", "--marks-by", "place"), "--season and RUN cannot be used together"),
    ],
)
def test_rules_that_a_season_has_not_are_rejected(
    played: Cli, options: tuple[str, ...], message: str
) -> None:
    """Before anything is shown."""
    ran = played(*ASKED, *options)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err


def test_points_of_a_season_are_no_rule_for_a_run(played: Cli) -> None:
    """The message lists the rules of a run."""
    ran = played("grades", "1", *ASKED[3:], "--marks-by", "points")
    assert (ran.status, ran.out) == (2, "")
    assert "marks by: expected place, rank, profit" in ran.err


def test_a_season_with_an_unfinished_run_has_no_marks_yet(played: Cli) -> None:
    """The run may still change every place."""
    path = Path("tourney.db")
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE runs SET status = 'running', finished = NULL WHERE number = 2")
    connection.close()
    seal_as_it_is(path)
    ran = played(*ASKED, "--marks-by", "place")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == (
        "Two: run 2 is not finished, so the season has no marks yet. "
        "Resume it: tourney resume 2 --store tourney.db\n"
    )
