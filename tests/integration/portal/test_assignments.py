"""Several assignments of one course: each has its game and deadline, all have the same members."""

import csv
import io
import json
import re
from datetime import datetime

import pytest

from tests.support.proving import with_more
from tourney.config.model import Catalog
from tourney.course.class_folder import ROSTER, TOURNAMENT, change_game
from tourney.course.folder import Submissions
from tourney.course.games import game_text
from tourney.course.submission_check import tournament_in
from tourney.course.submission_rules import SubmissionRules, read_terms
from tourney.errors import SubmissionError
from tourney.plugins.loading import load_plugins
from tourney.portal import boards, course_jobs, folder_erasure, jobs, practice
from tourney.portal.accounts import Course, course_by
from tourney.portal.course_jobs import HANDLERS, tell_all
from tourney.portal.database import now
from tourney.portal.web.pages import Page
from tourney.portal.web.server import PAGES
from tourney.portal.worker import do_all
from tourney.tournament.catalog import catalog_of

from .classes import CONFINED, player
from .classes import hand_in as file_version
from .hands import add_handed_in, bold, do_checks, hand_in, make_course
from .portals import Browser, Portal
from .test_access import TABLE, WHO
from .test_forms import Forms
from .test_own_data import archive_of
from .test_people import PASSWORD

NEW = {"first": "Project 1", "assignment": "Project 2", "short": "two", "game": "straights",
       "date": "2036-12-01", "time": "18:00"}  # fmt: skip
TERMS = "time_zone: Europe/Berlin\ndeadline: '2036-11-01 23:59'\nlate_days: 2\nper_day: 7\n"
JOBS = {**course_jobs.HANDLERS, **HANDLERS}
FIRST_LEGAL = "from tourney import PreferencePlayer\n\n\nclass First(PreferencePlayer):\n    pass\n"
CANVAS = """\
Student,ID,SIS User ID,SIS Login ID,Section,Project (7)
"    Points Possible",,,,,10
"Student",101,a1,student,Section 1,
"Mate",102,b2,mate,Section 2,
"Outsider",103,c3,outsider,,
"Hopper, Grace",104,d4,grace,Section 2,
"""


def course(portal: Portal, slug: str = "cards-two") -> Course:
    """Give an assignment."""
    found = course_by(portal.database, slug)
    assert found
    return found


def known_games() -> Catalog:
    """Give the installed games."""
    return catalog_of(load_plugins())


def rules_in(portal: Portal, slug: str) -> SubmissionRules:
    """Read the submission rules of an assignment."""
    return read_terms(portal.places.course(slug), known_games())


def make_two(portal: Portal, **fields: str) -> Browser:
    """Make a course with a second assignment; give its lecturer."""
    make_course(portal, terms=TERMS)
    tell_all(portal.places)
    lecturer = portal.browser("lecturer")
    answer = lecturer.post("/c/cards/assignments/new", NEW | fields)
    assert answer.status_code == 303, answer.text
    do_all(portal.places, JOBS)
    assert "Saved." in lecturer.get(answer.headers["location"]).text
    return lecturer


def main_of(browser: Browser, path: str) -> str:
    """Give the main part of a page, in one line."""
    answer = browser.get(path)
    assert answer.status_code == 200, path
    return " ".join(answer.text.partition("<main")[2].split())


def words_of(browser: Browser, path: str) -> str:
    """Give the words of a page's main part."""
    return " ".join(re.sub(r"<[^>]*>", " ", main_of(browser, path)).split())


def test_a_new_assignment_has_its_game_and_deadline_and_the_other_rules(portal: Portal) -> None:
    """Those are of the assignment in the address; the folder is one of the commands."""
    make_two(portal)
    first, second = (rules_in(portal, each) for each in ("cards", "cards-two"))
    assert first.game
    assert second.game
    assert (game_text(first.game), game_text(second.game)) == ("ve280", "straights")
    assert first.deadline == datetime.fromisoformat("2036-11-01T23:59+01:00")
    assert second.deadline == datetime.fromisoformat("2036-12-01T18:00+01:00")
    assert (second.late_days, second.per_day, str(second.time_zone)) == (2, 7, "Europe/Berlin")
    assert second.roster == first.roster
    played = tournament_in(portal.places.course("cards-two") / TOURNAMENT, known_games())
    assert played.name == "Cards: Project 2"
    assert "assignment made" in portal.browser("lecturer").get("/c/cards-two/audit").text


