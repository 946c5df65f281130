"""Notices: what happened for a person, in the list and in the header."""

import html
import json
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tourney.portal import boards
from tourney.portal.accounts import add_member
from tourney.portal.admin_actions import reset_link
from tourney.portal.database import time_text
from tourney.portal.erasure import sweep
from tourney.portal.follower import Follower
from tourney.portal.notices import LISTED, Notice, add, add_moved_deadlines, notices_of, unread
from tourney.portal.notifier import add_near_deadlines
from tourney.portal.worker import Context

from .classes import CONFINED
from .hands import BROKEN, handed, make_course
from .portals import Browser, Portal
from .test_organising import asked_for, lecturer

__all__ = ["lecturer"]  # a fixture
NEAR = datetime(2036, 12, 1, 12, tzinfo=UTC)


def shown(browser: Browser) -> list[str]:
    """Give the sentences of the list, newest first."""
    page = browser.get("/notices").text
    return [html.unescape(each) for each in re.findall(r'/notices/\d+">([^<]+)</a>', page)]


def kinds(portal: Portal, who: str) -> list[str]:
    """Give the kinds of a person's notices, newest first."""
    return [each.kind for each in notices_of(portal.database, portal.people[who])]


def tell(portal: Portal, **told: Any) -> None:
    """Store what pages know of a course, with its students."""
    people = [
        {"person": who, "name": who, "groups": [], "excluded": "", "deadline": told.get("deadline")}
        for who in ("Student", "Mate")
    ]
    for who in ("Student", "Mate"):
        portal.database.execute(
            "UPDATE members SET person = ?, name = ? WHERE course = 1 AND account = ?",
            (who, who, portal.people[who.lower()]),
        )
    portal.database.execute(
        "UPDATE courses SET told = ? WHERE id = 1", (json.dumps({"people": people, **told}),)
    )


def test_a_new_notice_is_counted_in_the_header_until_it_is_read(portal: Portal) -> None:
    """On every page; the list marks it as new once, with the newest first."""
    browser, number = portal.browser("student"), portal.people["student"]
    assert "No notices yet." in browser.get("/notices").text
    assert 'class="count"' not in browser.get("/").text
    add(portal.database, "reset", account=number)
    add(portal.database, "password", account=number)
    assert '<strong class="count">2<span' in browser.get("/account").text
    assert 'class="count"' not in portal.browser("mate").get("/").text
    assert [each[:13] for each in shown(browser)] == ["Your password", "A reset link "]
    assert 'class="count"' not in browser.get("/").text
    assert "New:" not in browser.get("/notices").text


def test_a_notice_leads_to_its_page_and_only_its_owner_there(portal: Portal) -> None:
    """From a mail as well, which names the notice only."""
    add(portal.database, "reveal", account=portal.people["student"], course=1, run=3)
    answer = portal.browser("student").get("/notices/1")
    assert (answer.status_code, answer.headers["location"]) == (303, "/c/cards/final/3")
    assert portal.browser("mate").get("/notices/1").status_code == 404
    back = portal.browser().get("/notices/1").headers["location"]
    assert back == "/sign-in?back=%2Fnotices%2F1"


def test_a_reset_link_is_announced_without_the_link(portal: Portal) -> None:
    """By staff, by an administrator, by the command; and when the password is changed."""
    student = {"account": str(portal.people["student"])}
    page = portal.browser("lecturer").post("/c/cards/people/reset", student).text
    code = re.findall(r"code=([\w-]+)", page)[0]
    link = reset_link(portal.places, "student@example.org", "https://x.test", with_second=False)
    code = link.partition("code=")[2]
    fields = {"code": code, "password": "four words in a row"}
    assert portal.browser().post("/reset", fields).status_code == 303
    assert kinds(portal, "student") == ["password", "reset", "reset"]
    rows = tuple(portal.database.read(tuple, "SELECT about, once FROM notices"))
    assert not any(code in str(row) for row in rows)


def test_codes_are_announced_once_a_day_and_without_the_code(portal: Portal) -> None:
    """To the person of the roster, who has no account yet."""
    tell(portal)
    add_member(portal.database, 1, portal.people["mate"], "student")
    for _ in range(2):
        answer = portal.browser("lecturer").post("/c/cards/codes", {"role": "student"})
        assert answer.text.count("Mate") == 2
    rows = portal.database.read(tuple, "SELECT account, person, kind, about, once FROM notices")
    ((account, person, kind, about, once),) = rows
    assert (account, person, kind, about) == (None, "Mate", "code", "{}")
    assert answer.text.split(",")[-1].strip() not in once


@CONFINED
def test_a_report_is_announced_to_everybody_who_plays_under_the_name(portal: Portal) -> None:
    """A team; whether the submission is accepted, rejected or refused is not in the notice."""
    make_course(portal)
    add_member(portal.database, 1, portal.people["mate"], "student", name="Student")
    job = handed(portal, BROKEN.encode())
    assert kinds(portal, "student") == kinds(portal, "mate") == ["report"]
    for who in ("student", "mate"):
        page = notices_of(portal.database, portal.people[who])[0].page
        assert page == ("handed", {"course": "cards", "job": job.id})
        assert portal.browser(who).get(f"/c/cards/handed/{job.id}").status_code == 200


