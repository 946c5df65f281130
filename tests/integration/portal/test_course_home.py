"""The page of a course for a student: the deadline, their player, the last report, their place."""

import json
import re
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser
from tourney.portal import boards, course_jobs, folder_erasure, jobs, worker
from tourney.portal.accounts import course_of
from tourney.portal.database import time_text
from tourney.portal.personal_rules import PersonalRules, rules_of

from .furnished import furnish
from .hands import add_handed_in, make_course
from .portals import Portal
from .served import wait_until
from .test_every_page import Shown, answering
from .test_own_data import archive_of

__all__ = ["browser"]  # a fixture

BERLIN = "Europe/Berlin"
DEADLINE = "2026-12-01T23:59:00+01:00"
TERMS = "time_zone: Europe/Berlin\ndeadline: '2026-12-01 23:59'\nlate_days: 2\n"


def page_of(portal: Portal, path: str = "") -> str:
    """Give the main part of a page as the student sees it."""
    text = portal.browser("student").get(f"/c/cards{path}").text
    return " ".join(text.partition("<main")[2].split())


def rules_at(portal: Portal, moment: str, who: str = "Student") -> PersonalRules:
    """Give the rules of a student at a time."""
    course = course_of(portal.database, portal.courses["cards"])
    return rules_of(portal.database, course, who, who, datetime.fromisoformat(moment))


def waive(portal: Portal, limits: list[str], until: str) -> None:
    """Waive limits for the student."""
    portal.database.execute(
        "INSERT INTO overrides (course, person, name, limits, because, until) "
        "VALUES (?, 'Student', 'Student', ?, 'illness', ?)",
        (portal.courses["cards"], json.dumps(limits), until),
    )


def test_a_spectator_has_no_list_of_submissions(portal: Portal) -> None:
    """It would be a heading with nothing below it."""
    assert 'id="handing"' in portal.browser("student").get("/c/cards").text
    assert 'id="handing"' not in portal.browser("spectator").get("/c/cards").text


@pytest.mark.parametrize(
    ("moment", "state", "late"),
    [
        ("2026-12-01T23:59:00+01:00", "open", 0),
        ("2026-12-02T00:09:00+01:00", "open", 0),  # within the grace period
        ("2026-12-02T00:09:01+01:00", "late", 1),
        ("2026-12-04T00:09:00+01:00", "late", 2),
        ("2026-12-04T00:09:01+01:00", "over", 3),
    ],
)
def test_the_deadline_has_the_state_that_the_check_decides(
    portal: Portal, moment: str, state: str, late: int
) -> None:
    """With a grace period and two late days."""
    rules = {"time_zone": BERLIN, "deadline": DEADLINE, "late_days": 2, "grace_minutes": 10}
    make_course(portal, **rules)
    found = rules_at(portal, moment)
    assert (found.state, found.late_now) == (state, late)
    assert found.closes == datetime.fromisoformat("2026-12-04T00:09:00+01:00")
    assert found.accepts_until == found.closes
    waive(portal, ["deadline"], "2026-12-10T12:00:00.000000+00:00")
    assert rules_at(portal, moment).accepts_until == datetime(2026, 12, 10, 12, tzinfo=UTC)


def test_a_waiver_counts_until_its_end(portal: Portal) -> None:
    """The deadline is waived for one student, and not for another."""
    make_course(portal, deadline=DEADLINE)
    waive(portal, ["deadline"], "2026-12-10T12:00:00.000000+00:00")
    moments = ("2026-12-01T12:00Z", "2026-12-05T12:00Z", "2026-12-10T12:01Z")
    assert [rules_at(portal, each).state for each in moments] == ["open", "waived", "over"]
    assert rules_at(portal, moments[1]).ends == datetime(2026, 12, 10, 12, tzinfo=UTC)
    assert rules_at(portal, moments[1], "Mate").state == "over"


def test_the_checker_stores_the_own_deadline_of_each_student(portal: Portal) -> None:
    """Deadlines of sections, extensions and late days of the roster are in it."""
    make_course(portal, terms=f"{TERMS}group_deadlines: {{'002': '2026-12-03 23:59'}}\n")
    folder = portal.places.course("cards")
    (folder / "roster.csv").write_text(
        "person,as,groups,late_days\nStudent,Student,001,\nMate,Mate,002,\nOutsider,Outsider,,0\n"
    )
    (folder / "extensions.csv").write_text("person,until,reason\nStudent,2026-12-08 12:00,ill\n")
    told = course_jobs.told_of(folder)
    assert [(each["deadline"], each["late_days"]) for each in told["people"]] == [
        ("2026-12-08T12:00:00+01:00", 2),
        ("2026-12-03T23:59:00+01:00", 2),
        ("2026-12-01T23:59:00+01:00", 0),
    ]
    portal.database.execute("UPDATE courses SET told = ?", (json.dumps(told),))
    found = rules_at(portal, "2026-12-05T12:00Z")
    assert (found.state, found.is_extended) == ("open", True)
    assert rules_at(portal, "2026-12-05T12:00Z", "Outsider").state == "over"


