"""The history of the practice board: places after each change, for those who may see them."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace

import pytest

from tourney.portal import (
    boards,
    folder_erasure,
    jobs,
    practice,
    worker,
)
from tourney.portal.boards import Place, entries, record

from .classes import CONFINED, TOURNAMENT, hand_in, make_class, player
from .portals import Portal
from .test_own_data import archive_of

HISTORY = "/c/cards/board/history"
HIDDEN = TOURNAMENT + "leaderboard: {names: handles}\n"


def keep(
    portal: Portal, *order: str, shoes: int = 1, shown: Mapping[str, str] | None = None
) -> bool:
    """Keep an entry with students in an order."""
    run = boards.note_run(portal.database, portal.courses["cards"], "practice", 1, "Practice")
    places = [
        Place(name, at, f"{1000 - at}.0", (shown or {}).get(name, name), is_submission=True)
        for at, name in enumerate(order, start=1)
    ]
    return record(portal.database, replace(run, number=shoes), places)


def rows(portal: Portal, who: str, path: str = HISTORY) -> dict[str, list[str]]:
    """Give the cells of the table as somebody sees it, by entrant."""
    page = portal.browser(who).get(path).text
    found = re.findall(r'<tr[^>]*><th scope="row" class="who">([^<]+)</th>(.*?)</tr>', page)
    return {name: re.findall(r'<td class="n">([^<]*)</td>', cells) for name, cells in found}


def text(portal: Portal, who: str, path: str = HISTORY) -> str:
    """Give a page as somebody sees it."""
    return portal.browser(who).get(path).text


def play(portal: Portal) -> None:
    """Play the practice that waits."""
    worker.do_all(portal.places, practice.HANDLERS)


def ask(portal: Portal) -> None:
    """Ask for practice, as a new version does."""
    jobs.add(portal.database, "practice", {}, course=portal.courses["cards"])


def test_each_change_of_the_board_is_a_column_of_the_table(portal: Portal) -> None:
    """Best of the latest first, a dash before the first version, and a line with the name."""
    keep(portal, "Mate", "Student")
    keep(portal, "Student", "Third", "Mate")
    assert rows(portal, "student") == {
        "Student": ["2 (998.0)", "1 (999.0)"],
        "Third": ["\u2013", "2 (998.0)"],
        "Mate": ["1 (999.0)", "3 (997.0)"],
    }
    page = text(portal, "student")
    assert page.count("<polyline") == 2  # one time makes no line
    assert ">Student (you)</text>" in page
    assert ">Third</text>" in page


def test_a_board_that_has_not_changed_is_kept_once(portal: Portal) -> None:
    """Other shoes are a change, and are named on the page."""
    assert keep(portal, "Mate", "Student")
    assert not keep(portal, "Mate", "Student")
    assert "begins with the second change" in text(portal, "student")
    assert "New shoes" not in text(portal, "student")
    assert keep(portal, "Mate", "Student", shoes=2)
    assert "New shoes were dealt at" in text(portal, "student")


def test_only_staff_and_the_student_follow_an_entrant_without_a_public_name(
    portal: Portal,
) -> None:
    """A player that is named by its row would otherwise be known by its earlier rows."""
    for order in (("Mate", "Student", "Third"), ("Student", "Third", "Mate")):
        keep(portal, *order, shown={"Mate": "", "Student": "", "Third": "Moonlight"})
    assert list(rows(portal, "student")) == ["Student", "Moonlight"]
    assert list(rows(portal, "mate")) == ["Moonlight", "Mate"]
    assert list(rows(portal, "spectator")) == ["Moonlight"]
    assert list(rows(portal, "assistant")) == ["Student", "Third", "Mate"]
    assert "Mate" not in text(portal, "student").partition("<main")[2]


def test_a_page_has_the_leading_entrants_and_the_viewer(portal: Portal) -> None:
    """So it stays small; older entries are on earlier pages."""
    crowd = [f"P{number:02}" for number in range(40)]
    for number in range(26):
        keep(portal, *crowd, "Student", shoes=number)
    found = rows(portal, "student")
    assert list(found) == [*crowd[:20], "Student"]
    assert {len(cells) for cells in found.values()} == {24}
    page = text(portal, "student")
    assert "The page shows the first 20 entrants of the latest board and you." in page
    assert len(page.encode()) < 100_000
    (earlier,) = re.findall(r'href="([^"]+\?before=\d+)"', page)
    assert {len(cells) for cells in rows(portal, "student", earlier).values()} == {2}


def test_old_entries_are_deleted(portal: Portal, monkeypatch: pytest.MonkeyPatch) -> None:
    """With their places."""
    monkeypatch.setattr(boards, "KEPT", 3)
    for number in range(5):
        keep(portal, "Student", shoes=number)
    found = entries(portal.database, portal.courses["cards"], most=9)
    assert [each.run for each in found] == [2, 3, 4]
    assert portal.database.first("SELECT count(*) FROM practice_places") == (3,)


def test_own_places_are_among_a_persons_data(portal: Portal) -> None:
    """Without those of others."""
    keep(portal, "Mate", "Student")
    keep(portal, "Student", "Mate")
    found = json.loads(archive_of(portal.browser("student"))["practice.json"])
    assert [each["place"] for each in found] == [2, 1]
    assert {each["course"] for each in found} == {"cards"}


@CONFINED
def test_practice_keeps_an_entry_for_each_new_version(portal: Portal) -> None:
    """With the names that others may see: none where a row is a player's only name."""
    course = make_class(portal, HIDDEN)
    hand_in(course, "Student", player(14))
    ask(portal)
    play(portal)
    hand_in(course, "Mate", player(18))
    ask(portal)
    play(portal)
    first, second = entries(portal.database, portal.courses["cards"])
    assert list(first.places) == ["Student"]
    assert set(second.places) == {"Student", "Mate"}
    assert {each.place for each in second.places.values()} == {1, 2}
    assert {each.shown for each in second.places.values()} == {""}
    assert list(rows(portal, "student")) == ["Student"]


@CONFINED
def test_an_erased_student_leaves_all_entries(portal: Portal) -> None:
    """In the table of the database, too; others stay."""
    course = make_class(portal)
    for name in ("Student", "Mate"):
        hand_in(course, name, player(14))
    keep(portal, "Mate", "Student")
    keep(portal, "Student", "Mate")
    fields = {"login": "student@example.org"}
    assert portal.browser("student").post("/account/data/erase", fields).status_code == 200
    worker.do_all(portal.places, {**folder_erasure.HANDLERS, **practice.HANDLERS})
    assert list(rows(portal, "lecturer")) == ["Mate"]
    sql = "SELECT name, count(*) FROM practice_places GROUP BY name"
    assert [name for name, _ in portal.database.read(list, sql)] == ["Mate"]
