"""All sources in one download, and the search for copies, by staff only."""

import csv
import html
import io
import json
from zipfile import ZipFile

from tourney.course.folder import Submissions
from tourney.portal.checker import Checks
from tourney.portal.erasure import erase
from tourney.portal.folder_erasure import HANDLERS
from tourney.portal.versions import KIND, Version, keep
from tourney.portal.worker import do_all

from .classes import CONFINED, hand_in, player
from .hands import make_course
from .portals import Portal

PATH = "/c/cards/sources"
PEOPLE = [
    {"person": "Student", "name": "Student", "groups": ["001"], "excluded": False},
    {"person": "Mate", "name": "Mate", "groups": ["002"], "excluded": False},
]


def stored(portal: Portal, name: str, *versions: tuple[str, list[tuple[str, str]]]) -> None:
    """Store versions of a name, of which the last competes."""
    made = [
        (
            Version(
                name=name,
                digest=digest * 32,
                received=f"2026-05-01T12:0{at}:00.000000+00:00",
                status="accepted",
                reason="",
                plays=at == len(versions) - 1,
                report={"score": None, "findings": [], "measured": []},
            ),
            files,
        )
        for at, (digest, files) in enumerate(versions)
    ]
    keep(portal.database, portal.courses["cards"], name, made)


def two_students(portal: Portal) -> None:
    """Store what two have handed in."""
    make_course(portal, people=PEOPLE)
    stored(portal, "Student", ("a", [("old.py", "1\n")]), ("b", [("new.py", "2\n"), ("é.py", "é")]))
    stored(portal, "Mate", ("c", [("../../mate.py", "3\n")]))


def downloaded(portal: Portal, **fields: str) -> dict[str, str]:
    """Download sources; give the text of each file by its path."""
    answer = portal.browser("assistant").post(f"{PATH}/download", fields)
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["content-disposition"] == 'attachment; filename="cards-sources.zip"'
    with ZipFile(io.BytesIO(answer.content)) as archive:
        return {name: archive.read(name).decode("utf-8-sig") for name in archive.namelist()}


def test_a_zip_has_what_competes_and_a_list_of_it(portal: Portal) -> None:
    """No path leads out of it."""
    two_students(portal)
    files = downloaded(portal)
    rows = list(csv.DictReader(io.StringIO(files.pop("submissions.csv"))))
    assert files == {
        f"Mate/{'c' * 12}/mate.py": "3\n",
        f"Student/{'b' * 12}/new.py": "2\n",
        f"Student/{'b' * 12}/é.py": "é",
    }
    assert [(row["name"], row["competes"]) for row in rows] == [("Mate", "yes"), ("Student", "yes")]


def test_all_versions_of_one_section_are_a_choice(portal: Portal) -> None:
    """A section that nobody is in is none."""
    two_students(portal)
    assert set(downloaded(portal, section="001", versions="all")) == {
        f"Student/{'a' * 12}/old.py",
        f"Student/{'b' * 12}/new.py",
        f"Student/{'b' * 12}/é.py",
        "submissions.csv",
    }
    assert len(downloaded(portal, section="003")) == 4


def test_a_download_is_in_the_activity_log(portal: Portal) -> None:
    """With the section, and so is a search."""
    two_students(portal)
    downloaded(portal, section="001")
    lecturer = portal.browser("lecturer")
    assert lecturer.post(f"{PATH}/copies").status_code == 303
    page = lecturer.get("/c/cards/audit").text
    assert "<td>sources downloaded</td>" in page
    assert "section: 001" in page
    assert "<td>copies searched</td>" in page


def test_a_search_that_waits_is_not_asked_for_twice(portal: Portal) -> None:
    """A second press takes its place."""
    lecturer = portal.browser("lecturer")
    for _ in range(2):
        assert lecturer.post(f"{PATH}/copies").status_code == 303
    row = portal.database.first(
        "SELECT count(*) FROM jobs WHERE state = 'queued' AND kind = ?", (KIND,)
    )
    assert row == (1,)
    assert "Working on it." in lecturer.get(PATH).text


@CONFINED
def test_copies_are_those_of_the_command(portal: Portal) -> None:
    """Under another name of a variable, too; players lead to their submissions."""
    two_students(portal)
    course = Submissions(portal.places.course("cards"))
    hand_in(course, "Student", player(14))
    hand_in(course, "Mate", player(14).replace("Mine", "Other").replace("bankroll", "chips"))
    hand_in(course, "Outsider", player(17))
    lecturer = portal.browser("lecturer")
    lecturer.post(f"{PATH}/copies")
    do_all(portal.places, Checks.load().handlers)
    page = html.unescape(lecturer.get(PATH).text)
    assert "<td>the same but for names and comments</td>" in page
    assert 'href="/c/cards/versions/2">Student</a>, <a href="/c/cards/versions/3">Mate</a>' in page
    assert "Outsider" not in page
    assert portal.browser("student").get(PATH).status_code == 403


@CONFINED
def test_a_search_that_fails_is_no_search_without_copies(portal: Portal) -> None:
    """The fault of the folder is said, by no path of this machine."""
    make_course(portal, terms="late_days: none\n")
    lecturer = portal.browser("lecturer")
    lecturer.post(f"{PATH}/copies")
    do_all(portal.places, Checks.load().handlers)
    page = lecturer.get(PATH).text
    assert "The search failed. submissions.yaml:" in page
    assert "No copies" not in page
    assert str(portal.places.root) not in page


def test_no_name_of_whoever_is_erased_stays_in_a_search(portal: Portal) -> None:
    """It is made again by whoever wants it."""
    make_course(portal)
    portal.browser("lecturer").post(f"{PATH}/copies")
    told = json.dumps({"copies": [["the same source", ["Student", "Mate"]]]})
    sql = "UPDATE jobs SET state = 'done', result = ? WHERE kind = ?"
    portal.database.execute(sql, (told, KIND))
    assert "Student" in portal.browser("lecturer").get(PATH).text
    with portal.database.transaction():
        erase(portal.database, portal.people["student"], None)
    do_all(portal.places, HANDLERS)
    assert "Mate" not in portal.browser("lecturer").get(PATH).text