def test_a_student_sees_each_assignment_with_deadline_and_state(portal: Portal) -> None:
    """On the home page, and on the page of each assignment, which leads to the others."""
    make_two(portal)
    add_handed_in(portal)
    student = portal.browser("student")
    home = words_of(student, "/")
    assert "Cards Project 1 : Sat 1 Nov 2036, 23:59 Europe/Berlin : " in home
    assert "Project 2 : Mon 1 Dec 2036, 18:00 Europe/Berlin : " in home
    for path in ("/c/cards", "/c/cards-two"):
        text = words_of(student, path)
        assert re.search(r"Project 1 Sat 1 Nov 2036, .* left Your player competes", text)
        assert re.search(r"Project 2 Mon 1 Dec .* Nothing competes. You have not submitted", text)
    page = main_of(student, "/c/cards-two")
    assert '<a href="/c/cards-two" aria-current="page">Project 2</a>' in page
    assert '<a href="/c/cards">Project 1</a>' in page
    assert "<h1>Cards: Project 2</h1>" in page


def test_staff_sees_how_many_compete_in_each(portal: Portal) -> None:
    """Spectators see the deadlines only."""
    lecturer = make_two(portal)
    add_handed_in(portal)
    text = words_of(lecturer, "/c/cards-two")
    assert "Project 1 Sat 1 Nov 2036, 23:59 Europe/Berlin 1 of 3 students have" in text
    assert "Project 2 Mon 1 Dec 2036, 18:00 Europe/Berlin 0 of 3 students have" in text
    spectator = words_of(portal.browser("spectator"), "/c/cards")
    assert "Project 2 Mon 1 Dec 2036" in spectator
    assert "of 3" not in spectator


def test_a_course_with_one_assignment_lists_none(portal: Portal) -> None:
    """Its page is the page of the assignment, as before; the home page has the deadline."""
    make_course(portal, terms=TERMS)
    tell_all(portal.places)
    student = portal.browser("student")
    assert 'id="assignments"' not in main_of(student, "/c/cards")
    assert "Cards Deadline: Sat 1 Nov 2036" in words_of(student, "/")


@CONFINED
def test_each_assignment_checks_what_is_submitted_to_it_by_its_own_game(portal: Portal) -> None:
    """And lists it alone."""
    make_two(portal)
    student = portal.browser("student")
    straights = FIRST_LEGAL.encode()
    for slug, content in (("cards", bold()), ("cards-two", straights), ("cards-two", bold())):
        assert hand_in(student, content, slug=slug).status_code == 303
        do_checks(portal)
    found = {
        slug: [(each.status, each.reason) for each in Submissions(folder).versions("Student")]
        for slug in ("cards", "cards-two")
        if (folder := portal.places.course(slug))
    }
    assert found["cards"] == [("accepted", "")]
    assert ("accepted", "") in found["cards-two"]
    (rejected,) = (reason for status, reason in found["cards-two"] if status == "rejected")
    assert "Bold is not a player of Straights" in rejected
    assert main_of(student, "/c/cards/versions").count("/c/cards/versions/") >= 1
    assert "/c/cards/versions/" not in main_of(student, "/c/cards-two/versions")


def code_of(lecturer: Browser, slug: str, name: str) -> str:
    """Make the code of a student, on the page of an assignment."""
    answer = lecturer.post(f"/c/{slug}/codes", {"role": "student"})
    rows = csv.DictReader(io.StringIO(answer.content.decode("utf-8-sig")))
    return next(row["code"] for row in rows if row["plays as"] == name)


