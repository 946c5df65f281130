"""A lecturer takes a gradebook in, sets terms, invites everybody, and makes an exception."""

import csv
import io
import json
import re
from codecs import BOM_UTF8
from datetime import UTC, datetime

import pytest

from tourney.course.class_folder import ROSTER, TOURNAMENT
from tourney.course.folder import Submissions
from tourney.course.submission_check import tournament_in
from tourney.course.submission_rules import read_terms
from tourney.plugins.loading import load_plugins
from tourney.portal.accounts import add_member, course_by
from tourney.portal.course_jobs import HANDLERS, tell_all
from tourney.portal.database import now
from tourney.portal.personal_rules import lifted
from tourney.portal.versions import Version, keep, versions_of
from tourney.portal.worker import do_all
from tourney.tournament.catalog import catalog_of

from .classes import CONFINED, hand_in, player
from .portals import Browser, Portal
from .test_forms import Forms

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
    assert "with an export of Canvas" in shown
    assert '<td class="who">101; a1; ada</td>' in shown
    assert not (portal.places.course("cards") / ROSTER).exists()
    kept = asked_for(portal, browser, "/c/cards/roster/keep", fields={"job": "1"})
    assert "2 students on the roster, with an export of Canvas. Saved." in kept
    assert 'Next: set the deadline in the <a href="/c/cards/organise">' in kept
    return browser


def test_a_gradebook_becomes_the_folder_of_a_class(portal: Portal, lecturer: Browser) -> None:
    """With names to play under, and what pages say of it."""
    terms = read_terms(portal.places.course("cards"))
    assert terms.roster
    assert [each.names[0] for each in terms.roster.people] == ["Ada Lovelace", "Seán O'Brien"]
    course = course_by(portal.database, "cards")
    assert course
    assert "ve280" in str(course.told["game"])
    assert course.told["game_words"] == "ve280, shuffled evenly"
    assert "a1" not in json.dumps(course.told), "identifiers stay in the folder"
    assert "Roster changed" in lecturer.get("/c/cards/audit").text.replace("roster c", "Roster c")


def test_a_preview_shows_what_changes_and_saves_nothing_else(
    portal: Portal, lecturer: Browser
) -> None:
    """Of the same export nothing, so there is no button; of another one each change."""
    file = {"gradebook": ("grades.csv", CANVAS.encode())}
    same = asked_for(portal, lecturer, "/c/cards/roster", files=file)
    assert "The roster does not change." in same
    assert "Save roster" not in same
    text = CANVAS.replace("a1,ada,Section 1", "a7,ada,Section 2")
    text += '"Student, Test",999,,deadbeef,Section 1,\n'
    file = {"gradebook": ("grades.csv", text.encode())}
    other = asked_for(portal, lecturer, "/c/cards/roster", files=file)
    assert "Ada Lovelace: groups Section 1 to Section 2; identifiers 101, a1, ada to" in other
    assert "Save roster" in other
    assert "Line 5: " in other.partition("Skipped lines")[2]


@CONFINED
def test_a_plain_file_is_called_no_export_of_a_platform(portal: Portal) -> None:
    """Its headings are those of several platforms, and of files that people write."""
    files = {"gradebook": ("class.csv", b"name,email\nAda Lovelace,ada@example.edu\n")}
    shown = asked_for(portal, portal.browser("lecturer"), "/c/cards/roster", files=files)
    assert "1 student on the roster, from a CSV file. Not saved yet." in shown


