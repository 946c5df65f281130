"""Boards for one viewer: the own row is marked, columns are explained, and few fit a phone."""

import html
import re

import pytest

from tourney.portal.web.boards import laid_out

from .furnished import furnish
from .portals import Portal

OWN = re.compile(r'<tr data-entrant="([^"]*)" class="own" aria-current="true"')
BOARD = "/c/cards/board"


@pytest.mark.parametrize(
    ("who", "path", "own"),
    [
        ("student", BOARD, ["Student"]),
        ("mate", BOARD, ["Mate"]),
        ("student", "/c/cards/final/{over}", ["Student"]),
        ("student", "/c/cards/final/{sealed}", []),
        ("lecturer", BOARD, []),
        ("spectator", BOARD, []),
        ("", "/c/cards/final/{over}", []),
    ],
)
def test_the_own_row_is_marked_for_its_own_eyes(
    portal: Portal, who: str, path: str, own: list[str]
) -> None:
    """Not by colour alone; whoever plays nothing has none, and rows that are hidden stay so."""
    numbers = furnish(portal)
    page = portal.browser(who).get(path.format(**numbers)).text
    assert OWN.findall(page) == own
    assert ('data-me="' in page) == (who in {"student", "mate"} and "<table" in page)


def test_the_own_place_in_a_finished_final_is_a_heading(portal: Portal) -> None:
    """With the way to the feedback, once there is any, for its student alone."""
    numbers = furnish(portal)
    for who, state, is_there in (
        ("student", "over", True),
        ("student", "revealing", False),
        ("lecturer", "over", False),
        ("", "over", False),
    ):
        path = f"/c/cards/final/{numbers[state]}"
        page = portal.browser(who).get(path).text
        assert ("<h2>Place 1 of 5</h2>" in page) is is_there
        assert (f'<a href="{path}/feedback">Your feedback</a> explains it' in page) is is_there


def test_a_name_with_markup_is_marked_as_text(portal: Portal) -> None:
    """And no other row."""
    furnish(portal, lambda word: f'{word}"><b>')
    page = portal.browser("student").get(BOARD).text
    assert [html.unescape(name) for name in OWN.findall(page)] == ['Student"><b>']
    assert '"><b>' not in page


def test_staff_choose_entrants_by_their_names(portal: Portal) -> None:
    """Without the section in brackets that boards show, which is no part of a name."""
    numbers = furnish(portal)
    page = portal.browser("lecturer").get("/c/cards/final/{over}/control".format(**numbers)).text
    assert "<option>Mate</option>" in page
    assert '<option value="Mate">Mate</option>' in page
    assert "Mate [001]" in portal.browser().get("/c/cards/final/{over}".format(**numbers)).text


def test_columns_are_explained(portal: Portal) -> None:
    """By a hint on the heading, and for fingers and keyboards in a list below."""
    numbers = furnish(portal)
    page = portal.browser().get("/c/cards/final/{over}".format(**numbers)).text
    assert page.count('title="The sense of it."') == 7
    assert page.count("<dd>The sense of it.</dd>") == 7


def test_a_phone_shows_four_columns_unless_all_are_asked_for(portal: Portal) -> None:
    """Without a script; a section that was chosen stays so."""
    furnish(portal)
    lecturer = portal.browser("lecturer")
    page = lecturer.get(f"{BOARD}?section=001").text
    assert 'class="board few"' in page
    heads = re.findall(r"<th scope=\"col\"( class=\"[^\"]*\")?>", page)
    assert sum("more" in head for head in heads) == 3, "the section, and two of the others"
    (other,) = re.findall(r'href="([^"]*columns=all[^"]*)"', page)
    assert "section=001" in other
    every = lecturer.get(html.unescape(other)).text
    assert 'class="board few"' not in every
    assert "Fewer columns" in every


def test_a_board_from_before_has_no_hints() -> None:
    """It is shown like any other."""
    column = {"name": "entrant", "title": "Entrant", "is_number": False}
    content = {"columns": [column], "rows": [{"cells": [{"text": "Ada", "value": "Ada"}]}]}
    laid = laid_out(content)
    assert laid["rows"][0]["entrant"] == "Ada"
    assert laid["columns"][0]["classes"] == "who"
    assert laid_out({}) == {"columns": [], "rows": []}