@pytest.mark.parametrize("slug", ["cards", "cards-two"])
def test_who_joins_the_course_is_in_each_assignment_until_removed(
    portal: Portal, slug: str
) -> None:
    """There is one list of members and codes, whichever assignment it is opened from."""
    lecturer, grace = make_two(portal), portal.browser()
    fields = {"login": "out@example.org", "name": "Outsider", "password": PASSWORD}
    code = code_of(lecturer, slug, "Outsider")
    assert grace.post("/join", fields | {"code": code}).status_code == 303
    both = ("/c/cards", "/c/cards-two", "/c/cards-two/hand-in", "/c/cards-two/versions")
    assert [grace.get(path).status_code for path in both] == [200] * 4
    for each in ("cards", "cards-two"):
        assert "out@example.org" in lecturer.get(f"/c/{each}/people").text
    sql = "SELECT id FROM accounts WHERE login = 'out@example.org'"
    (number,) = portal.database.first(sql) or (0,)
    removed = lecturer.post(f"/c/{slug}/people/remove", {"account": str(number)})
    assert removed.headers["location"] == "/c/cards/people"
    assert [grace.get(path).status_code for path in both] == [404] * 4
    assert "Cards" not in words_of(grace, "/")
    assert grace.post("/join", {"code": code_of(lecturer, slug, "Outsider")}).status_code == 303
    assert [grace.get(path).status_code for path in both] == [200] * 4


def test_a_member_is_stored_once(portal: Portal) -> None:
    """So no role can differ between assignments."""
    make_two(portal)
    rows = portal.database.read(iter, "SELECT DISTINCT course FROM members ORDER BY course")
    assert list(rows) == [(portal.courses["cards"],), (portal.courses["other"],)]
    assert not portal.database.first("SELECT 1 FROM invites WHERE course = ?", (course(portal).id,))


PRIVATE = [page for page in PAGES if "{course}" in page.path and page.who != "anybody"]


OFTEN = [page for page in PRIVATE if page.name in {"course", "people", "versions", "change-titles"}]
OTHERS = [page for page in PRIVATE if page not in OFTEN]


@pytest.mark.parametrize("page", with_more(OFTEN, OTHERS), ids=lambda page: page.name)
def test_roles_are_those_of_the_course_in_each_assignment(portal: Portal, page: Page) -> None:
    """Nobody of another course sees a page of the assignment, nor an administrator."""
    make_two(portal)
    path = re.sub(r"\{course\}", "cards-two", page.path)
    path = re.sub(r"\{\w+(:\w+)?\}", "999", path)
    first = dict(zip(WHO, TABLE[page.name].split(), strict=False))
    for who in ("", "admin", "stranger", "outsider", "student", "assistant", "spectator"):
        browser = portal.browser(who)
        if page.method == "POST":
            got = browser.post(path).status_code
        elif page.path.endswith("/events"):
            got = browser.begin(path).status_code
        else:
            got = browser.get(path).status_code
        if who in {"", "admin", "stranger", "outsider"} or first[who] == "403":
            assert str(got) == first[who], who
        else:
            assert got != 403, who


def test_numbers_of_one_assignment_open_nothing_in_another(portal: Portal) -> None:
    """Submissions, jobs and finals have addresses of their own assignment only."""
    lecturer = make_two(portal)
    job, version = add_handed_in(portal)
    final = boards.note_run(portal.database, portal.courses["cards"], "final", 1, "Final").id
    for who in ("student", "lecturer"):
        browser = portal.browser(who)
        paths = (f"versions/{version}", f"handed/{job}", f"final/{final}")
        assert [browser.get(f"/c/cards/{each}").status_code for each in paths] == [200] * 3
        assert [browser.get(f"/c/cards-two/{each}").status_code for each in paths] == [404] * 3
    assert lecturer.get(f"/c/cards-two/final/{final}/control").status_code == 404