def test_a_student_who_leaves_the_roster_competes_no_longer(
    portal: Portal, lecturer: Browser
) -> None:
    """On the student's own page too; one who is back competes as before."""
    ada, folder = "Ada Lovelace", portal.places.course("cards")
    digest = hand_in(Submissions(folder), ada, player())
    version = Version(name=ada, digest=digest, received=now(), status="accepted", reason="",
                      plays=True, report={})  # fmt: skip
    keep(portal.database, 1, ada, [(version, [])])
    number = portal.people["student"]
    add_member(portal.database, 1, number, "student", person=ada, name=ada)
    without = "".join(line for line in CANVAS.splitlines(keepends=True) if "Lovelace" not in line)
    for text, competes in ((without, False), (CANVAS, True)):
        file = {"gradebook": ("grades.csv", text.encode())}
        shown = asked_for(portal, lecturer, "/c/cards/roster", files=file)
        (job,) = re.findall(r'name="job" value="(\d+)"', shown)
        kept = asked_for(portal, lecturer, "/c/cards/roster/keep", fields={"job": job})
        assert f"{1 + competes} student" in kept
        assert [each.plays for each in versions_of(portal.database, 1, ada)] == [competes]
        page = portal.browser("student").get("/c/cards").text
        assert ("Ada Lovelace competes" in page) == competes
        assert ("The roster excludes you" in page) != competes


def test_saving_a_roster_twice_is_saving_it_once(portal: Portal) -> None:
    """By a double click; the second of two requests at once would fail at the first's files."""
    lecturer = portal.browser("lecturer")
    asked_for(
        portal, lecturer, "/c/cards/roster", files={"gradebook": ("grades.csv", CANVAS.encode())}
    )
    first, second = (lecturer.post("/c/cards/roster/keep", {"job": "1"}) for _ in range(2))
    assert first.headers["location"] == second.headers["location"]
    do_all(portal.places, HANDLERS)
    assert "2 students on the roster" in lecturer.get(second.headers["location"]).text


def test_a_roster_that_has_changed_since_its_preview_is_previewed_again(
    portal: Portal, lecturer: Browser
) -> None:
    """So that no student is excluded whom no preview listed."""
    without = "".join(line for line in CANVAS.splitlines(keepends=True) if "Lovelace" not in line)
    more = CANVAS + '"Hopper, Grace",103,c3,grace,Section 1,\n'
    previews = []
    for text in (without, more):
        file = {"gradebook": ("grades.csv", text.encode())}
        shown = asked_for(portal, lecturer, "/c/cards/roster", files=file)
        previews += re.findall(r'name="job" value="(\d+)"', shown)
    old, new = previews
    asked_for(portal, lecturer, "/c/cards/roster/keep", fields={"job": new})
    again = asked_for(portal, lecturer, "/c/cards/roster/keep", fields={"job": old})
    assert "The roster has changed since the preview." in again
    assert "Grace Hopper" in again
    roster = read_terms(portal.places.course("cards")).roster
    assert roster
    assert not any(each.excluded for each in roster.people)
    (job,) = re.findall(r'name="job" value="(\d+)"', again)
    kept = asked_for(portal, lecturer, "/c/cards/roster/keep", fields={"job": job})
    assert "1 student on the roster, with an export of Canvas. Saved." in kept


def test_a_faulty_gradebook_is_said_so_by_its_own_name(portal: Portal) -> None:
    """And by no path of this machine."""
    shown = asked_for(
        portal,
        portal.browser("lecturer"),
        "/c/cards/roster",
        files={"gradebook": ("<b>grades</b>.csv", b"nothing,of,the,kind\n1,2,3,4\n")},
    )
    assert "&lt;b&gt;grades&lt;/b&gt;.csv:" in shown
    assert "or, for a roster, put the line name,email on top" in shown
    assert str(portal.places.root) not in shown


TERMS = {
    "time_zone": "America/New_York",
    "date": "2036-12-01",
    "time": "23:59",
    "grace_minutes": "5",
    "late_days": "2",
    "per_day": "5",
    "submission_rule": "best",
    "tests": "",
    "largest_team": "2",
}


def test_terms_are_set_and_the_rest_stays(portal: Portal, lecturer: Browser) -> None:
    """The clock is that of the class, in summer and in winter; the file is one of the commands."""
    assert "Saved." in asked_for(portal, lecturer, "/c/cards/terms", fields=TERMS)
    assert "Saved." in asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": ""})
    terms = read_terms(portal.places.course("cards"))
    assert terms.deadline == datetime.fromisoformat("2036-12-01T23:59-05:00")
    assert (terms.per_day, terms.late_days, terms.grace_minutes) == (None, 2, 5)
    assert terms.rule == "best"
    assert terms.roster
    assert "2036-12-01 23:59 (America/New_York)" in lecturer.get("/c/cards/organise").text


