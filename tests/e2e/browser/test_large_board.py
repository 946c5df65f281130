"""The board of a class in a real browser: everybody is found, sorted and told apart."""

import json
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.e2e.browser.chromium import Chromium
from tests.e2e.browser.sites import LARGE, OUTLIER, SECTIONS, Sites

pytestmark = pytest.mark.prove  # to publish so many takes a quarter of a minute
SCREENS = ((1280, 900), (390, 844))
MOST_BYTES = 300_000
ROWS = "[...document.querySelectorAll('#board tbody tr:not([hidden])')]"
NAMES = f"{ROWS}.map((row) => row.querySelector('a').textContent)"
FOUND = "document.getElementById('found').textContent"
FOCUS = "document.activeElement"
LOADED = (
    "[...document.querySelectorAll('link[href], script[src], img[src]')]"
    ".map((each) => each.href || each.src)"
)


@pytest.fixture(params=SCREENS, ids=["wide", "phone"])
def board(request: pytest.FixtureRequest, browser: Chromium, large: Path) -> Chromium:
    """Open the board on a screen."""
    browser.screen(*request.param)
    page = browser.open(large / "index.html")
    assert page.complaints == []
    return browser


def _tab_to(browser: Chromium, what: str) -> None:
    """Move the focus by the Tab key alone until it is on what a selector names."""
    for _ in range(60):
        browser.press("Tab")
        if browser.run(f"{FOCUS}.matches({json.dumps(what)})"):
            return
    raise AssertionError(f"expected Tab to reach {what}, got {browser.run(FOCUS + '.outerHTML')}")


def _type(browser: Chromium, text: str) -> None:
    for letter in text:
        browser.ask("Input.dispatchKeyEvent", type="char", text=letter)


def test_everybody_is_found_by_one_search(board: Chromium) -> None:
    """The last of 250 as well as the first: the board has one page."""
    for number in range(1, LARGE + 1):
        board.run(
            "{const find = document.getElementById('find'); find.value = "
            f"'student {number:03}'; find.dispatchEvent(new Event('input'));}}"
        )
        assert board.run(NAMES) == [f"Student {number:03} [Section {1 + number % SECTIONS}]"]
        assert board.run(FOUND) == f"1 of {LARGE} shown"


def test_a_search_is_typed_without_a_mouse(board: Chromium) -> None:
    """Tab reaches the field, then the group, then the headings."""
    _tab_to(board, "#find")
    _type(board, "247")
    assert board.run(NAMES) == ["Student 247 [Section 2]"]
    assert board.run(FOUND) == f"1 of {LARGE} shown"


def test_a_group_is_chosen_without_a_mouse(board: Chromium) -> None:
    """And search and group hold together."""
    _tab_to(board, "#group")
    _type(board, "Section 3")
    shown = board.run(NAMES)
    assert shown == [f"Student {n:03} [Section 3]" for n in range(2, LARGE + 1, SECTIONS)]
    _tab_to(board, "#board thead button")
    assert board.run(FOUND) == f"{len(shown)} of {LARGE} shown"
    board.run(
        "{const find = document.getElementById('find'); find.value = '248';"
        "find.dispatchEvent(new Event('input'));}"
    )
    assert board.run(NAMES) == ["Student 248 [Section 3]"]


def test_every_heading_sorts_all_rows_without_a_mouse(board: Chromium) -> None:
    """Twice, so that either end comes first, and screen readers are told."""
    count = board.run("document.querySelectorAll('#board thead button').length")
    assert count > 5
    for _ in range(count):
        _tab_to(board, "#board thead button")
        column = board.run(f"{FOCUS}.closest('th').cellIndex")
        orders = set()
        for _ in range(2):
            board.ask("Input.dispatchKeyEvent", type="char", text="\r")
            orders.add(board.run(f"{FOCUS}.closest('th').getAttribute('aria-sort')"))
            cells = board.run(f"{ROWS}.map((row) => row.cells[{column}].dataset.v)")
            known = [each for each in cells if each]
            values = [float(each) for each in known] if _are_numbers(known) else known
            assert values in (sorted(values), sorted(values, reverse=True)), column
            assert len(cells) == LARGE
        assert orders == {"ascending", "descending"}


def _are_numbers(cells: list[str]) -> bool:
    return all(
        each.lstrip("-").replace(".", "", 1).replace("e-", "", 1).isdecimal() for each in cells
    )


def test_the_focus_is_seen_on_all_that_takes_it(board: Chromium) -> None:
    """A ring stands around the field, the group and the headings."""
    for what in ("#find", "#group", "#board thead button"):
        _tab_to(board, what)
        assert board.run(f"getComputedStyle({FOCUS}).outlineStyle") == "solid", what


def test_axe_finds_no_violation_on_a_large_board(board: Chromium, axe: str) -> None:
    """As it opens, and with a group chosen and the rows sorted."""
    board.run(f"{axe};0")
    look = (
        "axe.run().then((told) => JSON.stringify(told.violations.map((each) =>"
        " [each.id, each.help, each.nodes.slice(0, 3).map((node) => node.html.slice(0, 200))])))"
    )
    assert json.loads(board.run(look)) == []
    board.run(
        "{const group = document.getElementById('group'); group.value = 'Section 4';"
        "group.dispatchEvent(new Event('change'));"
        "document.querySelector('#board thead button').click();}"
    )
    assert json.loads(board.run(look)) == []


def test_a_large_board_does_not_scroll_sideways(board: Chromium) -> None:
    """Only the table does, by itself."""
    assert board.run("document.documentElement.scrollWidth <= innerWidth")


def test_one_outlier_does_not_hide_how_the_others_differ(board: Chromium) -> None:
    """Its interval ends in an arrow, the page says so, and the others have the whole scale."""
    marked = board.run(f"{ROWS}.map((row, at) => row.querySelector('.beyond') ? at + 1 : 0)")
    assert [row for row in marked if row] == [OUTLIER]
    assert "The scale of the intervals is clipped" in board.run("document.body.textContent")
    places = board.run(
        f"{ROWS}.map((row) => row.querySelector('circle')).filter(Boolean)"
        ".map((each) => +each.getAttribute('cx'))"
    )
    assert max(places) - min(places) > 30


def test_without_scripts_the_board_is_a_plain_table(browser: Chromium, large: Path) -> None:
    """All rows stand there, and no tool that would not work."""
    browser.open(large / "index.html")
    browser.reload_without_scripts()
    assert browser.run("document.getElementById('tools').hidden")
    rows = browser.run("document.querySelectorAll('#board tbody tr').length")
    assert rows == LARGE


def test_a_large_board_loads_little(large: Path) -> None:
    """With its style and its script."""
    loads = ("site.css", "board.js")
    board = [large / "index.html", *(large / "static" / name for name in loads)]
    assert sum(path.stat().st_size for path in board) < MOST_BYTES


def test_no_page_loads_more_than_300_kilobytes(
    large: Path, sites: Sites, browser: Chromium
) -> None:
    """Whatever it asks for: no page reads the data, which lie in files no larger than that."""
    assert (large / "data.json").stat().st_size < MOST_BYTES
    small = sites["duplicate"]
    pages = [large / "index.html", large / "entrants/1.html", small / "duels.html"]
    for page in (*pages, small / "hands/1-1-1.html"):
        browser.open(page)
        loaded = browser.run(LOADED)
        paths = [Path(unquote(urlsplit(each).path)) for each in loaded if each != "data:,"]
        files = {page, *paths}
        assert len(files) > 1, page
        assert sum(path.stat().st_size for path in files) < MOST_BYTES, page