def test_a_lecturer_of_another_course_adds_nothing(portal: Portal) -> None:
    """Whatever is in the form."""
    make_two(portal)
    stranger = portal.browser("stranger")
    form = NEW | {"short": "three", "assignment": "Project 3"}
    for path in ("/c/cards/assignments/new", "/c/cards-two/titles", "/c/cards-two/change-game"):
        assert stranger.post(path, form | {"title": "Mine"}).status_code == 404
    assert course_by(portal.database, "cards-three") is None
    assert course(portal).title == "Cards: Project 2"


def take_roster(portal: Portal, lecturer: Browser, slug: str, text: str = CANVAS) -> None:
    """Take a gradebook in, on the settings of an assignment."""
    file = {"gradebook": ("grades.csv", text.encode())}
    begun = lecturer.post(f"/c/{slug}/roster", files=file)
    number = begun.headers["location"].rpartition("/")[2]
    do_all(portal.places, JOBS)
    assert lecturer.post(f"/c/{slug}/roster/keep", {"job": number}).status_code == 303
    do_all(portal.places, JOBS)


@pytest.mark.parametrize("slug", ["cards", "cards-two"])
def test_a_roster_is_that_of_all_assignments(portal: Portal, slug: str) -> None:
    """Whichever settings it was uploaded on: a new student, a dropped one, a section."""
    lecturer = make_two(portal)
    text = "".join(line for line in CANVAS.splitlines(keepends=True) if "Mate" not in line)
    take_roster(portal, lecturer, slug, text)
    files = [portal.places.course(each) / ROSTER for each in ("cards", "cards-two")]
    assert files[0].read_text() == files[1].read_text()
    people = {each["name"]: each for each in course(portal).told["people"]}  # type: ignore[attr-defined]  # a list
    assert "Grace Hopper" in people
    assert people["Mate"]["excluded"]
    assert people["Student"]["groups"] == ["Section 1"]


def test_a_fault_of_one_assignment_keeps_no_roster_from_the_others(portal: Portal) -> None:
    """It is shown with its file, and the roster is saved."""
    lecturer = make_two(portal)
    with (portal.places.course("cards-two") / "submissions.yaml").open("a") as file:
        file.write("late_days: none\n")
    take_roster(portal, lecturer, "cards")
    kept, *_ = jobs.of_course(portal.database, portal.courses["cards"], ["roster"])
    page = lecturer.get(f"/c/cards/doing/{kept.id}").text
    assert "4 students on the roster" in page
    assert "Saved." in page
    assert "one has a fault in its rules" in page
    assert "cards-two/submissions.yaml:" in page
    assert str(portal.places.root) not in page
    assert "Grace Hopper" in (portal.places.course("cards-two") / ROSTER).read_text()


def test_a_new_name_follows_in_the_waivers_of_each_assignment(portal: Portal) -> None:
    """So the student keeps them."""
    lecturer = make_two(portal)
    take_roster(portal, lecturer, "cards")
    sql = (
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, 'Student', 'Student', '[\"per_day\"]', 'illness', '2036-12-10')"
    )
    portal.database.execute(sql, (course(portal).id,))
    take_roster(portal, lecturer, "cards", CANVAS.replace('"Student",101', '"Curie, Marie",101'))
    assert portal.database.first("SELECT person, name FROM overrides") == ("Marie Curie", "Student")
    assert portal.database.first("SELECT 1 FROM members WHERE person = 'Marie Curie'")


def test_a_roster_that_a_command_has_changed_reaches_all_at_the_next_start(portal: Portal) -> None:
    """The file of the first assignment counts."""
    make_two(portal)
    path = portal.places.course("cards") / ROSTER
    path.write_text("person,as\nStudent,Student\nGrace,Grace\n")
    tell_all(portal.places)
    assert (portal.places.course("cards-two") / ROSTER).read_text() == path.read_text()
    assert [each["name"] for each in course(portal).told["people"]] == ["Student", "Grace"]  # type: ignore[attr-defined]  # a list