def test_an_erased_student_leaves_no_extension(portal: Portal) -> None:
    """Its reason goes, too; the extension of another student stays as it was written."""
    make_course(portal, terms=TERMS)
    folder = portal.places.course("cards")
    rows = "person,until,reason\nMate,2026-12-07 12:00,\nStudent,2026-12-08 12:00,illness\n"
    (folder / "extensions.csv").write_text(rows)
    browser = portal.browser("student")
    browser.post("/account/data/erase", {"login": "student@example.org"})
    worker.do_all(portal.places, folder_erasure.HANDLERS)
    text = (folder / "extensions.csv").read_text()
    assert "Student" not in text
    assert "illness" not in text
    assert "Mate,2026-12-07 12:00" in text
    people = course_of(portal.database, portal.courses["cards"]).told["people"]
    assert isinstance(people, list)
    assert [each["deadline"] for each in people if each["person"] == "Mate"] == [
        "2026-12-07T12:00:00+01:00"
    ]


def test_the_page_shows_the_deadline_on_clocks_of_the_class(portal: Portal) -> None:
    """With the time that is left, and the late days; a script adds the local time."""
    deadline = datetime.now(UTC) + timedelta(days=3, hours=5, minutes=30)
    make_course(portal, time_zone="Asia/Kolkata", deadline=deadline.isoformat(), late_days=1)
    page = page_of(portal)
    local = deadline + timedelta(hours=5, minutes=30)
    assert f"{local.day} {local:%b %Y, %H:%M} Asia/Kolkata</time>" in page
    assert "3 days 5 hours left" in page
    assert "You have 1 late day: the portal accepts a late submission until" in page
    assert 'href="/c/cards/hand-in">Submit</a>' in page


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (1, "A submission now counts as 1 day late. You may still submit until"),
        (5, "The portal refuses new submissions."),
    ],
)
def test_the_page_says_when_the_deadline_has_passed(portal: Portal, days: int, words: str) -> None:
    """Both the page of the course and the form, for this student."""
    deadline = datetime.now(UTC) - timedelta(days=days) + timedelta(hours=1)
    make_course(portal, deadline=deadline.isoformat(), late_days=2, per_day=3)
    for page in (page_of(portal), page_of(portal, "/hand-in")):
        assert words in page
        assert ("3 of 3 submissions left today." in page) is (days == 1)


def test_the_page_counts_the_submissions_that_are_left(portal: Portal) -> None:
    """Of today, unless the limit is waived."""
    make_course(portal, per_day=3)
    add_handed_in(portal)
    assert "2 of 3 submissions left today." in page_of(portal)
    waive(portal, ["per_day"], time_text(datetime.now(UTC) + timedelta(days=1)))
    assert "left today" not in page_of(portal)


def test_the_page_says_why_nothing_competes(portal: Portal) -> None:
    """From the first visit to an accepted submission."""
    make_course(portal)
    assert "Nothing competes.</strong> You have not submitted yet." in page_of(portal)
    course, account = portal.courses["cards"], portal.people["student"]
    payload = {"file": "check-1", "title": "late.py", "author": "Student"}
    job = jobs.add(
        portal.database, "check", payload, course=course, account=account, name="Student"
    )
    page = page_of(portal)
    assert "Your upload waits for its check." in page
    assert f'href="/c/cards/handed/{job.id}">Follow your check</a>' in page
    jobs.finish(portal.database, job.id, {"status": "refused", "reason": "2 days late"})
    assert "Your last upload was refused: 2 days late" in page_of(portal)
    add_handed_in(portal)
    page = page_of(portal)
    assert "Student competes</strong>" in page
    assert "Accepted</strong>" in page


def test_an_excluded_student_reads_the_reason(portal: Portal) -> None:
    """The roster gives it."""
    entry = {"person": "Student", "name": "Student", "groups": [], "excluded": "left the class"}
    make_course(portal, people=[entry])
    page = page_of(portal)
    assert "The roster excludes you: left the class." in page
    assert 'class="main button" href="/c/cards/hand-in"' not in page


