"""A final becomes marks in a gradebook, in the browser as by `tourney grades`."""

import html
from pathlib import Path

import pytest
from click.testing import CliRunner

from tourney.cli.commands import tourney
from tourney.portal import grade_jobs, jobs, runner, worker
from tourney.portal.graded_tests import keep

from .classes import CONFINED
from .portals import Browser, Portal
from .test_finals import ask, the_final

pytestmark = CONFINED
BOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Cup (7)\r\n"
    '"    Points Possible",,,,,10\r\n'
    "Student,101,a1,s,001,\r\n"
    '"Mate",102,b2,m,001,3\r\n'
    "Third,103,c3,t,002,EX\r\n"
    "Nöbody,104,d4,n,002,\r\n"
).encode("latin-1")
FORM = {"column": "Cup (7)", "by": "rank", "points": "", "least": "2.5", "absent": "0"}


@pytest.fixture
def lecturer(portal: Portal) -> Browser:
    """A lecturer whose final is over."""
    ask(portal, title="Cup", freeze="2026-01-01T00:00:00+00:00")
    worker.do_all(portal.places, runner.HANDLERS)
    return portal.browser("lecturer")


def graded(portal: Portal, lecturer: Browser, **changes: str) -> tuple[int, str]:
    """Ask for grades; give the job's number, and the page that shows them."""
    path = f"/c/cards/final/{the_final(portal).id}/grades"
    files = {"gradebook": ("my book.csv", BOOK)}
    answer = lecturer.post(path, FORM | changes, files)
    assert answer.status_code == 303, answer.text
    worker.do_all(portal.places, grade_jobs.HANDLERS)
    job = int(answer.headers["location"].rpartition("/")[2])
    return job, html.unescape(lecturer.get(answer.headers["location"]).text)


def test_the_gradebook_has_the_bytes_of_the_command(
    portal: Portal, lecturer: Browser, tmp_path: Path
) -> None:
    """And the page says what changes, of whom, before anything is taken away."""
    job, page = graded(portal, lecturer)
    assert "3 of 4 cells" in page
    assert "Nöbody" in page
    assert "excused" in page
    answer = lecturer.get(f"/c/cards/grades/{job}")
    assert 'filename="my-book-grades.csv"' in answer.headers["content-disposition"]
    book, filled = tmp_path / "book.csv", tmp_path / "filled.csv"
    book.write_bytes(BOOK)
    course = portal.places.course("cards")
    made = CliRunner().invoke(
        tourney,
        [
            *("grades", "--store", str(portal.places.final_store("cards"))),
            *(
                "--gradebook",
                str(book),
                "--fill-column",
                "Cup (7)",
                "--marks-by",
                "rank",
                "--min-points",
                "2.5",
            ),
            *("--roster", str(course), "--absent", "0", "--write", "--output", str(filled)),
        ],
    )
    assert made.exit_code == 0, made.output
    assert answer.content == filled.read_bytes() != BOOK
    assert "grades worked out" in lecturer.get("/c/cards/audit").text.casefold()


def test_beside_a_mark_stands_what_the_students_tests_catch(
    portal: Portal, lecturer: Browser
) -> None:
    """For whoever has handed some in."""
    assert "Bugs caught by tests" not in graded(portal, lecturer)[1]
    for name, caught in (("Student", 7), ("Student", 9), ("Outsider", 3)):
        course = portal.courses["cards"]
        job = jobs.add(portal.database, "tests", {"title": "a.py"}, course=course, name=name)
        result = {"status": "graded", "caught": caught, "bugs": 85, "faulty": 0}
        jobs.finish(portal.database, job.id, result)
        keep(portal.database, job.id, [("a.py", "")])
    page = graded(portal, lecturer)[1]
    assert page.count("of 85") == 1
    row = page.partition("<td>Student</td>")[2].partition("</tr>")[0]
    assert row.endswith("<td>9 of 85</td>")


def test_house_players_take_no_marks_in_the_browser_either(portal: Portal) -> None:
    """The page names them, and counts places without them."""
    ask(portal, title="Cup", freeze="2026-01-01T00:00:00+00:00")
    with (portal.places.course("cards") / "tournament.yaml").open("a") as file:
        file.write("  - {strategy: counting, as: House}\n")
    worker.do_all(portal.places, runner.HANDLERS)
    page = graded(portal, portal.browser("lecturer"), by="place", least="0")[1]
    assert "House players, which take no marks: House." in page
    assert "(3 - place) / 2, counted without house players" in page
    for name in ("Student", "Mate"):
        row = page.partition(f"<tr><td>{name}</td>")[2].partition("</tr>")[0]
        cells = [cell.removesuffix("</td>") for cell in row.split("<td>")[1:]]
        assert cells[4] == str(5 * (3 - int(cells[2])))
    assert "<td>House</td>" not in page


@pytest.mark.parametrize(
    ("changes", "fault"),
    [
        ({"column": "Cap"}, "Cap"),
        ({"by": "beats", "entrant": "nobody"}, "marks by: beats: expected"),
        ({"by": "profit between", "low": "2", "high": "-2"}, "marks by: expected two profits"),
        ({"least": "11"}, "least: expected up to 10, got 11"),
    ],
)
def test_what_makes_no_sense_is_said_in_words(
    portal: Portal, lecturer: Browser, changes: dict[str, str], fault: str
) -> None:
    """Without the place of a file on the machine."""
    job, page = graded(portal, lecturer, **changes)
    assert fault in page
    assert str(portal.places.root) not in page
    assert lecturer.get(f"/c/cards/grades/{job}").status_code == 422


@pytest.mark.parametrize(
    "changes",
    [
        {"points": "1e9"},
        {"least": "-1"},
        {"absent": "all"},
        {"by": "luck"},
        {"by": "beats"},
        {"by": "profit:0:1"},
        {"by": "profit between", "low": "1"},
        {"by": "profit between", "low": "1e9", "high": "2"},
    ],
)
def test_a_form_that_says_nothing_sensible_asks_for_nothing(
    portal: Portal, lecturer: Browser, changes: dict[str, str]
) -> None:
    """It is refused at once."""
    path = f"/c/cards/final/{the_final(portal).id}/grades"
    answer = lecturer.post(path, FORM | changes, {"gradebook": ("book.csv", BOOK)})
    assert answer.status_code == 422
    assert not jobs.of_course(portal.database, portal.courses["cards"], ["grades"])