def test_an_extension_holds_in_its_assignment_only(portal: Portal) -> None:
    """And changes no other deadline."""
    lecturer = make_two(portal)
    form = {"whom": "student Student", "kind": "deadline", "date": "2036-12-20",
            "time": "12:00", "because": "illness"}  # fmt: skip
    assert lecturer.post("/c/cards-two/extensions", form).status_code == 303
    do_all(portal.places, JOBS)
    student = portal.browser("student")
    assert "This is your own deadline" in words_of(student, "/c/cards-two")
    assert "This is your own deadline" not in words_of(student, "/c/cards")
    assert "Project 2 : Sat 20 Dec 2036, 12:00" in words_of(student, "/")


def test_who_is_erased_leaves_every_assignment(portal: Portal) -> None:
    """With one pseudonym on all rosters; the archive had the submissions of each before."""
    make_two(portal)
    second = Submissions(portal.places.course("cards-two"))
    text = FIRST_LEGAL
    file_version(Submissions(portal.places.course("cards")), "Student", player())
    file_version(second, "Student", text)
    portal.courses["cards-two"] = course(portal).id
    for slug in ("cards", "cards-two"):
        add_handed_in(portal, slug=slug)
    sql = (
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, 'Student', 'Student', '[]', 'illness', ?)"
    )
    portal.database.execute(sql, (course(portal).id, now()))
    student = portal.browser("student")
    archive = archive_of(student)
    listed = json.loads(archive["courses.json"])
    assert [(each["course"], each["title"], each["assignment"]) for each in listed] == [
        ("cards", "Cards", "Project 1"),
        ("cards-two", "Cards", "Project 2"),
    ]
    assert {each["course"] for each in json.loads(archive["versions.json"])} == {
        "cards",
        "cards-two",
    }
    assert json.loads(archive["exceptions.json"])[0]["course"] == "cards-two"
    student.post("/account/data/erase", {"login": "student@example.org"})
    do_all(portal.places, folder_erasure.HANDLERS)
    rosters = [(portal.places.course(each) / ROSTER).read_text() for each in ("cards", "cards-two")]
    assert rosters[0] == rosters[1]
    assert "erased" in rosters[0]
    assert "Student" not in rosters[0]
    assert second.names() == Submissions(portal.places.course("cards")).names() == ()
    for table in ("versions", "overrides", "members"):
        assert not portal.database.first(f"SELECT 1 FROM {table} WHERE name = 'Student'")  # noqa: S608 - of this list
    forgotten = jobs.of_course(portal.database, course(portal).id, ["forget"])
    assert [each.kind in practice.HANDLERS for each in forgotten] == [True]


def test_a_course_is_archived_with_all_its_assignments(portal: Portal) -> None:
    """And restored with them; the list of courses has one line for it."""
    make_two(portal)
    admin, student = portal.browser("admin"), portal.browser("student")
    page = main_of(admin, "/admin/courses")
    assert page.count("Archive<span") == 2, "Cards and Other"
    assert "<td>cards</td><td>2</td>" in page
    form = {"course": str(portal.courses["cards"]), "act": "archive"}
    assert admin.post("/admin/courses", form).status_code == 303
    assert [student.get(f"/c/{each}").status_code for each in ("cards", "cards-two")] == [404] * 2
    assert portal.browser("lecturer").get("/c/cards-two").status_code == 200
    assert portal.browser("lecturer").post("/c/cards-two/titles", {}).status_code == 403
    admin.post("/admin/courses", form | {"act": "bring-back"})
    assert [student.get(f"/c/{each}").status_code for each in ("cards", "cards-two")] == [200] * 2


