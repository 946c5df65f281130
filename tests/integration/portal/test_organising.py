"""A lecturer takes a gradebook in, sets terms, invites everybody, and makes an exception."""

import csv
import io
import json
from datetime import UTC, datetime, timedelta

import pytest

from tourney.course.class_folder import ROSTER, TOURNAMENT
from tourney.course.submission_check import tournament_in
from tourney.course.submission_rules import read_terms
from tourney.plugins.loading import load_plugins
from tourney.portal.accounts import add_member, course_by
from tourney.portal.course_jobs import HANDLERS
from tourney.portal.database import now, time_text
from tourney.portal.overrides import lifted
from tourney.portal.worker import do_all
from tourney.tournament.catalog import catalog_of

from .portals import Browser, Portal

CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Project (7)
"    Points Possible",,,,,10
"Lovelace, Ada",101,a1,ada,Section 1,
"O'Brien, Seán",102,b2,sean,Section 2,
"""


def asked_for(portal: Portal, browser: Browser, path: str, **how: object) -> str:
    """Ask for something, have it done, and give the page that shows it."""
    answer = browser.post(path, **how)  # type: ignore[arg-type]  # what a browser takes
    assert answer.status_code == 303, answer.text
    do_all(portal.places, HANDLERS)
    return browser.get(answer.headers["location"]).text


@pytest.fixture
def lecturer(portal: Portal) -> Browser:
    """A lecturer whose course has its roster."""
    browser = portal.browser("lecturer")
    shown = asked_for(
        portal, browser, "/c/cards/roster", files={"gradebook": ("grades.csv", CANVAS.encode())}
    )
    assert "Not saved yet." in shown
    assert "Lovelace" in shown
    assert not (portal.places.course("cards") / ROSTER).exists()
    kept = asked_for(portal, browser, "/c/cards/roster/keep", fields={"job": "1"})
    assert "on the roster. Saved." in kept
    return browser


def test_a_gradebook_becomes_the_folder_of_a_class(portal: Portal, lecturer: Browser) -> None:
    """With names to play under, and what pages say of it."""
    terms = read_terms(portal.places.course("cards"))
    assert terms.roster
    assert [each.names[0] for each in terms.roster.people] == ["Ada Lovelace", "Seán O'Brien"]
    course = course_by(portal.database, "cards")
    assert course
    assert "ve280" in str(course.told["game"])
    assert "Roster changed" in lecturer.get("/c/cards/audit").text.replace("roster c", "Roster c")


def test_a_faulty_gradebook_is_said_so_by_its_own_name(portal: Portal) -> None:
    """And by no path of this machine."""
    shown = asked_for(
        portal,
        portal.browser("lecturer"),
        "/c/cards/roster",
        files={"gradebook": ("<b>grades</b>.csv", b"nothing,of,the,kind\n1,2,3,4\n")},
    )
    assert "&lt;b&gt;grades&lt;/b&gt;.csv:" in shown
    assert str(portal.places.root) not in shown


def test_terms_are_set_and_the_rest_stays(portal: Portal, lecturer: Browser) -> None:
    """The file is one that every command reads."""
    fields = {"deadline": "2026-12-01 23:59+01:00", "per_day": "5", "late_days": "2"}
    assert "Done." in asked_for(portal, lecturer, "/c/cards/terms", fields=fields)
    assert "Done." in asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": ""})
    terms = read_terms(portal.places.course("cards"))
    assert terms.deadline == datetime.fromisoformat("2026-12-01T23:59+01:00")
    assert (terms.per_day, terms.late_days) == (None, 2)
    assert terms.roster


def test_a_class_has_the_clock_of_its_time_zone(portal: Portal, lecturer: Browser) -> None:
    """So a deadline needs no offset, and is right in summer and in winter."""
    fields = {"time_zone": "America/New_York", "deadline": "2026-12-01 23:59", "grace_minutes": "5"}
    assert "Done." in asked_for(portal, lecturer, "/c/cards/terms", fields=fields)
    terms = read_terms(portal.places.course("cards"))
    assert terms.deadline == datetime.fromisoformat("2026-12-01T23:59-05:00")
    assert terms.grace_minutes == 5
    wrong = asked_for(portal, lecturer, "/c/cards/terms", fields={"time_zone": "New York"})
    assert "time_zone: expected the name of a time zone" in wrong


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        (
            "deadline",
            "tomorrow",
            "&#39;tomorrow&#39; is not possible; enter a time with its UTC offset",
        ),
        (
            "deadline",
            "2026-12-01 23:59",
            "&#39;2026-12-01 23:59&#39; is not possible; enter a time with its UTC",
        ),
        ("late_days", "-1", "late_days: &#39;-1&#39; is not possible; enter a number of days"),
        ("per_day", "0", "per_day"),
        ("per_day", "5\nroster: elsewhere.csv", "is not possible; enter a number of versions"),
        ("submission_rule", "worst", "submission_rule"),
    ],
)
def test_a_fault_of_terms_changes_nothing(
    portal: Portal, lecturer: Browser, name: str, value: str, words: str
) -> None:
    """It is said in the words of the file."""
    before = (portal.places.course("cards") / "submissions.yaml").read_text()
    assert words in asked_for(portal, lecturer, "/c/cards/terms", fields={name: value})
    assert (portal.places.course("cards") / "submissions.yaml").read_text() == before


def test_everybody_of_the_roster_gets_a_code(portal: Portal, lecturer: Browser) -> None:
    """With which they join as themselves."""
    answer = lecturer.post("/c/cards/codes", {"role": "student"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["plays as"] for row in rows] == ["Ada Lovelace", "Seán O'Brien"]
    fields = {"login": "ada", "name": "Ada", "password": "four words in a row"}
    portal.browser().post("/join", fields | {"code": rows[0]["code"]})
    again = lecturer.post("/c/cards/codes", {"role": "student"})
    assert "Ada" not in again.text


def test_an_exception_is_kept_with_its_reason(portal: Portal, lecturer: Browser) -> None:
    """It holds for that person, and until then."""
    until = datetime(2026, 12, 3, 12, tzinfo=UTC)
    fields = {"name": "Ada Lovelace", "deadline": "on", "because": "ill", "until": str(until)}
    assert lecturer.post("/c/cards/exceptions", fields).status_code == 303
    course = portal.courses["cards"]
    here = (portal.database, course, "Ada Lovelace", "Ada Lovelace")
    assert lifted(*here, time_text(until)) == (("deadline",), "ill")
    assert not lifted(*here, time_text(until + timedelta(seconds=1)))[0]
    assert not lifted(portal.database, course, "Seán O'Brien", "Seán O'Brien", time_text(until))[0]
    assert "ill" in lecturer.get("/c/cards/audit").text


def test_two_people_who_are_called_the_same_are_two(portal: Portal) -> None:
    """Each has a code that serves, and an exception for one is none for the other."""
    lecturer = portal.browser("lecturer")
    names = ("Ada", "Ada 2")
    people = [{"person": "Ada", "name": each, "groups": [], "excluded": False} for each in names]
    told = json.dumps({"people": people})
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (told,))
    answer = lecturer.post("/c/cards/codes", {"role": "student"})
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["plays as"] for row in rows] == list(names)
    fields = {"login": "ada", "name": "Ada", "password": "four words in a row"}
    joined = portal.browser().post("/join", fields | {"code": rows[0]["code"]})
    assert joined.status_code == 303, "the code of the second has ended that of the first"
    again = lecturer.post("/c/cards/codes", {"role": "student"}).content.decode("utf-8-sig")
    assert [row["plays as"] for row in csv.DictReader(io.StringIO(again))] == ["Ada 2"]
    assert "<p>1 of the roster: Ada" in lecturer.get("/c/cards/people").text
    until = datetime.now(UTC) + timedelta(days=1)
    fields = {"name": "Ada 2", "deadline": "on", "because": "ill", "until": str(until)}
    assert lecturer.post("/c/cards/exceptions", fields).status_code == 303
    course = portal.courses["cards"]
    assert not lifted(portal.database, course, "Ada", "Ada", now())[0]
    assert lifted(portal.database, course, "Ada", "Ada 2", now())[0] == ("deadline",)


def test_staff_helps_students_but_nobody_helps_themselves_to_staff(portal: Portal) -> None:
    """Of a course, and of its own."""
    assistant = portal.browser("assistant")
    link = assistant.post("/c/cards/people/reset", {"account": str(portal.people["student"])})
    assert "/reset?code=" in link.text
    for who in ("lecturer", "admin", "outsider"):
        fields = {"account": str(portal.people[who])}
        assert assistant.post("/c/cards/people/reset", fields).status_code == 422
    assert assistant.post("/c/cards/codes", {"role": "lecturer"}).status_code == 422


@pytest.mark.parametrize(
    "title", ["CS 101: Card players", "101", "null", "yes", "[x", "- 'a' # \"b\"", "&x", "é" * 80]
)
def test_a_tournament_is_called_as_its_course(portal: Portal, title: str) -> None:
    """Whatever YAML would make of the title."""
    answer = portal.browser("admin").post("/new-course", {"slug": "new", "title": title})
    assert answer.status_code == 303
    course = course_by(portal.database, "new")
    assert course
    add_member(portal.database, course.id, portal.people["lecturer"], "lecturer")
    lecturer, file = portal.browser("lecturer"), ("grades.csv", CANVAS.encode())
    asked_for(portal, lecturer, "/c/new/roster", files={"gradebook": file})
    asked_for(portal, lecturer, "/c/new/roster/keep", fields={"job": "1"})
    played = tournament_in(portal.places.course("new") / TOURNAMENT, catalog_of(load_plugins()))
    assert played.name == title


@pytest.mark.parametrize("title", ["a\nb: c", "x" * 81, "a\0b", "a\u202eb"])
def test_a_title_that_no_tournament_could_have_is_asked_for_again(
    portal: Portal, title: str
) -> None:
    """On the form, with what else was typed."""
    answer = portal.browser("admin").post("/new-course", {"slug": "new", "title": title})
    assert answer.status_code == 422
    assert "is not possible; use 1 to 80 printable characters" in answer.text
    assert 'name="slug"' in answer.text
    assert 'value="new"' in answer.text
    assert course_by(portal.database, "new") is None
