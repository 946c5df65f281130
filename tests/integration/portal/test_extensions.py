"""Extensions and waivers: granted to students and sections, listed, changed and ended."""

import html
from datetime import UTC, datetime, timedelta

import pytest

from tourney.course.submission_rules import read_terms
from tourney.portal.accounts import add_member
from tourney.portal.database import now, time_text
from tourney.portal.personal_rules import Waiver, lifted, waive

from .portals import Browser, Portal
from .test_forms import Forms
from .test_organising import CANVAS, asked_for, lecturer

__all__ = ["lecturer"]  # a fixture
PATH = "/c/cards/extensions"
ADA = "student Ada Lovelace"
LATER = {"whom": ADA, "kind": "deadline", "date": "2036-12-03", "time": "12:00", "because": "ill"}
UNLIMITED = LATER | {"kind": "per_day"}


@pytest.fixture(autouse=True)
def _deadline(portal: Portal, lecturer: Browser) -> None:
    """Begin with a deadline on the clock of the class."""
    fields = {"date": "2036-12-01", "time": "23:59", "time_zone": "America/New_York"}
    assert "Saved." in asked_for(portal, lecturer, "/c/cards/terms", fields=fields)


def deadline_of(portal: Portal, author: str, name: str) -> datetime | None:
    """Give the deadline that counts for a student."""
    return read_terms(portal.places.course("cards")).deadline_of(author, name)


def listed(browser: Browser) -> str:
    """Give what the page lists, without its form."""
    return html.unescape(browser.get(PATH).text).partition(
        '<form method="post" action="' + PATH + '"'
    )[0]


def test_a_student_gets_more_time_and_everybody_else_does_not(
    portal: Portal, lecturer: Browser
) -> None:
    """It is listed with its reason; granting again changes it; ending it gives it back."""
    assert "Saved." in asked_for(portal, lecturer, PATH, fields=LATER)
    own = ("Ada Lovelace", "Ada Lovelace")
    assert deadline_of(portal, *own) == datetime.fromisoformat("2036-12-03T12:00-05:00")
    usual = datetime.fromisoformat("2036-12-01T23:59-05:00")
    assert deadline_of(portal, "Seán O'Brien", "Seán O'Brien") == usual
    shown = listed(lecturer)
    assert "Later deadline</td><td>2036-12-03 12:00 (America/New_York)</td>" in shown
    assert "ill" in shown
    again = Forms(lecturer.get(f"{PATH}?change={ADA}").text).fields[PATH]
    assert again == LATER
    asked_for(portal, lecturer, PATH, fields=again | {"date": "2036-12-05"})
    assert deadline_of(portal, *own) == datetime.fromisoformat("2036-12-05T12:00-05:00")
    assert "2036-12-03" not in listed(lecturer)
    asked_for(portal, lecturer, f"{PATH}/end", fields={"key": ADA})
    assert deadline_of(portal, *own) == usual
    assert "No student and no section has an extension" in listed(lecturer)


def test_a_section_of_excluded_students_is_not_offered(portal: Portal, lecturer: Browser) -> None:
    """To grant it more time would be refused."""
    assert '<option value="section Section 2">' in lecturer.get(PATH).text
    left = CANVAS.replace('"O\'Brien, Seán",102,b2,sean,Section 2,\n', "")
    shown = asked_for(
        portal, lecturer, "/c/cards/roster", files={"gradebook": ("g.csv", left.encode())}
    )
    asked_for(
        portal, lecturer, "/c/cards/roster/keep", fields=Forms(shown).fields["/c/cards/roster/keep"]
    )
    page = lecturer.get(PATH).text
    assert "section Section 1" in page
    assert "section Section 2" not in page


