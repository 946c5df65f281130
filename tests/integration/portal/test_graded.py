"""Tests that students hand in: graded in the browser as by `tourney mutants`."""

import html
import io
import json
from pathlib import Path
from tempfile import gettempdir
from zipfile import ZipFile

import pytest
from click.testing import CliRunner

from tourney.cli.commands import tourney
from tourney.portal import course_jobs, jobs, mutants, worker
from tourney.portal.graded_tests import latest_of

from .classes import CONFINED
from .hands import do_checks, make_course, number_of, zipped
from .portals import Browser, Portal

pytestmark = CONFINED
TESTS = """\
from tourney import Deck


def test_a_new_deck_has_52_cards():
    assert Deck().cards_left == 52


def test_a_wrong_one():
    assert Deck().cards_left == 51
"""
ENDLESS = """\
from tourney import Deck

BEGUN = Deck().cards_left


def test_that_never_ends_with_a_bug():
    while Deck().cards_left != BEGUN or BEGUN != 52:
        pass
"""


@pytest.fixture(autouse=True)
def _course(portal: Portal) -> None:
    """Begin with a course that takes tests."""
    make_course(portal, terms="tests: ve280\n", tests="ve280")


def hand_in(browser: Browser, text: str | bytes, title: str = "test_deck.py") -> int:
    """Hand a file of tests in; give its job."""
    content = text.encode() if isinstance(text, str) else text
    return number_of(browser.post("/c/cards/tests", files={"file": (title, content)}))


def handed(portal: Portal, text: str | bytes, title: str = "test_deck.py") -> jobs.Job:
    """Hand a file of tests in as a student, let it be graded, and give its job."""
    number = hand_in(portal.browser("student"), text, title)
    do_checks(portal)
    return jobs.get(portal.database, number)


def test_tests_catch_what_they_catch_on_the_command_line(portal: Portal, tmp_path: Path) -> None:
    """Told line by line, then as tables, to the student and to staff, and to nobody else."""
    job = handed(portal, TESTS)
    path = tmp_path / "test_deck.py"
    path.write_text(TESTS)
    ran = CliRunner().invoke(tourney, ["mutants", str(path), "--game", "ve280", "--json"])
    facts = json.loads(ran.stdout)
    (good, catches), (wrong, _) = [(each["name"], each["catches"]) for each in facts["tests"]]
    assert job.result["classes"] == {
        of: [found["caught"], found["missed"]] for of, found in facts["classes"].items()
    }
    assert catches == ["deck-10"]
    fault = facts["tests"][1]["fault"]
    assert jobs.said(portal.database, job.id) == (
        "read: test_deck.py, tried on the mutants of ve280",
        "1 of 2 tests pass with every correct implementation",
        f"{good}, line 4: catches deck-10",
        fault,
        *(
            f"{of}: {len(found['caught'])} of {len(found['caught'] + found['missed'])} bugs are "
            "caught"
            for of, found in facts["classes"].items()
        ),
    )
    for who in ("student", "lecturer"):
        browser = portal.browser(who)
        page = html.unescape(browser.get(f"/c/cards/handed/{job.id}").text)
        assert "1 of 85 bugs caught; 1 of 2 tests do not count." in page
        assert f"does not count: {fault}" in page
        assert "<td>1 of 85</td>" in browser.get("/c/cards/tests").text
        assert browser.get(f"/c/cards/tests/{job.id}/source").text == TESTS
    mate = portal.browser("mate")
    assert "of 85" not in mate.get("/c/cards/tests").text
    for path_ in (f"/c/cards/handed/{job.id}", f"/c/cards/tests/{job.id}/source"):
        assert mate.get(path_).status_code == 404
    assert wrong in fault


def test_the_last_graded_file_counts(portal: Portal) -> None:
    """However good one before was; and at most so many a day count."""
    portal.database.execute("UPDATE courses SET told = json_set(told, '$.per_day', 2)")
    handed(portal, TESTS)
    last = handed(portal, TESTS.replace("== 52", "in range(60)"))
    student = portal.browser("student")
    again = student.post("/c/cards/tests", files={"file": ("test_deck.py", TESTS.encode())})
    assert again.status_code == 422
    (found,) = latest_of(portal.database, portal.courses["cards"]).values()
    assert (found.job, found.name, found.caught) == (last.id, "Student", 0)


