"""A course with two assignments in a browser: one code, two games, two deadlines.

Played on the portal as people start it, with its real processes.
"""

import asyncio
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.conftest import browser

from .furnished import furnish
from .portals import make_portal
from .served import Served
from .test_course import (
    GOOD,
    PASSWORD,
    Person,
    invite,
    pytestmark,
    served,
    set_deadline,
    sign_up,
    take_roster,
)
from .test_every_page import Shown, answering

__all__ = ["browser", "pytestmark", "served"]  # fixtures, and where the tests can run


LIST = """(other) => [
  document.querySelectorAll('ul.rows > li').length,
  document.querySelector(`ul.rows a[href="/c/${other}"]`).checkVisibility(),
  document.querySelector('ul.rows a[aria-current=page]').pathname,
  document.documentElement.scrollWidth - document.documentElement.clientWidth,
]"""
"""Rows of the list, whether it shows the link to another assignment, the present one, overflow."""


def add_assignment(lecturer: Person) -> None:
    """Make the second assignment, from the page of the course."""
    lecturer.visits("/c/cards")
    lecturer.chromium.run("document.querySelector('a[href$=\"/assignments/new\"]').click()")
    lecturer.waits_to_read("New assignment of Cards 101")
    day = (datetime.now(UTC) + timedelta(days=9)).date().isoformat()
    typed = {"first": "VE280", "assignment": "Easy", "short": "easy"}
    lecturer.sends("/assignments/new", **typed, game="easybj", date=day, time="18:00")
    lecturer.waits_to_read("Saved.")


def hands_in(student: Person, slug: str, text: str) -> None:
    """Paste a player, and wait until it is accepted."""
    student.visits(f"/c/{slug}/hand-in")
    student.sends("/hand-in", title="player.py", text=text)
    student.waits_to_read("Accepted")


def test_the_list_leads_to_each_assignment_on_a_phone_without_scripts(
    browser: Chromium, tmp_path: Path
) -> None:
    """Nothing is wider than the screen, and no text waits for a script."""
    with asyncio.Runner() as runner:
        portal = make_portal(tmp_path / "portal", runner)
        furnish(portal)
        with closing(portal), answering(portal.places) as url:
            Shown(portal, browser, url, {}).sit_down("student")
            browser.screen(390, 800)
            for slug, other in (("cards", "cards-two"), ("cards-two", "cards")):
                assert browser.visit(f"{url}/c/{slug}").complaints == []
                browser.reload_without_scripts()
                seen = browser.run(f"({LIST})('{other}')")
                assert seen == [2, True, f"/c/{slug}", 0]


@pytest.mark.prove
def test_a_student_plays_in_two_assignments_until_removed(
    served: Served, browser: Chromium, tmp_path: Path
) -> None:
    """With one code; each page leads to the other assignment and has the state of both."""
    lecturer = Person(browser, served).sits_down()
    sign_up(lecturer)
    take_roster(lecturer, tmp_path)
    set_deadline(lecturer, datetime.now(UTC) + timedelta(days=2))
    add_assignment(lecturer)
    codes = invite(lecturer)
    lecturer.gets_up()

    ada = Person(browser, served).sits_down()
    ada.visits(f"/join?code={codes['Ada Lovelace']}")
    ada.sends("/join", name="Ada", login="ada@example.org", password=PASSWORD)
    home = ada.visits("/")
    assert "1 day 23 hours left" in home
    assert "VE280" in home
    assert "Easy" in home
    hands_in(ada, "cards", GOOD)
    both = ada.visits("/c/cards-easy")
    assert both.count("Your player competes.") == 1
    hands_in(ada, "cards-easy", GOOD)
    both = ada.visits("/c/cards")
    assert both.count("Your player competes.") == 2
    ada.visits("/c/cards-easy/board")
    ada.waits_to_read("Ada Lovelace")
    ada.gets_up()

    lecturer.sits_down().visits("/c/cards-easy/organise")
    assert "It cannot change: students have submitted already" in lecturer.text()
    lecturer.sends("/titles", title="Cards 102", assignment="Easier")
    assert "Settings of Cards 102: Easier" in lecturer.text()
    lecturer.visits("/c/cards-easy/people")
    lecturer.sends("/people/remove")
    lecturer.gets_up()
    ada.sits_down()
    assert "Cards 102" not in ada.visits("/")
    for slug in ("cards", "cards-easy"):
        ada.chromium.visit(f"{served.url}/c/{slug}")
        assert "you may not see it" in ada.text()