def test_a_final_that_waits_in_one_assignment_keeps_its_course_open(portal: Portal) -> None:
    """Archiving would cancel it."""
    make_two(portal)
    jobs.add(portal.database, "final", {}, course=course(portal).id, not_before="2036-01-01")
    form = {"course": str(portal.courses["cards"]), "act": "archive"}
    answer = portal.browser("admin").post("/admin/courses", form)
    assert "1 jobs are not finished" in answer.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"first": " "}, "title: each assignment of a course with several needs a title"),
        ({"assignment": ""}, "title: each assignment of a course with several needs a title"),
        ({"assignment": "project 1"}, "title: another assignment is called &#39;project 1&#39;"),
        ({"assignment": "x" * 81}, "title: &#39;xxx"),
        ({"short": ""}, "short name: enter one, such as project-2"),
        ({"short": "No Slug"}, "short name: &#39;cards-No Slug&#39; is not possible"),
        ({"game": "bridge"}, "game: there is no game &#39;bridge&#39;; choose one of the list"),
        ({"date": "2020-01-01"}, "deadline: 2020-01-01 18:00 (Europe/Berlin) has already passed"),
        ({"date": "tomorrow"}, "deadline: enter a date such as 2026-12-01"),
    ],
)
def test_a_fault_of_a_new_assignment_makes_none(
    portal: Portal, fields: dict[str, str], words: str
) -> None:
    """The form comes back with the reason and all that was typed."""
    make_course(portal, terms=TERMS)
    tell_all(portal.places)
    answer = portal.browser("lecturer").post("/c/cards/assignments/new", NEW | fields)
    assert answer.status_code == 422
    assert f"Not done. {words[0].upper()}{words[1:]}" in answer.text
    shown = Forms(answer.text).fields["/c/cards/assignments/new"]
    assert shown["assignment"] == (NEW | fields)["assignment"]
    assert course(portal, "cards").title == "Cards"
    assert portal.database.first("SELECT count(*) FROM courses") == (2,)


def test_a_course_without_a_roster_has_no_second_assignment(portal: Portal) -> None:
    """The roster comes first."""
    tell_all(portal.places)
    answer = portal.browser("lecturer").post("/c/cards/assignments/new", NEW)
    assert answer.status_code == 422
    assert "the course has no roster yet; upload it first" in answer.text


def test_a_third_assignment_asks_for_no_title_of_the_first(portal: Portal) -> None:
    """And its short name is its own."""
    lecturer = make_two(portal)
    assert "Title of the present assignment" not in main_of(lecturer, "/c/cards/assignments/new")
    form = NEW | {"assignment": "Project 3"}
    again = lecturer.post("/c/cards-two/assignments/new", form)
    assert "Short name: another course has &#39;cards-two&#39;" in again.text
    made = lecturer.post("/c/cards-two/assignments/new", form | {"short": "three"})
    assert made.headers["location"].startswith("/c/cards-three/")
    assert course(portal, "cards-three").home == portal.courses["cards"]


def test_an_assignment_that_is_not_set_up_is_shown_to_staff_alone(portal: Portal) -> None:
    """After a fault of the course's files its lecturer sets it up again."""
    lecturer = make_two(portal)
    path = portal.places.course("cards") / ROSTER
    whole = path.read_text()
    path.write_text("nothing,of,the,kind\n")
    form = NEW | {"assignment": "Project 3", "short": "three"}
    made = lecturer.post("/c/cards/assignments/new", form)
    do_all(portal.places, JOBS)
    page = lecturer.get(made.headers["location"]).text
    assert "Not saved. cards/roster.csv:" in page
    assert str(portal.places.root) not in page
    student = portal.browser("student")
    assert "Project 3" not in words_of(student, "/")
    assert "Project 3" not in words_of(student, "/c/cards")
    answer = hand_in(student, bold(), slug="cards-three")
    assert "This assignment is not set up yet; submit again in a minute" in answer.text
    assert "Project 3 : not set up" in words_of(lecturer, "/")
    assert "The assignment is not set up." in words_of(lecturer, "/c/cards-three")
    path.write_text(whole)
    assert "Set up the assignment" in words_of(lecturer, "/c/cards-three/organise")
    fields = {name: NEW[name] for name in ("game", "date", "time")}
    assert lecturer.post("/c/cards-three/set-up", fields).status_code == 303
    do_all(portal.places, JOBS)
    assert course(portal, "cards-three").told["game"] == "straights"
    assert lecturer.post("/c/cards-three/set-up", fields).status_code == 422
    assert "Project 3" in words_of(student, "/")