@pytest.mark.parametrize(
    ("title", "text", "words"),
    [
        ("broken.py", b"def test_deck(:", "broken.py:1: this is not valid Python"),
        ("none.py", b"x = 1", "none.py has no functions named test_"),
        ("late\x1b.py", b"\xff", "the file's name is not possible"),
        ("bytes.py", b"\xff", "bytes.py:1: the byte 0xff is not UTF-8"),
        ("all.zip", b"PK", "all.zip cannot be read as a zip file"),
        (
            "essays.zip",
            zipped({"a/essay.pdf": b"%PDF"}),
            "essays.zip is not a Python file of tests",
        ),
        ("strange.zip", zipped({"a": b"", "a/b": b""}), "strange.zip: its files cannot be"),
        ("long.zip", zipped({"a" * 300: b""}), "long.zip: its files cannot be written"),
        ("..", b"x = 1", ".. has no functions named test_"),
        (
            "\N{SMILING FACE WITH SUNGLASSES}" * 90 + ".p" + "\N{BEER MUG}" * 8,
            b"x",
            "has no functions named test_",
        ),
    ],
)
def test_what_is_no_file_of_tests_is_refused_in_words(
    portal: Portal, title: str, text: bytes, words: str
) -> None:
    """By the name that its author gave it, and costs no try."""
    files = {"file": (title, text)}
    answer = portal.browser("student").post("/c/cards/tests", files=files)
    if answer.status_code == 303:
        do_checks(portal)
        job = jobs.get(portal.database, number_of(answer))
        assert (job.state, job.result["status"]) == ("done", "refused"), job
        told = job.result["reason"]
    else:
        told = html.unescape(answer.text)
    assert words.casefold() in told.casefold()
    assert gettempdir() not in told
    assert not latest_of(portal.database, portal.courses["cards"])


@pytest.mark.prove
def test_tests_that_take_too_long_keep_nobody_waiting(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever each of them takes."""
    monkeypatch.setattr(mutants, "MOST_SECONDS", 0.5)
    job = handed(portal, ENDLESS)
    assert job.result["status"] == "refused"
    assert "the tests take more than 0.5 s with all" in job.result["reason"]


def test_what_comes_too_late_is_refused(portal: Portal) -> None:
    """By the time of its receipt."""
    make_course(portal, terms="tests: ve280\ndeadline: '2026-05-01 12:00+00:00'\n", tests="ve280")
    number = hand_in(portal.browser("student"), TESTS)
    portal.database.execute("UPDATE jobs SET received = '2026-05-01T12:00:01.000000+00:00'")
    do_checks(portal)
    assert (
        "The submission is 1 day late; the deadline was"
        in jobs.get(portal.database, number).result["reason"]
    )


def test_a_lecturer_says_that_a_course_takes_tests(portal: Portal) -> None:
    """Of a game that has mutants; students see the page from then on."""
    make_course(portal)
    lecturer, student = portal.browser("lecturer"), portal.browser("student")
    assert student.post("/c/cards/tests", files={"file": ("a.py", b"x")}).status_code == 422
    course_jobs.tell_all(portal.places)
    for game in ("straights", "ve280x"):
        answer = lecturer.post("/c/cards/terms", {"tests": game})
        assert answer.status_code == 422
        assert f"no game '{game}' has mutants" in html.unescape(answer.text)
    answer = lecturer.post("/c/cards/terms", {"tests": "easybj"})
    worker.do_all(portal.places, course_jobs.HANDLERS)
    assert "Saved." in lecturer.get(answer.headers["location"]).text
    assert "/c/cards/tests" in student.get("/c/cards").text
    assert "mutants of easybj" in student.get("/c/cards/tests").text


def test_tests_are_somebodys_data(portal: Portal) -> None:
    """In the archive, and gone with who handed them in; what waits, from the inbox as well."""
    job = handed(portal, TESTS)
    student = portal.browser("student")
    packed = ZipFile(io.BytesIO(student.post("/account/data/export").content))
    assert packed.read(f"sources/cards/tests-{job.id}/test_deck.py").decode() == TESTS
    assert '"caught": 1' in packed.read("jobs.json").decode()
    hand_in(student, TESTS)
    assert len(list(portal.places.inbox.iterdir())) == 2
    answer = student.post("/account/data/erase", {"login": "student@example.org"})
    assert answer.status_code == 200
    assert portal.database.first("SELECT * FROM tests") is None
    assert portal.database.first("SELECT * FROM jobs WHERE kind = 'tests'") is None
    assert len(list(portal.places.inbox.iterdir())) <= 1