def test_nobody_is_chosen_before_the_lecturer_chooses(portal: Portal, lecturer: Browser) -> None:
    """Else one who forgets it gives a whole section more time."""
    fields = Forms(lecturer.get(PATH).text).fields[PATH]
    assert fields["whom"] == ""
    answer = lecturer.post(PATH, LATER | {"whom": fields["whom"]})
    assert answer.status_code == 422
    assert "Extension: choose a student or a section of the roster" in answer.text


def test_a_section_gets_more_time(portal: Portal, lecturer: Browser) -> None:
    """Also one whose name looks like a number; the student with the later time keeps that."""
    path = portal.places.course("cards") / "roster.csv"
    path.write_text(path.read_text().replace("Section 2", "002"))
    asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": "5"})  # reads the roster
    for section, date in (("Section 1", "2036-12-02"), ("002", "2036-12-04")):
        fields = LATER | {"whom": f"section {section}", "date": date, "because": ""}
        assert "Saved." in asked_for(portal, lecturer, PATH, fields=fields)
    asked_for(portal, lecturer, PATH, fields=LATER)
    sean = ("Seán O'Brien", "Seán O'Brien")
    assert deadline_of(portal, *sean) == datetime.fromisoformat("2036-12-04T12:00-05:00")
    ada = deadline_of(portal, "Ada Lovelace", "Ada Lovelace")
    assert ada == datetime.fromisoformat("2036-12-03T12:00-05:00")
    assert "Section 002" in listed(lecturer)
    asked_for(portal, lecturer, f"{PATH}/end", fields={"key": "section 002"})
    assert deadline_of(portal, *sean) == datetime.fromisoformat("2036-12-01T23:59-05:00")
    assert "Section 1" in listed(lecturer)


def test_a_section_gets_no_daily_limit_student_by_student(
    portal: Portal, lecturer: Browser
) -> None:
    """Granting again changes the present waiver; ended ones stay in the list and in the log."""
    for date in ("2036-12-03", "2036-12-04"):
        fields = UNLIMITED | {"whom": "section Section 1", "date": date}
        assert lecturer.post(PATH, fields).status_code == 303
    course, own = portal.courses["cards"], ("Ada Lovelace", "Ada Lovelace")
    until = datetime.fromisoformat("2036-12-04T12:00-05:00")
    assert lifted(portal.database, course, *own, time_text(until)) == (("per_day",), "ill")
    after = time_text(until + timedelta(seconds=1))
    assert not lifted(portal.database, course, *own, after)[0]
    assert not lifted(portal.database, course, "Seán O'Brien", "Seán O'Brien", now())[0]
    assert listed(lecturer).count("No daily limit") == 1
    assert lecturer.post(f"{PATH}/end", {"key": "waiver 1"}).status_code == 303
    assert not lifted(portal.database, course, *own, now())[0]
    assert ", over</td>" in listed(lecturer)
    assert lecturer.post(f"{PATH}/end", {"key": "waiver 1"}).status_code == 422


def test_every_change_is_in_the_activity_log(portal: Portal, lecturer: Browser) -> None:
    """With the student's account or line of the roster, and no name in the line itself."""
    number = portal.people["outsider"]
    add_member(portal.database, 1, number, "student", person="Ada Lovelace", name="Ada Lovelace")
    asked_for(portal, lecturer, PATH, fields=LATER)
    asked_for(portal, lecturer, f"{PATH}/end", fields={"key": ADA})
    lecturer.post(PATH, UNLIMITED)
    lecturer.post(f"{PATH}/end", {"key": "waiver 1"})
    page = lecturer.get("/c/cards/audit").text
    for act in ("extension granted", "extension ended", "waiver granted", "waiver ended"):
        assert f"<td>{act}</td>" in page
    assert f"Outsider (account {number})" in page
    assert "roster_line: 1" in page
    rows = portal.database.read(tuple, "SELECT about FROM audit")
    assert not any("Ada" in about or "ill" in about for (about,) in rows)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"whom": "student Nobody"}, "choose a student or a section of the roster"),
        ({"kind": "all"}, "choose a later deadline, or no daily limit"),
        ({"because": " "}, "Reason: enter why"),
        ({"date": ""}, "Until: enter the date"),
        ({"date": "soon"}, "Until: enter a date such as"),
        ({"date": "2036-11-30"}, "is not later than the deadline of the course, 2036-12-01 23:59"),
        ({"date": "2020-12-03"}, "2020-12-03 12:00 (America/New_York) has already passed"),
        ({"date": "9999-12-31", "time": "23:59"}, "Until: enter a date such as"),
    ],
)
def test_a_fault_of_an_extension_comes_back_with_what_was_typed(
    lecturer: Browser, change: dict[str, str], words: str
) -> None:
    """Above the form, and nothing is asked for."""
    answer = lecturer.post(PATH, LATER | change)
    assert answer.status_code == 422
    page = html.unescape(answer.text)
    assert words in page
    assert Forms(answer.text).fields[PATH]["because"] == (LATER | change)["because"]
    assert "extension" not in lecturer.get("/c/cards/organise").text.partition("Recent")[2]