def test_a_deadline_is_announced_a_day_before_once_for_each_deadline(portal: Portal) -> None:
    """To students who are not excluded, on the clocks of the class."""
    tell(portal, deadline=NEAR.isoformat(), time_zone="Europe/Berlin")
    add_near_deadlines(portal.database, NEAR - timedelta(hours=24, seconds=1))
    assert kinds(portal, "student") == []
    for hours in (24, 1):
        add_near_deadlines(portal.database, NEAR - timedelta(hours=hours))
    add_near_deadlines(portal.database, NEAR)
    assert kinds(portal, "student") == kinds(portal, "mate") == ["deadline near"]
    (notice,) = notices_of(portal.database, portal.people["student"])
    assert notice.sentence.endswith("2036-12-01 13:00 (Europe/Berlin).")
    tell(portal, deadline=(NEAR + timedelta(hours=1)).isoformat())
    portal.database.execute(
        "UPDATE courses SET told = json_set(told, '$.people[1].excluded', 'dropped')"
    )
    add_near_deadlines(portal.database, NEAR - timedelta(hours=1))
    assert len(kinds(portal, "student")) == 2
    assert len(kinds(portal, "mate")) == 1
    assert kinds(portal, "lecturer") == kinds(portal, "outsider") == []


def test_a_deadline_that_is_changed_is_announced_to_whoever_it_concerns(
    portal: Portal, lecturer: Browser
) -> None:
    """The deadline of the course to all, an extension to its student; nothing else."""
    course = portal.courses["cards"]
    for who, name in (("student", "Ada Lovelace"), ("mate", "Seán O'Brien")):
        add_member(portal.database, course, portal.people[who], "student", person=name, name=name)
    terms = {"date": "2036-12-01", "time": "23:59", "time_zone": "America/New_York"}
    asked_for(portal, lecturer, "/c/cards/terms", fields=terms)
    for who in ("student", "mate"):
        (notice,) = notices_of(portal.database, portal.people[who])
        assert notice.sentence.endswith("It is 2036-12-01 23:59 (America/New_York).")
    asked_for(portal, lecturer, "/c/cards/terms", fields={"per_day": "5"})
    extension = {"whom": "student Ada Lovelace", "kind": "deadline", "date": "2036-12-03",
                 "time": "12:00", "because": "ill"}  # fmt: skip
    asked_for(portal, lecturer, "/c/cards/extensions", fields=extension)
    assert kinds(portal, "student") == ["deadline moved"] * 2
    assert kinds(portal, "mate") == ["deadline moved"]
    assert "ill" not in shown(portal.browser("student"))[0]
    waiting = "SELECT count(*) FROM notices WHERE account = ? AND mail = 'waiting'"
    row = portal.database.first(waiting, (portal.people["student"],))
    assert row == (1,), "the mail of the first time is out of date"
    asked_for(portal, lecturer, "/c/cards/terms", fields=terms | {"date": ""})
    assert shown(portal.browser("mate"))[0].endswith("It is no longer set.")


def test_a_reveal_is_announced_once_to_the_students_of_the_course(portal: Portal) -> None:
    """When the results are sealed no longer, whatever the follower does afterwards."""
    boards.note_run(portal.database, 1, "final", 1, "Final of Cards")
    follower = Follower(portal.places, portal.database)
    for _ in range(2):
        follower._have_published(boards.existing_run(portal.database, 1, 1))
    assert kinds(portal, "student") == kinds(portal, "mate") == ["reveal"]
    assert kinds(portal, "outsider") == kinds(portal, "lecturer") == []
    assert shown(portal.browser("student")) == ["The results of Final of Cards are revealed."]


def test_the_same_moment_in_another_zone_is_no_change(portal: Portal) -> None:
    """Nor is a student who is new on the roster."""
    tell(portal, deadline="2036-12-01T12:00:00+00:00")
    before = {"people": [{"person": "Mate", "name": "Mate", "excluded": "",
                          "deadline": "2036-12-01T13:00:00+01:00"}]}  # fmt: skip
    row = portal.database.first("SELECT told FROM courses WHERE id = 1")
    assert row
    add_moved_deadlines(portal.database, 1, before, json.loads(row[0]))
    assert kinds(portal, "mate") == kinds(portal, "student") == []


def test_notices_go_with_the_account_and_with_their_time(portal: Portal) -> None:
    """Those of a person without an account, too, by the name on the roster."""
    tell(portal)
    student = portal.people["student"]
    add(portal.database, "password", account=student)
    add(portal.database, "code", course=1, person="Student", name="Student", once="code")
    add(portal.database, "password", account=portal.people["mate"])
    browser = portal.browser("student")
    assert browser.post("/account/data/erase", {"login": "student@example.org"}).status_code < 400
    rows = tuple(portal.database.read(tuple, "SELECT account FROM notices"))
    assert rows == ((portal.people["mate"],),)
    old = time_text(datetime.now(UTC) - timedelta(days=181))
    portal.database.execute("UPDATE notices SET made = ?", (old,))
    job = type("", (), {"course": None})
    sweep(Context(portal.places, portal.database, job))  # type: ignore[arg-type]  # no job matters
    assert unread(portal.database, portal.people["mate"]) == 0


def test_a_notice_that_arrives_while_the_first_list_is_made_stays_unread(
    portal: Portal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another process adds it."""
    browser, number = portal.browser("student"), portal.people["student"]

    def late(*arguments: Any) -> tuple[Notice, ...]:
        found = notices_of(*arguments)
        add(portal.database, "reset", account=number)
        return found

    monkeypatch.setattr("tourney.portal.web.notices.notices_of", late)
    assert browser.get("/notices").status_code == 200
    assert unread(portal.database, number) == 1


def test_the_link_of_a_mail_works_however_many_notices_follow(portal: Portal) -> None:
    """The list shows the latest only."""
    browser, number = portal.browser("student"), portal.people["student"]
    for _ in range(LISTED + 1):
        add(portal.database, "reset", account=number)
    assert browser.get("/notices").text.count("/notices/") == LISTED
    assert browser.get("/notices/1").status_code == 303
    assert portal.browser("mate").get("/notices/1").status_code == 404