def test_the_page_shows_the_own_place_on_the_practice_board(portal: Portal) -> None:
    """Once the board shows the student."""
    make_course(portal)
    assert "You are not on the <a" in page_of(portal)
    run = boards.note_run(portal.database, portal.courses["cards"], "practice", 1, "Practice")
    columns = [{"name": each, "title": each, "is_number": True} for each in ("rank", "entrant")]
    shown = {"title": "Practice", "state": "over", "said": [], "columns": columns, "groups": [],
             "rows": [{"cells": [], "group": ""}] * 31}  # fmt: skip
    boards.show_board(portal.database, run.id, "course", shown, {"Student": ["7", "Student"]})
    assert "<strong>Place 7</strong> of 31 on the" in page_of(portal)


def test_the_page_lists_the_finals_with_the_own_place(portal: Portal) -> None:
    """Only if the place is shown; the list of finals has the same words."""
    numbers = furnish(portal)
    for page in (page_of(portal), page_of(portal, "/finals")):
        assert f'<a href="/c/cards/final/{numbers["over"]}">Final 4</a>: place 1 of 5' in page
        assert ": the results are hidden" in page
    staff = " ".join(portal.browser("assistant").get("/c/cards/finals").text.split())
    assert ">Final 4</a>: finished" in staff


def test_the_page_lists_a_final_that_is_scheduled(portal: Portal) -> None:
    """With its time on the clocks of the class, and the own submission that would play."""
    furnish(portal)
    course = portal.courses["cards"]
    portal.database.execute("UPDATE courses SET told = ?", (json.dumps({"time_zone": BERLIN}),))
    job = jobs.add(
        portal.database, "final", {"title": "Cup"}, course=course,
        not_before="2036-12-01T22:59:00.000000+00:00",
    )  # fmt: skip
    page = page_of(portal)
    assert "Cup: scheduled for <time" in page
    assert "1 Dec 2036, 23:59 Europe/Berlin</time></li>" in page
    assert re.search(r'start. Now that is your <a href="/c/cards/versions/\d+">submission of', page)
    portal.database.execute("DELETE FROM versions")
    assert "start. Now you have none." in page_of(portal)
    assert "Cup: waiting, starts at" in page_of(portal, "/finals")
    assert "finals/edit" not in page_of(portal, "/finals")
    assert jobs.withdraw(portal.database, job.id, course, "final")
    assert "Cup" not in page_of(portal)


def test_the_page_names_requests_that_wait_for_an_answer(portal: Portal) -> None:
    """Of a classmate who asks for a match."""
    furnish(portal)
    assert "Mate asks you for a private match." in page_of(portal)
    portal.database.execute("UPDATE matches SET ended = 'declined'")
    assert "for a private match" not in page_of(portal)


def test_an_export_has_the_own_deadline_and_no_other(portal: Portal) -> None:
    """It is a part of the person's line of the roster."""
    make_course(portal, terms=TERMS)
    folder = portal.places.course("cards")
    told = course_jobs.told_of(folder)
    portal.database.execute("UPDATE courses SET told = ? WHERE slug = 'cards'", (json.dumps(told),))
    (course,) = json.loads(archive_of(portal.browser("student"))["courses.json"])
    (entry,) = course["roster"]
    assert (entry["name"], entry["deadline"]) == ("Student", DEADLINE)


def test_a_script_adds_local_time_and_keeps_the_time_left(
    portal: Portal, browser: Chromium
) -> None:
    """It adds nothing for a student whose clock shows the time of the class."""
    deadline = datetime.now(UTC) + timedelta(days=3, hours=5, minutes=30)
    make_course(portal, time_zone=BERLIN, deadline=deadline.isoformat())
    local = deadline.astimezone(ZoneInfo("Asia/Tokyo"))
    with answering(portal.places) as url:
        Shown(portal, browser, url, {}).sit_down("student")
        for zone, is_added in (("Asia/Tokyo", True), (BERLIN, False)):
            browser.ask("Emulation.setTimezoneOverride", timezoneId=zone)
            page = browser.visit(f"{url}/c/cards")
            assert page.complaints == []
            text = browser.run("document.querySelector('.cards').innerText")
            assert (f"{local.day} {local:%b, %H:%M} your time)" in text) == is_added
            assert "3 days 5 hours left" in text
        words = "document.querySelector('[data-left]').textContent"
        browser.run("Date.now = ((now) => () => now() + 77 * 3600 * 1000)(Date.now.bind(Date))")
        assert wait_until(lambda: browser.run(words) == "29 minutes left")
        browser.run("Date.now = ((now) => () => now() + 3600 * 1000)(Date.now.bind(Date))")
        assert wait_until(lambda: browser.run(words) == "no time left; reload the page")
    browser.ask("Emulation.setTimezoneOverride", timezoneId="")