def test_the_form_has_what_holds_now(portal: Portal, lecturer: Browser) -> None:
    """So saving it as it is changes nothing, and no deadline goes by an empty date."""
    asked_for(portal, lecturer, "/c/cards/terms", fields=TERMS)
    form = Forms(lecturer.get("/c/cards/organise").text).fields["/c/cards/terms"]
    assert form == TERMS
    asked_for(portal, lecturer, "/c/cards/terms", fields=form)
    terms = read_terms(portal.places.course("cards"))
    assert terms.deadline == datetime.fromisoformat("2036-12-01T23:59-05:00")
    asked_for(portal, lecturer, "/c/cards/terms", fields=form | {"date": ""})
    assert read_terms(portal.places.course("cards")).deadline is None


@pytest.mark.parametrize("path", ["terms", "extensions"])
def test_an_hour_that_clocks_skip_is_refused(portal: Portal, lecturer: Browser, path: str) -> None:
    """With a time that they show; a deadline in an hour that comes twice is shown as the second."""
    asked_for(portal, lecturer, "/c/cards/terms", fields=TERMS)
    skipped = {"date": "2037-03-08", "time": "02:30"}
    fields = {**TERMS, "whom": "student Ada Lovelace", "kind": "deadline", "because": "ill"}
    answer = lecturer.post(f"/c/cards/{path}", fields | skipped)
    assert answer.status_code == 422
    words = "clocks in America/New_York skip 02:30 on 2037-03-08, when they go forward; enter"
    assert f"{words} another time, such as 03:30" in answer.text
    twice = TERMS | {"date": "2037-11-01", "time": "01:30"}
    asked_for(portal, lecturer, "/c/cards/terms", fields=twice)
    deadline = read_terms(portal.places.course("cards")).deadline
    assert deadline
    assert deadline.astimezone(UTC) == datetime.fromisoformat("2037-11-01T06:30Z")
    assert "2037-11-01 01:30 EST (America/New_York)" in lecturer.get("/c/cards/organise").text


def test_whoever_sets_a_past_deadline_is_asked(portal: Portal, lecturer: Browser) -> None:
    """With a box to confirm it; a deadline that stays as it was needs none."""
    past = TERMS | {"date": "2020-12-01"}
    answer = lecturer.post("/c/cards/terms", past)
    assert answer.status_code == 422
    assert "Deadline: 2020-12-01 23:59 (America/New_York) has already passed" in answer.text
    assert 'name="past"' in answer.text
    assert 'name="past"' not in lecturer.get("/c/cards/organise").text
    assert "Saved." in asked_for(portal, lecturer, "/c/cards/terms", fields=past | {"past": "on"})
    assert "Saved." in asked_for(portal, lecturer, "/c/cards/terms", fields=past)


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("date", "tomorrow", "deadline: enter a date such as 2026-12-01"),
        ("time", "soon", "deadline: enter a date such as 2026-12-01"),
        (
            "time_zone",
            "New York",
            "time zone: there is no zone &#39;New York&#39; (did you mean &#39;America/New_York",
        ),
        ("late_days", "-1", "late days per student: enter a number from 0 to 1000"),
        ("per_day", "0", "submissions per day: enter a number from 1 to 1000"),
        ("per_day", "5\nroster: elsewhere.csv", "submissions per day: enter a number"),
        ("submission_rule", "worst", "submission that competes: choose latest accepted"),
        ("tests", "bridge", "student tests: no game &#39;bridge&#39; has mutants"),
    ],
)
def test_a_fault_of_terms_changes_nothing(
    portal: Portal, lecturer: Browser, name: str, value: str, words: str
) -> None:
    """The form comes back with the reason and all that was typed."""
    before = (portal.places.course("cards") / "submissions.yaml").read_text()
    answer = lecturer.post("/c/cards/terms", TERMS | {name: value})
    assert answer.status_code == 422
    assert f"Not done. {words[0].upper()}{words[1:]}" in answer.text
    assert Forms(answer.text).fields["/c/cards/terms"]["late_days"] in {"2", "-1"}
    assert (portal.places.course("cards") / "submissions.yaml").read_text() == before