def test_titles_are_changed_on_every_page(portal: Portal) -> None:
    """The course's and the assignment's; addresses stay."""
    lecturer = make_two(portal)
    form = Forms(lecturer.get("/c/cards-two/organise").text).fields["/c/cards-two/titles"]
    assert form == {"title": "Cards", "assignment": "Project 2"}
    form = {"title": "Cards 101", "assignment": "Straights"}
    assert lecturer.post("/c/cards-two/titles", form).status_code == 303
    assert course(portal).title == "Cards 101: Straights"
    assert course(portal, "cards").title == "Cards 101: Project 1"
    assert "Cards 101" in words_of(portal.browser("student"), "/")
    assert "titles changed" in lecturer.get("/c/cards-two/audit").text
    for wrong in ({"title": ""}, {"assignment": ""}, {"assignment": "Project 1"}):
        assert lecturer.post("/c/cards-two/titles", form | wrong).status_code == 422
    assert course(portal).title == "Cards 101: Straights"


def test_the_only_assignment_needs_no_title_of_its_own(portal: Portal) -> None:
    """It is called as the course."""
    lecturer = portal.browser("lecturer")
    assert lecturer.post("/c/cards/titles", {"title": "Cards 101"}).status_code == 303
    assert course(portal, "cards").title == "Cards 101"


def test_a_game_is_changed_until_somebody_submits(portal: Portal) -> None:
    """With the tournament; what belongs to the old game goes."""
    lecturer = make_two(portal, game="ve280")
    folder = portal.places.course("cards-two")
    with (folder / "submissions.yaml").open("a") as file:
        file.write("tests: ve280\n")
    assert lecturer.post("/c/cards-two/change-game", {"game": "straights"}).status_code == 303
    do_all(portal.places, JOBS)
    terms = rules_in(portal, "cards-two")
    assert terms.game
    assert (game_text(terms.game), terms.tests) == ("straights", None)
    assert (terms.late_days, len(terms.roster.people if terms.roster else ())) == (2, 3)
    played = tournament_in(folder / TOURNAMENT, known_games())
    assert played.game.preset == "straights"
    assert course(portal).told["game_words"] == "straights"
    assert "game changed" in lecturer.get("/c/cards-two/audit").text
    portal.courses["cards-two"] = course(portal).id
    add_handed_in(portal, slug="cards-two")
    answer = lecturer.post("/c/cards-two/change-game", {"game": "ve280"})
    assert "Game: students have submitted already. Make another assignment" in answer.text
    assert "It cannot change" in main_of(lecturer, "/c/cards-two/organise")


def test_an_upload_that_waits_keeps_the_game(portal: Portal) -> None:
    """Also one that comes after the request to change it."""
    lecturer = make_two(portal)
    assert lecturer.post("/c/cards-two/change-game", {"game": "ve280"}).status_code == 303
    assert hand_in(portal.browser("student"), bold(), slug="cards-two").status_code == 303
    assert lecturer.post("/c/cards-two/change-game", {"game": "ve280"}).status_code == 422
    do_all(portal.places, JOBS)
    assert course(portal).told["game"] == "straights"
    (job,) = jobs.of_course(portal.database, course(portal).id, ["game"])
    assert job.fault == "game: students have submitted already. Make another assignment"


def test_a_submission_by_a_command_keeps_the_game(portal: Portal) -> None:
    """The portal has not seen it yet, and finds it in the folder."""
    make_two(portal)
    folder, game = portal.places.course("cards-two"), rules_in(portal, "cards").game
    assert game
    file_version(Submissions(folder), "Student", FIRST_LEGAL)
    before = (folder / TOURNAMENT).read_text()
    with pytest.raises(SubmissionError, match="students have submitted already"):
        change_game(folder, game, "Cards", known_games())
    assert (folder / TOURNAMENT).read_text() == before