def test_a_past_time_is_possible_for_whoever_means_it(portal: Portal, lecturer: Browser) -> None:
    """Such as to waive a limit that somebody met yesterday."""
    fields = UNLIMITED | {"date": "2020-12-03", "past": "on"}
    assert lecturer.post(PATH, fields).status_code == 303
    assert "2020-12-03 12:00 (America/New_York), over" in listed(lecturer)


def test_without_a_deadline_there_is_nothing_to_extend(portal: Portal, lecturer: Browser) -> None:
    """And the page says so before."""
    asked_for(portal, lecturer, "/c/cards/terms", fields={"date": ""})
    assert "The course has no deadline." in listed(lecturer)
    answer = lecturer.post(PATH, LATER)
    assert "the course has no deadline; set one in the course settings" in answer.text


def test_an_assistant_may_and_a_fault_of_the_folder_is_no_success(
    portal: Portal, lecturer: Browser
) -> None:
    """It says what to mend, by no path of this machine."""
    del lecturer
    assistant = portal.browser("assistant")
    assert "Saved." in asked_for(portal, assistant, PATH, fields=LATER)
    with (portal.places.course("cards") / "submissions.yaml").open("a") as file:
        file.write("late_days: none\n")
    shown = asked_for(portal, assistant, PATH, fields=LATER)
    assert "Not saved. submissions.yaml:" in shown
    assert "Saved." not in shown
    assert str(portal.places.root) not in shown


def test_two_of_one_name_get_their_own(portal: Portal, lecturer: Browser) -> None:
    """By an id of the roster in the file; without one it cannot be said who is meant."""
    path = portal.places.course("cards") / "roster.csv"
    text = path.read_text().replace("Seán O'Brien,Seán", "Ada Lovelace,Seán")
    path.write_text(text)
    asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": "5"})
    fields = LATER | {"whom": "student Ada Lovelace (Seán O'Brien)"}
    assert "Saved." in asked_for(portal, lecturer, PATH, fields=fields)
    later = datetime.fromisoformat("2036-12-03T12:00-05:00")
    assert deadline_of(portal, "Ada Lovelace", "Seán O'Brien") == later
    assert deadline_of(portal, "Ada Lovelace", "Ada Lovelace") != later


def test_a_waiver_of_a_deadline_from_before_is_still_listed(
    portal: Portal, lecturer: Browser
) -> None:
    """It holds until it is ended."""
    until = time_text(datetime.now(UTC) + timedelta(days=1))
    waiver = Waiver(0, "Ada Lovelace", "Ada Lovelace", ("deadline",), "ill", until)
    waive(portal.database, portal.courses["cards"], waiver)
    assert "Deadline waived" in listed(lecturer)
    assert "change=waiver" not in listed(lecturer)
    assert lecturer.post(f"{PATH}/end", {"key": "waiver 1"}).status_code == 303
    assert ", over</td>" in listed(lecturer)