def test_games_are_chosen_of_those_that_are_installed(portal: Portal) -> None:
    """Any other is refused before the roster is read."""
    tell_all(portal.places)
    lecturer = portal.browser("lecturer")
    page = lecturer.get("/c/cards/organise").text
    assert '<option value="ve280" selected>' in page
    assert '<option value="straights">' in page
    file = {"gradebook": ("grades.csv", CANVAS.encode())}
    answer = lecturer.post("/c/cards/roster", {"game": "bridge"}, files=file)
    assert answer.status_code == 422
    assert "there is no game &#39;bridge&#39;; choose one of the list" in answer.text
    asked_for(portal, lecturer, "/c/cards/roster", fields={"game": "easybj"}, files=file)
    asked_for(portal, lecturer, "/c/cards/roster/keep", fields={"job": "1"})
    assert "easybj" in (portal.places.course("cards") / "submissions.yaml").read_text()
    form = (
        lecturer.get("/c/cards/organise")
        .text.partition('name="tests"')[2]
        .partition("</select>")[0]
    )
    assert '<option value="easybj">' in form
    assert '<option value="straights">' not in form, "it has no mutants"


def test_what_a_command_has_changed_is_shown_after_a_start(
    portal: Portal, lecturer: Browser
) -> None:
    """And a course with a fault keeps no other from it."""
    folder = portal.places.course("cards")
    (folder / "extensions.csv").write_text("person,until\nada,2036-12-03 23:59+01:00\n")
    other = portal.places.course("other")
    other.mkdir(parents=True)
    (other / "roster.csv").write_text("nothing,of,the,kind\n")
    (other / "submissions.yaml").write_text("roster: roster.csv\n")
    tell_all(portal.places)
    assert "Ada Lovelace</th>" in lecturer.get("/c/cards/extensions").text


def test_what_was_refused_is_not_shown_as_done(portal: Portal, lecturer: Browser) -> None:
    """In the list of recent changes."""
    with (portal.places.course("cards") / "submissions.yaml").open("a") as file:
        file.write("late_days: none\n")
    shown = asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": "5"})
    assert "Not saved. submissions.yaml:" in shown
    page = lecturer.get("/c/cards/organise").text
    assert page.count("</a>: refused</li>") == 1
    assert page.count("</a>: done</li>") == 2


def test_everybody_of_the_roster_gets_a_code(portal: Portal, lecturer: Browser) -> None:
    """With which they join as themselves."""
    answer = lecturer.post("/c/cards/codes", {"role": "student"})
    assert answer.content.startswith(BOM_UTF8), "without it Excel misreads Seán"
    rows = list(csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig"))))
    assert [row["plays as"] for row in rows] == ["Ada Lovelace", "Seán O'Brien"]
    fields = {"login": "ada", "name": "Ada", "password": "four words in a row"}
    portal.browser().post("/join", fields | {"code": rows[0]["code"]})
    again = lecturer.post("/c/cards/codes", {"role": "student"})
    assert "Ada" not in again.text


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
    page = lecturer.get("/c/cards/people").text
    assert "<p>1 of the roster:" in page
    assert '<td class="who">Ada</td><td class="who">Ada 2</td>' in page
    fields = {"whom": "student Ada (Ada 2)", "kind": "per_day", "because": "ill"}
    fields |= {"date": "2036-12-03", "time": "12:00"}
    assert lecturer.post("/c/cards/extensions", fields).status_code == 303
    course = portal.courses["cards"]
    assert not lifted(portal.database, course, "Ada", "Ada", now())[0]
    assert lifted(portal.database, course, "Ada", "Ada 2", now())[0] == ("per_day",)


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
